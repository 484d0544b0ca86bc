// SPDX-License-Identifier: MIT OR Apache-2.0
//! Nameless shared memory: nothing in /dev/shm or /tmp, gone with its last process.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

/// A new memfd of `bytes` (pages are made when first touched).
pub fn create(bytes: usize) -> io::Result<OwnedFd> {
    // SAFETY: the name is a C string; the result is checked before it is owned.
    let fd = unsafe { libc::memfd_create(c"paceline".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: fresh descriptor, owned by nobody else.
    let fd = unsafe { OwnedFd::from_raw_fd(fd) };
    if !may_have(bytes) {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("{bytes} bytes are more than `ulimit -f` allows")));
    }
    // SAFETY: plain system call on our descriptor.
    if unsafe { libc::ftruncate(fd.as_raw_fd(), bytes as libc::off_t) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(fd)
}

/// Whether the limit on files (`ulimit -f`) lets one have so many bytes: the kernel's answer to more is a signal.
fn may_have(bytes: usize) -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the kernel writes the live structure.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) } == 0;
    !known || bytes as u64 <= limit.rlim_cur
}

/// Maps a memfd for reading and writing, for the life of the process.
pub fn map(fd: &OwnedFd, bytes: usize) -> io::Result<*mut u8> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping at an address the kernel chooses.
    let at = unsafe { libc::mmap(ptr::null_mut(), bytes, protection, libc::MAP_SHARED | libc::MAP_NORESERVE, fd.as_raw_fd(), 0) };
    if at == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    Ok(at.cast())
}

/// Gives shared memory its pages at once, where the kernel can (Linux 5.14): a fault for each page takes several times as long.
///
/// # Safety
/// `at` begins a page, and the `len` bytes are mapped shared and writable.
pub unsafe fn populate(at: *mut u8, len: usize) {
    // SAFETY: the caller's promise; contents stay as they are. Where it fails, pages come when they are touched.
    unsafe { libc::madvise(at.cast(), len, libc::MADV_POPULATE_WRITE) };
}
