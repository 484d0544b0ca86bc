// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gather: [`linear`] on a node and for blocks of their own lengths, [`binomial`] for small blocks of many ranks, [`inter`]
//! between groups. Units are packed bytes.

pub mod binomial;
pub mod inter;
pub mod linear;

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
    row("linear", Collective::Gather, Needs::Nothing, linear::linear),
    row("binomial", Collective::Gather, Needs::Nothing, binomial::binomial),
    row("inter", Collective::Gather, Needs::Inter, inter::inter),
    row("linear", Collective::Gatherv, Needs::Nothing, linear::linear),
    row("inter", Collective::Gatherv, Needs::Inter, inter::inter),
];

fn job(collective: Collective, send: Uniform, recv: Given, root: i32, comm: Handle) -> Result<Job> {
    let comm = comm::get(comm)?;
    let mut c = call::call_from(comm, root)?;
    let recv = if c.rank == c.root {
        no_in_place("recvbuf", recv.base())?;
        Some(Side::many("recv", comm.peers().members.len(), recv)?)
    } else {
        None
    };
    let gives = if comm.is_inter() { c.theirs().contains(&c.root) } else { true };
    c.in_place = !comm.is_inter() && recv.is_some() && call::in_place(send.0);
    let send = match &recv {
        Some(recv) if c.in_place => Some(recv.cut(c.rank)),
        _ if gives => {
            no_in_place("sendbuf at a rank that is not the root", send.0)?;
            Some(Side::one("send", send)?)
        }
        _ => None,
    };
    Job::moving(collective, comm, c, send, recv)
}

#[allow(clippy::too_many_arguments)]
fn uniform(
    send: *mut u8,
    sendcount: i64,
    sendtype: Handle,
    recv: *mut u8,
    recvcount: i64,
    recvtype: Handle,
    root: i32,
    comm: Handle,
) -> Result<Job> {
    let recv = Given::Uniform((recv, recvcount, recvtype));
    job(Collective::Gather, (send, sendcount, sendtype), recv, root, comm)
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
    root: i32,
    comm: Handle,
) -> Result<Job> {
    let recv = Given::Vector((recv, recvcounts, displs, recvtype));
    job(Collective::Gatherv, (send, sendcount, sendtype), recv, root, comm)
}

forms! {
    /// `MPI_Gather` (MPI 5.0, section 6.5).
    gather, igather, gather_init = uniform(
        send: *mut u8, sendcount: i64, sendtype: Handle, recv: *mut u8, recvcount: i64, recvtype: Handle, root: i32, comm: Handle,
    );
    /// `MPI_Gatherv` (MPI 5.0, section 6.5). Counts and displacements are significant at the root.
    gatherv, igatherv, gatherv_init = vector(
        send: *mut u8, sendcount: i64, sendtype: Handle,
        recv: *mut u8, recvcounts: &[i64], displs: &[i64], recvtype: Handle, root: i32, comm: Handle,
    );
}
