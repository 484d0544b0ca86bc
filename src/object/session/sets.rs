// SPDX-License-Identifier: MIT OR Apache-2.0
//! Process sets: every session sees the whole job and the process itself (MPI 5.0, section 11.3.2).

use super::get;
use crate::object::constant::{GROUP_NULL, Handle};
use crate::object::error::Result;
use crate::object::group::{self, Group};
use crate::object::info::{self, Entries};
use crate::{err, init};

const WORLD: &str = "mpi://WORLD";
const SELF: &str = "mpi://SELF";
const NAMES: [&str; 2] = [WORLD, SELF];

/// The members of a set. Names are URIs: their case means nothing here.
fn members(name: &str) -> Result<Vec<u32>> {
    match NAMES.iter().find(|known| known.eq_ignore_ascii_case(name)) {
        Some(&WORLD) => Ok((0..init::size()).collect()),
        Some(_) => Ok(vec![init::rank()]),
        None => Err(err!(Arg, "there is no process set \"{name}\"; there are {WORLD} and {SELF}")),
    }
}

/// `MPI_Session_get_num_psets`.
pub fn get_num_psets(session: Handle, info: Handle, num: &mut i32) -> Result<()> {
    get(session)?;
    info::entries(info)?;
    *num = NAMES.len() as i32;
    Ok(())
}

/// `MPI_Session_get_nth_pset`: the size that the name needs with its final zero goes into `length`.
pub fn get_nth_pset(session: Handle, info: Handle, n: i32, length: &mut i32, name: &mut String) -> Result<()> {
    get(session)?;
    info::entries(info)?;
    let found = usize::try_from(n).ok().and_then(|n| NAMES.get(n));
    let found = found.ok_or_else(|| err!(Arg, "there is no process set {n}; there are {}", NAMES.len()))?;
    let fits = found.len().min((*length - 1).max(0) as usize);
    found[..fits].clone_into(name);
    *length = found.len() as i32 + 1;
    Ok(())
}

/// `MPI_Session_get_pset_info`.
pub fn get_pset_info(session: Handle, name: &str, info: &mut Handle) -> Result<()> {
    get(session)?;
    let mut entries = Entries::default();
    entries.set("mpi_size", &members(name)?.len().to_string());
    *info = info::register(entries);
    Ok(())
}

/// `MPI_Group_from_session_pset`: `MPI_GROUP_NULL` when there is no such set; a name that is no URI is an error.
pub fn group_from_pset(session: Handle, name: &str, new: &mut Handle) -> Result<()> {
    get(session)?;
    *new = match members(name) {
        Ok(members) => group::register(Group::of_session(members, session)),
        Err(_) if name.contains("://") => GROUP_NULL,
        Err(error) => return Err(error),
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_members() {
        assert_eq!(members("mpi://self").unwrap(), [init::rank()]);
        assert_eq!(members(WORLD).unwrap().len(), init::size() as usize);
        assert!(members("mpi://OTHER").is_err());
    }
}
