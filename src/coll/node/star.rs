// SPDX-License-Identifier: MIT OR Apache-2.0
//! Large broadcast: the root posts where its data lie, every other rank reads them from there; the root waits for all.

use std::io;

use super::area::{Area, SLOTS};
use super::call::Call;
use super::mates::Mates;
use super::rescue::{self, Rescue};
use crate::object::error::Result;

const READ: u64 = 1;
/// Bytes read at a time when they must be scattered afterwards.
const PIECE: usize = 64 << 10;

/// Where a reader wants the data.
pub enum Target<'a> {
    /// One run of memory.
    Plain(*mut u8),
    /// Called with pieces of the packed data, in order: (offset, bytes).
    Pieces(&'a mut dyn FnMut(usize, &[u8])),
}

/// The root's half.
///
/// # Safety
/// `data` holds `call.bytes` bytes.
pub unsafe fn give<M: Mates>(area: &Area<M>, call: &Call, data: *const u8) -> Result<()> {
    let sequence = area.begin(SLOTS);
    // SAFETY: the line has room for a word.
    area.post(sequence, call, 0, 8, |to| unsafe { to.cast::<usize>().write(data as usize) });
    area.ring_all();
    let mut rescue = Rescue::new(area, sequence, READ);
    area.wait("MPI_Bcast", || {
        // SAFETY: `finish` below comes before the caller's buffer is given back.
        unsafe { rescue.serve(|_| (data, call.bytes as usize)) };
        area.others().all(|rank| area.reached(rank, sequence, READ))
    });
    area.end(sequence, SLOTS);
    rescue.finish()
}

/// The others' half.
///
/// # Safety
/// A plain target holds `call.bytes` bytes.
pub unsafe fn take<M: Mates>(area: &Area<M>, call: &Call, mut target: Target) -> Result<()> {
    let sequence = area.begin(SLOTS);
    let root = call.root as usize;
    let outcome = area.read(sequence, root, call).map(|post| post.word(0)).and_then(|remote| {
        // SAFETY: as promised by the caller.
        match unsafe { pull(area, root, remote, &mut target, call.bytes as usize) } {
            Ok(()) => Ok(()),
            // SAFETY: the same.
            Err(_) => unsafe { ask(area, sequence, root, &mut target, call.bytes as usize) },
        }
    });
    area.reach(sequence, READ);
    area.end(sequence, SLOTS);
    outcome
}

unsafe fn pull<M: Mates>(area: &Area<M>, root: usize, remote: usize, target: &mut Target, len: usize) -> io::Result<()> {
    let each = match target {
        // SAFETY: the target holds `len` bytes.
        Target::Plain(to) => return unsafe { area.mates.read(root, remote, *to, len) },
        Target::Pieces(each) => each,
    };
    let mut piece = vec![0; PIECE.min(len)];
    for from in (0..len).step_by(PIECE) {
        let some = PIECE.min(len - from);
        // SAFETY: the piece has room.
        unsafe { area.mates.read(root, remote + from, piece.as_mut_ptr(), some)? };
        each(from, &piece[..some]);
    }
    Ok(())
}

unsafe fn ask<M: Mates>(area: &Area<M>, sequence: u64, root: usize, target: &mut Target, len: usize) -> Result<()> {
    let mut all = Vec::new();
    let to = match target {
        Target::Plain(to) => *to,
        Target::Pieces(_) => {
            all.resize(len, 0);
            all.as_mut_ptr()
        }
    };
    // SAFETY: either holds `len` bytes.
    unsafe { rescue::receive(area, (sequence, READ), [(root, to, len)].into_iter(), || ())? };
    if let Target::Pieces(each) = target {
        each(0, &all);
    }
    Ok(())
}
