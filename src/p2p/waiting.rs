// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a rank waits for, in words: for the report of a stuck program ([`crate::progress`]). Computed only when it is printed.

use std::fmt::{Display, Formatter, Result};

use super::engine::Engine;
use super::{ENGINE, Ticket};
use crate::object::comm::{self, context};
use crate::object::constant::{ANY_SOURCE, ANY_TAG};

/// The context of what is no message.
pub const NO_CONTEXT: u32 = u32::MAX;

/// A call, and the operation that it waits for.
pub struct Operation<'a>(pub &'a str, pub Ticket);

impl Display for Operation<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match describe(self.1) {
            Some(what) => write!(f, "{}: {what}", self.0),
            None => f.write_str(self.0),
        }
    }
}

/// A call that looks for a message from `source` with `tag` in a context.
pub struct Wanted<'a> {
    /// The call.
    pub call: &'a str,
    /// The context.
    pub context: u32,
    /// A rank or `ANY_SOURCE`.
    pub source: i32,
    /// A tag or `ANY_TAG`.
    pub tag: i32,
}

impl Display for Wanted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} from {}{}{}", self.call, rank(self.source), tag(self.tag), on(self.context))
    }
}

fn rank(rank: i32) -> String {
    if rank == ANY_SOURCE { "any source".to_owned() } else { format!("rank {rank}") }
}

fn tag(tag: i32) -> String {
    match tag {
        ANY_TAG => ", any tag".to_owned(),
        // Those of the library itself mean nothing to the user.
        ..0 => String::new(),
        tag => format!(", tag {tag}"),
    }
}

/// The communicator of a context.
pub fn on(context: u32) -> String {
    let comm = context::owner(context).and_then(|handle| comm::get(handle).ok());
    comm.map_or_else(String::new, |comm| format!(", on {}", comm.name()))
}

/// A send or a receive with the other side, the tag and the communicator; `None` for what is no message.
pub fn describe(ticket: Ticket) -> Option<String> {
    let (context, mut pattern, destination, posted) = seen(&ENGINE.lock(), ticket);
    if context % context::STEP == 1 {
        // The tag of a collective's message is the library's own.
        pattern.tag = -1;
    }
    let state = if posted { "no message has come" } else { "the message is under way" };
    let is_internal = context / context::STEP == comm::INTERNAL_CONTEXT / context::STEP;
    Some(match destination {
        // A message that the user never wrote: the other rank sends or takes it in the same call.
        Some(process) if is_internal => format!("process {process} has not come to it"),
        None if is_internal => format!("{} has not come to it", rank(pattern.source)),
        Some(process) => format!("a send to {}{}{} is not received", peer(context, process), tag(pattern.tag), on(context)),
        None if context == NO_CONTEXT => return None,
        None => format!("a receive from {}{}{}: {state}", rank(pattern.source), tag(pattern.tag), on(context)),
    })
}

fn seen(engine: &Engine, ticket: Ticket) -> (u32, super::matching::Pattern, Option<u32>, bool) {
    let operation = &engine.operations[ticket.0 as usize];
    (operation.context, operation.pattern, operation.destination, operation.posted)
}

/// The rank that a process has in the communicator of a context.
fn peer(context: u32, process: u32) -> String {
    let comm = context::owner(context).and_then(|handle| comm::get(handle).ok());
    let found = comm.and_then(|comm| comm.peers().members.iter().position(|&member| member == process));
    found.map_or_else(|| format!("process {process}"), |at| rank(at as i32))
}
