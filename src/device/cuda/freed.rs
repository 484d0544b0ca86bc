// SPDX-License-Identifier: MIT OR Apache-2.0
//! Notices that memory is freed which other processes have mapped. It stays allocated until the last mapping is closed, and the program
//! may need it before it calls MPI again: so a thread asks the driver from time to time whether what was exported is still there, says
//! on the process's [board](super::super::board) what is not, and lets go of what others' boards say. It exists only where a handle was
//! made or opened, asks a few allocations at a time, soon after something has changed and then less and less often, and sleeps while
//! there is nothing that it could notice.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use smallvec::SmallVec;

use super::driver::Address;
use super::{classify, ipc, thread};
use crate::device::board::{self, Boards, MARKS, Mark};
use crate::{knob, trace};

/// Allocations that are asked for at a time: some microseconds each.
const FEW: usize = 32;
/// Shortest time between two looks.
const SHORTEST: Duration = Duration::from_millis(2);
/// Until it is rung.
const LONG: Duration = Duration::from_secs(3600);

/// An allocation that was exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Watched {
    base: Address,
    buffer: u64,
    mark: Mark,
}

/// What has been exported and is not known to be gone.
struct Watch {
    places: Vec<Option<Watched>>,
    turns: u64,
    /// The place to look at next.
    next: usize,
}

static WATCH: Mutex<Watch> = Mutex::new(Watch { places: Vec::new(), turns: 0, next: 0 });

impl Watch {
    /// The mark of an allocation. Where there are more than places, one is no longer watched; those who have it mapped close it with
    /// the one that comes after it.
    fn add(&mut self, base: Address, buffer: u64) -> Mark {
        if let Some(known) = self.places.iter().flatten().find(|known| known.base == base && known.buffer == buffer) {
            return known.mark;
        }
        self.turns += 1;
        let place = self.places.iter().position(Option::is_none).unwrap_or(match self.places.len() {
            MARKS => self.turns as usize % MARKS,
            len => len,
        });
        let mark = Mark { place: place as u64, turn: self.turns };
        if place == self.places.len() {
            self.places.push(None);
        }
        self.places[place] = Some(Watched { base, buffer, mark });
        mark
    }

    fn is_empty(&self) -> bool {
        self.places.iter().all(Option::is_none)
    }

    /// The next few, and whether the last place was among those passed.
    fn some(&mut self) -> (SmallVec<[Watched; FEW]>, bool) {
        let some: SmallVec<[Watched; FEW]> = self.places[self.next..].iter().flatten().take(FEW).copied().collect();
        self.next = some.last().filter(|_| some.len() == FEW).map_or(0, |last| last.mark.place as usize + 1);
        (some, self.next == 0)
    }

    fn remove(&mut self, gone: &Watched) {
        if let Some(place) = self.places.get_mut(gone.mark.place as usize).filter(|place| place.as_ref() == Some(gone)) {
            *place = None;
        }
    }
}

/// From now on it is noticed when an exported allocation is freed: where its importers will read that.
pub fn watch(base: Address, buffer: u64) -> Mark {
    let Some(boards) = board::boards().filter(|_| longest().is_some()) else { return Mark::NONE };
    let mark = WATCH.lock().add(base, buffer);
    attend();
    // A new allocation is the best sign that old ones are gone.
    boards.mine().ring();
    mark
}

/// Memory of another process was mapped here: it is told, and its board is read from now on.
pub fn has_mapped(process: u32, mark: Mark) {
    let Some(boards) = board::boards().filter(|_| mark != Mark::NONE) else { return };
    attend();
    let theirs = (boards.of)(process);
    if theirs.add_reader(boards.me) {
        theirs.ring();
    }
}

/// Whether memory of another process that is mapped here is gone.
pub fn is_gone(process: u32, mark: Mark) -> bool {
    board::boards().is_some_and(|boards| (boards.of)(process).is_gone(mark))
}

/// Whether importers have been told that an allocation of this process is gone, perhaps only because it is no longer watched: then it
/// needs another mark.
pub fn is_ours_gone(mark: Mark) -> bool {
    board::boards().is_some_and(|boards| boards.mine().is_gone(mark))
}

fn longest() -> Option<Duration> {
    let limit = knob::GPU_FREED.number();
    (limit > 0).then(|| Duration::from_millis(limit).max(SHORTEST))
}

/// Asks the driver for a few exports, and tells who has mapped what is gone. Whether any is; whether all have been asked for.
fn look(boards: &Boards) -> (bool, bool) {
    let (some, round) = WATCH.lock().some();
    let gone: SmallVec<[Watched; FEW]> =
        some.into_iter().filter(|known| classify::buffer(known.base).is_some_and(|buffer| buffer != known.buffer)).collect();
    for known in &gone {
        WATCH.lock().remove(known);
        boards.mine().bury(known.mark);
    }
    if !gone.is_empty() {
        boards.mine().readers().for_each(|process| (boards.of)(process).ring());
    }
    (!gone.is_empty(), round)
}

/// How long until the next look: short after news, then twice as long after each round without any.
struct Pace(Duration);

impl Pace {
    fn after(&mut self, news: bool, round: bool) -> Duration {
        if news {
            self.0 = SHORTEST;
        } else if round {
            self.0 = (self.0 * 2).min(longest().unwrap_or(LONG));
        }
        self.0
    }
}

struct Life {
    has_thread: bool,
    /// The process leaves: nothing more is asked of the driver.
    is_over: bool,
}

static LIFE: Mutex<Life> = Mutex::new(Life { has_thread: false, is_over: false });
/// One of the two has changed.
static CHANGED: Condvar = Condvar::new();
/// The process that has the thread: a child that it forks has none, and its lock may be held for ever.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Starts the thread, once.
fn attend() {
    let mut life = LIFE.lock();
    if life.has_thread || life.is_over {
        return;
    }
    if PROCESS.swap(std::process::id(), Ordering::SeqCst) == 0 {
        // SAFETY: a function without arguments that does not unwind.
        unsafe { libc::atexit(end_at_exit) };
    }
    match thread::start("paceline-freed", run) {
        Ok(()) => life.has_thread = true,
        Err(error) => trace::note(format!(
            "CUDA: freed memory that other ranks have mapped is held until its address comes up again: no thread can look: {error}"
        )),
    }
}

fn run() {
    if let Some(boards) = board::boards() {
        attend_to(boards);
    }
    LIFE.lock().has_thread = false;
    CHANGED.notify_all();
}

fn attend_to(boards: &Boards) {
    let (mine, mut pace, mut left) = (boards.mine(), Pace(SHORTEST), false);
    // Begins as if rung, for what was mapped before.
    let mut heard = mine.rings().wrapping_sub(1);
    loop {
        // What is rung after this ends the sleep below, also that it is over.
        let rings = mine.rings();
        let rung = std::mem::replace(&mut heard, rings) != rings;
        if rung && !rest() {
            return;
        }
        let (gone, round) = look(boards);
        let mut given = false;
        if rung || left {
            (given, left) = ipc::give_up_freed();
        }
        let pause = pace.after(rung || gone || given, round);
        let is_idle = !left && (WATCH.lock().is_empty() || mine.readers().next().is_none());
        mine.sleep(rings, if is_idle { LONG } else { pause });
    }
}

/// Many rings in a short time are one look. `false`: it is over.
fn rest() -> bool {
    let mut life = LIFE.lock();
    let limit = Instant::now() + SHORTEST;
    while !life.is_over && !CHANGED.wait_until(&mut life, limit).timed_out() {}
    !life.is_over
}

/// Ends the thread, or leaves it to itself after so long, if the driver does not let it go.
pub fn end(limit: Duration) {
    if PROCESS.load(Ordering::SeqCst) != std::process::id() {
        return;
    }
    let limit = Instant::now() + limit;
    let Some(mut life) = LIFE.try_lock_until(limit) else { return };
    life.is_over = true;
    CHANGED.notify_all();
    if let Some(boards) = board::boards() {
        boards.mine().ring();
    }
    while life.has_thread && !CHANGED.wait_until(&mut life, limit).timed_out() {}
}

extern "C" fn end_at_exit() {
    end(super::closing::PATIENCE);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty() -> Watch {
        Watch { places: Vec::new(), turns: 0, next: 0 }
    }

    #[test]
    fn an_allocation_has_one_mark_and_its_place_is_used_again() {
        let mut watch = empty();
        let (first, second) = (watch.add(0x1000, 1), watch.add(0x2000, 2));
        assert_eq!(watch.add(0x1000, 1), first);
        assert_ne!(first.place, second.place);
        watch.remove(&Watched { base: 0x1000, buffer: 1, mark: first });
        let third = watch.add(0x1000, 3);
        assert!(third.place == first.place && third.turn > first.turn);
        // Who comes late with news of the first does not take the third away.
        watch.remove(&Watched { base: 0x1000, buffer: 1, mark: first });
        assert_eq!(watch.add(0x1000, 3), third);
        assert!(!watch.is_empty());
    }

    #[test]
    fn a_round_passes_each_place_once() {
        let mut watch = empty();
        for n in 0..FEW as u64 + 5 {
            watch.add(n << 12, n);
        }
        watch.remove(&Watched { base: 0, buffer: 0, mark: Mark { place: 0, turn: 1 } });
        let (some, round) = watch.some();
        assert!(some.len() == FEW && !round);
        assert_eq!(some[0].buffer, 1);
        let (rest, round) = watch.some();
        assert!(rest.len() == 4 && round);
        assert_eq!(watch.some().0[0].buffer, 1);
    }

    #[test]
    fn more_than_places_take_the_places_of_others() {
        let mut watch = empty();
        let marks: Vec<Mark> = (0..MARKS as u64 + 9).map(|n| watch.add(n << 12, n)).collect();
        assert_eq!(watch.places.len(), MARKS);
        let latest = marks.last().unwrap();
        assert!(marks[..MARKS].iter().any(|mark| mark.place == latest.place && mark.turn < latest.turn));
    }

    #[test]
    fn looks_become_rarer_until_there_are_news() {
        let mut pace = Pace(SHORTEST);
        assert_eq!(pace.after(false, false), SHORTEST);
        assert_eq!(pace.after(false, true), 2 * SHORTEST);
        for _ in 0..20 {
            pace.after(false, true);
        }
        assert_eq!(Some(pace.0), longest());
        assert_eq!(pace.after(true, true), SHORTEST);
    }
}
