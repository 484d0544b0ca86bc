// SPDX-License-Identifier: MIT OR Apache-2.0
//! How every exported function is entered: it is counted, fails if told to, and demands `cuInit` unless it is an early one.

use crate::code::{self, Code, Result};
use crate::setting;
use std::cell::Cell;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, Once};

/// A place for a result, given by the caller.
#[repr(transparent)]
pub struct Out<T>(pub *mut T);

impl<T> Out<T> {
    /// Writes it; a null place is CUDA_ERROR_INVALID_VALUE.
    pub fn put(&self, value: T) -> Result {
        if self.0.is_null() {
            return Err(code::INVALID_VALUE);
        }
        // SAFETY: only callers of exported functions make one, and its pointer is to memory for a T.
        unsafe { self.0.write_unaligned(value) };
        Ok(())
    }

    /// Writes it if the caller wants it.
    pub fn put_if_wanted(&self, value: T) {
        let _ = self.put(value);
    }
}

/// An argument given by its place.
#[repr(transparent)]
pub struct In<T>(pub *const T);

impl<T: Copy> In<T> {
    /// Reads it; a null place is CUDA_ERROR_INVALID_VALUE.
    pub fn get(&self) -> Result<T> {
        self.at(0)
    }

    /// Reads element `index` of an array.
    pub fn at(&self, index: usize) -> Result<T> {
        if self.0.is_null() {
            return Err(code::INVALID_VALUE);
        }
        // SAFETY: only callers of exported functions make one, and its pointer is to as many T as the function reads.
        Ok(unsafe { self.0.add(index).read_unaligned() })
    }
}

/// Whether `cuInit` has succeeded.
pub static INITIALISED: AtomicBool = AtomicBool::new(false);

/// The calls of one function.
pub struct Count {
    name: &'static str,
    calls: AtomicU64,
    /// How often the process's first thread waited in it for all work of a context.
    waits: AtomicU64,
}

/// All functions that have been called.
static CALLED: Mutex<Vec<&'static Count>> = Mutex::new(Vec::new());

impl Count {
    /// A count for the function `name`.
    pub const fn new(name: &'static str) -> Count {
        Count { name, calls: AtomicU64::new(0), waits: AtomicU64::new(0) }
    }

    fn hit(&'static self) {
        if self.calls.fetch_add(1, Relaxed) == 0 {
            CALLED.lock().unwrap().push(self);
        }
    }
}

/// What every function answers once the process's devices have failed; 0 before.
static BROKEN: AtomicI32 = AtomicI32::new(0);

/// How often the devices have failed.
static FAILURES: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static IS_VOID: Cell<bool> = const { Cell::new(false) };
    /// The function that this thread has entered last.
    static ENTERED: Cell<Option<&'static Count>> = const { Cell::new(None) };
}

/// This thread waits for all work of a context in the function that it has entered. Counted for the first thread of the process: the
/// one that calls MPI, where others may wait on its behalf.
pub fn waits() {
    // SAFETY: asks for two numbers.
    let is_first = unsafe { libc::gettid() == libc::getpid() };
    if let Some(count) = ENTERED.get().filter(|_| is_first) {
        count.waits.fetch_add(1, Relaxed);
    }
}

/// How often the devices have failed, for work that is given now.
pub fn failures() -> u64 {
    FAILURES.load(Relaxed)
}

/// This thread does work that was given when devices had failed so often.
pub fn given_after(failures: u64) {
    IS_VOID.set(failures != self::failures());
}

/// Whether a failure came between: then real devices would not do it, and it may read what has been freed since.
pub fn is_void() -> bool {
    IS_VOID.get()
}

/// Not of the driver API: from now on every function that needs an initialised driver gives `code`, as after an illegal
/// access on a device. What streams were given before still runs.
#[unsafe(no_mangle)]
pub extern "C" fn simcudaBreak(code: i32) {
    FAILURES.fetch_add(1, Relaxed);
    BROKEN.store(code, Relaxed);
}

/// Works that devices still get before they fail with a code; negative: they do not.
static WORKS_LEFT: AtomicI64 = AtomicI64::new(-1);
static BREAKS_WITH: AtomicI32 = AtomicI32::new(0);

/// Not of the driver API: the same after `works` more copies and kernels. A `code` of 0 mends the devices, which no real ones would do.
#[unsafe(no_mangle)]
pub extern "C" fn simcudaBreakAfter(code: i32, works: i64) {
    BROKEN.store(0, Relaxed);
    BREAKS_WITH.store(code, Relaxed);
    WORKS_LEFT.store(if code == 0 { -1 } else { works }, Relaxed);
}

fn count_work(name: &str) {
    if WORKS_LEFT.load(Relaxed) < 0 || !(name.starts_with("cuMemcpy") || name == "cuLaunchKernel") {
        return;
    }
    if WORKS_LEFT.fetch_sub(1, Relaxed) == 0 {
        simcudaBreak(BREAKS_WITH.load(Relaxed));
    }
}

/// Runs the body of an exported function.
pub fn enter(count: &'static Count, early: bool, body: impl FnOnce() -> Result) -> i32 {
    count.hit();
    ENTERED.set(Some(count));
    if let Some((_, number)) = setting::get().fail.iter().find(|(name, _)| name == count.name) {
        return *number;
    }
    count_work(count.name);
    let broken = BROKEN.load(Relaxed);
    if broken != 0 && !early {
        return broken;
    }
    if !early && !INITIALISED.load(Relaxed) {
        return code::NOT_INITIALIZED.0;
    }
    let number = match body() {
        Ok(()) => 0,
        Err(Code(number)) => number,
    };
    tell(|| format!("{} gives {number}", count.name));
    number
}

/// Says what happens, if asked to.
pub fn tell(what: impl FnOnce() -> String) {
    if setting::get().trace {
        eprintln!("simcuda: process {}, {:?}: {}", std::process::id(), std::thread::current().id(), what());
    }
}

/// Exports functions of the driver API: `fn name(arguments) { a body that gives a Result }`.
macro_rules! driver {
    (early $($rest:tt)*) => { $crate::call::driver! { @ true; $($rest)* } };
    (@ $early:literal; $($(#[$meta:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block)*) => {
        $(
            $(#[$meta])*
            /// # Safety
            /// The pointers must be what the driver API asks for.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($argument: $type),*) -> i32 {
                static COUNT: $crate::call::Count = $crate::call::Count::new(stringify!($name));
                $crate::call::enter(&COUNT, $early, move || $body)
            }
        )*
    };
    ($($rest:tt)*) => { $crate::call::driver! { @ false; $($rest)* } };
}
pub(crate) use driver;

extern "C" fn report() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Some(path) = &setting::get().log else { return };
        let called = CALLED.lock().unwrap();
        let total: u64 = called.iter().map(|count| count.calls.load(Relaxed)).sum();
        let mut line = format!("{} {total}", std::process::id());
        for count in called.iter() {
            let (calls, waits) = (count.calls.load(Relaxed), count.waits.load(Relaxed));
            let _ = write!(line, " {}={calls} wait:{}={waits}", count.name, count.name);
        }
        line.push('\n');
        let _ = OpenOptions::new().append(true).create(true).open(path).and_then(|mut file| file.write_all(line.as_bytes()));
    });
}

/// The counts are written when the process ends, also when no function was ever called.
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_END: extern "C" fn() = report;
