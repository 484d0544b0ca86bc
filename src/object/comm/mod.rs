// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communicators (MPI 5.0, chapter 7). Here: the object, its table, its birth and its end ·
//! [`query`] what asks about one.
//!
//! | file | what |
//! |---|---|
//! | [`context`] | which context ids are free here |
//! | [`agree`] | how processes agree before they have a communicator |
//! | [`birth`] | agreement on a context, then the object |
//! | [`dup`], [`split`], [`create`], [`from_group`], [`inter`] | the calls that make communicators |
//! | [`topology`] | Cartesian and graph communicators |
//! | [`end`] | free, disconnect, finalize |
//! | [`fault`] | what programs ask about failed processes |
//! | [`hints`] | info on communicators |

pub mod agree;
pub mod birth;
pub mod context;
pub mod create;
pub mod dup;
pub mod end;
pub mod fault;
pub mod from_group;
pub mod hints;
pub mod inter;
pub mod query;
pub mod split;
pub mod topology;

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::attribute::{Set, predefined};
use super::constant::{COMM_NULL, COMM_SELF, COMM_WORLD, Handle};
use super::errhandler::Slot;
use super::error::Result;
use super::group::Group;
use super::handle::{Kind, Table};
use super::info::Entries;
use crate::err;
use agree::Circle;
use topology::Topology;
use topology::neighbors::Neighbors;

pub use end::finalize;
pub use query::{rank, remote_size, size, test_inter};

/// Context of `MPI_COMM_WORLD`.
pub const WORLD_CONTEXT: u32 = 0;
/// Context of `MPI_COMM_SELF`.
pub const SELF_CONTEXT: u32 = context::STEP;
/// A context that no communicator ever has, for the library's own messages.
pub const INTERNAL_CONTEXT: u32 = 2 * context::STEP;

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
    /// Number of blocking collectives started on it: their tag.
    pub sequence: AtomicU32,
    /// Number of nonblocking ones, numbered apart: programs that let them pass blocking ones, which MPI forbids, run on Open MPI and
    /// MPICH.
    pub background: AtomicU32,
    /// Its area in the node's shared segment (`coll::node` reserves it at first use): offset + 1, 0 before.
    pub area: AtomicUsize,
    /// Set on all members by who shares something between them (the area): called on each after all have freed it.
    pub retire: OnceLock<fn(&Comm)>,
    /// Its error handler.
    pub errhandler: Slot,
    /// What the program cached on it.
    pub attributes: Set,
    /// Its topology.
    pub topology: Option<Arc<Topology>>,
    /// This process's neighbours in it, from the first use on.
    pub neighbors: OnceLock<Arc<Neighbors>>,
    /// Hints that the program gave.
    hints: Mutex<Entries>,
    /// The name that the program gave it, empty when none.
    name: Mutex<String>,
}

static TABLE: Table<Arc<Comm>> = Table::new(Kind::Comm);

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

    /// Whether it is an intercommunicator.
    pub fn is_inter(&self) -> bool {
        self.remote.is_some()
    }

    /// The tag of the next collective, which this call counts.
    pub fn next_tag(&self) -> i32 {
        // Bit 30 marks the messages that help out where one rank does not come to the shared segment.
        (self.sequence.fetch_add(1, Ordering::Relaxed) & 0x3fff_ffff) as i32
    }

    /// The job-wide number of this process.
    pub fn process_of_mine(&self) -> u32 {
        self.group.members[self.rank as usize]
    }

    /// All its processes (of both groups, in the same order on both sides) for an agreement, which counts as a collective.
    pub fn everyone(&self) -> Circle {
        self.circle(self.next_tag())
    }

    /// The same for an agreement that counts as a nonblocking collective.
    pub fn everyone_later(&self) -> Circle {
        self.circle(self.next_background().1)
    }

    fn circle(&self, tag: i32) -> Circle {
        let members = match &self.remote {
            None => self.group.members.clone(),
            Some(remote) => inter::union(&self.group.members, &remote.members),
        };
        let offset = if self.comes_second() { members.len() - self.group.members.len() } else { 0 };
        Circle { members, me: offset + self.rank as usize, context: self.context + 1, tag }
    }

    /// Whether the local group comes second among [`Comm::everyone`].
    fn comes_second(&self) -> bool {
        self.remote.as_ref().is_some_and(|remote| remote.members < self.group.members)
    }

    /// My place among the processes of both groups and how many there are, in the order of [`Comm::everyone`]; and how many
    /// of them are of the first group, 0 in an intracommunicator.
    pub fn place(&self) -> (usize, usize, usize) {
        let (rank, local) = (self.rank as usize, self.group.members.len());
        match &self.remote {
            None => (rank, local, 0),
            Some(remote) if self.comes_second() => {
                (remote.members.len() + rank, remote.members.len() + local, remote.members.len())
            }
            Some(remote) => (rank, local + remote.members.len(), local),
        }
    }

    /// The process at a place in the order of [`Comm::everyone`].
    pub fn process_at(&self, place: usize) -> u32 {
        let Some(remote) = &self.remote else { return self.group.members[place] };
        let (first, second) = if self.comes_second() { (remote, &self.group) } else { (&self.group, remote) };
        let behind = place.checked_sub(first.members.len());
        behind.map_or_else(|| first.members[place], |behind| second.members[behind])
    }

    /// The tag of a persistent collective: its rounds, of which one is under way at a time, may start in another order than
    /// those of other requests on other ranks.
    pub fn persistent_tag(&self) -> i32 {
        Space::Persistent.tag(self.sequence.fetch_add(1, Ordering::Relaxed) as i32)
    }

    /// The number and the tag of the next nonblocking collective, which this call counts.
    pub fn next_background(&self) -> (u32, i32) {
        let number = self.background.fetch_add(1, Ordering::Relaxed);
        (number, Space::Background.tag(number as i32))
    }

    /// What [`Comm::everyone`] said, cut into local and remote group.
    fn halves<'a, T>(&self, said: &'a [T]) -> (&'a [T], &'a [T]) {
        if self.comes_second() {
            let (theirs, mine) = said.split_at(said.len() - self.group.members.len());
            return (mine, theirs);
        }
        said.split_at(self.group.members.len())
    }

    /// Its name for messages to the user.
    pub fn name(&self) -> String {
        match self.name.lock().as_str() {
            "" => format!("an unnamed communicator of {} processes", self.size()),
            name => name.to_owned(),
        }
    }
}

/// Called once at `MPI_Init`: makes `MPI_COMM_WORLD` and `MPI_COMM_SELF`.
pub fn register_predefined(rank: u32, size: u32, application: u32) {
    predefined::set_job(application as i32, size as i32);
    set_predefined(COMM_WORLD, WORLD_CONTEXT, (0..size).collect(), rank as i32, "MPI_COMM_WORLD");
    set_predefined(COMM_SELF, SELF_CONTEXT, vec![rank], 0, "MPI_COMM_SELF");
}

fn set_predefined(handle: Handle, context: u32, members: Vec<u32>, rank: i32, name: &str) {
    let comm = Comm {
        handle,
        context,
        group: Group::new(members),
        remote: None,
        rank,
        sequence: AtomicU32::new(0),
        background: AtomicU32::new(0),
        area: AtomicUsize::new(0),
        retire: OnceLock::new(),
        errhandler: Slot::unset(),
        attributes: Set::default(),
        topology: None,
        neighbors: OnceLock::new(),
        hints: Mutex::new(Entries::default()),
        name: Mutex::new(name.to_owned()),
    };
    TABLE.set(handle, Arc::new(comm));
    context::set_owner(context, handle);
}

/// Looks a handle up; an error of class `Comm` when it names no communicator.
#[inline]
pub fn get(handle: Handle) -> Result<&'static Arc<Comm>> {
    TABLE.get(handle).ok_or_else(|| unknown(handle))
}

/// The rank in a communicator, if the handle names one.
#[inline(always)]
pub fn glance_rank(handle: Handle) -> Option<i32> {
    TABLE.get(handle).map(|comm| comm.rank)
}

/// The size of a communicator, if the handle names one.
#[inline(always)]
pub fn glance_size(handle: Handle) -> Option<i32> {
    TABLE.get(handle).map(|comm| comm.size())
}

#[cold]
fn unknown(handle: Handle) -> super::error::Error {
    match handle {
        COMM_NULL => err!(Comm, "the communicator is MPI_COMM_NULL"),
        _ => err!(Comm, "the handle {handle:#x} names no communicator (was it freed?)"),
    }
}

/// What does not count as the next collective: its tags must not meet those of collectives (which are not
/// negative) nor each other's.
#[derive(Clone, Copy)]
enum Space {
    CreateGroup = 0,
    Leaders = 1,
    Union = 2,
    FromGroup = 3,
    BothGroups = 4,
    Persistent = 5,
    Background = 6,
    // 7: collectives that are counted in the shared segment, `p2p::alarm::Name::counted`.
}

impl Space {
    fn tag(self, user: i32) -> i32 {
        i32::MIN | (self as i32) << 28 | user & 0x0fff_ffff
    }
}
