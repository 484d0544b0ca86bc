// SPDX-License-Identifier: MIT OR Apache-2.0
//! Groups: ordered sets of processes (MPI 5.0, section 7.3). Members are job-wide process numbers.
//! Here: the object, its table, and what asks about one group · [`set`] union, intersection, difference ·
//! [`pick`] incl, excl and their range forms.

pub mod pick;
pub mod set;

use std::collections::HashMap;
use std::sync::Arc;

use super::constant::{GROUP_EMPTY, GROUP_NULL, Handle, IDENT, PROC_NULL, SIMILAR, UNDEFINED, UNEQUAL};
use super::error::Result;
use super::handle::{Kind, Table};
use crate::{err, init};

/// A group: rank → number of the process in the job.
#[derive(Debug, PartialEq, Eq)]
pub struct Group {
    /// Job-wide process numbers, by rank.
    pub members: Vec<u32>,
    /// The session that it came from, 0 when from none.
    pub session: Handle,
}

static TABLE: Table<Arc<Group>> = Table::new(Kind::Group);

impl Group {
    /// A shared group of these processes.
    pub fn new(members: Vec<u32>) -> Arc<Group> {
        Group::of_session(members, 0)
    }

    /// The same of a session.
    pub fn of_session(members: Vec<u32>, session: Handle) -> Arc<Group> {
        Arc::new(Group { members, session })
    }

    /// The same group as part of a session.
    pub fn under(group: Arc<Group>, session: Handle) -> Arc<Group> {
        if group.session == session { group } else { Group::of_session(group.members.clone(), session) }
    }

    /// The rank of a process, if it is a member.
    pub fn rank_of(&self, process: u32) -> Option<i32> {
        self.members.iter().position(|&m| m == process).map(|r| r as i32)
    }

    /// Process → rank, for those who ask often.
    pub fn index(&self) -> HashMap<u32, i32> {
        self.members.iter().enumerate().map(|(rank, &process)| (process, rank as i32)).collect()
    }

    /// Checks that a rank is in the group.
    pub fn check_rank(&self, rank: i32) -> Result<usize> {
        if (0..self.members.len() as i64).contains(&i64::from(rank)) {
            return Ok(rank as usize);
        }
        Err(err!(Rank, "rank {rank} is outside the group, which has {} processes", self.members.len()))
    }
}

/// Called once at initialization: makes `MPI_GROUP_EMPTY`.
pub fn register_predefined() {
    TABLE.set(GROUP_EMPTY, Group::new(Vec::new()));
}

/// Called once at the end of finalization.
pub fn forget_predefined() {
    TABLE.remove(GROUP_EMPTY);
}

/// Looks a handle up; an error of class `Group` when it names no group.
pub fn get(handle: Handle) -> Result<&'static Arc<Group>> {
    TABLE.get(handle).ok_or_else(|| match handle {
        GROUP_NULL => err!(Group, "the group is MPI_GROUP_NULL"),
        _ => err!(Group, "the group handle {handle:#x} names no group (was it freed?)"),
    })
}

/// A handle for a group; an empty one becomes `MPI_GROUP_EMPTY`.
pub fn register(group: Arc<Group>) -> Handle {
    if group.members.is_empty() { GROUP_EMPTY } else { TABLE.insert(group) }
}

/// `MPI_Group_size`.
pub fn size(group: Handle, size: &mut i32) -> Result<()> {
    *size = get(group)?.members.len() as i32;
    Ok(())
}

/// `MPI_Group_rank`: `MPI_UNDEFINED` when this process is not a member.
pub fn rank(group: Handle, rank: &mut i32) -> Result<()> {
    let members = get(group)?;
    *rank = members.rank_of(init::rank()).unwrap_or(UNDEFINED);
    Ok(())
}

/// `MPI_Group_translate_ranks`.
pub fn translate_ranks(from: Handle, n: i32, ranks: &[i32], to: Handle, out: &mut [i32]) -> Result<()> {
    pick::check_count(n)?;
    let (from, index) = (get(from)?, get(to)?.index());
    for (&rank, out) in ranks.iter().zip(out) {
        *out = match rank {
            PROC_NULL => PROC_NULL,
            _ => index.get(&from.members[from.check_rank(rank)?]).copied().unwrap_or(UNDEFINED),
        };
    }
    Ok(())
}

/// `MPI_IDENT`, `MPI_SIMILAR` or `MPI_UNEQUAL`.
pub fn relation(a: &Group, b: &Group) -> i32 {
    if a.members == b.members {
        return IDENT;
    }
    let index = b.index();
    let same = a.members.len() == b.members.len() && a.members.iter().all(|m| index.contains_key(m));
    if same { SIMILAR } else { UNEQUAL }
}

/// `MPI_Group_compare`.
pub fn compare(a: Handle, b: Handle, result: &mut i32) -> Result<()> {
    *result = relation(get(a)?, get(b)?);
    Ok(())
}

/// `MPI_Group_free`.
pub fn free(group: &mut Handle) -> Result<()> {
    get(*group)?;
    if *group != GROUP_EMPTY {
        TABLE.remove(*group);
    }
    *group = GROUP_NULL;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations() {
        let group = |m: &[u32]| Group { members: m.to_vec(), session: 0 };
        assert_eq!(relation(&group(&[1, 2]), &group(&[1, 2])), IDENT);
        assert_eq!(relation(&group(&[1, 2]), &group(&[2, 1])), SIMILAR);
        assert_eq!(relation(&group(&[1, 2]), &group(&[1, 3])), UNEQUAL);
        assert_eq!(relation(&group(&[1]), &group(&[1, 3])), UNEQUAL);
    }

    #[test]
    fn ranks_translate_between_groups() {
        let (a, b) = (register(Group::new(vec![10, 20, 30])), register(Group::new(vec![30, 10])));
        let mut out = [0; 3];
        translate_ranks(a, 3, &[0, 1, PROC_NULL], b, &mut out).unwrap();
        assert_eq!(out, [1, UNDEFINED, PROC_NULL]);
        assert!(translate_ranks(a, 1, &[3], b, &mut out).is_err());
        let mut freed = a;
        free(&mut freed).unwrap();
        assert_eq!(freed, GROUP_NULL);
        assert!(get(a).is_err() && get(freed).is_err());
    }
}
