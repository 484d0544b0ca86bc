// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gather: [`linear`] on a node and for blocks of their own lengths, [`binomial`] for small blocks of many ranks. Units are
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
    row("linear", Collective::Gather, linear::linear),
    row("binomial", Collective::Gather, binomial::binomial),
    row("linear", Collective::Gatherv, linear::linear),
];

type Uniform = (*mut u8, i64, Handle);

fn run(send: Uniform, recv: Uniform, root: i32, comm: Handle) -> Result<Option<Run>> {
    let comm = call::intracomm(comm, Collective::Gather)?;
    call::check_root(comm, root)?;
    let mut c = call::call_on(comm);
    c.root = root as usize;
    if comm.rank != root {
        no_in_place("sendbuf at a rank that is not the root", send.0)?;
        let send = Side::check("send", send.0, send.1, send.2)?;
        c.len = send.bytes();
        let bound = Bound::bytes(send.one(), Buffer::None);
        return Ok(Some(call::plan(Collective::Gather, comm, c.clone(), c.len as u64, 1, bound, None)));
    }
    no_in_place("recvbuf", recv.0)?;
    let recv = Side::check("recv", recv.0, recv.1, recv.2)?;
    (c.len, c.in_place) = (recv.bytes(), call::in_place(send.0));
    let send = if c.in_place { recv.block(root) } else { Side::check("send", send.0, send.1, send.2)? };
    check_own(send.bytes(), recv.bytes())?;
    let bound = Bound::bytes(send.one(), recv.blocks());
    Ok(Some(call::plan(Collective::Gather, comm, c.clone(), c.len as u64, 1, bound, None)))
}

type Vector<'a> = (*mut u8, &'a [i64], &'a [i64], Handle);

fn run_v(send: Uniform, recv: Vector, root: i32, comm: Handle) -> Result<Option<Run>> {
    let comm = call::intracomm(comm, Collective::Gatherv)?;
    call::check_root(comm, root)?;
    let mut c = call::call_on(comm);
    c.root = root as usize;
    if comm.rank != root {
        no_in_place("sendbuf at a rank that is not the root", send.0)?;
        let send = Side::check("send", send.0, send.1, send.2)?;
        c.lens = Some(Arc::new(Lens { send: vec![send.bytes()], recv: vec![] }));
        let bound = Bound::bytes(send.one(), Buffer::None);
        return Ok(Some(call::plan(Collective::Gatherv, comm, c, 0, 1, bound, None)));
    }
    no_in_place("recvbuf", recv.0)?;
    let recv = Sides::check("recv", recv.0, recv.1, recv.2, recv.3)?;
    c.in_place = call::in_place(send.0);
    let lens = recv.lens();
    let own = lens[root as usize];
    let send = if c.in_place {
        recv.one(root)
    } else {
        let send = Side::check("send", send.0, send.1, send.2)?;
        check_own(send.bytes(), own)?;
        send.one()
    };
    c.lens = Some(Arc::new(Lens { send: vec![own], recv: lens }));
    Ok(Some(call::plan(Collective::Gatherv, comm, c, 0, 1, Bound::bytes(send, recv.list()), None)))
}

/// `MPI_Gather` (MPI 5.0, section 6.5).
///
/// # Safety
/// `send` (unless `MPI_IN_PLACE`) must hold `sendcount` elements; at the root `recv` `recvcount` a rank, and is written.
#[allow(clippy::too_many_arguments)]
pub unsafe fn gather(
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

/// `MPI_Igather` (MPI 5.0, section 6.12.3).
///
/// # Safety
/// As for [`gather`], until the request completes.
#[allow(clippy::too_many_arguments)]
pub unsafe fn igather(
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

/// `MPI_Gatherv` (MPI 5.0, section 6.5). Counts and displacements are significant at the root.
///
/// # Safety
/// `send` (unless `MPI_IN_PLACE`) must hold `sendcount` elements; at the root `recv` what the counts say, and is written.
#[allow(clippy::too_many_arguments)]
pub unsafe fn gatherv(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcounts: &[i64],
    displs: &[i64],
    recvtype: Handle,
    root: i32,
    comm: Handle,
) -> Result<()> {
    call::block(run_v((send, sendcount, sendtype), (recv, recvcounts, displs, recvtype), root, comm)?)
}

/// `MPI_Igatherv` (MPI 5.0, section 6.12.3).
///
/// # Safety
/// As for [`gatherv`], until the request completes.
#[allow(clippy::too_many_arguments)]
pub unsafe fn igatherv(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcounts: &[i64],
    displs: &[i64],
    recvtype: Handle,
    root: i32,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    call::background(run_v((send, sendcount, sendtype), (recv, recvcounts, displs, recvtype), root, comm)?, request)
}
