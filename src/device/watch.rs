// SPDX-License-Identifier: MIT OR Apache-2.0
//! Notices that the program has loaded CUDA, at any time, without making the others pay.
//!
//! No address can be a device's before `libcuda.so.1` is mapped, and between mapping it and the first allocation lie the
//! start of the driver and of a context: milliseconds. So it is enough to look again when the last look is older than
//! [`INTERVAL`]; the look itself asks the loader how many objects it has ever mapped, and only when that changed for the name.
//! Addresses in the heap and on the main thread's stack are never a device's, and cost two comparisons.

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::cuda;

const QUIET: u8 = 0;
const LOADED: u8 = 1;
const OFF: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(QUIET);
/// When the loader was last asked, in ticks; how many objects it had mapped.
static LOOKED: AtomicU64 = AtomicU64::new(0);
static MAPPED: AtomicU64 = AtomicU64::new(0);
static HEAP: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
static STACK: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// Ticks between two looks: about 100 us.
const INTERVAL: u64 = 250_000;

/// Processor cycles, or what comes close.
#[inline]
fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads a counter.
    return unsafe { std::arch::x86_64::_rdtsc() };
    #[cfg(not(target_arch = "x86_64"))]
    {
        use std::{sync::OnceLock, time::Instant};
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_nanos() as u64 * 5 / 2
    }
}

#[inline]
fn within(range: &[AtomicUsize; 2], at: usize) -> bool {
    at >= range[0].load(Relaxed) && at < range[1].load(Relaxed)
}

/// Whether an address may belong to a device.
#[inline]
pub fn may_be_foreign(at: usize) -> bool {
    if within(&HEAP, at) || within(&STACK, at) {
        return false;
    }
    is_on()
}

/// Whether some address may belong to a device.
#[inline]
pub fn is_on() -> bool {
    match STATE.load(Relaxed) {
        LOADED => true,
        QUIET => ticks().wrapping_sub(LOOKED.load(Relaxed)) > INTERVAL && look_now(),
        _ => false,
    }
}

/// The same, as far as it is known.
#[inline]
pub fn was_on() -> bool {
    STATE.load(Relaxed) == LOADED
}

/// Asks the loader; whether CUDA is there and not given up.
#[cold]
pub fn look_now() -> bool {
    if STATE.load(Relaxed) == QUIET && grown() && cuda::load() {
        STATE.store(LOADED, Relaxed);
    }
    LOOKED.store(ticks(), Relaxed);
    STATE.load(Relaxed) == LOADED
}

/// The driver is there but cannot be used: never look again.
pub fn give_up() {
    STATE.store(OFF, Relaxed);
}

/// Whether the loader has mapped objects since the last look; then the known host ranges are renewed, too.
fn grown() -> bool {
    if STACK[1].load(Relaxed) == 0 {
        know_host_ranges();
    }
    let now = objects_mapped();
    MAPPED.swap(now, Relaxed) != now
}

/// How many objects the loader has ever mapped in this process.
fn objects_mapped() -> u64 {
    unsafe extern "C" fn first(info: *mut libc::dl_phdr_info, _: usize, data: *mut libc::c_void) -> i32 {
        // SAFETY: the loader passes a valid record, and `data` is the counter below.
        unsafe { *data.cast::<u64>() = (*info).dlpi_adds };
        1
    }
    let mut adds = 0u64;
    // SAFETY: the callback stops at the first object and writes the counter only.
    unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut adds).cast()) };
    adds
}

/// The heap (which only grows upwards from its start) and the main stack, from the list of mappings.
fn know_host_ranges() {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for (name, range) in [("[heap]", &HEAP), ("[stack]", &STACK)] {
        let line = maps.lines().find(|line| line.ends_with(name));
        let ends = line.and_then(|line| line.split_whitespace().next()?.split_once('-'));
        let parse = |text: &str| usize::from_str_radix(text, 16).unwrap_or(0);
        let (low, high) = ends.map_or((0, 1), |(low, high)| (parse(low), parse(high)));
        range[0].store(low, Relaxed);
        range[1].store(high, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_cuda_nothing_is_foreign() {
        let (local, boxed) = (0u8, Box::new(0u8));
        for at in [&raw const local, &raw const *boxed] {
            assert!(!may_be_foreign(at as usize));
        }
        assert!(objects_mapped() > 0);
        assert!(!look_now() || cuda::usable());
    }
}
