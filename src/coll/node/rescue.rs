// SPDX-License-Identifier: MIT OR Apache-2.0
//! A rank whose reads of other ranks' memory fail (a sandbox, sometimes installed after start) says so in its flags; the
//! others, who are waiting for it anyway, see it and send what it wanted to read as an ordinary message.

use super::area::Area;
use super::mates::Mates;
use crate::object::error::Result;

/// Tags of these messages, above those of schedules.
fn tag(sequence: u64, stage: u64) -> i32 {
    (0x4000_0000 | (sequence & 0x0fff_ffff) << 2 | stage) as i32
}

/// The helper's side, for one stage of one operation. Free when nobody cries.
pub struct Rescue<'a, 'b, M: Mates> {
    area: &'a Area<'b, M>,
    sequence: u64,
    stage: u64,
    helped: u64,
    sent: Vec<M::Message>,
    failed: Result<()>,
}

impl<'a, 'b, M: Mates> Rescue<'a, 'b, M> {
    /// Nobody helped yet.
    pub fn new(area: &'a Area<'b, M>, sequence: u64, stage: u64) -> Self {
        Rescue { area, sequence, stage, helped: 0, sent: Vec::new(), failed: Ok(()) }
    }

    /// Sends `part(rank)` to each rank that cries.
    ///
    /// # Safety
    /// The parts must stay readable until [`Rescue::finish`].
    #[inline]
    pub unsafe fn serve(&mut self, part: impl Fn(usize) -> (*const u8, usize)) {
        for rank in self.area.others() {
            if self.area.cries(rank, self.sequence, self.stage) && self.helped & 1 << rank == 0 {
                let (data, len) = part(rank);
                // SAFETY: as promised by the caller.
                unsafe { self.send(rank, data, len) };
            }
        }
    }

    #[cold]
    unsafe fn send(&mut self, rank: usize, data: *const u8, len: usize) {
        self.helped |= 1 << rank;
        // SAFETY: as promised to `serve`.
        match unsafe { self.area.mates.send(rank, tag(self.sequence, self.stage), data, len) } {
            Ok(message) => self.sent.push(message),
            Err(error) => self.failed = Err(error),
        }
    }

    /// Waits for the messages that were sent.
    pub fn finish(&mut self) -> Result<()> {
        let sent = std::mem::take(&mut self.sent);
        complete(self.area, sent, || ())?;
        std::mem::replace(&mut self.failed, Ok(()))
    }
}

/// The crying side: receives `len` bytes from each of `ranks` to `to(rank)`; `meanwhile` helps others who cry too.
///
/// # Safety
/// The destinations must be writable.
#[cold]
pub unsafe fn receive<M: Mates>(
    area: &Area<M>,
    (sequence, stage): (u64, u64),
    parts: impl Iterator<Item = (usize, *mut u8, usize)>,
    meanwhile: impl FnMut(),
) -> Result<()> {
    crate::trace::note("collectives: this rank could not read other ranks' memory; they sent to it instead");
    let tag = tag(sequence, stage);
    // SAFETY: as promised by the caller; `complete` does not return before the messages are through.
    let messages = parts.map(|(rank, data, len)| unsafe { area.mates.receive(rank, tag, data, len) }).collect();
    area.cry(sequence, stage);
    complete(area, messages, meanwhile)
}

fn complete<M: Mates>(area: &Area<M>, mut messages: Vec<M::Message>, mut meanwhile: impl FnMut()) -> Result<()> {
    let mut outcome = Ok(());
    if messages.is_empty() {
        return outcome;
    }
    area.mates.wait("a collective's messages", || {
        meanwhile();
        messages.retain_mut(|message| match area.mates.finish(message) {
            None => true,
            Some(Ok(())) => false,
            Some(Err(error)) => {
                outcome = Err(error);
                false
            }
        });
        messages.is_empty()
    });
    outcome
}
