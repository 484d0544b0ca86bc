// SPDX-License-Identifier: MIT OR Apache-2.0
//! Neighborhood collectives (MPI 5.0, section 8.6): [`direct`] serves them all. Blocks are in the order of the neighbours
//! ([`crate::object::comm::topology::neighbors`]); units are packed bytes.

pub mod direct;

use super::call::{self, Job};
use super::forms::forms;
use super::registry::{Algorithm, Collective, Needs};
use super::schedule::Schedule;
use super::sides::{Given, Side, Uniform, no_in_place};
use crate::object::comm::topology::neighbors;
use crate::object::constant::Handle;
use crate::object::error::Result;

const fn row(collective: Collective, write: fn(&mut Schedule)) -> Algorithm {
    Algorithm { name: "direct", collective, needs: Needs::Nothing, write }
}

/// Algorithms of these collectives.
pub static ALGORITHMS: &[Algorithm] = &[
    row(Collective::NeighborAllgather, direct::allgather),
    row(Collective::NeighborAllgatherv, direct::allgather),
    row(Collective::NeighborAlltoall, direct::alltoall),
    row(Collective::NeighborAlltoallv, direct::alltoall),
    row(Collective::NeighborAlltoallw, direct::alltoall),
];

/// What this rank sends: one block to all its neighbours, or one to each.
enum Out<'a> {
    All(Uniform),
    Each(Given<'a>),
}

fn job(collective: Collective, send: Out, recv: Given, comm: Handle) -> Result<Job> {
    let comm = call::intracomm(comm, collective)?;
    let around = neighbors::kept(comm)?;
    no_in_place("recvbuf", recv.base())?;
    let recv = Side::many("recv", around.sources.len(), recv)?;
    let send = match send {
        Out::All(block) => {
            no_in_place("sendbuf", block.0)?;
            Side::one("send", block)?
        }
        Out::Each(given) => {
            no_in_place("sendbuf", given.base())?;
            Side::many("send", around.destinations.len(), given)?
        }
    };
    let mut c = call::call_on(comm);
    c.neighbors = Some(around.clone());
    Job::moving(collective, comm, c, Some(send), Some(recv))
}

fn allgather_job(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcount: i64,
    recvtype: Handle,
    comm: Handle,
) -> Result<Job> {
    let (send, recv) = (Out::All((send, sendcount, sendtype)), Given::Uniform((recv, recvcount, recvtype)));
    job(Collective::NeighborAllgather, send, recv, comm)
}

#[allow(clippy::too_many_arguments)]
fn allgatherv_job(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcounts: &[i64],
    displs: &[i64],
    recvtype: Handle,
    comm: Handle,
) -> Result<Job> {
    let (send, recv) = (Out::All((send, sendcount, sendtype)), Given::Vector((recv, recvcounts, displs, recvtype)));
    job(Collective::NeighborAllgatherv, send, recv, comm)
}

fn alltoall_job(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcount: i64,
    recvtype: Handle,
    comm: Handle,
) -> Result<Job> {
    let (send, recv) = (Given::Uniform((send, sendcount, sendtype)), Given::Uniform((recv, recvcount, recvtype)));
    job(Collective::NeighborAlltoall, Out::Each(send), recv, comm)
}

#[allow(clippy::too_many_arguments)]
fn alltoallv_job(
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
    job(Collective::NeighborAlltoallv, Out::Each(send), recv, comm)
}

#[allow(clippy::too_many_arguments)]
fn alltoallw_job(
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
    job(Collective::NeighborAlltoallw, Out::Each(send), recv, comm)
}

forms! {
    /// `MPI_Neighbor_allgather` (MPI 5.0, section 8.6.1).
    allgather, iallgather, allgather_init = allgather_job(
        send: *mut u8, sendcount: i64, sendtype: Handle, recv: *mut u8, recvcount: i64, recvtype: Handle, comm: Handle,
    );
    /// `MPI_Neighbor_allgatherv` (MPI 5.0, section 8.6.1).
    allgatherv, iallgatherv, allgatherv_init = allgatherv_job(
        send: *mut u8, sendcount: i64, sendtype: Handle,
        recv: *mut u8, recvcounts: &[i64], displs: &[i64], recvtype: Handle, comm: Handle,
    );
    /// `MPI_Neighbor_alltoall` (MPI 5.0, section 8.6.2).
    alltoall, ialltoall, alltoall_init = alltoall_job(
        send: *mut u8, sendcount: i64, sendtype: Handle, recv: *mut u8, recvcount: i64, recvtype: Handle, comm: Handle,
    );
    /// `MPI_Neighbor_alltoallv` (MPI 5.0, section 8.6.2).
    alltoallv, ialltoallv, alltoallv_init = alltoallv_job(
        send: *mut u8, sendcounts: &[i64], sdispls: &[i64], sendtype: Handle,
        recv: *mut u8, recvcounts: &[i64], rdispls: &[i64], recvtype: Handle, comm: Handle,
    );
    /// `MPI_Neighbor_alltoallw` (MPI 5.0, section 8.6.2). Displacements in bytes.
    alltoallw, ialltoallw, alltoallw_init = alltoallw_job(
        send: *mut u8, sendcounts: &[i64], sdispls: &[i64], sendtypes: &[Handle],
        recv: *mut u8, recvcounts: &[i64], rdispls: &[i64], recvtypes: &[Handle], comm: Handle,
    );
}
