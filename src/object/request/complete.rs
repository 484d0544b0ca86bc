// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wait and test, for one, any, some and all requests (MPI 5.0, sections 3.7.3 and 3.7.5).

use std::fmt::{self, Display, Formatter};

use super::{Found, awaited, describe, is_active, is_complete, look, take, take_well};
use crate::err;
use crate::object::constant::{Handle, UNDEFINED};
use crate::object::error::{Class, Error, Result};
use crate::object::status::Status;
use crate::p2p::send;
use crate::progress;

/// Requests that the report of a stuck program names.
const NAMED: usize = 3;

/// What a rank waits for that waits for requests.
struct Awaited<'a>(&'a [Handle]);

impl Display for Awaited<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let pending: Vec<Handle> = self.0.iter().copied().filter(|&r| !is_complete(r).unwrap_or(true)).collect();
        let named: Vec<String> = pending.iter().take(NAMED).map(|&request| describe(request)).collect();
        let others = pending.len() - named.len();
        let more = if others > 0 { format!("; and {others} more") } else { String::new() };
        write!(f, "the wait for requests: {}{more}", named.join("; "))
    }
}

/// `MPI_Wait`.
pub fn wait(request: &mut Handle, status: &mut Status) -> Result<()> {
    loop {
        if take_well(request, status) {
            return Ok(());
        }
        match take(request)? {
            Found::Inactive => {
                *status = Status::OF_NOTHING;
                return Ok(());
            }
            Found::Complete(result) => return finish(result, status),
            Found::Pending => wait_for(std::slice::from_ref(request))?,
        }
    }
}

/// `MPI_Test`.
pub fn test(request: &mut Handle, flag: &mut bool, status: &mut Status) -> Result<()> {
    if take_well(request, status) {
        *flag = true;
        return Ok(());
    }
    let mut found = take(request)?;
    if matches!(found, Found::Pending) {
        progress::poll();
        found = take(request)?;
    }
    *flag = !matches!(found, Found::Pending);
    match found {
        Found::Pending => {
            progress::found_nothing();
            Ok(())
        }
        Found::Inactive => {
            *status = Status::OF_NOTHING;
            Ok(())
        }
        Found::Complete(result) => finish(result, status),
    }
}

/// `MPI_Request_get_status`.
pub fn get_status(request: Handle, flag: &mut bool, status: &mut Status) -> Result<()> {
    progress::poll();
    let found = look(request)?;
    *flag = found.is_some();
    match found {
        Some(found) => *status = if is_active(request)? { found } else { Status::OF_NOTHING },
        None => progress::found_nothing(),
    }
    Ok(())
}

/// `MPI_Request_get_status_all`.
pub fn get_status_all(requests: &[Handle], flag: &mut bool, statuses: Option<&mut [Status]>) -> Result<()> {
    progress::poll();
    let found: Vec<_> = requests.iter().map(|&request| look(request)).collect::<Result<_>>()?;
    *flag = found.iter().all(Option::is_some);
    if !*flag {
        progress::found_nothing();
    }
    if let (true, Some(statuses)) = (*flag, statuses) {
        statuses.iter_mut().zip(found.into_iter().flatten()).for_each(|(place, status)| *place = status);
    }
    Ok(())
}

/// `MPI_Request_get_status_any`.
pub fn get_status_any(requests: &[Handle], index: &mut i32, flag: &mut bool, status: &mut Status) -> Result<()> {
    progress::poll();
    let mut active = false;
    for (i, &request) in requests.iter().enumerate().filter(|(_, request)| is_active(**request).unwrap_or(true)) {
        active = true;
        if let Some(found) = look(request)? {
            (*index, *flag, *status) = (i as i32, true, found);
            return Ok(());
        }
    }
    (*index, *flag, *status) = (UNDEFINED, !active, Status::OF_NOTHING);
    if active {
        progress::found_nothing();
    }
    Ok(())
}

/// `MPI_Request_get_status_some`.
pub fn get_status_some(
    requests: &[Handle],
    count: &mut i32,
    indices: &mut [i32],
    mut statuses: Option<&mut [Status]>,
) -> Result<()> {
    progress::poll();
    let (mut done, mut active) = (0, false);
    for (i, &request) in requests.iter().enumerate().filter(|(_, request)| is_active(**request).unwrap_or(true)) {
        active = true;
        if let Some(found) = look(request)? {
            indices[done] = i as i32;
            if let Some(statuses) = statuses.as_deref_mut() {
                statuses[done] = found;
            }
            done += 1;
        }
    }
    *count = if active { done as i32 } else { UNDEFINED };
    if *count == 0 {
        progress::found_nothing();
    }
    Ok(())
}

/// `MPI_Waitany`.
pub fn wait_any(requests: &mut [Handle], index: &mut i32, status: &mut Status) -> Result<()> {
    loop {
        let mut flag = false;
        take_any(requests, index, &mut flag, status)?;
        if flag {
            return Ok(());
        }
        wait_for(requests)?;
    }
}

/// `MPI_Testany`.
pub fn test_any(requests: &mut [Handle], index: &mut i32, flag: &mut bool, status: &mut Status) -> Result<()> {
    take_any(requests, index, flag, status)?;
    if !*flag {
        progress::poll();
        take_any(requests, index, flag, status)?;
        if !*flag {
            progress::found_nothing();
        }
    }
    Ok(())
}

fn take_any(requests: &mut [Handle], index: &mut i32, flag: &mut bool, status: &mut Status) -> Result<()> {
    let mut pending = false;
    (*index, *flag) = (UNDEFINED, false);
    for (i, request) in requests.iter_mut().enumerate() {
        match take(request)? {
            Found::Inactive => {}
            Found::Pending => pending = true,
            Found::Complete(result) => {
                (*index, *flag) = (i as i32, true);
                return finish(result, status);
            }
        }
    }
    if !pending {
        *flag = true;
        *status = Status::OF_NOTHING;
    }
    Ok(())
}

/// `MPI_Waitsome`.
pub fn wait_some(requests: &mut [Handle], count: &mut i32, indices: &mut [i32], statuses: Option<&mut [Status]>) -> Result<()> {
    wait_for(requests)?;
    take_some(requests, count, indices, statuses)
}

/// `MPI_Testsome`.
pub fn test_some(requests: &mut [Handle], count: &mut i32, indices: &mut [i32], statuses: Option<&mut [Status]>) -> Result<()> {
    progress::poll();
    take_some(requests, count, indices, statuses)?;
    if *count == 0 {
        progress::found_nothing();
    }
    Ok(())
}

fn take_some(requests: &mut [Handle], count: &mut i32, indices: &mut [i32], mut statuses: Option<&mut [Status]>) -> Result<()> {
    let (mut done, mut active, mut first) = (0, false, None);
    for (i, request) in requests.iter_mut().enumerate() {
        match take(request)? {
            Found::Inactive => {}
            Found::Pending => active = true,
            Found::Complete(result) => {
                indices[done] = i as i32;
                record(result, statuses.as_deref_mut().map(|s| &mut s[done]), &mut first);
                done += 1;
            }
        }
    }
    *count = if done == 0 && !active { UNDEFINED } else { done as i32 };
    in_status(first)
}

/// `MPI_Waitall`.
pub fn wait_all(requests: &mut [Handle], mut statuses: Option<&mut [Status]>) -> Result<()> {
    let mut first = None;
    for (i, request) in requests.iter_mut().enumerate() {
        let result = loop {
            match take(request)? {
                Found::Inactive => break Ok(Status::EMPTY),
                Found::Complete(result) => break result,
                Found::Pending => wait_for(std::slice::from_ref(request))?,
            }
        };
        record(result, statuses.as_deref_mut().map(|s| &mut s[i]), &mut first);
    }
    in_status(first)
}

/// `MPI_Testall`: all or none are freed.
pub fn test_all(requests: &mut [Handle], flag: &mut bool, statuses: Option<&mut [Status]>) -> Result<()> {
    progress::poll();
    *flag = true;
    for request in requests.iter() {
        *flag &= is_complete(*request)?;
    }
    if *flag {
        return wait_all(requests, statuses);
    }
    progress::found_nothing();
    Ok(())
}

/// Waits until one of the active requests is complete (returns at once when none is active).
fn wait_for(requests: &[Handle]) -> Result<()> {
    let mut active = false;
    for request in requests {
        active |= is_active(*request)?;
    }
    if let [request] = requests {
        awaited(*request);
    }
    let complete = |request: &Handle| is_active(*request).unwrap_or(false) && is_complete(*request).unwrap_or(true);
    progress::wait_for_answer(Awaited(requests), || !active || requests.iter().any(complete));
    Ok(())
}

fn finish(result: Result<Status>, status: &mut Status) -> Result<()> {
    send::report(result, status)
}

/// Puts one result into its place among several: its status, with its error code.
fn record(result: Result<Status>, place: Option<&mut Status>, first: &mut Option<Error>) {
    let status = match result {
        Ok(status) => Status { error: Class::Success as i32, ..status },
        Err(error) => {
            let status = Status { error: error.code(), ..error.status().unwrap_or_default() };
            first.get_or_insert(error);
            status
        }
    };
    if let Some(place) = place {
        *place = status;
    }
}

fn in_status(first: Option<Error>) -> Result<()> {
    let Some(first) = first else { return Ok(()) };
    let all = err!(InStatus, "an operation failed, see the error fields of the statuses: {first}");
    Err(first.context().map_or(all.clone(), |context| all.in_context(context)))
}
