// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reduce-scatter: [`direct`] on a node and for operations that do not commute, [`ring`] for large buffers of many ranks,
//! [`inter`] between groups. Units are elements. In place, the input first moves aside.

pub mod direct;
pub mod inter;
pub mod ring;

use std::sync::Arc;

use super::aside::aside;
use super::bind::{Block, Buffer, Buffers};
use super::call::{self, Job};
use super::forms::forms;
use super::registry::{Algorithm, Collective, Needs};
use super::schedule::{Lens, Schedule};
use super::sides::no_in_place;
use crate::err;
use crate::object::constant::Handle;
use crate::object::datatype::Datatype;
use crate::object::error::Result;
use crate::object::{comm, op};

const fn row(name: &'static str, collective: Collective, needs: Needs, write: fn(&mut Schedule)) -> Algorithm {
    Algorithm { name, collective, needs, write }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[
    row("direct", Collective::ReduceScatter, Needs::Nothing, direct::direct),
    row("ring", Collective::ReduceScatter, Needs::Commutative, ring::ring),
    row("inter", Collective::ReduceScatter, Needs::Inter, inter::inter),
    row("direct", Collective::ReduceScatterBlock, Needs::Nothing, direct::direct),
    row("ring", Collective::ReduceScatterBlock, Needs::Commutative, ring::ring),
    row("inter", Collective::ReduceScatterBlock, Needs::Inter, inter::inter),
];

/// The blocks of the input, one a rank of the group.
fn blocks(base: *mut u8, counts: &[i64], datatype: &Arc<Datatype>) -> Buffer {
    let mut at = 0;
    let block = |&count: &i64| {
        let block = Block::new(base.wrapping_offset((at * datatype.extent) as isize), count, datatype);
        at += count;
        block
    };
    Buffer::List(counts.iter().map(block).collect())
}

fn check_counts(counts: &[i64]) -> Result<()> {
    match counts.iter().position(|&count| count < 0) {
        Some(rank) => Err(err!(Count, "recvcounts[{rank}] is {}, which is negative", counts[rank])),
        None => Ok(()),
    }
}

fn job(
    collective: Collective,
    (send, recv): (*mut u8, *mut u8),
    counts: &[i64],
    datatype: Handle,
    op: Handle,
    comm: Handle,
) -> Result<Job> {
    let comm = comm::get(comm)?;
    let (datatype, op) = op::with_type(datatype, op)?;
    check_counts(counts)?;
    no_in_place("recvbuf", recv)?;
    let total: i64 = counts.iter().sum();
    call::check_alias(send, recv, total)?;
    let mut c = call::call_on(comm);
    (c.commutative, c.in_place) = (op.commutative, call::in_place(send));
    if comm.is_inter() {
        no_in_place("sendbuf", send)?;
    }
    let base = if c.in_place { recv } else { send };
    let own = counts[comm.rank as usize];
    call::check_operand("sendbuf", base, total, datatype)?;
    call::check_operand("recvbuf", recv, own, datatype)?;
    let input = if comm.is_inter() { Buffer::one(base, total, datatype) } else { blocks(base, counts, datatype) };
    if collective == Collective::ReduceScatterBlock && !comm.is_inter() {
        c.len = own as usize;
    } else {
        let send = counts.iter().map(|&count| count as usize).collect();
        (c.len, c.lens) = (total as usize, Some(Arc::new(Lens { send, recv: vec![own as usize] })));
    }
    let buffers = Buffers::elements(input, Buffer::one(recv, own, datatype), datatype);
    let bytes = (total * datatype.size) as u64;
    Ok(Job::new(collective, comm, c, (bytes, datatype.size), buffers, Some(op)))
}

fn vector(send: *mut u8, recv: *mut u8, recvcounts: &[i64], datatype: Handle, op: Handle, comm: Handle) -> Result<Job> {
    job(Collective::ReduceScatter, (send, recv), recvcounts, datatype, op, comm)
}

fn uniform(send: *mut u8, recv: *mut u8, recvcount: i64, datatype: Handle, op: Handle, comm: Handle) -> Result<Job> {
    let size = comm::get(comm)?.size();
    call::check_count(recvcount)?;
    job(Collective::ReduceScatterBlock, (send, recv), &vec![recvcount; size as usize], datatype, op, comm)
}

forms! {
    /// `MPI_Reduce_scatter` (MPI 5.0, section 6.10). In place `recv` holds the input too.
    reduce_scatter, ireduce_scatter, reduce_scatter_init = vector(
        send: *mut u8, recv: *mut u8, recvcounts: &[i64], datatype: Handle, op: Handle, comm: Handle,
    );
    /// `MPI_Reduce_scatter_block` (MPI 5.0, section 6.10). In place `recv` holds the input too.
    reduce_scatter_block, ireduce_scatter_block, reduce_scatter_block_init = uniform(
        send: *mut u8, recv: *mut u8, recvcount: i64, datatype: Handle, op: Handle, comm: Handle,
    );
}
