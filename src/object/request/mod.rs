// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests: what nonblocking calls hand out.
//! This file: the table and the states. [`complete`] wait and test in all forms · [`generalized`] `MPI_Grequest_*`.

pub mod complete;
pub mod generalized;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::constant::{Handle, REQUEST_NULL};
use super::error::Result;
use super::handle::Kind;
use super::status::Status;
use crate::err;
use crate::os::lock::Lock;
use crate::p2p::{self, Ticket, partitioned};

/// Something that goes on in the background and is moved forward by [`crate::progress`]: a nonblocking collective,
/// a persistent one, the making of a communicator.
pub trait Active: Send {
    /// Moves forward as far as it can without waiting. `Some` when complete. Called with no lock held.
    fn advance(&mut self) -> Option<Result<Status>>;

    /// What it is and waits for, in words.
    fn describe(&self) -> String {
        "an operation in the background".to_owned()
    }

    /// A thread begins to wait for it.
    fn awaited(&mut self) {}
}

/// Starts the operation of a persistent request; returns the request of this one round.
pub trait Restart: Send {
    /// Starts a round.
    fn start(&mut self) -> Result<Handle>;

    /// The partitioned operation behind it, if it is one.
    fn partitioned(&self) -> Option<Arc<partitioned::Operation>> {
        None
    }
}

enum Body {
    Free,
    Background,
    Complete(Result<Status>),
    /// Not active when the round is `REQUEST_NULL`.
    Persistent(Option<Box<dyn Restart>>, Handle),
    Generalized(generalized::Generalized),
}

struct Slot {
    body: Body,
    /// `MPI_Request_free` was called while it was active: freed when complete.
    forgotten: bool,
}

struct Requests {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

static REQUESTS: Lock<Requests> = Lock::new(Requests { slots: Vec::new(), free: Vec::new() });
static ACTIVE: Lock<Vec<(Handle, Box<dyn Active>)>> = Lock::new(Vec::new());
static ACTIVE_COUNT: AtomicUsize = AtomicUsize::new(0);

const FIRST: u32 = 0x400;
const BASE: Handle = (Kind::Request as u32) << 27 | FIRST;
/// The request of a send that was complete when its call returned: one for all, never freed.
const SENT: Handle = BASE - 1;
/// Requests for two-sided operations are in no table: they are the operation's number from here on. (A bit that gives no
/// handle that an ABI has for a predefined object: MPICH's null request is the next bit.)
const TICKETS: Handle = (Kind::Request as u32) << 27 | 1 << 25 | FIRST;
const MOST_TICKETS: u32 = (1 << 25) - FIRST;

/// The operation that the request would stand for, if it is one for an operation.
#[inline]
fn ticket(handle: Handle) -> Option<Ticket> {
    let number = handle.wrapping_sub(TICKETS);
    (number < MOST_TICKETS).then_some(Ticket(number))
}

/// The same; an error if no request stands for it.
#[inline]
fn known_ticket(handle: Handle) -> Result<Option<Ticket>> {
    match ticket(handle) {
        Some(ticket) if !p2p::is_requested(ticket) => Err(unknown(handle)),
        found => Ok(found),
    }
}

impl Requests {
    fn insert(&mut self, body: Body) -> Handle {
        let slot = Slot { body, forgotten: false };
        let number = match self.free.pop() {
            Some(number) => {
                self.slots[number as usize] = slot;
                number
            }
            None => {
                self.slots.push(slot);
                self.slots.len() as u32 - 1
            }
        };
        BASE + number
    }

    fn get(&mut self, handle: Handle) -> Option<&mut Slot> {
        let slot = self.slots.get_mut(handle.checked_sub(BASE)? as usize)?;
        (!matches!(slot.body, Body::Free)).then_some(slot)
    }

    /// Frees the slot. What it held is for the caller to drop.
    fn release(&mut self, handle: Handle) -> Body {
        self.free.push(handle - BASE);
        std::mem::replace(&mut self.slots[(handle - BASE) as usize].body, Body::Free)
    }
}

fn unknown(handle: Handle) -> super::error::Error {
    err!(Request, "request {handle:#x} is not a request, or was completed and freed already")
}

/// A request for a two-sided operation; `None` is a send that is complete.
#[inline]
pub fn two_sided(ticket: Option<Ticket>) -> Handle {
    let Some(ticket) = ticket else { return SENT };
    p2p::request(ticket);
    of(ticket)
}

/// The request for a two-sided operation that was started for one.
#[inline]
pub fn of(ticket: Ticket) -> Handle {
    assert!(ticket.0 < MOST_TICKETS, "more operations at once than requests can tell apart");
    TICKETS + ticket.0
}

/// A request for an operation that [`crate::progress`] advances. It is moved forward once before this returns.
pub fn start(mut active: Box<dyn Active>) -> Handle {
    if let Some(result) = active.advance() {
        return REQUESTS.lock().insert(Body::Complete(result));
    }
    let handle = REQUESTS.lock().insert(Body::Background);
    ACTIVE.lock().push((handle, active));
    ACTIVE_COUNT.fetch_add(1, Ordering::Relaxed);
    handle
}

/// A request that is already complete (immediate operations with nothing to do).
pub fn completed(status: Status) -> Handle {
    REQUESTS.lock().insert(Body::Complete(Ok(status)))
}

/// An inactive persistent request.
pub fn persistent(restart: Box<dyn Restart>) -> Handle {
    REQUESTS.lock().insert(Body::Persistent(Some(restart), REQUEST_NULL))
}

/// Requests that are not freed, and background operations.
pub fn in_use() -> (u64, u64) {
    let requests = REQUESTS.lock();
    let here = requests.slots.len() - requests.free.len();
    ((here + p2p::requested()) as u64, ACTIVE_COUNT.load(Ordering::Relaxed) as u64)
}

/// Moves all background operations forward; returns whether one completed. User code may run inside: no lock is held.
#[inline]
pub fn advance_all() -> bool {
    ACTIVE_COUNT.load(Ordering::Relaxed) != 0 && advance_some()
}

fn advance_some() -> bool {
    let mut running = std::mem::take(&mut *ACTIVE.lock());
    let before = running.len();
    running.retain_mut(|(handle, active)| match active.advance() {
        None => true,
        Some(result) => {
            settle(*handle, result);
            false
        }
    });
    let completed = before - running.len();
    let mut active = ACTIVE.lock();
    // Operations that started meanwhile come after those that were running.
    running.append(&mut active);
    *active = running;
    ACTIVE_COUNT.fetch_sub(completed, Ordering::Relaxed);
    completed != 0
}

/// Says to a background operation that a thread begins to wait for it.
#[inline]
fn awaited(handle: Handle) {
    if ACTIVE_COUNT.load(Ordering::Relaxed) != 0 {
        let mut active = ACTIVE.lock();
        active.iter_mut().filter(|(of, _)| *of == handle).for_each(|(_, active)| active.awaited());
    }
}

fn settle(handle: Handle, result: Result<Status>) {
    let mut requests = REQUESTS.lock();
    let Some(slot) = requests.get(handle) else { return };
    if slot.forgotten {
        requests.release(handle);
    } else {
        slot.body = Body::Complete(result);
    }
}

/// `MPI_Start`.
pub fn start_persistent(request: &mut Handle) -> Result<()> {
    if known_ticket(*request)?.is_some() {
        return Err(err!(Request, "the request is not persistent"));
    }
    let mut restart = match REQUESTS.lock().get(*request) {
        Some(Slot { body: Body::Persistent(restart @ Some(_), REQUEST_NULL), .. }) => restart.take().expect("just matched"),
        Some(Slot { body: Body::Persistent(..), .. }) => return Err(err!(Request, "the persistent request is active already")),
        Some(_) => return Err(err!(Request, "the request is not persistent")),
        None => return Err(unknown(*request)),
    };
    let round = restart.start();
    if let Some(Slot { body: Body::Persistent(place, active), .. }) = REQUESTS.lock().get(*request) {
        *place = Some(restart);
        *active = *round.as_ref().unwrap_or(&REQUEST_NULL);
    }
    round.map(|_| ())
}

/// The partitioned operation of a persistent request; `None` for other requests.
pub fn partitioned(request: Handle) -> Result<Option<Arc<partitioned::Operation>>> {
    if known_ticket(request)?.is_some() {
        return Ok(None);
    }
    match &REQUESTS.lock().get(request).ok_or_else(|| unknown(request))?.body {
        Body::Persistent(Some(restart), _) => Ok(restart.partitioned()),
        _ => Ok(None),
    }
}

/// `MPI_Startall`.
pub fn start_all(requests: &mut [Handle]) -> Result<()> {
    requests.iter_mut().try_for_each(start_persistent)
}

/// `MPI_Request_free`: an active request completes on its own.
pub fn free(request: &mut Handle) -> Result<()> {
    let handle = std::mem::replace(request, REQUEST_NULL);
    if handle == SENT {
        return Ok(());
    }
    if let Some(ticket) = known_ticket(handle)? {
        p2p::forget(ticket);
        return Ok(());
    }
    let mut requests = REQUESTS.lock();
    let slot = requests.get(handle).ok_or_else(|| unknown(handle))?;
    let mut generalized = None;
    let mut round = REQUEST_NULL;
    match &mut slot.body {
        Body::Background => {
            slot.forgotten = true;
            return Ok(());
        }
        Body::Persistent(_, active) => round = *active,
        Body::Generalized(state) if !state.complete => {
            slot.forgotten = true;
            return Ok(());
        }
        Body::Generalized(state) => generalized = Some(state.clone()),
        Body::Complete(_) | Body::Free => {}
    }
    let body = requests.release(handle);
    drop(requests);
    // Only now: a persistent request may hold the last share of a communicator or a type, whose end takes other locks.
    drop(body);
    if round != REQUEST_NULL {
        free(&mut round)?;
    }
    generalized.map_or(Ok(()), |state| state.free())
}

/// `MPI_Cancel`: receives that have not matched complete as cancelled; all else completes as usual.
pub fn cancel(request: &mut Handle) -> Result<()> {
    if *request == SENT {
        return Ok(());
    }
    if let Some(ticket) = known_ticket(*request)? {
        p2p::cancel(ticket);
        return Ok(());
    }
    let generalized = {
        let mut requests = REQUESTS.lock();
        match &requests.get(*request).ok_or_else(|| unknown(*request))?.body {
            // As MPICH says; Open MPI crashes.
            Body::Persistent(_, REQUEST_NULL) => {
                return Err(err!(Request, "the request is not active: nothing can be cancelled"));
            }
            Body::Persistent(_, round) => {
                let mut round = *round;
                drop(requests);
                return cancel(&mut round);
            }
            Body::Generalized(state) => Some(state.clone()),
            Body::Background => return Err(err!(Request, "a collective operation cannot be cancelled")),
            Body::Complete(_) | Body::Free => None,
        }
    };
    generalized.map_or(Ok(()), |state| state.cancel())
}

/// What a test finds.
enum Found {
    /// Null or inactive: complete with an empty status.
    Inactive,
    Pending,
    Complete(Result<Status>),
}

/// The common case of [`take`]: a two-sided operation that is complete and has not failed.
#[inline]
fn take_well(request: &mut Handle, status: &mut Status) -> bool {
    let Some(ticket) = ticket(*request) else { return false };
    if !p2p::finish_requested(ticket, status) {
        return false;
    }
    *request = REQUEST_NULL;
    true
}

/// Tests one request without progress; when complete it is freed (a persistent one becomes inactive).
#[inline]
fn take(request: &mut Handle) -> Result<Found> {
    match *request {
        REQUEST_NULL => return Ok(Found::Inactive),
        SENT => {
            *request = REQUEST_NULL;
            return Ok(Found::Complete(Ok(Status::EMPTY)));
        }
        _ => {}
    }
    if let Some(ticket) = known_ticket(*request)? {
        let Some(result) = p2p::finish(ticket) else { return Ok(Found::Pending) };
        *request = REQUEST_NULL;
        return Ok(Found::Complete(result));
    }
    take_listed(request)
}

/// A request that is in the table.
fn take_listed(request: &mut Handle) -> Result<Found> {
    let mut requests = REQUESTS.lock();
    let slot = requests.get(*request).ok_or_else(|| unknown(*request))?;
    let result = match &mut slot.body {
        Body::Background => return Ok(Found::Pending),
        Body::Complete(result) => std::mem::replace(result, Ok(Status::EMPTY)),
        Body::Persistent(_, REQUEST_NULL) => return Ok(Found::Inactive),
        Body::Persistent(_, round) => {
            let mut round = *round;
            drop(requests);
            return take_round(*request, &mut round);
        }
        Body::Generalized(state) if !state.complete => return Ok(Found::Pending),
        Body::Generalized(state) => {
            let state = state.clone();
            requests.release(*request);
            drop(requests);
            *request = REQUEST_NULL;
            return Ok(Found::Complete(state.finish()));
        }
        Body::Free => unreachable!("`get` finds no free slots"),
    };
    requests.release(*request);
    *request = REQUEST_NULL;
    Ok(Found::Complete(result))
}

fn take_round(request: Handle, round: &mut Handle) -> Result<Found> {
    let found = take(round)?;
    if let (Found::Complete(_), Some(Slot { body: Body::Persistent(_, active), .. })) = (&found, REQUESTS.lock().get(request)) {
        *active = REQUEST_NULL;
    }
    Ok(found)
}

/// Whether a request is complete, without freeing it and without progress: its status (`MPI_Request_get_status`).
fn look(request: Handle) -> Result<Option<Status>> {
    if request == REQUEST_NULL || request == SENT {
        return Ok(Some(Status::EMPTY));
    }
    if let Some(ticket) = known_ticket(request)? {
        return Ok(p2p::look(ticket));
    }
    let mut requests = REQUESTS.lock();
    let round = match &requests.get(request).ok_or_else(|| unknown(request))?.body {
        Body::Complete(result) => return Ok(Some(result.clone().unwrap_or_default())),
        Body::Persistent(_, round) => *round,
        Body::Generalized(state) if state.complete => {
            let state = state.clone();
            drop(requests);
            return state.query().map(Some);
        }
        Body::Background | Body::Generalized(_) | Body::Free => return Ok(None),
    };
    drop(requests);
    look(round)
}

/// Whether a request is complete (also null or inactive); unlike [`look`] it calls no function of the user's.
fn is_complete(request: Handle) -> Result<bool> {
    if request == REQUEST_NULL || request == SENT {
        return Ok(true);
    }
    if let Some(ticket) = known_ticket(request)? {
        return Ok(p2p::is_complete(ticket));
    }
    let mut requests = REQUESTS.lock();
    let round = match &requests.get(request).ok_or_else(|| unknown(request))?.body {
        Body::Persistent(_, round) => *round,
        Body::Generalized(state) => return Ok(state.complete),
        Body::Complete(_) => return Ok(true),
        Body::Background | Body::Free => return Ok(false),
    };
    drop(requests);
    is_complete(round)
}

/// A request in words, for the report of a stuck program.
fn describe(request: Handle) -> String {
    if let Some(ticket) = ticket(request) {
        return p2p::waiting::describe(ticket).unwrap_or_else(|| "a copy on a device".to_owned());
    }
    let mut requests = REQUESTS.lock();
    let round = match requests.get(request).map(|slot| &slot.body) {
        Some(Body::Persistent(_, round)) => *round,
        Some(Body::Generalized(_)) => return "a generalized request".to_owned(),
        _ => request,
    };
    drop(requests);
    if round != request {
        return describe(round);
    }
    let active = ACTIVE.lock();
    active.iter().find(|(handle, _)| *handle == request).map_or_else(|| format!("request {request:#x}"), |(_, a)| a.describe())
}

/// Whether a request is active (not null, not an inactive persistent one).
fn is_active(request: Handle) -> Result<bool> {
    if request == REQUEST_NULL || request == SENT {
        return Ok(request == SENT);
    }
    if known_ticket(request)?.is_some() {
        return Ok(true);
    }
    let mut requests = REQUESTS.lock();
    let slot = requests.get(request).ok_or_else(|| unknown(request))?;
    Ok(!matches!(slot.body, Body::Persistent(_, REQUEST_NULL)))
}
