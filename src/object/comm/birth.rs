// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a communicator comes into the world: its members agree on a context id, then each makes the object.
//!
//! Two rounds: the members AND their bitmaps of free ids and choose the same one; each tries to claim it, and they AND
//! whether all could. A claim fails only when another creation in some member process (another thread's, or a pending
//! `MPI_Comm_idup`) took the id in between; then all give it back and choose again, elsewhere. No process waits while it
//! holds something that another needs, so creations cannot block each other. Where no process has anything else under
//! way, which the first round tells all, the second is left out.
//!
//! Where a call makes communicators of disjoint groups, or leaves some processes out, all who call agree on one id: when
//! there is none, all of them see it.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::agree::{self, Circle, Exchange, and};
use super::context::{IDS, STEP, WORDS, choose, set_owner};
use super::topology::Topology;
use super::{Comm, TABLE};
use crate::err;
use crate::object::attribute::Set;
use crate::object::constant::{COMM_NULL, Handle};
use crate::object::errhandler::Slot;
use crate::object::error::Result;
use crate::object::group::Group;
use crate::object::info::Entries;
use crate::os::lock::threaded;

/// Words of the bitmap that are compared at first: 256 ids.
const NARROW: usize = 4;
/// After so many lost races the ids are as good as used up.
const ATTEMPTS: u64 = 200;

/// What a communicator will be.
pub struct Plan {
    /// The local group.
    pub group: Arc<Group>,
    /// The remote group, in an intercommunicator.
    pub remote: Option<Arc<Group>>,
    /// My rank in the local group.
    pub rank: i32,
    /// The parent's error handler.
    pub errhandler: Slot,
    /// Attributes that were copied.
    pub attributes: Set,
    /// Hints.
    pub hints: Entries,
    /// Its topology.
    pub topology: Option<Arc<Topology>>,
}

impl Plan {
    /// A child of `parent` with another group, and nothing of the parent's but its error handler.
    pub fn child(parent: &Comm, group: Arc<Group>, rank: i32) -> Plan {
        let group = Group::under(group, parent.group.session);
        Plan {
            group,
            remote: None,
            rank,
            errhandler: Slot::inherit(&parent.errhandler),
            attributes: Set::default(),
            hints: Entries::default(),
            topology: None,
        }
    }
}

/// An agreement on a context id under way.
pub struct Agreement {
    circle: Circle,
    attempt: u64,
    /// Nothing else in this process can take an id while this goes on.
    alone: bool,
    /// This process will have a communicator with the id; otherwise it takes any.
    member: bool,
    /// Words of the bitmap that are compared: few, until they are used up.
    width: usize,
    phase: Phase,
}

enum Phase {
    Choose(Exchange),
    Confirm { id: u32, claimed: bool, exchange: Exchange },
}

impl Agreement {
    /// Starts; all members of the circle must.
    pub fn new(circle: Circle, alone: bool) -> Agreement {
        let phase = choosing(&circle, NARROW, alone);
        Agreement { circle, attempt: 0, alone, member: true, width: NARROW, phase }
    }

    /// The same for a process that will not be in the communicator.
    fn attending(circle: Circle) -> Agreement {
        let phase = attending(&circle, NARROW);
        Agreement { circle, attempt: 0, alone: true, member: false, width: NARROW, phase }
    }

    fn again(&mut self) -> Result<Option<u32>> {
        self.phase = match self.member {
            true => choosing(&self.circle, self.width, self.alone),
            false => attending(&self.circle, self.width),
        };
        Ok(None)
    }

    /// Goes as far as possible without waiting: the id when all agree.
    pub fn advance(&mut self) -> Option<Result<u32>> {
        loop {
            let outcome = match &mut self.phase {
                Phase::Choose(exchange) => exchange.advance()?.and_then(|common| self.chosen(&common)),
                Phase::Confirm { exchange, .. } => exchange.advance()?.and_then(|all| self.confirmed(all[0] == 1)),
            };
            match outcome {
                Ok(None) => {}
                Ok(Some(id)) => return Some(Ok(id)),
                Err(error) => return Some(Err(error)),
            }
        }
    }

    fn chosen(&mut self, words: &[u64]) -> Result<Option<u32>> {
        let (common, all_alone) = (&words[..self.width], words[self.width] == 1);
        let salt = u64::from(self.circle.context) << 32 | u64::from(self.circle.tag as u32);
        let found = choose(common, self.attempt, salt).filter(|_| self.attempt < ATTEMPTS);
        if found.is_none() && self.width < WORDS {
            self.width = WORDS;
            return self.again();
        }
        let id =
            found.ok_or_else(|| err!(Other, "no context id is free on all members; free communicators that are not needed"))?;
        let claimed = !self.member || IDS.lock().claim(id);
        if all_alone {
            debug_assert!(claimed, "id {id} was taken under an agreement that was alone");
            return Ok(Some(id));
        }
        let exchange = Exchange::new(&self.circle, vec![u64::from(claimed)], and);
        self.phase = Phase::Confirm { id, claimed, exchange };
        Ok(None)
    }

    fn confirmed(&mut self, all: bool) -> Result<Option<u32>> {
        let Phase::Confirm { id, claimed, .. } = self.phase else { unreachable!("only a confirmation is confirmed") };
        if all {
            return Ok(Some(id));
        }
        if claimed && self.member {
            IDS.lock().release(id);
        }
        self.attempt += 1;
        self.again()
    }
}

/// The first round: free ids, and whether this process is alone.
fn choosing(circle: &Circle, width: usize, alone: bool) -> Phase {
    let mut words = IDS.lock().snapshot(width);
    words.push(u64::from(alone));
    Phase::Choose(Exchange::new(circle, words, and))
}

/// The first round of a process that takes any id.
fn attending(circle: &Circle, width: usize) -> Phase {
    let mut words = vec![u64::MAX; width];
    words.push(1);
    Phase::Choose(Exchange::new(circle, words, and))
}

/// Whether a creation that starts now and ends before its call returns is the only one of this process.
pub fn alone() -> bool {
    !threaded() && PENDING.load(Ordering::Relaxed) == 0
}

/// Nonblocking creations under way.
pub static PENDING: AtomicUsize = AtomicUsize::new(0);

/// Makes a communicator now, together with the others of the circle; without a plan this process is in none.
pub fn now(circle: Circle, plan: impl Into<Option<Plan>>) -> Result<Handle> {
    let plan = plan.into();
    let mut agreement = if plan.is_some() { Agreement::new(circle, alone()) } else { Agreement::attending(circle) };
    let id = agree::wait("communicator creation: agreement on a context", || agreement.advance())?;
    let Some(plan) = plan else { return Ok(COMM_NULL) };
    let handle = TABLE.reserve();
    fill(handle, id, plan);
    Ok(handle)
}

/// Makes the object of a reserved handle.
pub fn fill(handle: Handle, id: u32, plan: Plan) {
    TABLE.fill(handle, Arc::new(object(handle, id * STEP, plan)));
    set_owner(id * STEP, handle);
}

fn object(handle: Handle, context: u32, plan: Plan) -> Comm {
    Comm {
        handle,
        context,
        group: plan.group,
        remote: plan.remote,
        rank: plan.rank,
        sequence: AtomicU32::new(0),
        background: AtomicU32::new(0),
        area: AtomicUsize::new(0),
        retire: OnceLock::new(),
        errhandler: plan.errhandler,
        attributes: plan.attributes,
        topology: plan.topology,
        neighbors: OnceLock::new(),
        hints: Mutex::new(plan.hints),
        name: Mutex::new(String::new()),
    }
}
