// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scan and exclusive scan: [`recursive_doubling`] for small, [`linear`] for large buffers. Units are elements; operands stay in
//! rank order.

pub mod linear;
pub mod recursive_doubling;

use super::bind::{Buffer, Buffers};
use super::call::{self, Job};
use super::forms::forms;
use super::registry::{Algorithm, Collective, Needs};
use super::schedule::{Place, Schedule};
use super::sides::no_in_place;
use crate::object::constant::Handle;
use crate::object::error::Result;
use crate::object::op;

const fn row(name: &'static str, collective: Collective, write: fn(&mut Schedule)) -> Algorithm {
    Algorithm { name, collective, needs: Needs::Nothing, write }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[
    row("recursive_doubling", Collective::Scan, recursive_doubling::inclusive),
    row("linear", Collective::Scan, linear::inclusive),
    row("recursive_doubling", Collective::Exscan, recursive_doubling::exclusive),
    row("linear", Collective::Exscan, linear::exclusive),
];

/// Scratch for one contribution, where it is needed.
fn inbox(s: &mut Schedule, needed: bool) -> Place {
    let len = if needed { s.len() } else { 0 };
    s.scratch(len)
}

fn job(
    collective: Collective,
    (send, recv): (*mut u8, *mut u8),
    count: i64,
    datatype: Handle,
    op: Handle,
    comm: Handle,
) -> Result<Job> {
    let comm = call::intracomm(comm, collective)?;
    let (datatype, op) = op::with_type(datatype, op)?;
    call::check_count(count)?;
    no_in_place("recvbuf", recv)?;
    call::check_alias(send, recv, count)?;
    let mut c = call::call_on(comm);
    c.len = count as usize;
    (c.commutative, c.in_place) = (op.commutative, call::in_place(send));
    let send = if c.in_place { recv } else { send };
    call::check_operand("sendbuf", send, count, datatype)?;
    if collective == Collective::Scan || comm.rank != 0 {
        call::check_operand("recvbuf", recv, count, datatype)?;
    }
    let buffer = |base| Buffer::one(base, count, datatype);
    let buffers = Buffers::elements(buffer(send), buffer(recv), datatype);
    let bytes = (count * datatype.size) as u64;
    Ok(Job::new(collective, comm, c, (bytes, datatype.size), buffers, Some(op)))
}

fn inclusive(send: *mut u8, recv: *mut u8, count: i64, datatype: Handle, op: Handle, comm: Handle) -> Result<Job> {
    job(Collective::Scan, (send, recv), count, datatype, op, comm)
}

fn exclusive(send: *mut u8, recv: *mut u8, count: i64, datatype: Handle, op: Handle, comm: Handle) -> Result<Job> {
    job(Collective::Exscan, (send, recv), count, datatype, op, comm)
}

forms! {
    /// `MPI_Scan` (MPI 5.0, section 6.11).
    scan, iscan, scan_init = inclusive(send: *mut u8, recv: *mut u8, count: i64, datatype: Handle, op: Handle, comm: Handle);
    /// `MPI_Exscan` (MPI 5.0, section 6.11). Rank 0's `recv` is left as it is.
    exscan, iexscan, exscan_init = exclusive(send: *mut u8, recv: *mut u8, count: i64, datatype: Handle, op: Handle, comm: Handle);
}
