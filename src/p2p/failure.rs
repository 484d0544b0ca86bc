// SPDX-License-Identifier: MIT OR Apache-2.0
//! Devices that failed in a copy whose caller has no way to report it (an algorithm that must go on for the sake of the
//! other ranks). The failure waits here until the program's call returns, and is the call's outcome then.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::object::error::{Error, Result};

/// How many threads have one.
static NOTED: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static MINE: RefCell<Option<Error>> = const { RefCell::new(None) };
}

/// Keeps a failure for the end of the call that this thread is in; the first one counts.
pub fn note(result: Result<()>) {
    let Err(error) = result else { return };
    MINE.with_borrow_mut(|mine| {
        if mine.is_none() {
            NOTED.fetch_add(1, Relaxed);
            *mine = Some(error);
        }
    });
}

/// Whether some thread has one: all that a call pays.
#[inline(always)]
pub fn is_noted() -> bool {
    NOTED.load(Relaxed) != 0
}

/// This thread's failure, which is over with that.
#[cold]
pub fn take() -> Result<()> {
    let mine = MINE.take();
    mine.map_or(Ok(()), |error| {
        NOTED.fetch_sub(1, Relaxed);
        Err(error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::err;

    #[test]
    fn the_first_failure_of_a_thread_is_taken_once() {
        note(Ok(()));
        assert!(take().is_ok());
        note(Err(err!(Other, "one")));
        note(Err(err!(Other, "two")));
        assert!(is_noted());
        assert!(std::thread::spawn(|| take().is_ok()).join().unwrap());
        assert_eq!(take().unwrap_err().text(), "one");
        assert!(take().is_ok());
    }
}
