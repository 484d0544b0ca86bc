// SPDX-License-Identifier: MIT OR Apache-2.0
//! Barrier: [`dissemination`], through both groups of an intercommunicator.

pub mod dissemination;

use super::bind::{Buffer, Buffers};
use super::call::{self, Job};
use super::node;
use super::registry::{Algorithm, Collective, Needs};
use super::tuning;
use crate::object::comm;
use crate::object::constant::Handle;
use crate::object::error::Result;

const fn row(name: &'static str, needs: Needs) -> Algorithm {
    Algorithm { name, collective: Collective::Barrier, needs, write: dissemination::dissemination }
}

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[row("dissemination", Needs::Nothing), row("inter", Needs::Inter)];

fn job(comm: Handle) -> Result<Option<Job>> {
    let comm = comm::get(comm)?;
    let call = call::call_on(comm);
    let buffers = Buffers::bytes(Buffer::None, Buffer::None);
    Ok((call.size > 1).then(|| Job::new(Collective::Barrier, comm, call, (0, 1), buffers, None)))
}

/// `MPI_Barrier` (MPI 5.0, section 6.3).
pub fn barrier(handle: Handle) -> Result<()> {
    let comm = comm::get(handle)?;
    if comm.size() == 1 && !comm.is_inter() {
        return Ok(());
    }
    if tuning::node_first(Collective::Barrier, 0, comm.size() as usize) && node::barrier(comm)? {
        return Ok(());
    }
    call::block(job(handle)?)
}

/// `MPI_Ibarrier` (MPI 5.0, section 6.12.1).
pub fn ibarrier(comm: Handle, request: &mut Handle) -> Result<()> {
    call::background(job(comm)?, request)
}

/// `MPI_Barrier_init` (MPI 5.0, section 6.13.1).
pub fn barrier_init(comm: Handle, _info: Handle, request: &mut Handle) -> Result<()> {
    call::persist(job(comm)?, request)
}
