// SPDX-License-Identifier: MIT OR Apache-2.0
//! All-gather: [`direct`] on a node, [`bruck`] for small blocks of many ranks, [`ring`] for large ones, [`inter`] between
//! groups. Units are packed bytes.

pub mod bruck;
pub mod direct;
pub mod inter;
pub mod ring;

use super::call::{self, Job};
use super::forms::forms;
use super::registry::{Algorithm, Collective, Needs};
use super::schedule::Schedule;
use super::sides::{Given, Side, Uniform, no_in_place};
use crate::object::comm;
use crate::object::constant::Handle;
use crate::object::error::Result;

const fn row(name: &'static str, collective: Collective, needs: Needs, write: fn(&mut Schedule)) -> Algorithm {
    Algorithm { name, collective, needs, write }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[
    row("direct", Collective::Allgather, Needs::Nothing, direct::direct),
    row("ring", Collective::Allgather, Needs::Nothing, ring::ring),
    row("bruck", Collective::Allgather, Needs::Nothing, bruck::bruck),
    row("inter", Collective::Allgather, Needs::Inter, inter::inter),
    row("direct", Collective::Allgatherv, Needs::Nothing, direct::direct),
    row("ring", Collective::Allgatherv, Needs::Nothing, ring::ring),
    row("inter", Collective::Allgatherv, Needs::Inter, inter::inter),
];

fn job(collective: Collective, send: Uniform, recv: Given, comm: Handle) -> Result<Job> {
    let comm = comm::get(comm)?;
    no_in_place("recvbuf", recv.base())?;
    let recv = Side::many("recv", comm.peers().members.len(), recv)?;
    let mut c = call::call_on(comm);
    c.in_place = !comm.is_inter() && call::in_place(send.0);
    let send = if c.in_place {
        recv.cut(c.rank)
    } else {
        no_in_place("sendbuf", send.0)?;
        Side::one("send", send)?
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
    job(Collective::Allgather, (send, sendcount, sendtype), Given::Uniform((recv, recvcount, recvtype)), comm)
}

#[allow(clippy::too_many_arguments)]
fn vector(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcounts: &[i64],
    displs: &[i64],
    recvtype: Handle,
    comm: Handle,
) -> Result<Job> {
    let recv = Given::Vector((recv, recvcounts, displs, recvtype));
    job(Collective::Allgatherv, (send, sendcount, sendtype), recv, comm)
}

forms! {
    /// `MPI_Allgather` (MPI 5.0, section 6.7).
    allgather, iallgather, allgather_init = uniform(
        send: *mut u8, sendcount: i64, sendtype: Handle, recv: *mut u8, recvcount: i64, recvtype: Handle, comm: Handle,
    );
    /// `MPI_Allgatherv` (MPI 5.0, section 6.7).
    allgatherv, iallgatherv, allgatherv_init = vector(
        send: *mut u8, sendcount: i64, sendtype: Handle,
        recv: *mut u8, recvcounts: &[i64], displs: &[i64], recvtype: Handle, comm: Handle,
    );
}
