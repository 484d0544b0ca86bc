// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks of the arguments that two-sided calls share.

use std::sync::Arc;

use super::{Envelope, Span};
use crate::err;
use crate::object::comm::{self, Comm};
use crate::object::constant::{ANY_SOURCE, ANY_TAG, DATATYPE_NULL, Handle, PROC_NULL};
use crate::object::datatype::{self, Datatype};
use crate::object::error::{Error, Result};

/// The buffer of a call. `MPI_BOTTOM` is address 0, so a null buffer is an error only when bytes would move near it.
#[inline(always)]
pub fn span(buffer: *mut u8, count: i64, datatype: Handle) -> Result<Span<'static>> {
    if count < 0 {
        return Err(err!(Count, "the count is negative ({count}); counts beyond int need the _c form of the call"));
    }
    let datatype = datatype::committed(datatype).or_else(|error| if_any(error, count, datatype))?;
    if buffer.is_null() && count > 0 && datatype.dense && datatype.true_lb == 0 && datatype.size > 0 {
        return Err(err!(Buffer, "the buffer is NULL but the count is {count}"));
    }
    Ok(Span::whole(buffer, datatype, count))
}

/// The type of an empty message may be `MPI_DATATYPE_NULL`, as in MPICH.
#[cold]
fn if_any(error: Error, count: i64, datatype: Handle) -> Result<&'static Arc<Datatype>> {
    if count == 0 && datatype == DATATYPE_NULL { Ok(datatype::byte()) } else { Err(error) }
}

#[inline(always)]
fn communicator(comm: Handle) -> Result<&'static Arc<Comm>> {
    comm::get(comm)
}

#[inline(always)]
fn member(comm: &Comm, rank: i32, what: &str) -> Result<u32> {
    match comm.peers().members.get(rank as usize) {
        Some(&process) if rank >= 0 => Ok(process),
        _ => Err(err!(Rank, "the {what} rank {rank} is not in the communicator of {} ranks", comm.peers().members.len())),
    }
}

/// Where a send goes; `None` when to `MPI_PROC_NULL`.
#[inline(always)]
pub fn destination(rank: i32, tag: i32, comm: Handle) -> Result<Option<Envelope>> {
    let comm = communicator(comm)?;
    if tag < 0 {
        return Err(err!(Tag, "the tag {tag} of a send is negative"));
    }
    if rank == PROC_NULL {
        return Ok(None);
    }
    Ok(Some(Envelope { process: member(comm, rank, "destination")?, context: comm.context, rank: comm.rank, tag }))
}

/// What a receive or probe accepts; `None` when from `MPI_PROC_NULL`.
#[inline(always)]
pub fn source(rank: i32, tag: i32, comm: Handle) -> Result<Option<Envelope>> {
    let comm = communicator(comm)?;
    if tag < 0 && tag != ANY_TAG {
        return Err(err!(Tag, "the tag {tag} of a receive is negative and not MPI_ANY_TAG"));
    }
    match rank {
        PROC_NULL => Ok(None),
        ANY_SOURCE => Ok(Some(Envelope { process: 0, context: comm.context, rank, tag })),
        _ => Ok(Some(Envelope { process: member(comm, rank, "source")?, context: comm.context, rank, tag })),
    }
}
