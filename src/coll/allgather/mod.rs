// SPDX-License-Identifier: MIT OR Apache-2.0
//! All-gather: [`direct`] on a node, [`bruck`] for small blocks of many ranks, [`ring`] for large ones. Units are packed bytes.

pub mod bruck;
pub mod direct;
pub mod ring;

use std::sync::Arc;

use super::bind::Bound;
use super::call;
use super::drive::Run;
use super::registry::{Algorithm, Collective, Needs};
use super::schedule::{Lens, Schedule};
use super::sides::{Side, Sides, check_own, no_in_place};
use crate::object::constant::Handle;
use crate::object::error::Result;

const fn row(name: &'static str, collective: Collective, write: fn(&mut Schedule)) -> Algorithm {
    Algorithm { name, collective, needs: Needs::Nothing, write }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[
    row("direct", Collective::Allgather, direct::direct),
    row("ring", Collective::Allgather, ring::ring),
    row("bruck", Collective::Allgather, bruck::bruck),
    row("direct", Collective::Allgatherv, direct::direct),
    row("ring", Collective::Allgatherv, ring::ring),
];

type Uniform = (*mut u8, i64, Handle);

fn run(send: Uniform, recv: Uniform, comm: Handle) -> Result<Option<Run>> {
    let comm = call::intracomm(comm, Collective::Allgather)?;
    no_in_place("recvbuf", recv.0)?;
    let recv = Side::check("recv", recv.0, recv.1, recv.2)?;
    let mut c = call::call_on(comm);
    (c.len, c.in_place) = (recv.bytes(), call::in_place(send.0));
    let send = if c.in_place { recv.block(comm.rank) } else { Side::check("send", send.0, send.1, send.2)? };
    check_own(send.bytes(), recv.bytes())?;
    let bound = Bound::bytes(send.one(), recv.blocks());
    Ok(Some(call::plan(Collective::Allgather, comm, c.clone(), c.len as u64, 1, bound, None)))
}

type Vector<'a> = (*mut u8, &'a [i64], &'a [i64], Handle);

fn run_v(send: Uniform, recv: Vector, comm: Handle) -> Result<Option<Run>> {
    let comm = call::intracomm(comm, Collective::Allgatherv)?;
    no_in_place("recvbuf", recv.0)?;
    let recv = Sides::check("recv", recv.0, recv.1, recv.2, recv.3)?;
    let mut c = call::call_on(comm);
    c.in_place = call::in_place(send.0);
    let lens = recv.lens();
    let (own, total) = (lens[comm.rank as usize], lens.iter().sum::<usize>());
    let send = if c.in_place {
        recv.one(comm.rank)
    } else {
        let send = Side::check("send", send.0, send.1, send.2)?;
        check_own(send.bytes(), own)?;
        send.one()
    };
    let bytes = (total / lens.len()) as u64;
    c.lens = Some(Arc::new(Lens { send: vec![own], recv: lens }));
    Ok(Some(call::plan(Collective::Allgatherv, comm, c, bytes, 1, Bound::bytes(send, recv.list()), None)))
}

/// `MPI_Allgather` (MPI 5.0, section 6.7).
///
/// # Safety
/// `send` (unless `MPI_IN_PLACE`) must hold `sendcount` elements, `recv` `recvcount` a rank; `recv` is written.
#[allow(clippy::too_many_arguments)]
pub unsafe fn allgather(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcount: i64,
    recvtype: Handle,
    comm: Handle,
) -> Result<()> {
    call::block(run((send, sendcount, sendtype), (recv, recvcount, recvtype), comm)?)
}

/// `MPI_Iallgather` (MPI 5.0, section 6.12.5).
///
/// # Safety
/// As for [`allgather`], until the request completes.
#[allow(clippy::too_many_arguments)]
pub unsafe fn iallgather(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcount: i64,
    recvtype: Handle,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    call::background(run((send, sendcount, sendtype), (recv, recvcount, recvtype), comm)?, request)
}

/// `MPI_Allgatherv` (MPI 5.0, section 6.7).
///
/// # Safety
/// `send` (unless `MPI_IN_PLACE`) must hold `sendcount` elements, `recv` what the counts say; `recv` is written.
#[allow(clippy::too_many_arguments)]
pub unsafe fn allgatherv(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcounts: &[i64],
    displs: &[i64],
    recvtype: Handle,
    comm: Handle,
) -> Result<()> {
    call::block(run_v((send, sendcount, sendtype), (recv, recvcounts, displs, recvtype), comm)?)
}

/// `MPI_Iallgatherv` (MPI 5.0, section 6.12.5).
///
/// # Safety
/// As for [`allgatherv`], until the request completes.
#[allow(clippy::too_many_arguments)]
pub unsafe fn iallgatherv(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcounts: &[i64],
    displs: &[i64],
    recvtype: Handle,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    call::background(run_v((send, sendcount, sendtype), (recv, recvcounts, displs, recvtype), comm)?, request)
}
