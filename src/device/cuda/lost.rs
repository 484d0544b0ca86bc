// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is left of a device that has failed: its driver does not say any more what an address is, or gives no way to it, yet the CPU may
//! not touch it. Everything asked of it is an error, so that the program's call gets one instead of a segmentation fault.

use std::os::fd::AsRawFd;

use crate::device::strided::Blocks;
use crate::device::{Exec, Export, Home, Import, Kind, Memory, Pending};
use crate::err;
use crate::object::datatype::Datatype;
use crate::object::error::{Error, Result};
use crate::object::op::Op;
use crate::trace;
use parking_lot::Mutex;

/// Why, the last time that the driver was asked.
struct Lost(Mutex<String>);

static LOST: Lost = Lost(Mutex::new(String::new()));

/// The home of an address to which there is no way, for this reason; `None` where the CPU reads it, so that it is as good as the host's.
#[cold]
pub fn home(at: *const u8, reason: &str) -> Option<Home> {
    if is_readable(at) {
        trace::note(format!("CUDA: {reason}; the CPU can read it, so it counts as host memory"));
        return None;
    }
    reason.clone_into(&mut LOST.0.lock());
    Some(Home { kind: Kind::Device, memory: &LOST, exec: &LOST, buffer: 0, is_settled: false })
}

/// Asks the kernel, which says no where a load would be a fault: it is to write the byte into a pipe, which no sandbox forbids.
fn is_readable(at: *const u8) -> bool {
    let Ok((_reader, writer)) = std::io::pipe() else { return false };
    // SAFETY: only the kernel reads the byte, and fails where nobody may.
    let got = unsafe { libc::write(writer.as_raw_fd(), at.cast(), 1) };
    got == 1
}

impl Lost {
    fn error(&self) -> Error {
        err!(Other, "the device of the buffer has failed: {}", self.0.lock())
    }
}

impl Memory for Lost {
    fn number(&self) -> usize {
        usize::MAX
    }

    fn device(&self) -> u64 {
        0
    }

    fn fence(&'static self) -> Result<()> {
        Err(self.error())
    }

    fn settled(&'static self) -> Result<Pending> {
        Err(self.error())
    }

    unsafe fn copy(&'static self, _: *const u8, _: *mut u8, _: usize) -> Result<Pending> {
        Err(self.error())
    }

    unsafe fn gather(&'static self, _: *const u8, _: &Blocks, _: *mut u8) -> Result<Pending> {
        Err(self.error())
    }

    unsafe fn scatter(&'static self, _: *const u8, _: &Blocks, _: *mut u8) -> Result<Pending> {
        Err(self.error())
    }

    fn allocate(&self, _: usize) -> Result<*mut u8> {
        Err(self.error())
    }

    unsafe fn free(&self, _: *mut u8) {}

    fn allocate_pinned(&self, _: usize) -> Result<*mut u8> {
        Err(self.error())
    }

    unsafe fn free_pinned(&self, _: *mut u8) {}

    fn export(&'static self, _: *const u8, _: Kind, _: u64) -> std::result::Result<Export, String> {
        Err(self.error().text().to_owned())
    }

    fn shares(&self) -> bool {
        false
    }

    fn import(&'static self, _: u32, _: &Export) -> std::result::Result<Import, String> {
        Err(self.error().text().to_owned())
    }

    fn unpin(&'static self, _: u64) {}
}

impl Exec for Lost {
    fn has(&self, _: &Op, _: &Datatype) -> bool {
        false
    }

    unsafe fn combine(&'static self, _: &Op, _: &Datatype, _: usize, _: &[*const u8], _: &[*mut u8]) -> Option<Result<Pending>> {
        Some(Err(self.error()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_cpu_reads_is_no_lost_device() {
        let byte = 1u8;
        assert!(is_readable(&raw const byte));
        assert!(!is_readable(std::ptr::dangling()));
        assert!(home(&raw const byte, "no way").is_none());
        let lost = home(std::ptr::dangling(), "no way").unwrap();
        assert!(LOST.error().text().contains("has failed: no way"));
        assert_eq!(lost.kind, Kind::Device);
    }
}
