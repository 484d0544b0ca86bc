// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pseudo-random delays and choices (splitmix64).

use crate::setting;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The next number of this process' sequence.
fn next() -> u64 {
    static STATE: AtomicU64 = AtomicU64::new(0);
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
    let state = STATE.fetch_add(STEP, Relaxed).wrapping_add(setting::get().seed.wrapping_mul(STEP)).wrapping_add(STEP);
    mix(state)
}

/// Spreads the bits of `value`.
pub fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// A coin.
pub fn coin() -> bool {
    next() & 1 == 1
}

/// How late an operation starts: not at all, a little, or once in 32 times eight times the ordinary limit, so that orders that
/// are merely likely do not look like orders that are guaranteed.
pub fn delay() -> Duration {
    let limit = setting::get().delay_us;
    let number = next();
    let limit = match number & 31 {
        0 => limit * 8,
        1..=12 => 0,
        _ => limit,
    };
    Duration::from_micros((number >> 8) % (limit + 1))
}
