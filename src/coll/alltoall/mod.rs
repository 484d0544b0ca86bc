// SPDX-License-Identifier: MIT OR Apache-2.0
//! All-to-all: [`direct`] on a node, [`pairwise`] for large blocks of many ranks, [`bruck`] for tiny ones. Units are packed
//! bytes. In place, the blocks to send first move aside.

pub mod bruck;
pub mod direct;
pub mod pairwise;

use std::sync::Arc;

use super::aside::aside;
use super::bind::Bound;
use super::call;
use super::drive::Run;
use super::registry::{Algorithm, Collective, Needs};
use super::schedule::{Lens, Schedule};
use super::sides::{Side, Sides, check_own, no_in_place};
use crate::object::comm::Comm;
use crate::object::constant::Handle;
use crate::object::error::Result;

const fn row(name: &'static str, collective: Collective, write: fn(&mut Schedule)) -> Algorithm {
    Algorithm { name, collective, needs: Needs::Nothing, write }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[
    row("direct", Collective::Alltoall, direct::direct),
    row("pairwise", Collective::Alltoall, pairwise::pairwise),
    row("bruck", Collective::Alltoall, bruck::bruck),
    row("direct", Collective::Alltoallv, direct::direct),
    row("pairwise", Collective::Alltoallv, pairwise::pairwise),
    row("direct", Collective::Alltoallw, direct::direct),
    row("pairwise", Collective::Alltoallw, pairwise::pairwise),
];

type Uniform = (*mut u8, i64, Handle);

fn run(send: Uniform, recv: Uniform, comm: Handle) -> Result<Option<Run>> {
    let comm = call::intracomm(comm, Collective::Alltoall)?;
    no_in_place("recvbuf", recv.0)?;
    let recv = Side::check("recv", recv.0, recv.1, recv.2)?;
    let mut c = call::call_on(comm);
    (c.len, c.in_place) = (recv.bytes(), call::in_place(send.0));
    let send = if c.in_place { recv } else { Side::check("send", send.0, send.1, send.2)? };
    check_own(send.bytes(), recv.bytes())?;
    let bound = Bound::bytes(send.blocks(), recv.blocks());
    Ok(Some(call::plan(Collective::Alltoall, comm, c.clone(), c.len as u64, 1, bound, None)))
}

/// The vector forms, from checked sides; `send` is `None` in place.
fn run_sides(collective: Collective, send: Option<Sides>, recv: Sides, comm: &'static Arc<Comm>) -> Result<Option<Run>> {
    let mut c = call::call_on(comm);
    c.in_place = send.is_none();
    let send = send.unwrap_or_else(|| recv.clone());
    let lens = Lens { send: send.lens(), recv: recv.lens() };
    check_own(lens.send[c.rank], lens.recv[c.rank])?;
    c.lens = Some(Arc::new(lens));
    Ok(Some(call::plan(collective, comm, c, 0, 1, Bound::bytes(send.list(), recv.list()), None)))
}

type Vector<'a> = (*mut u8, &'a [i64], &'a [i64], Handle);

fn run_v(send: Vector, recv: Vector, comm: Handle) -> Result<Option<Run>> {
    let comm = call::intracomm(comm, Collective::Alltoallv)?;
    no_in_place("recvbuf", recv.0)?;
    let sides = |name, side: Vector| Sides::check(name, side.0, side.1, side.2, side.3);
    let send = if call::in_place(send.0) { None } else { Some(sides("send", send)?) };
    run_sides(Collective::Alltoallv, send, sides("recv", recv)?, comm)
}

type Typed<'a> = (*mut u8, &'a [i64], &'a [i64], &'a [Handle]);

fn run_w(send: Typed, recv: Typed, comm: Handle) -> Result<Option<Run>> {
    let comm = call::intracomm(comm, Collective::Alltoallw)?;
    no_in_place("recvbuf", recv.0)?;
    let sides = |name, side: Typed| Sides::check_typed(name, side.0, side.1, side.2, side.3);
    let send = if call::in_place(send.0) { None } else { Some(sides("send", send)?) };
    run_sides(Collective::Alltoallw, send, sides("recv", recv)?, comm)
}

/// `MPI_Alltoall` (MPI 5.0, section 6.8).
///
/// # Safety
/// `send` (unless `MPI_IN_PLACE`) must hold `sendcount` elements a rank, `recv` `recvcount`; `recv` is written.
#[allow(clippy::too_many_arguments)]
pub unsafe fn alltoall(
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

/// `MPI_Ialltoall` (MPI 5.0, section 6.12.6).
///
/// # Safety
/// As for [`alltoall`], until the request completes.
#[allow(clippy::too_many_arguments)]
pub unsafe fn ialltoall(
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

/// `MPI_Alltoallv` (MPI 5.0, section 6.8). In place, the send arguments are not read.
///
/// # Safety
/// `send` (unless `MPI_IN_PLACE`) and `recv` must hold what the counts say; `recv` is written.
#[allow(clippy::too_many_arguments)]
pub unsafe fn alltoallv(
    send: *mut u8,
    sendcounts: &[i64],
    sdispls: &[i64],
    sendtype: Handle,
    recv: *mut u8,
    recvcounts: &[i64],
    rdispls: &[i64],
    recvtype: Handle,
    comm: Handle,
) -> Result<()> {
    call::block(run_v((send, sendcounts, sdispls, sendtype), (recv, recvcounts, rdispls, recvtype), comm)?)
}

/// `MPI_Ialltoallv` (MPI 5.0, section 6.12.6).
///
/// # Safety
/// As for [`alltoallv`], until the request completes.
#[allow(clippy::too_many_arguments)]
pub unsafe fn ialltoallv(
    send: *mut u8,
    sendcounts: &[i64],
    sdispls: &[i64],
    sendtype: Handle,
    recv: *mut u8,
    recvcounts: &[i64],
    rdispls: &[i64],
    recvtype: Handle,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    call::background(run_v((send, sendcounts, sdispls, sendtype), (recv, recvcounts, rdispls, recvtype), comm)?, request)
}

/// `MPI_Alltoallw` (MPI 5.0, section 6.8). Displacements in bytes. In place, the send arguments are not read.
///
/// # Safety
/// `send` (unless `MPI_IN_PLACE`) and `recv` must hold what counts and types say; `recv` is written.
#[allow(clippy::too_many_arguments)]
pub unsafe fn alltoallw(
    send: *mut u8,
    sendcounts: &[i64],
    sdispls: &[i64],
    sendtypes: &[Handle],
    recv: *mut u8,
    recvcounts: &[i64],
    rdispls: &[i64],
    recvtypes: &[Handle],
    comm: Handle,
) -> Result<()> {
    call::block(run_w((send, sendcounts, sdispls, sendtypes), (recv, recvcounts, rdispls, recvtypes), comm)?)
}

/// `MPI_Ialltoallw` (MPI 5.0, section 6.12.6).
///
/// # Safety
/// As for [`alltoallw`], until the request completes.
#[allow(clippy::too_many_arguments)]
pub unsafe fn ialltoallw(
    send: *mut u8,
    sendcounts: &[i64],
    sdispls: &[i64],
    sendtypes: &[Handle],
    recv: *mut u8,
    recvcounts: &[i64],
    rdispls: &[i64],
    recvtypes: &[Handle],
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    call::background(run_w((send, sendcounts, sdispls, sendtypes), (recv, recvcounts, rdispls, recvtypes), comm)?, request)
}
