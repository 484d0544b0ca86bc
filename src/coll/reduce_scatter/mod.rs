// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reduce-scatter: [`direct`] on a node and for operations that do not commute, [`ring`] for large buffers of many ranks.
//! Units are elements. In place, the input first moves aside.

pub mod direct;
pub mod ring;

use std::sync::Arc;

use super::aside::aside;
use super::bind::{Block, Bound, Buffer};
use super::call;
use super::drive::Run;
use super::registry::{Algorithm, Collective, Needs};
use super::schedule::{Lens, Schedule};
use super::sides::no_in_place;
use crate::err;
use crate::object::constant::Handle;
use crate::object::error::Result;
use crate::object::{datatype, op};

const fn row(name: &'static str, collective: Collective, needs: Needs, write: fn(&mut Schedule)) -> Algorithm {
    Algorithm { name, collective, needs, write }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[
    row("direct", Collective::ReduceScatter, Needs::Nothing, direct::direct),
    row("ring", Collective::ReduceScatter, Needs::Commutative, ring::ring),
    row("direct", Collective::ReduceScatterBlock, Needs::Nothing, direct::direct),
    row("ring", Collective::ReduceScatterBlock, Needs::Commutative, ring::ring),
];

fn run(
    collective: Collective,
    (send, recv): (*mut u8, *mut u8),
    counts: &[i64],
    datatype: Handle,
    op: Handle,
    comm: Handle,
) -> Result<Option<Run>> {
    let comm = call::intracomm(comm, collective)?;
    let (datatype, op) = (datatype::committed(datatype)?, op::get(op)?);
    if let Some(rank) = counts.iter().position(|&count| count < 0) {
        return Err(err!(Count, "recvcounts[{rank}] is {}, which is negative", counts[rank]));
    }
    op.check(datatype)?;
    no_in_place("recvbuf", recv)?;
    let total: i64 = counts.iter().sum();
    call::check_alias(send, recv, total)?;
    let mut c = call::call_on(comm);
    (c.commutative, c.in_place) = (op.commutative, call::in_place(send));
    let base = if c.in_place { recv } else { send };
    let own = counts[c.rank];
    call::check_buffer("sendbuf", base, total, datatype)?;
    call::check_buffer("recvbuf", recv, own, datatype)?;
    let mut at = 0;
    let block = |&count: &i64| {
        let block = Block::new(base.wrapping_offset((at * datatype.extent) as isize), count, datatype);
        at += count;
        block
    };
    let blocks = Buffer::List(counts.iter().map(block).collect());
    if collective == Collective::ReduceScatterBlock {
        c.len = own as usize;
    } else {
        let send = counts.iter().map(|&count| count as usize).collect();
        c.lens = Some(Arc::new(Lens { send, recv: vec![own as usize] }));
    }
    let bound = Bound::elements(blocks, Buffer::one(recv, own, datatype), datatype);
    let bytes = (total * datatype.size) as u64;
    Ok(Some(call::plan(collective, comm, c, bytes, datatype.size, bound, Some(op.clone()))))
}

fn run_block(send: *mut u8, recv: *mut u8, count: i64, datatype: Handle, op: Handle, comm: Handle) -> Result<Option<Run>> {
    let size = call::intracomm(comm, Collective::ReduceScatterBlock)?.size();
    call::check_count(count)?;
    run(Collective::ReduceScatterBlock, (send, recv), &vec![count; size as usize], datatype, op, comm)
}

/// `MPI_Reduce_scatter` (MPI 5.0, section 6.10).
///
/// # Safety
/// `send` must hold the sum of the counts in elements, `recv` this rank's count; in place `recv` is both. `recv` is written.
pub unsafe fn reduce_scatter(
    send: *mut u8,
    recv: *mut u8,
    recvcounts: &[i64],
    datatype: Handle,
    op: Handle,
    comm: Handle,
) -> Result<()> {
    call::block(run(Collective::ReduceScatter, (send, recv), recvcounts, datatype, op, comm)?)
}

/// `MPI_Ireduce_scatter` (MPI 5.0, section 6.12.11).
///
/// # Safety
/// As for [`reduce_scatter`], until the request completes.
pub unsafe fn ireduce_scatter(
    send: *mut u8,
    recv: *mut u8,
    recvcounts: &[i64],
    datatype: Handle,
    op: Handle,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    call::background(run(Collective::ReduceScatter, (send, recv), recvcounts, datatype, op, comm)?, request)
}

/// `MPI_Reduce_scatter_block` (MPI 5.0, section 6.10).
///
/// # Safety
/// `send` must hold `recvcount` elements a rank, `recv` `recvcount`; in place `recv` is both. `recv` is written.
pub unsafe fn reduce_scatter_block(
    send: *mut u8,
    recv: *mut u8,
    recvcount: i64,
    datatype: Handle,
    op: Handle,
    comm: Handle,
) -> Result<()> {
    call::block(run_block(send, recv, recvcount, datatype, op, comm)?)
}

/// `MPI_Ireduce_scatter_block` (MPI 5.0, section 6.12.10).
///
/// # Safety
/// As for [`reduce_scatter_block`], until the request completes.
pub unsafe fn ireduce_scatter_block(
    send: *mut u8,
    recv: *mut u8,
    recvcount: i64,
    datatype: Handle,
    op: Handle,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    call::background(run_block(send, recv, recvcount, datatype, op, comm)?, request)
}
