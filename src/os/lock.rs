// SPDX-License-Identifier: MIT OR Apache-2.0
//! A lock that is only taken when the program asked for `MPI_THREAD_MULTIPLE`.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::RawMutex;
use parking_lot::lock_api::RawMutex as _;

static THREADED: AtomicBool = AtomicBool::new(false);

/// Tells every lock that several threads may call MPI at once. Called before a second thread may call; never taken back.
pub fn set_threaded() {
    THREADED.store(true, Ordering::SeqCst);
}

/// Whether several threads may call MPI at once.
#[inline]
pub fn threaded() -> bool {
    THREADED.load(Ordering::Relaxed)
}

/// A mutex that is skipped while the program is single-threaded (or serializes its own calls).
/// Not re-entrant: never call user code with a guard alive.
pub struct Lock<T> {
    raw: RawMutex,
    held: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: access to the value goes through `lock`, which excludes other threads when there may be any.
unsafe impl<T: Send> Sync for Lock<T> {}

impl<T> Lock<T> {
    /// A lock around a value; usable as a `static`.
    pub const fn new(value: T) -> Lock<T> {
        Lock { raw: RawMutex::INIT, held: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Takes the lock (a flag check when single-threaded).
    #[inline]
    pub fn lock(&self) -> Guard<'_, T> {
        let locked = threaded();
        if locked {
            self.raw.lock();
        }
        let again = self.held.load(Ordering::Relaxed);
        assert!(!again, "re-entered a lock: MPI was called from a callback or by two threads without MPI_THREAD_MULTIPLE");
        self.held.store(true, Ordering::Relaxed);
        Guard { lock: self, locked }
    }
}

/// Access to the value while the lock is held.
pub struct Guard<'a, T> {
    lock: &'a Lock<T>,
    locked: bool,
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the guard is the only access: `held` excludes re-entry, the raw mutex other threads.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.held.store(false, Ordering::Relaxed);
        if self.locked {
            // SAFETY: this guard locked it.
            unsafe { self.lock.raw.unlock() };
        }
    }
}
