// SPDX-License-Identifier: MIT OR Apache-2.0
//! Barrier: [`dissemination`].

pub mod dissemination;

use std::sync::Arc;

use crate::object::comm::Comm;
use crate::object::constant::Handle;
use crate::object::error::Result;

use super::bind::{Bound, Buffer};
use super::call;
use super::drive::Run;
use super::node;
use super::registry::{Algorithm, Collective, Needs};
use super::tuning;

/// Algorithms of this collective.
pub static ALGORITHMS: &[Algorithm] = &[Algorithm {
    name: "dissemination",
    collective: Collective::Barrier,
    needs: Needs::Nothing,
    write: dissemination::dissemination,
}];

fn run(comm: &Arc<Comm>) -> Option<Run> {
    let bound = Bound::bytes(Buffer::None, Buffer::None);
    (comm.size() > 1).then(|| call::plan(Collective::Barrier, comm, call::call_on(comm), 0, 1, bound, None))
}

/// `MPI_Barrier` (MPI 5.0, section 6.3).
pub fn barrier(comm: Handle) -> Result<()> {
    let comm = call::intracomm(comm, Collective::Barrier)?;
    if comm.size() == 1 {
        return Ok(());
    }
    if tuning::node_first(Collective::Barrier, 0, comm.size() as usize) && node::barrier(comm)? {
        return Ok(());
    }
    call::block(run(comm))
}

/// `MPI_Ibarrier` (MPI 5.0, section 6.12.1).
pub fn ibarrier(comm: Handle, request: &mut Handle) -> Result<()> {
    call::background(run(call::intracomm(comm, Collective::Barrier)?), request)
}

/// `MPI_Barrier_init` (MPI 5.0, section 6.13.1).
pub fn barrier_init(comm: Handle, _info: Handle, request: &mut Handle) -> Result<()> {
    let comm = call::intracomm(comm, Collective::Barrier)?.clone();
    *request = call::persist(move || run(&comm));
    Ok(())
}
