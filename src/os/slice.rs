// SPDX-License-Identifier: MIT OR Apache-2.0
//! The time slice of a thread (sched_setattr(2)). Since Linux 6.12 a thread may choose its own: with a short one it gets no more of a
//! core, but gets it soon after it was woken, also from a thread that computes. Older kernels ignore it.

use std::time::Duration;
use std::{io, mem};

use libc::{SYS_sched_getattr, SYS_sched_setattr, c_long, sched_attr};

/// The calling thread's slice; `None` where the kernel does not tell.
pub fn mine() -> io::Result<Option<Duration>> {
    let slice = attributes()?.sched_runtime;
    Ok((slice != 0).then(|| Duration::from_nanos(slice)))
}

/// Asks for a slice for the calling thread, and the threads and processes that it starts from now on, unless it is one of real time or the like. The
/// kernel keeps it within 0.1 and 100 ms.
pub fn ask(slice: Duration) -> io::Result<()> {
    let mut attributes = attributes()?;
    if !matches!(attributes.sched_policy as i32, libc::SCHED_OTHER | libc::SCHED_BATCH) {
        return Ok(());
    }
    attributes.sched_runtime = slice.as_nanos() as u64;
    // SAFETY: the kernel reads the live attributes, which say their size.
    done(unsafe { libc::syscall(SYS_sched_setattr, 0, &raw const attributes, 0) })
}

fn attributes() -> io::Result<sched_attr> {
    // SAFETY: a structure of numbers.
    let mut attributes: sched_attr = unsafe { mem::zeroed() };
    let size = mem::size_of::<sched_attr>();
    // SAFETY: the kernel writes at most that many bytes to the live attributes.
    done(unsafe { libc::syscall(SYS_sched_getattr, 0, &raw mut attributes, size, 0) })?;
    Ok(attributes)
}

fn done(result: c_long) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_kept_where_the_kernel_knows_slices() {
        std::thread::spawn(|| {
            let before = mine().unwrap();
            ask(Duration::from_micros(300)).unwrap();
            assert_eq!(mine().unwrap(), before.map(|_| Duration::from_micros(300)));
        })
        .join()
        .unwrap();
    }
}
