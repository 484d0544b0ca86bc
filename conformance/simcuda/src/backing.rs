// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is behind device addresses: a file in memory, so that another process can map it too.

use crate::address;
use crate::code::{self, Result};
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

/// Physical memory.
pub struct Backing {
    /// The file.
    pub file: OwnedFd,
    /// Its length.
    pub bytes: usize,
}

impl Backing {
    /// New memory.
    pub fn new(bytes: usize) -> Result<Arc<Backing>> {
        // SAFETY: plain system call; the name is a constant C string.
        let fd = unsafe { libc::memfd_create(c"simcuda".as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return Err(code::OUT_OF_MEMORY);
        }
        // SAFETY: the descriptor was just made and nobody else has it.
        let file = File::from(unsafe { OwnedFd::from_raw_fd(fd) });
        file.set_len(bytes as u64).map_err(|_| code::OUT_OF_MEMORY)?;
        Ok(Arc::new(Backing { file: file.into(), bytes }))
    }

    /// The memory behind descriptor `fd` of process `pid`.
    pub fn of(pid: u32, fd: i32) -> Result<Arc<Backing>> {
        Backing::open(Path::new(&format!("/proc/{pid}/fd/{fd}")))
    }

    fn open(path: &Path) -> Result<Arc<Backing>> {
        let open = File::options().read(true).write(true).open(path);
        let file = open.map_err(|_| code::INVALID_HANDLE)?;
        let bytes = file.metadata().map_err(|_| code::INVALID_HANDLE)?.len() as usize;
        Ok(Arc::new(Backing { file: file.into(), bytes }))
    }

    /// Maps `bytes` from `offset` for the simulator's own use, anywhere.
    pub fn view(&self, offset: usize, bytes: usize) -> Result<*mut u8> {
        self.map(0, offset, bytes)
    }

    fn map(&self, at: u64, offset: usize, bytes: usize) -> Result<*mut u8> {
        let flags = libc::MAP_SHARED | if at == 0 { 0 } else { libc::MAP_FIXED };
        let (access, fd) = (libc::PROT_READ | libc::PROT_WRITE, self.file.as_raw_fd());
        // SAFETY: without an address nothing is replaced; with one it is a range of the arena or its shadow that a Mapping owns.
        let address = unsafe { libc::mmap(at as *mut _, bytes, access, flags, fd, offset as i64) };
        if address == libc::MAP_FAILED { Err(code::MAP_FAILED) } else { Ok(address.cast()) }
    }
}

/// Physical memory at device addresses; the addresses are empty again when it is dropped.
pub struct Mapping {
    /// The first device address.
    pub base: u64,
    /// How many are mapped.
    pub bytes: usize,
    /// What is behind them.
    pub backing: Arc<Backing>,
    /// From where in it.
    pub offset: usize,
    /// Whether the host can touch the addresses too.
    pub managed: bool,
}

impl Mapping {
    /// Puts `backing` from `offset` at `base`; the caller holds the reservation of these addresses.
    pub fn new(base: u64, bytes: usize, backing: Arc<Backing>, offset: usize, managed: bool) -> Result<Mapping> {
        backing.map(address::shadow(base) as u64, offset, bytes)?;
        if managed {
            backing.map(base, offset, bytes)?;
        }
        Ok(Mapping { base, bytes, backing, offset, managed })
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        address::untouchable(address::shadow(self.base) as u64, self.bytes);
        if self.managed {
            address::untouchable(self.base, self.bytes);
        }
    }
}
