// SPDX-License-Identifier: MIT OR Apache-2.0
//! Broadcast: [`binomial`] for small, [`star`] on one node, [`chain`] and [`ring`] for large buffers, [`inter`] between
//! groups. The buffer is the receive buffer of every rank; units are packed bytes.

pub mod binomial;
pub mod chain;
pub mod inter;
pub mod ring;
pub mod star;

use std::sync::Arc;

use crate::object::comm::{self, Comm};
use crate::object::constant::{Handle, PROC_NULL};
use crate::object::datatype::{self, Datatype};
use crate::object::error::{Error, Result};
use crate::p2p::Span;

use super::bind::{Buffer, Buffers};
use super::call::{self, Job};
use super::node::{self, Way};
use super::registry::{Algorithm, Collective, Needs};
use super::schedule::{Ground, Schedule};
use super::tuning;

const fn row(name: &'static str, needs: Needs, write: fn(&mut Schedule)) -> Algorithm {
    Algorithm { name, collective: Collective::Bcast, needs, write }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[
    row("binomial", Needs::Nothing, binomial::binomial),
    row("chain", Needs::Nothing, chain::chain),
    row("ring", Needs::Nothing, ring::ring),
    row("star", Needs::Nothing, star::star),
    row("inter", Needs::Inter, inter::inter),
];

/// A call whose arguments are good.
struct Args {
    buffer: *mut u8,
    count: i64,
    datatype: &'static Arc<Datatype>,
    root: i32,
    comm: &'static Arc<Comm>,
}

impl Args {
    fn check(buffer: *mut u8, count: i64, datatype: Handle, root: i32, comm: Handle) -> Result<Args> {
        let comm = comm::get(comm)?;
        let args = |count, datatype| Args { buffer, count, datatype, root, comm };
        if comm.is_inter() && root == PROC_NULL {
            return Ok(args(0, datatype::byte()));
        }
        let datatype = datatype::committed(datatype)?;
        call::check_count(count)?;
        if !comm.is_inter() {
            call::check_root(comm, root)?;
        }
        call::check_not_in_place("buffer", buffer)?;
        if comm.size() > 1 || comm.is_inter() {
            call::check_buffer("buffer", buffer, count, datatype)?;
        }
        Ok(args(count, datatype))
    }

    fn bytes(&self) -> i64 {
        self.count * self.datatype.size
    }

    /// Where some ranks know nothing of the call but the communicator, no call is trivial.
    fn trivial(&self) -> bool {
        !self.comm.is_inter() && (self.bytes() == 0 || self.comm.size() == 1)
    }

    /// For ranks that may not wait for each other now.
    fn later(&self) -> Result<Option<Job>> {
        self.job(node::last_ground(self.comm))
    }

    fn job(&self, ground: Ground) -> Result<Option<Job>> {
        if self.trivial() {
            return Ok(None);
        }
        let mut call = call::call_from(self.comm, self.root)?;
        (call.len, call.ground) = (self.bytes() as usize, ground);
        let buffers = Buffers::bytes(Buffer::None, Buffer::one(self.buffer, self.count, self.datatype));
        Ok(Some(Job::new(Collective::Bcast, self.comm, call, (self.bytes() as u64, 1), buffers, None)))
    }
}

#[cold]
fn refused(error: Error, count: i64, datatype: Handle, comm: Handle) -> Error {
    let sizeless = datatype::get(datatype).is_ok_and(|datatype| datatype.size == 0);
    call::refused(error, comm, count == 0 || sizeless)
}

/// `MPI_Bcast` (MPI 5.0, section 6.4).
///
/// # Safety
/// `buffer` must hold `count` elements, readable at the root and writable at the others.
pub unsafe fn bcast(buffer: *mut u8, count: i64, datatype: Handle, root: i32, comm: Handle) -> Result<()> {
    let args = Args::check(buffer, count, datatype, root, comm).map_err(|error| refused(error, count, datatype, comm))?;
    if args.trivial() {
        return Ok(());
    }
    let mut ground = Ground::Host;
    if tuning::node_first(Collective::Bcast, args.bytes() as u64, args.comm.size() as usize) {
        // SAFETY: the caller's promise.
        match unsafe { node::bcast(args.comm, root, Span::whole(buffer, args.datatype, count)) }? {
            Way::Done => return Ok(()),
            Way::Schedule(agreed) => ground = agreed,
        }
    }
    call::block(args.job(ground)?)
}

/// `MPI_Ibcast` (MPI 5.0, section 6.12.2).
///
/// # Safety
/// As for [`bcast`], until the request completes.
pub unsafe fn ibcast(buffer: *mut u8, count: i64, datatype: Handle, root: i32, comm: Handle, request: &mut Handle) -> Result<()> {
    call::background(Args::check(buffer, count, datatype, root, comm)?.later()?, request)
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
    call::persist(Args::check(buffer, count, datatype, root, comm)?.later()?, request)
}
