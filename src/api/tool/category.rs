// SPDX-License-Identifier: MIT OR Apache-2.0
//! Categories: all knobs are one, all performance variables another. Neither ever changes.

use super::{pvar, started};
use crate::err;
use crate::knob;
use crate::object::error::Result;

struct Category {
    name: &'static str,
    help: &'static str,
    cvars: fn() -> usize,
    pvars: fn() -> usize,
}

static ALL: [Category; 2] = [
    Category { name: "paceline_knobs", help: "Every knob of the library", cvars: || knob::ALL.len(), pvars: || 0 },
    Category { name: "paceline_levels", help: "What the engine knows about itself", cvars: || 0, pvars: || pvar::ALL.len() },
];

fn category(index: i32) -> Result<&'static Category> {
    started()?;
    let found = usize::try_from(index).ok().and_then(|i| ALL.get(i));
    found.ok_or_else(|| err!(TInvalidIndex, "there is no category {index}"))
}

/// `MPI_T_category_get_num`.
pub fn get_num(num: &mut i32) -> Result<()> {
    started()?;
    *num = ALL.len() as i32;
    Ok(())
}

/// `MPI_T_category_get_index`.
pub fn get_index(name: &str, index: &mut i32) -> Result<()> {
    started()?;
    let place = ALL.iter().position(|category| category.name == name);
    *index = place.ok_or_else(|| err!(TInvalidName, "there is no category {name}"))? as i32;
    Ok(())
}

/// `MPI_T_category_get_info`.
pub fn get_info(
    index: i32,
    name: &mut String,
    desc: &mut String,
    cvars: &mut i32,
    pvars: &mut i32,
    categories: &mut i32,
) -> Result<()> {
    let category = category(index)?;
    category.name.clone_into(name);
    category.help.clone_into(desc);
    (*cvars, *pvars, *categories) = ((category.cvars)() as i32, (category.pvars)() as i32, 0);
    Ok(())
}

/// A category's members are all variables of a kind, from the first on.
fn count_up(indices: &mut [i32], members: usize) {
    indices.iter_mut().take(members).enumerate().for_each(|(i, index)| *index = i as i32);
}

/// `MPI_T_category_get_cvars`.
pub fn get_cvars(index: i32, _len: i32, indices: &mut [i32]) -> Result<()> {
    count_up(indices, (category(index)?.cvars)());
    Ok(())
}

/// `MPI_T_category_get_pvars`.
pub fn get_pvars(index: i32, _len: i32, indices: &mut [i32]) -> Result<()> {
    count_up(indices, (category(index)?.pvars)());
    Ok(())
}

/// `MPI_T_category_get_categories` and `MPI_T_category_get_events`: none has any.
pub fn get_none(index: i32, _len: i32, _indices: &mut [i32]) -> Result<()> {
    category(index).map(|_| ())
}

/// `MPI_T_category_get_num_events`.
pub fn get_num_events(index: i32, num: &mut i32) -> Result<()> {
    *num = 0;
    category(index).map(|_| ())
}

/// `MPI_T_category_changed`: always the same stamp.
pub fn changed(stamp: &mut i32) -> Result<()> {
    *stamp = 0;
    started()
}

#[cfg(test)]
mod tests {
    use super::super::{cvar, finalize, init_thread};
    use super::*;

    #[test]
    fn members_are_all_variables() {
        let (mut provided, mut index, mut stamp) = (0, -1, 7);
        init_thread(0, &mut provided).unwrap();
        get_index("paceline_knobs", &mut index).unwrap();
        let mut members = vec![-1; knob::ALL.len() + 1];
        get_cvars(index, members.len() as i32, &mut members).unwrap();
        assert_eq!((members[1], members[knob::ALL.len()]), (1, -1));
        let mut num = 0;
        cvar::cvar_get_num(&mut num).unwrap();
        assert_eq!(num as usize, knob::ALL.len());
        changed(&mut stamp).unwrap();
        assert!(stamp == 0 && get_none(2, 0, &mut []).is_err());
        finalize().unwrap();
    }
}
