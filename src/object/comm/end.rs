// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of communicators: free, disconnect, finalize.
//!
//! Freeing never waits. Pending operations keep the object by their `Arc`; its context id is free again in this process
//! when the last one is gone, and new communicators take ids that are free on all their members.

use std::sync::Arc;

use super::agree::{Exchange, and};
use super::context::{IDS, STEP, set_owner};
use super::{Comm, TABLE, get};
use crate::err;
use crate::object::attribute::calls::comm_owner;
use crate::object::constant::{COMM_NULL, COMM_SELF, COMM_WORLD, Handle};
use crate::object::error::Result;
use crate::object::request::{self, Active};
use crate::object::status::Status;
use crate::p2p::buffered::{self, Owner};

impl Drop for Comm {
    fn drop(&mut self) {
        if self.handle != COMM_WORLD && self.handle != COMM_SELF && self.context.is_multiple_of(STEP) {
            IDS.lock().retire(self.context / STEP);
        }
    }
}

/// `MPI_Comm_free`.
pub fn free(comm: &mut Handle) -> Result<()> {
    let object = get(*comm)?.clone();
    if *comm == COMM_WORLD || *comm == COMM_SELF {
        return Err(err!(Comm, "{} cannot be freed", object.name()));
    }
    comm_owner(&object).clear()?;
    TABLE.remove(*comm);
    set_owner(object.context, COMM_NULL);
    *comm = COMM_NULL;
    buffered::forget(Owner::Comm(object.context));
    Farewell::start(object)
}

/// `MPI_Comm_disconnect`: as free; pending operations complete in any case.
pub fn disconnect(comm: &mut Handle) -> Result<()> {
    free(comm)
}

/// Tells whoever hung something shared on the communicator (see [`Comm::retire`]) once all members have freed it.
struct Farewell {
    comm: Arc<Comm>,
    retire: fn(&Comm),
    exchange: Exchange,
}

impl Farewell {
    fn start(comm: Arc<Comm>) -> Result<()> {
        let Some(&retire) = comm.retire.get() else { return Ok(()) };
        let exchange = Exchange::new(&comm.everyone(), vec![0], and);
        let mut request = request::start(Box::new(Farewell { comm, retire, exchange }));
        request::free(&mut request)
    }
}

impl Active for Farewell {
    fn advance(&mut self) -> Option<Result<Status>> {
        let outcome = self.exchange.advance()?;
        (self.retire)(&self.comm);
        Some(outcome.map(|_| Status::EMPTY))
    }
}

/// Called once at finalization, before messages stop: the delete functions of `MPI_COMM_SELF`'s attributes run first
/// and may communicate (MPI 5.0, section 11.2.4).
pub fn finalize() {
    for handle in [COMM_SELF, COMM_WORLD] {
        if let Ok(comm) = get(handle) {
            // An error of a delete function has no call to be returned from.
            let _ = comm_owner(comm).clear();
        }
    }
    TABLE.remove(COMM_SELF);
    TABLE.remove(COMM_WORLD);
}
