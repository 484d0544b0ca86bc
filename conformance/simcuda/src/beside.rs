// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which copies between host and device are under way, and which kernels run beside them: what a test asks to prove that work
//! overlaps, without a clock. Copies into devices may be held back, to see what does not wait for them.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use crate::memory::Target;

/// Longest time for which a copy is held: what does wait for it shall fail, not hang.
const HELD: Duration = Duration::from_secs(5);

/// Where to a copy between host and device goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Out of a device.
    Out,
    /// Into a device.
    In,
}

/// What is under way, by streams.
struct Board {
    /// Copies that have been given and are not done.
    copies: Vec<(u64, Way)>,
    /// Kernels that run, and whether copies out and in have been under way meanwhile.
    kernels: Vec<(u64, [bool; 2])>,
}

static BOARD: Mutex<Board> = Mutex::new(Board { copies: Vec::new(), kernels: Vec::new() });
static GIVEN: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];
static DONE: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];
/// Kernels that ran beside copies out, in, and all.
static KERNELS: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];
static HOLDS: Mutex<bool> = Mutex::new(false);
static RELEASED: Condvar = Condvar::new();

impl Way {
    /// The way of a copy, if one end is on the host and one on a device.
    pub fn of(to: &Target, from: &Target) -> Option<Way> {
        match (from.is_device(), to.is_device()) {
            (true, false) => Some(Way::Out),
            (false, true) => Some(Way::In),
            _ => None,
        }
    }

    /// A copy has been given to `stream`.
    pub fn given(self, stream: u64) {
        GIVEN[self as usize].fetch_add(1, SeqCst);
        let mut board = BOARD.lock().unwrap();
        board.copies.push((stream, self));
        board.kernels.iter_mut().filter(|(other, _)| *other != stream).for_each(|(_, beside)| beside[self as usize] = true);
    }

    /// It begins, now or when it is no longer held.
    pub fn begin(self) {
        if self == Way::In {
            let held = HOLDS.lock().unwrap();
            drop(RELEASED.wait_timeout_while(held, HELD, |holds| *holds));
        }
    }

    /// It is done.
    pub fn done(self, stream: u64) {
        DONE[self as usize].fetch_add(1, SeqCst);
        let copies = &mut BOARD.lock().unwrap().copies;
        let at = copies.iter().position(|copy| *copy == (stream, self));
        copies.swap_remove(at.expect("it was given"));
    }
}

/// Runs a kernel of `stream`, and counts it if copies of other streams are under way meanwhile.
pub fn kernel(stream: u64, run: impl FnOnce()) {
    let mut board = BOARD.lock().unwrap();
    let is_under_way = |way: Way| board.copies.iter().any(|(other, copy)| *other != stream && *copy == way);
    let beside = [Way::Out, Way::In].map(is_under_way);
    board.kernels.push((stream, beside));
    drop(board);
    run();
    let kernels = &mut BOARD.lock().unwrap().kernels;
    let at = kernels.iter().position(|(own, _)| *own == stream);
    let (_, beside) = kernels.swap_remove(at.expect("it ran"));
    for (count, counts) in KERNELS.iter().zip([beside[0], beside[1], true]) {
        count.fetch_add(u64::from(counts), SeqCst);
    }
}

/// Not of the driver API: copies out of devices (0) or into them (1) that have been given, or are done.
#[unsafe(no_mangle)]
pub extern "C" fn simcudaCopies(way: i32, done: i32) -> u64 {
    let counts = if done != 0 { &DONE } else { &GIVEN };
    counts[way as usize & 1].load(SeqCst)
}

/// Not of the driver API: kernels that ran while copies out of devices (0) or into them (1) were under way in other streams; all (2).
#[unsafe(no_mangle)]
pub extern "C" fn simcudaKernels(which: i32) -> u64 {
    KERNELS[which as usize % 3].load(SeqCst)
}

/// Not of the driver API: holds copies into devices back, or lets them go.
#[unsafe(no_mangle)]
pub extern "C" fn simcudaHold(hold: i32) {
    *HOLDS.lock().unwrap() = hold != 0;
    RELEASED.notify_all();
}
