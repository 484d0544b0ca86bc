// SPDX-License-Identifier: MIT OR Apache-2.0
//! The attributes that MPI itself caches on communicators (MPI 5.0, sections 9.1.2 and 9.5). C programs get a pointer to an `int`.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::object::constant::{ANY_SOURCE, APPNUM, HOST, IO, LASTUSEDCODE, PROC_NULL, TAG_UB, UNIVERSE_SIZE, WTIME_IS_GLOBAL};
use crate::object::error::registry::LAST_CODE;

static TAG_UB_VALUE: AtomicI32 = AtomicI32::new(i32::MAX);
static IO_VALUE: AtomicI32 = AtomicI32::new(ANY_SOURCE);
static HOST_VALUE: AtomicI32 = AtomicI32::new(PROC_NULL);
static WTIME_IS_GLOBAL_VALUE: AtomicI32 = AtomicI32::new(0);
static APPNUM_VALUE: AtomicI32 = AtomicI32::new(0);
static LASTUSEDCODE_VALUE: AtomicI32 = AtomicI32::new(LAST_CODE);
static UNIVERSE_SIZE_VALUE: AtomicI32 = AtomicI32::new(1);

/// The value of a predefined attribute of communicators, where programs read it; `None` for other keys.
pub fn value(keyval: i32) -> Option<&'static AtomicI32> {
    Some(match keyval {
        TAG_UB => &TAG_UB_VALUE,
        IO => &IO_VALUE,
        HOST => &HOST_VALUE,
        WTIME_IS_GLOBAL => &WTIME_IS_GLOBAL_VALUE,
        APPNUM => &APPNUM_VALUE,
        LASTUSEDCODE => &LASTUSEDCODE_VALUE,
        UNIVERSE_SIZE => &UNIVERSE_SIZE_VALUE,
        _ => return None,
    })
}

/// An error code in the face's numbering.
static CODE: OnceLock<fn(i32) -> i32> = OnceLock::new();

/// Called when the program added an error class or code.
pub fn set_last_used_code(code: i32) {
    let code = CODE.get().map_or(code, |number| number(code));
    LASTUSEDCODE_VALUE.fetch_max(code, Ordering::Relaxed);
}

/// Called by a face at load, as programs read values where they lie: its `MPI_PROC_NULL` and
/// `MPI_ANY_SOURCE`, and how it numbers error codes.
pub fn set_face([proc_null, any_source]: [i32; 2], code: fn(i32) -> i32) {
    HOST_VALUE.store(proc_null, Ordering::Relaxed);
    IO_VALUE.store(any_source, Ordering::Relaxed);
    let _ = CODE.set(code);
    LASTUSEDCODE_VALUE.store(code(LAST_CODE), Ordering::Relaxed);
}

/// Called at initialization: the number of the program in an MPMD job, and how many processes the job could have.
pub fn set_job(application: i32, universe: i32) {
    APPNUM_VALUE.store(application, Ordering::Relaxed);
    UNIVERSE_SIZE_VALUE.store(universe, Ordering::Relaxed);
}
