// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scatter: [`linear`] on a node and for blocks of their own lengths, [`binomial`] for small blocks of many ranks, [`inter`]
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
    row("linear", Collective::Scatter, Needs::Nothing, linear::linear),
    row("binomial", Collective::Scatter, Needs::Nothing, binomial::binomial),
    row("inter", Collective::Scatter, Needs::Inter, inter::inter),
    row("linear", Collective::Scatterv, Needs::Nothing, linear::linear),
    row("inter", Collective::Scatterv, Needs::Inter, inter::inter),
];

fn job(collective: Collective, send: Given, recv: Uniform, root: i32, comm: Handle) -> Result<Job> {
    let comm = comm::get(comm)?;
    let mut c = call::call_from(comm, root)?;
    let send = if c.rank == c.root {
        no_in_place("sendbuf", send.base())?;
        Some(Side::many("send", comm.peers().members.len(), send)?)
    } else {
        None
    };
    let takes = if comm.is_inter() { c.theirs().contains(&c.root) } else { true };
    c.in_place = !comm.is_inter() && send.is_some() && call::in_place(recv.0);
    let recv = if takes && !c.in_place {
        no_in_place("recvbuf at a rank that is not the root", recv.0)?;
        Some(Side::one("recv", recv)?)
    } else {
        None
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
    let send = Given::Uniform((send, sendcount, sendtype));
    job(Collective::Scatter, send, (recv, recvcount, recvtype), root, comm)
}

#[allow(clippy::too_many_arguments)]
fn vector(
    send: *mut u8,
    sendcounts: &[i64],
    displs: &[i64],
    sendtype: Handle,
    recv: *mut u8,
    recvcount: i64,
    recvtype: Handle,
    root: i32,
    comm: Handle,
) -> Result<Job> {
    let send = Given::Vector((send, sendcounts, displs, sendtype));
    job(Collective::Scatterv, send, (recv, recvcount, recvtype), root, comm)
}

forms! {
    /// `MPI_Scatter` (MPI 5.0, section 6.6).
    scatter, iscatter, scatter_init = uniform(
        send: *mut u8, sendcount: i64, sendtype: Handle, recv: *mut u8, recvcount: i64, recvtype: Handle, root: i32, comm: Handle,
    );
    /// `MPI_Scatterv` (MPI 5.0, section 6.6). Counts and displacements are significant at the root.
    scatterv, iscatterv, scatterv_init = vector(
        send: *mut u8, sendcounts: &[i64], displs: &[i64], sendtype: Handle,
        recv: *mut u8, recvcount: i64, recvtype: Handle, root: i32, comm: Handle,
    );
}
