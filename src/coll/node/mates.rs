// SPDX-License-Identifier: MIT OR Apache-2.0
//! How the algorithms of this folder meet the other ranks.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::sync::atomic::Ordering;

use crate::object::comm::Comm;
use crate::object::error::Result;
use crate::p2p::{self, Envelope, Span, Ticket};
use crate::{progress, transport};

/// The other ranks of an area, by rank.
pub trait Mates {
    /// A message under way.
    type Message;
    /// Waits until `ready` holds, moving everything else forward.
    fn wait(&self, what: impl Display, ready: impl FnMut() -> bool);
    /// Wakes a rank if it sleeps.
    fn ring(&self, rank: usize);
    /// How many nonblocking collectives this rank has begun.
    fn begun(&self) -> u32;
    /// How often to look before waiting in earnest.
    fn spins(&self) -> u32;
    /// Whether this rank may read the memory of all others.
    fn can_read(&self) -> bool;
    /// Reads a rank's memory.
    ///
    /// # Safety
    /// `local` must be writable for `len` bytes.
    unsafe fn read(&self, rank: usize, remote: usize, local: *mut u8, len: usize) -> io::Result<()>;
    /// Writes a rank's memory.
    ///
    /// # Safety
    /// `local` must be readable for `len` bytes, and the rank must have asked for them at `remote`.
    unsafe fn write(&self, rank: usize, remote: usize, local: *const u8, len: usize) -> io::Result<()>;
    /// Starts a message to a rank.
    ///
    /// # Safety
    /// The bytes must stay readable until [`Mates::finish`] says so.
    unsafe fn send(&self, rank: usize, tag: i32, data: *const u8, len: usize) -> Result<Self::Message>;
    /// Starts a receive from a rank.
    ///
    /// # Safety
    /// The bytes must stay writable until [`Mates::finish`] says so.
    unsafe fn receive(&self, rank: usize, tag: i32, data: *mut u8, len: usize) -> Self::Message;
    /// Whether a message is through; not to be asked again once it is.
    fn finish(&self, message: &mut Self::Message) -> Option<Result<()>>;
}

/// The ranks of a communicator, all on this node.
pub struct Node<'a>(pub &'a Comm);

/// A wait for other ranks in the shared segment, in words.
struct OnNode<'a, W>(W, &'a Comm);

impl<W: Display> Display for OnNode<'_, W> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0, p2p::waiting::on(self.1.context))
    }
}

/// Looks before the engine's wait begins: about as long as a message needs between distant cores.
const SPINS: u32 = 400;
/// With more ranks than cores nobody comes while we look.
const SPINS_OVERSUBSCRIBED: u32 = 4;

impl Node<'_> {
    fn envelope(&self, rank: usize, mine: i32, tag: i32) -> Envelope {
        Envelope { process: self.0.process(rank as i32), context: self.0.context + 1, rank: mine, tag }
    }
}

impl Mates for Node<'_> {
    type Message = Option<Ticket>;

    fn wait(&self, what: impl Display, ready: impl FnMut() -> bool) {
        progress::wait(OnNode(what, self.0), ready);
    }

    #[inline]
    fn ring(&self, rank: usize) {
        transport::shm::ring(self.0.process(rank as i32));
    }

    fn begun(&self) -> u32 {
        self.0.background.load(Ordering::Relaxed)
    }

    #[inline]
    fn spins(&self) -> u32 {
        if transport::shm::oversubscribed() { SPINS_OVERSUBSCRIBED } else { SPINS }
    }

    fn can_read(&self) -> bool {
        (0..self.0.size()).all(|r| r == self.0.rank || transport::cma::works(self.0.process(r)))
    }

    unsafe fn read(&self, rank: usize, remote: usize, local: *mut u8, len: usize) -> io::Result<()> {
        // SAFETY: the caller vouches for `local`; the kernel checks `remote`.
        unsafe { transport::cma::read(self.0.process(rank as i32), remote, local, len) }
    }

    unsafe fn write(&self, rank: usize, remote: usize, local: *const u8, len: usize) -> io::Result<()> {
        // SAFETY: the caller vouches for both sides.
        unsafe { transport::cma::write(self.0.process(rank as i32), remote, local, len) }
    }

    unsafe fn send(&self, rank: usize, tag: i32, data: *const u8, len: usize) -> Result<Option<Ticket>> {
        // SAFETY: the caller keeps the bytes readable.
        unsafe { p2p::start_send(self.envelope(rank, self.0.rank, tag), Span::bytes(data.cast_mut(), len as i64)) }
    }

    unsafe fn receive(&self, rank: usize, tag: i32, data: *mut u8, len: usize) -> Option<Ticket> {
        // SAFETY: the caller keeps the bytes writable.
        Some(unsafe { p2p::start_receive(self.envelope(rank, rank as i32, tag), Span::bytes(data, len as i64)) })
    }

    fn finish(&self, message: &mut Option<Ticket>) -> Option<Result<()>> {
        match message {
            None => Some(Ok(())),
            Some(ticket) => p2p::finish(*ticket).map(|done| done.map(|_| ())),
        }
    }
}
