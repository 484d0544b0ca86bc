// SPDX-License-Identifier: MIT OR Apache-2.0
//! Large broadcast: the root posts where its data lie, every other rank reads them from there. A root that has nothing else
//! to do writes the other end of what its readers read (see [`super::halves`]); then it waits for all.

use super::Way;
use super::area::{Area, SLOTS};
use super::call::Call;
use super::halves::Cut;
use super::mates::Mates;
use super::rescue::{self, Rescue};
use crate::coll::schedule::Ground;
use crate::object::error::Result;

const READ: u64 = 1;

/// Where a reader wants the data.
pub enum Target<'a> {
    /// One run of memory.
    Plain(*mut u8),
    /// Called with pieces of the packed data, in order: (offset, bytes).
    Pieces(&'a mut dyn FnMut(usize, &[u8])),
}

/// In place of the root's address: its data are in memory that nobody reads directly.
pub const AWAY: usize = usize::MAX;
/// The same, and all ranks' are on one device.
pub const AWAY_ALL: usize = usize::MAX - 1;

/// The root says that its data, which are on `device`, cannot be read: the others leave, too. The root alone decides whether all
/// share that device.
pub fn decline<M: Mates>(area: &Area<M>, call: &Call, device: u64) -> Way {
    area.say_device(device);
    let sequence = area.begin(SLOTS);
    let one = area.on_one_device();
    post_address(area, call, sequence, if one { AWAY_ALL } else { AWAY });
    area.ring_all();
    area.end(sequence, SLOTS);
    Way::Schedule(if one { Ground::OneDevice } else { Ground::Devices })
}

/// The root's half.
///
/// # Safety
/// `data` holds `call.bytes` bytes.
pub unsafe fn give<M: Mates>(area: &Area<M>, call: &Call, data: *const u8) -> Result<()> {
    let sequence = area.begin(SLOTS);
    post_address(area, call, sequence, data as usize);
    area.ring_all();
    let mut rescue = Rescue::new(area, sequence, READ);
    let cut = Cut::new(call.bytes as usize, sequence);
    let (mut able, mut outcome) = (true, Ok(()));
    area.wait("MPI_Bcast", || {
        // SAFETY: `finish` below comes before the caller's buffer is given back.
        unsafe { rescue.serve(|_| (data, call.bytes as usize)) };
        // Asked first: what a rank posted before it was through is seen below.
        let through = area.others().all(|rank| area.reached(rank, sequence, READ));
        outcome = area.others().try_for_each(|rank| {
            // SAFETY: `data` holds all of the message.
            able = unsafe { help(area, call, &cut, rank, (data, able))? } && able;
            Ok(())
        });
        outcome.is_err() || through
    });
    area.end(sequence, SLOTS);
    let sent = rescue.finish();
    outcome.and(sent)
}

fn post_address<M: Mates>(area: &Area<M>, call: &Call, sequence: u64, address: usize) {
    // SAFETY: the line has room for a word.
    area.post(sequence, call, 8, |to| unsafe { to.cast::<usize>().write(address) });
}

/// The root writes one chunk to a reader who wants it, if it is `able` to. False when this process may not write.
///
/// # Errors
/// The reader is in another call.
unsafe fn help<M: Mates>(area: &Area<M>, call: &Call, cut: &Cut, rank: usize, (data, able): (*const u8, bool)) -> Result<bool> {
    let Some(post) = area.glance(cut.sequence(), rank, call)? else { return Ok(true) };
    let wanted = able && post.word(0) != 0;
    let Some(chunk) = (if wanted { cut.back(area, rank) } else { None }) else { return Ok(true) };
    // SAFETY: the chunk lies in the message, and its reader posted where it goes.
    let done = unsafe { area.mates.write(rank, post.word(0) + chunk.start, data.add(chunk.start), chunk.len()) };
    cut.wrote(area, rank, done.is_ok());
    Ok(done.is_ok())
}

/// The others' half.
///
/// # Safety
/// A plain target holds `call.bytes` bytes.
pub unsafe fn take<M: Mates>(area: &Area<M>, call: &Call, mut target: Target) -> Result<Way> {
    let sequence = area.begin(SLOTS);
    let cut = Cut::new(call.bytes as usize, sequence);
    cut.open(area);
    post_address(area, call, sequence, if let Target::Plain(to) = target { to as usize } else { 0 });
    let root = call.root as usize;
    area.mates.ring(root);
    let outcome = area.read(sequence, root, call).map(|post| post.word(0)).and_then(|remote| {
        match remote {
            AWAY => Ok(Way::Schedule(Ground::Devices)),
            AWAY_ALL => Ok(Way::Schedule(Ground::OneDevice)),
            // SAFETY: as promised by the caller.
            remote => unsafe { pull(area, &cut, (root, remote), &mut target) }.map(|()| Way::Done),
        }
    });
    if !matches!(outcome, Ok(Way::Done)) {
        // The root may be about to write: not after this call.
        cut.close(area);
    }
    area.reach(sequence, READ);
    area.end(sequence, SLOTS);
    outcome
}

/// Reads from the front, and sees to it that all is there in the end.
unsafe fn pull<M: Mates>(area: &Area<M>, cut: &Cut, from: (usize, usize), target: &mut Target) -> Result<()> {
    let mut piece = Vec::new();
    // SAFETY: the target holds the message.
    unsafe {
        while let Some(chunk) = cut.front(area) {
            if !read(area, from, chunk, target, &mut piece) {
                cut.close(area);
                return ask(area, cut, from.0, target);
            }
        }
    }
    Ok(())
}

unsafe fn read<M: Mates>(
    area: &Area<M>,
    (root, remote): (usize, usize),
    chunk: std::ops::Range<usize>,
    target: &mut Target,
    piece: &mut Vec<u8>,
) -> bool {
    let to = match target {
        Target::Plain(to) => to.wrapping_add(chunk.start),
        Target::Pieces(_) => {
            piece.resize(chunk.len(), 0);
            piece.as_mut_ptr()
        }
    };
    // SAFETY: there is room for the chunk.
    let done = unsafe { area.mates.read(root, remote + chunk.start, to, chunk.len()) };
    if let (Ok(()), Target::Pieces(each)) = (&done, target) {
        each(chunk.start, piece);
    }
    done.is_ok()
}

#[cold]
unsafe fn ask<M: Mates>(area: &Area<M>, cut: &Cut, root: usize, target: &mut Target) -> Result<()> {
    let (mut all, len) = (Vec::new(), cut.len());
    let to = match target {
        Target::Plain(to) => *to,
        Target::Pieces(_) => {
            all.resize(len, 0);
            all.as_mut_ptr()
        }
    };
    // SAFETY: either holds `len` bytes.
    unsafe { rescue::receive(area, (cut.sequence(), READ), [(root, to, len)].into_iter(), || ())? };
    if let Target::Pieces(each) = target {
        each(0, &all);
    }
    Ok(())
}
