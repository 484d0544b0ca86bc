// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one loop: moves messages and background operations forward, and knows how to wait.
//!
//! Waiting has three stages: spin, yield, sleep. With a core a rank it spins first; with more ranks than cores it yields at
//! once, since the one it waits for may need this very core, unless that one is seen to run elsewhere ([`spin`]), and [`seat`] keeps such
//! ranks spread over the cores, the two of a [`pair`] together. Before a millisecond is burnt it sleeps in the kernel until a peer rings.

mod pair;
mod seat;
mod spin;

use std::fmt::Display;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::object::request;
use crate::os::lock::threaded;
use crate::os::slice;
use crate::transport::shm;
use crate::{init, knob, os, p2p, trace};

pub use seat::{exchanged, moves};
use spin::{Luck, Spin};

/// The clock is read once in so many yields.
const CLOCK: u32 = 8;
/// Longest sleep without a look around.
const NAP: Duration = Duration::from_millis(250);
/// The same while records wait for room in a ring.
const SHORT_NAP: Duration = Duration::from_millis(1);
/// The same while a device works for messages.
const DEVICE_NAP: Duration = Duration::from_micros(50);

static SLEEPS: AtomicU64 = AtomicU64::new(0);

/// How often a waiting thread slept.
pub fn sleeps() -> u64 {
    SLEEPS.load(Ordering::Relaxed)
}

/// Called by the thread that joins a job: other ranks will wait for it, so it asks for a short time slice. Else programs that
/// compute on the same cores keep it from them for milliseconds each time it has slept.
pub fn begin() {
    let micros = knob::SLICE.number();
    if micros == 0 || init::size() == 1 {
        return;
    }
    let asked = slice::ask(Duration::from_micros(micros)).and_then(|()| slice::mine());
    let reason = match asked {
        Ok(Some(_)) => return,
        Ok(None) => "this kernel knows none".to_owned(),
        Err(error) => error.to_string(),
    };
    trace::note(format!("a woken rank may wait for programs that compute: no time slice of {micros} us: {reason}"));
}

/// Moves everything forward once, without waiting. Returns whether anything happened.
#[inline]
pub fn poll() -> bool {
    let happened = p2p::poll() | request::advance_all();
    if happened && threaded() {
        shm::wake_self();
    }
    happened
}

/// Told by a call that looked ([`poll`]) and found nothing: programs look again and again, and with more ranks than cores
/// the one that is looked for may need this very core.
#[inline]
pub fn found_nothing() {
    if shm::oversubscribed() {
        give_core();
    }
}

fn give_core() {
    shm::idle(std::thread::yield_now);
    seat::yielded();
}

/// Wakes this process's waiting threads: what they wait for may hold now.
pub fn wake() {
    shm::wake_self();
}

/// Waits until `ready` holds, moving everything forward meanwhile. `ready` is not called again once it held, so it may
/// finish what it waits for. It is called often and must be cheap; whoever makes it true from another process must ring this one
/// (`transport::shm::ring`) afterwards. `what` says what is waited for, in the report of a stuck program: the call,
/// the other rank, the tag, the communicator ([`crate::p2p::waiting`]).
#[inline]
pub fn wait(what: impl Display, ready: impl FnMut() -> bool) {
    wait_as(Waiter::new(None), what, ready);
}

/// [`wait`] for what one other rank answers: with more ranks than cores it spins first while that one is seen to run ([`spin`]).
/// (In a blocking collective whoever spins keeps its core from a rank that the others wait for too.)
#[inline]
pub fn wait_for_answer(what: impl Display, ready: impl FnMut() -> bool) {
    wait_as(Waiter::new(Some(&spin::LUCK)), what, ready);
}

#[inline]
fn wait_as(mut waiter: Waiter, what: impl Display, mut ready: impl FnMut() -> bool) {
    let mut held = false;
    let mut ready = || {
        held = held || ready();
        held
    };
    while !ready() {
        if poll() {
            waiter.rounds = 0;
        } else {
            waiter.pause(&what, &mut ready);
        }
    }
    waiter.end();
}

struct Waiter {
    rounds: u32,
    luck: Option<&'static Luck>,
    /// How it began, once it is known.
    spin: Option<Spin>,
    yielded: bool,
    idle_since: Option<Instant>,
    told: bool,
}

impl Waiter {
    fn new(luck: Option<&'static Luck>) -> Waiter {
        Waiter { rounds: 0, luck, spin: None, yielded: false, idle_since: None, told: false }
    }

    /// Called when what was waited for holds.
    #[inline]
    fn end(&self) {
        if let (Some(luck), Some(spin)) = (self.luck, self.spin) {
            spin.ended(luck, self.yielded);
        }
    }

    #[inline]
    fn pause(&mut self, what: &dyn Display, ready: &mut dyn FnMut() -> bool) {
        self.rounds += 1;
        let spin = self.spin.get_or_insert_with(|| Spin::new(self.luck));
        if spin.goes_on(self.rounds, shm::runs_elsewhere) {
            std::hint::spin_loop();
        } else {
            let spins = spin.polls();
            self.give_way(what, spins, ready);
        }
    }

    fn give_way(&mut self, what: &dyn Display, spins: u32, ready: &mut dyn FnMut() -> bool) {
        let yields = self.rounds - spins;
        self.yielded = true;
        give_core();
        if !yields.is_multiple_of(CLOCK) {
            return;
        }
        let now = Instant::now();
        if yields == CLOCK {
            self.idle_since = Some(now);
        }
        let idle = self.idle_since.map_or(Duration::ZERO, |since| now - since);
        if idle.as_micros() as u64 >= knob::SLEEP_AFTER.number() {
            // A ring that got room rings no bell: whoever waits for room looks again soon.
            let nap = match (p2p::device_busy(), p2p::busy()) {
                (true, _) => DEVICE_NAP,
                (_, true) => SHORT_NAP,
                _ => NAP,
            };
            SLEEPS.fetch_add(1, Ordering::Relaxed);
            shm::idle(|| shm::sleep(nap, || poll() || ready()));
            self.tell_if_stuck(what, idle);
        }
    }

    #[cold]
    fn tell_if_stuck(&mut self, what: &dyn Display, idle: Duration) {
        let limit = knob::STUCK.number();
        if !self.told && limit != 0 && idle.as_secs() >= limit {
            self.told = true;
            os::say(&format!(
                "paceline: rank {} has waited {limit} s without progress in {what} (PACELINE_STUCK sets the time)",
                init::rank()
            ));
        }
    }
}
