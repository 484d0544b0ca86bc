// SPDX-License-Identifier: MIT OR Apache-2.0
//! The calls of partitioned communication.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Channel, NEXT_TAG, Operation, Part, State, TAGS, greet, tell};
use crate::err;
use crate::object::comm;
use crate::object::constant::{ANY_SOURCE, ANY_TAG, Handle};
use crate::object::error::Result;
use crate::object::status::Status;
use crate::object::{info, request};
use crate::os::lock::Lock;
use crate::p2p::receive::FROM_NOBODY;
use crate::p2p::{Envelope, argument};
use crate::progress;

/// Arguments of an init call that are the same on both sides.
struct Arguments {
    buffer: *mut u8,
    partitions: i32,
    count: i64,
    datatype: Handle,
    comm: Handle,
    info: Handle,
}

fn make(sends: bool, peer: Option<Envelope>, status: Status, with: Arguments) -> Result<Handle> {
    let Arguments { buffer, partitions, count, datatype, comm, info } = with;
    info::entries(info)?;
    if partitions < 0 {
        return Err(err!(Arg, "partitions is {partitions}, and may not be negative"));
    }
    let all = count.checked_mul(i64::from(partitions)).ok_or_else(|| err!(Count, "count {count} is too large"))?;
    let datatype = argument::span(buffer, if count < 0 { count } else { all }, datatype)?.datatype.clone();
    let first = if sends { NEXT_TAG.fetch_add(partitions as u32, Ordering::Relaxed) & TAGS } else { 0 };
    let words = [u64::from(first), partitions as u64, (count * datatype.size) as u64];
    let state = State {
        active: false,
        greeting: greet(sends, peer, words)?,
        cut: sends.then_some(words),
        parts: Vec::new(),
        done: 0,
        failure: None,
    };
    let status = if peer.is_some() { Status { bytes: all * datatype.size, ..status } } else { status };
    let comm = comm::get(comm)?.clone();
    let buffer = buffer as usize;
    let state = Lock::new(state);
    let operation = Operation { sends, peer, buffer, datatype, partitions, count, status, state, _comm: comm };
    Ok(request::persistent(Box::new(Channel(Arc::new(operation)))))
}

/// `MPI_Psend_init`.
///
/// # Safety
/// The buffer must be readable in each round, a part of it from when it is marked ready.
#[allow(clippy::too_many_arguments)]
pub unsafe fn psend_init(
    buffer: *mut u8,
    partitions: i32,
    count: i64,
    datatype: Handle,
    dest: i32,
    tag: i32,
    comm: Handle,
    info: Handle,
    request: &mut Handle,
) -> Result<()> {
    let peer = argument::destination(dest, tag, comm)?;
    *request = make(true, peer, Status::EMPTY, Arguments { buffer, partitions, count, datatype, comm, info })?;
    Ok(())
}

/// `MPI_Precv_init`; it takes no wildcards.
///
/// # Safety
/// The buffer must be writable in each round.
#[allow(clippy::too_many_arguments)]
pub unsafe fn precv_init(
    buffer: *mut u8,
    partitions: i32,
    count: i64,
    datatype: Handle,
    source: i32,
    tag: i32,
    comm: Handle,
    info: Handle,
    request: &mut Handle,
) -> Result<()> {
    let peer = argument::source(source, tag, comm)?;
    if source == ANY_SOURCE {
        return Err(err!(Rank, "a partitioned receive may not come from MPI_ANY_SOURCE"));
    }
    if tag == ANY_TAG {
        return Err(err!(Tag, "the tag of a partitioned receive may not be MPI_ANY_TAG"));
    }
    let status = peer.map_or(FROM_NOBODY, |_| Status { source, tag, ..Status::EMPTY });
    *request = make(false, peer, status, Arguments { buffer, partitions, count, datatype, comm, info })?;
    Ok(())
}

fn operation(request: Handle, sends: bool) -> Result<Arc<Operation>> {
    let found = request::partitioned(request)?.filter(|operation| operation.sends == sends);
    let what = if sends { "send" } else { "receive" };
    found.ok_or_else(|| err!(Request, "the request is not a partitioned {what}"))
}

fn check(operation: &Operation, partition: i32) -> Result<usize> {
    if (0..operation.partitions).contains(&partition) {
        return Ok(partition as usize);
    }
    Err(err!(Arg, "partition {partition} does not exist; the request has {}", operation.partitions))
}

fn mark(operation: &Operation, state: &mut State, partition: i32) -> Result<()> {
    let i = check(operation, partition)?;
    if !state.active {
        return Err(err!(Request, "the partitioned send is not active: call MPI_Start first"));
    }
    if !matches!(state.parts[i], Part::Waiting) {
        return Err(err!(Arg, "partition {partition} was marked ready already"));
    }
    let words = state.cut.expect("a sender knows its parts");
    state.parts[i] = operation.begin(words, i)?;
    Ok(())
}

fn mark_all(request: Handle, partitions: impl Iterator<Item = i32>) -> Result<()> {
    let operation = operation(request, true)?;
    let mut state = operation.state.lock();
    let outcome = { partitions }.try_for_each(|partition| mark(&operation, &mut state, partition));
    drop(state);
    tell();
    outcome
}

/// `MPI_Pready`.
pub fn pready(partition: i32, request: Handle) -> Result<()> {
    mark_all(request, std::iter::once(partition))
}

/// `MPI_Pready_range`: both ends are meant.
pub fn pready_range(low: i32, high: i32, request: Handle) -> Result<()> {
    if high < low {
        return Err(err!(Arg, "partition_high {high} is below partition_low {low}"));
    }
    mark_all(request, low..=high)
}

/// `MPI_Pready_list`.
pub fn pready_list(length: i32, partitions: &[i32], request: Handle) -> Result<()> {
    if length < 0 {
        return Err(err!(Arg, "length is {length}, and may not be negative"));
    }
    mark_all(request, partitions.iter().copied())
}

/// `MPI_Parrived`: true also when the request is not active.
pub fn parrived(request: Handle, partition: i32, flag: &mut bool) -> Result<()> {
    let operation = operation(request, false)?;
    check(&operation, partition)?;
    *flag = arrived(&operation, partition);
    if !*flag {
        progress::poll();
        *flag = arrived(&operation, partition);
        if !*flag {
            progress::found_nothing();
        }
    }
    Ok(())
}

/// Whether all parts of the sender that reach into this one are done.
fn arrived(operation: &Operation, partition: i32) -> bool {
    let mut state = operation.state.lock();
    if !state.active || operation.peer.is_none() {
        return true;
    }
    match state.cut {
        Some(words) if !state.parts.is_empty() => operation.reaching(words, partition as usize).all(|part| state.is_done(part)),
        _ => false,
    }
}
