// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scatter: [`linear`] on a node and for blocks of their own lengths, [`binomial`] for small blocks of many ranks. Units are
//! packed bytes.

pub mod binomial;
pub mod linear;

use std::sync::Arc;

use super::bind::{Bound, Buffer};
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
    row("linear", Collective::Scatter, linear::linear),
    row("binomial", Collective::Scatter, binomial::binomial),
    row("linear", Collective::Scatterv, linear::linear),
];

type Uniform = (*mut u8, i64, Handle);

fn run(send: Uniform, recv: Uniform, root: i32, comm: Handle) -> Result<Option<Run>> {
    let comm = call::intracomm(comm, Collective::Scatter)?;
    call::check_root(comm, root)?;
    let mut c = call::call_on(comm);
    c.root = root as usize;
    if comm.rank != root {
        no_in_place("recvbuf at a rank that is not the root", recv.0)?;
        let recv = Side::check("recv", recv.0, recv.1, recv.2)?;
        c.len = recv.bytes();
        let bound = Bound::bytes(Buffer::None, recv.one());
        return Ok(Some(call::plan(Collective::Scatter, comm, c.clone(), c.len as u64, 1, bound, None)));
    }
    no_in_place("sendbuf", send.0)?;
    let send = Side::check("send", send.0, send.1, send.2)?;
    (c.len, c.in_place) = (send.bytes(), call::in_place(recv.0));
    let recv = if c.in_place {
        Buffer::None
    } else {
        let recv = Side::check("recv", recv.0, recv.1, recv.2)?;
        check_own(send.bytes(), recv.bytes())?;
        recv.one()
    };
    let bound = Bound::bytes(send.blocks(), recv);
    Ok(Some(call::plan(Collective::Scatter, comm, c.clone(), c.len as u64, 1, bound, None)))
}

type Vector<'a> = (*mut u8, &'a [i64], &'a [i64], Handle);

fn run_v(send: Vector, recv: Uniform, root: i32, comm: Handle) -> Result<Option<Run>> {
    let comm = call::intracomm(comm, Collective::Scatterv)?;
    call::check_root(comm, root)?;
    let mut c = call::call_on(comm);
    c.root = root as usize;
    if comm.rank != root {
        no_in_place("recvbuf at a rank that is not the root", recv.0)?;
        let recv = Side::check("recv", recv.0, recv.1, recv.2)?;
        c.lens = Some(Arc::new(Lens { send: vec![], recv: vec![recv.bytes()] }));
        let bound = Bound::bytes(Buffer::None, recv.one());
        return Ok(Some(call::plan(Collective::Scatterv, comm, c, 0, 1, bound, None)));
    }
    no_in_place("sendbuf", send.0)?;
    let send = Sides::check("send", send.0, send.1, send.2, send.3)?;
    c.in_place = call::in_place(recv.0);
    let lens = send.lens();
    let own = lens[root as usize];
    let recv = if c.in_place {
        Buffer::None
    } else {
        let recv = Side::check("recv", recv.0, recv.1, recv.2)?;
        check_own(own, recv.bytes())?;
        recv.one()
    };
    c.lens = Some(Arc::new(Lens { send: lens, recv: vec![own] }));
    Ok(Some(call::plan(Collective::Scatterv, comm, c, 0, 1, Bound::bytes(send.list(), recv), None)))
}

/// `MPI_Scatter` (MPI 5.0, section 6.6).
///
/// # Safety
/// At the root `send` must hold `sendcount` elements a rank; `recv` (unless `MPI_IN_PLACE`) `recvcount`, and is written.
#[allow(clippy::too_many_arguments)]
pub unsafe fn scatter(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcount: i64,
    recvtype: Handle,
    root: i32,
    comm: Handle,
) -> Result<()> {
    call::block(run((send, sendcount, sendtype), (recv, recvcount, recvtype), root, comm)?)
}

/// `MPI_Iscatter` (MPI 5.0, section 6.12.4).
///
/// # Safety
/// As for [`scatter`], until the request completes.
#[allow(clippy::too_many_arguments)]
pub unsafe fn iscatter(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcount: i64,
    recvtype: Handle,
    root: i32,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    call::background(run((send, sendcount, sendtype), (recv, recvcount, recvtype), root, comm)?, request)
}

/// `MPI_Scatterv` (MPI 5.0, section 6.6). Counts and displacements are significant at the root.
///
/// # Safety
/// At the root `send` must hold what the counts say; `recv` (unless `MPI_IN_PLACE`) `recvcount` elements, and is written.
#[allow(clippy::too_many_arguments)]
pub unsafe fn scatterv(
    send: *mut u8,
    sendcounts: &[i64],
    displs: &[i64],
    sendtype: Handle,
    recv: *mut u8,
    recvcount: i64,
    recvtype: Handle,
    root: i32,
    comm: Handle,
) -> Result<()> {
    call::block(run_v((send, sendcounts, displs, sendtype), (recv, recvcount, recvtype), root, comm)?)
}

/// `MPI_Iscatterv` (MPI 5.0, section 6.12.4).
///
/// # Safety
/// As for [`scatterv`], until the request completes.
#[allow(clippy::too_many_arguments)]
pub unsafe fn iscatterv(
    send: *mut u8,
    sendcounts: &[i64],
    displs: &[i64],
    sendtype: Handle,
    recv: *mut u8,
    recvcount: i64,
    recvtype: Handle,
    root: i32,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    call::background(run_v((send, sendcounts, displs, sendtype), (recv, recvcount, recvtype), root, comm)?, request)
}
