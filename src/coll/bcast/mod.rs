// SPDX-License-Identifier: MIT OR Apache-2.0
//! Broadcast: [`binomial`] for small, [`star`] on one node, [`chain`] and [`ring`] for large buffers.
//! The buffer is the receive buffer of every rank; units are packed bytes.

pub mod binomial;
pub mod chain;
pub mod ring;
pub mod star;

use std::sync::Arc;

use crate::object::comm::Comm;
use crate::object::constant::Handle;
use crate::object::datatype::{self, Datatype};
use crate::object::error::Result;
use crate::p2p::Span;

use super::bind::{Bound, Buffer};
use super::call;
use super::drive::Run;
use super::node;
use super::registry::{Algorithm, Collective, Needs};
use super::schedule::Schedule;
use super::tuning;

const fn row(name: &'static str, write: fn(&mut Schedule)) -> Algorithm {
    Algorithm { name, collective: Collective::Bcast, needs: Needs::Nothing, write }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] =
    &[row("binomial", binomial::binomial), row("chain", chain::chain), row("ring", ring::ring), row("star", star::star)];

/// A call whose arguments are good.
struct Args<'a> {
    buffer: *mut u8,
    count: i64,
    datatype: &'a Arc<Datatype>,
    root: i32,
    comm: &'a Arc<Comm>,
}

impl Args<'static> {
    fn check(buffer: *mut u8, count: i64, datatype: Handle, root: i32, comm: Handle) -> Result<Args<'static>> {
        let comm = call::intracomm(comm, Collective::Bcast)?;
        let datatype = datatype::committed(datatype)?;
        call::check_count(count)?;
        call::check_root(comm, root)?;
        call::check_not_in_place("buffer", buffer)?;
        if comm.size() > 1 {
            call::check_buffer("buffer", buffer, count, datatype)?;
        }
        Ok(Args { buffer, count, datatype, root, comm })
    }

    fn persist(self, request: &mut Handle) {
        let (buffer, count, root) = (self.buffer as usize, self.count, self.root);
        let (datatype, comm) = (self.datatype.clone(), self.comm.clone());
        let again = move || Args { buffer: buffer as *mut u8, count, datatype: &datatype, root, comm: &comm }.run();
        *request = call::persist(again);
    }
}

impl Args<'_> {
    fn bytes(&self) -> i64 {
        self.count * self.datatype.size
    }

    fn trivial(&self) -> bool {
        self.bytes() == 0 || self.comm.size() == 1
    }

    fn run(&self) -> Option<Run> {
        if self.trivial() {
            return None;
        }
        let mut call = call::call_on(self.comm);
        (call.root, call.len) = (self.root as usize, self.bytes() as usize);
        let bound = Bound::bytes(Buffer::None, Buffer::one(self.buffer, self.count, self.datatype));
        Some(call::plan(Collective::Bcast, self.comm, call, self.bytes() as u64, 1, bound, None))
    }
}

/// `MPI_Bcast` (MPI 5.0, section 6.4).
///
/// # Safety
/// `buffer` must hold `count` elements, readable at the root and writable at the others.
pub unsafe fn bcast(buffer: *mut u8, count: i64, datatype: Handle, root: i32, comm: Handle) -> Result<()> {
    let args = Args::check(buffer, count, datatype, root, comm)?;
    if args.trivial() {
        return Ok(());
    }
    if tuning::node_first(Collective::Bcast, args.bytes() as u64, args.comm.size() as usize) {
        // SAFETY: the caller's promise.
        if unsafe { node::bcast(args.comm, root, Span::whole(buffer, args.datatype, count)) }? {
            return Ok(());
        }
    }
    call::block(args.run())
}

/// `MPI_Ibcast` (MPI 5.0, section 6.12.2).
///
/// # Safety
/// As for [`bcast`], until the request completes.
pub unsafe fn ibcast(buffer: *mut u8, count: i64, datatype: Handle, root: i32, comm: Handle, request: &mut Handle) -> Result<()> {
    call::background(Args::check(buffer, count, datatype, root, comm)?.run(), request)
}

/// `MPI_Bcast_init` (MPI 5.0, section 6.13.2).
///
/// # Safety
/// As for [`bcast`], for every start of the request.
pub unsafe fn bcast_init(
    buffer: *mut u8,
    count: i64,
    datatype: Handle,
    root: i32,
    comm: Handle,
    _info: Handle,
    request: &mut Handle,
) -> Result<()> {
    Args::check(buffer, count, datatype, root, comm)?.persist(request);
    Ok(())
}
