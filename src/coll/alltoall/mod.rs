// SPDX-License-Identifier: MIT OR Apache-2.0
//! All-to-all: [`direct`] on a node, [`pairwise`] for large blocks of many ranks, [`bruck`] for tiny ones, [`inter`] between
//! groups. Units are packed bytes. In place, the blocks to send first move aside.

pub mod bruck;
pub mod direct;
pub mod inter;
pub mod pairwise;

use super::aside::aside;
use super::call::{self, Job};
use super::forms::forms;
use super::registry::{Algorithm, Collective, Needs};
use super::schedule::Schedule;
use super::sides::{Given, Side, no_in_place};
use crate::object::comm;
use crate::object::constant::Handle;
use crate::object::error::Result;

const fn row(name: &'static str, collective: Collective, needs: Needs, write: fn(&mut Schedule)) -> Algorithm {
    Algorithm { name, collective, needs, write }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[
    row("direct", Collective::Alltoall, Needs::Nothing, direct::direct),
    row("pairwise", Collective::Alltoall, Needs::Nothing, pairwise::pairwise),
    row("bruck", Collective::Alltoall, Needs::Nothing, bruck::bruck),
    row("inter", Collective::Alltoall, Needs::Inter, inter::inter),
    row("direct", Collective::Alltoallv, Needs::Nothing, direct::direct),
    row("pairwise", Collective::Alltoallv, Needs::Nothing, pairwise::pairwise),
    row("inter", Collective::Alltoallv, Needs::Inter, inter::inter),
    row("direct", Collective::Alltoallw, Needs::Nothing, direct::direct),
    row("pairwise", Collective::Alltoallw, Needs::Nothing, pairwise::pairwise),
    row("inter", Collective::Alltoallw, Needs::Inter, inter::inter),
];

fn job(collective: Collective, send: Given, recv: Given, comm: Handle) -> Result<Job> {
    let comm = comm::get(comm)?;
    let n = comm.peers().members.len();
    no_in_place("recvbuf", recv.base())?;
    let recv = Side::many("recv", n, recv)?;
    let mut c = call::call_on(comm);
    c.in_place = !comm.is_inter() && call::in_place(send.base());
    let send = if c.in_place {
        recv.clone()
    } else {
        no_in_place("sendbuf", send.base())?;
        Side::many("send", n, send)?
    };
    Job::moving(collective, comm, c, Some(send), Some(recv))
}

fn uniform(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcount: i64,
    recvtype: Handle,
    comm: Handle,
) -> Result<Job> {
    let (send, recv) = (Given::Uniform((send, sendcount, sendtype)), Given::Uniform((recv, recvcount, recvtype)));
    job(Collective::Alltoall, send, recv, comm)
}

#[allow(clippy::too_many_arguments)]
fn vector(
    send: *mut u8,
    sendcounts: &[i64],
    sdispls: &[i64],
    sendtype: Handle,
    recv: *mut u8,
    recvcounts: &[i64],
    rdispls: &[i64],
    recvtype: Handle,
    comm: Handle,
) -> Result<Job> {
    let (send, recv) =
        (Given::Vector((send, sendcounts, sdispls, sendtype)), Given::Vector((recv, recvcounts, rdispls, recvtype)));
    job(Collective::Alltoallv, send, recv, comm)
}

#[allow(clippy::too_many_arguments)]
fn typed(
    send: *mut u8,
    sendcounts: &[i64],
    sdispls: &[i64],
    sendtypes: &[Handle],
    recv: *mut u8,
    recvcounts: &[i64],
    rdispls: &[i64],
    recvtypes: &[Handle],
    comm: Handle,
) -> Result<Job> {
    let (send, recv) =
        (Given::Typed((send, sendcounts, sdispls, sendtypes)), Given::Typed((recv, recvcounts, rdispls, recvtypes)));
    job(Collective::Alltoallw, send, recv, comm)
}

forms! {
    /// `MPI_Alltoall` (MPI 5.0, section 6.8).
    alltoall, ialltoall, alltoall_init = uniform(
        send: *mut u8, sendcount: i64, sendtype: Handle, recv: *mut u8, recvcount: i64, recvtype: Handle, comm: Handle,
    );
    /// `MPI_Alltoallv` (MPI 5.0, section 6.8). In place, the send arguments are not read.
    alltoallv, ialltoallv, alltoallv_init = vector(
        send: *mut u8, sendcounts: &[i64], sdispls: &[i64], sendtype: Handle,
        recv: *mut u8, recvcounts: &[i64], rdispls: &[i64], recvtype: Handle, comm: Handle,
    );
    /// `MPI_Alltoallw` (MPI 5.0, section 6.8). Displacements in bytes. In place, the send arguments are not read.
    alltoallw, ialltoallw, alltoallw_init = typed(
        send: *mut u8, sendcounts: &[i64], sdispls: &[i64], sendtypes: &[Handle],
        recv: *mut u8, recvcounts: &[i64], rdispls: &[i64], recvtypes: &[Handle], comm: Handle,
    );
}
