// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counters, and what was chosen and why: `PACELINE_REPORT=1` prints them at finalize.

use std::collections::BTreeMap;
use std::sync::Mutex;

/// What and which, to how often and how many bytes.
type Choices = BTreeMap<(&'static str, &'static str), (u64, u64)>;

static CHOICES: Mutex<Choices> = Mutex::new(BTreeMap::new());
static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Counts one use of `choice` for `what` ("allreduce", "ring"; "path", "cma") and its bytes. Does nothing unless the report is on.
#[inline]
pub fn chose(what: &'static str, choice: &'static str, bytes: u64) {
    if enabled() {
        count(what, choice, bytes);
    }
}

#[cold]
fn count(what: &'static str, choice: &'static str, bytes: u64) {
    let mut choices = CHOICES.lock().unwrap();
    let entry = choices.entry((what, choice)).or_default();
    entry.0 += 1;
    entry.1 += bytes;
}

/// Whether the report is on; a load after the first call.
#[inline]
pub fn enabled() -> bool {
    use std::sync::atomic::{AtomicU8, Ordering};
    static ON: AtomicU8 = AtomicU8::new(2);
    match ON.load(Ordering::Relaxed) {
        2 => {
            let on = crate::knob::REPORT.flag();
            ON.store(on as u8, Ordering::Relaxed);
            on
        }
        on => on == 1,
    }
}

/// A slow path was taken, once, with its reason (repeats of the same sentence are dropped).
#[cold]
pub fn note(text: impl Into<String>) {
    let text = text.into();
    let mut notes = NOTES.lock().unwrap();
    if !notes.contains(&text) {
        notes.push(text);
    }
}

/// The report of this process, empty when there is nothing to say.
pub fn report() -> String {
    let mut out = String::new();
    for ((what, choice), (times, bytes)) in CHOICES.lock().unwrap().iter() {
        out.push_str(&format!("  {what:<16} {choice:<20} {times:>10} times {bytes:>16} bytes\n"));
    }
    for note in NOTES.lock().unwrap().iter() {
        out.push_str(&format!("  note: {note}\n"));
    }
    out
}
