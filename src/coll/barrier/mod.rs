// SPDX-License-Identifier: MIT OR Apache-2.0
//! Barrier: [`dissemination`].

pub mod dissemination;

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

fn run(comm: Handle) -> Result<Option<Run>> {
    let comm = call::intracomm(comm, Collective::Barrier)?;
    if comm.size() == 1 {
        return Ok(None);
    }
    let bound = Bound::bytes(Buffer::None, Buffer::None);
    Ok(Some(call::plan(Collective::Barrier, comm, call::call_on(comm), 0, 1, bound, None)))
}

/// `MPI_Barrier` (MPI 5.0, section 6.3).
pub fn barrier(comm: Handle) -> Result<()> {
    let c = call::intracomm(comm, Collective::Barrier)?;
    if c.size() == 1 {
        return Ok(());
    }
    if tuning::node_first(Collective::Barrier, 0, c.size() as usize) && node::barrier(c)? {
        return Ok(());
    }
    call::block(run(comm)?)
}

/// `MPI_Ibarrier` (MPI 5.0, section 6.12.1).
pub fn ibarrier(comm: Handle, request: &mut Handle) -> Result<()> {
    call::background(run(comm)?, request)
}
