// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communicators.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use super::constant::Handle;
use super::error::Result;
use super::group::Group;

/// A communicator.
pub struct Comm {
    /// Its handle.
    pub handle: Handle,
    /// Context of its two-sided messages; `context + 1` carries its collectives.
    pub context: u32,
    /// The local group.
    pub group: Arc<Group>,
    /// The remote group, in an intercommunicator.
    pub remote: Option<Arc<Group>>,
    /// My rank in the local group.
    pub rank: i32,
    /// Number of collectives started on it: their tag.
    pub sequence: AtomicU32,
}

impl Comm {
    /// Size of the local group.
    pub fn size(&self) -> i32 {
        self.group.members.len() as i32
    }

    /// The group that ranks in two-sided calls refer to.
    pub fn peers(&self) -> &Group {
        self.remote.as_deref().unwrap_or(&self.group)
    }

    /// Job-wide number of the process that `rank` means in two-sided calls.
    pub fn process(&self, rank: i32) -> u32 {
        self.peers().members[rank as usize]
    }
}

/// Looks a handle up; an error of class `Comm` when it names no communicator.
pub fn get(_handle: Handle) -> Result<&'static Arc<Comm>> {
    todo!()
}
