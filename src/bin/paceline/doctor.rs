// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tries on this machine what Paceline uses, and says what to do where something fails.

use crate::prefix_and_library;
use std::ffi::CStr;
use std::process::{Command, ExitCode};

/// How a check ended.
enum Finding {
    /// It works; what was found.
    Good(String),
    /// It works, but slower or with less: why, and what to do.
    Note(String),
    /// Programs will not run: why, and what to do.
    Bad(String),
}
use Finding::{Bad, Good, Note};

type Check = fn() -> Finding;

/// Runs all checks and prints them; the status is non-zero when programs cannot run.
pub fn examine() -> ExitCode {
    let checks: [(&str, Check); 5] = [
        ("library", library),
        ("cores", cores),
        ("shared memory", shared_memory),
        ("direct copies", direct_copies),
        ("PMIx", pmix),
    ];
    let mut healthy = true;
    for (name, check) in checks {
        let (word, text) = match check() {
            Good(text) => ("ok  ", text),
            Note(text) => ("note", text),
            Bad(text) => {
                healthy = false;
                ("FAIL", text)
            }
        };
        println!("{word}  {name:<14} {text}");
    }
    if healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The library is where it should be, loads, and says who it is.
fn library() -> Finding {
    let (_, path) = prefix_and_library();
    if !path.exists() {
        return Bad(format!("{} is missing: run `make` and use stage/bin/paceline, or `make install`", path.display()));
    }
    match version_of(&path) {
        Ok(version) => Good(format!("{} ({version})", path.display())),
        Err(error) => Bad(format!("{} does not load: {error}", path.display())),
    }
}

fn version_of(path: &std::path::Path) -> Result<String, libloading::Error> {
    type GetVersion = unsafe extern "C" fn(*mut libc::c_char, *mut libc::c_int) -> libc::c_int;
    let mut text = [0 as libc::c_char; 8192];
    let mut length = 0;
    // SAFETY: loading our own library runs no code of it; the call may be made before MPI_Init, and the buffer has more
    // than MPI_MAX_LIBRARY_VERSION_STRING characters.
    unsafe {
        let library = libloading::Library::new(path)?;
        library.get::<GetVersion>(b"MPI_Get_library_version\0")?(text.as_mut_ptr(), &mut length);
        Ok(CStr::from_ptr(text.as_ptr()).to_string_lossy().lines().next().unwrap_or_default().to_owned())
    }
}

fn cores() -> Finding {
    match std::thread::available_parallelism().map_or(1, |n| n.get()) {
        1 => Note("1 core: ranks take turns; give the job more cores for speed".into()),
        n => Good(format!("{n} cores for this process; with more ranks than cores the ranks take turns")),
    }
}

/// Jobs share one memory file without a name, so the size of /dev/shm does not matter.
fn shared_memory() -> Finding {
    // SAFETY: the name is a C string; the descriptor is closed below.
    let file = unsafe { libc::memfd_create(c"paceline-doctor".as_ptr(), libc::MFD_CLOEXEC) };
    if file < 0 {
        return Bad(format!("memfd_create: {}; the kernel or a seccomp profile refuses it", std::io::Error::last_os_error()));
    }
    // SAFETY: `file` was opened above and nobody else knows it.
    unsafe { libc::close(file) };
    Good("memory files work; nothing is put in /dev/shm".into())
}

const WORD: u64 = 0x7061_6365_6c69_6e65;

/// Another process reads a word of this one, as ranks read each other's large messages.
fn direct_copies() -> Finding {
    let word = WORD;
    paceline::transport::cma::allow();
    let address = (&raw const word as usize).to_string();
    let reader = std::env::current_exe()
        .and_then(|program| Command::new(program).args(["doctor", "--peek", &std::process::id().to_string(), &address]).output());
    match reader {
        Ok(done) if done.status.success() => Good("large messages are read straight from the other process".into()),
        Ok(done) => Note(format!(
            "process_vm_readv is refused ({}): large messages go through shared memory, slower; in a container allow it by --cap-add=SYS_PTRACE",
            String::from_utf8_lossy(&done.stderr).trim()
        )),
        Err(error) => Note(format!("could not be tried: {error}")),
    }
}

/// The reading side of [`direct_copies`].
pub fn peek(pid: i32, address: usize) -> ExitCode {
    let mut word = 0u64;
    let local = libc::iovec { iov_base: (&raw mut word).cast(), iov_len: 8 };
    let remote = libc::iovec { iov_base: address as *mut _, iov_len: 8 };
    // SAFETY: `local` is this function's word; the kernel checks the other process's address.
    let read = unsafe { libc::process_vm_readv(pid, &local, 1, &remote, 1, 0) };
    if read == 8 && word == WORD {
        return ExitCode::SUCCESS;
    }
    eprintln!("{}", std::io::Error::last_os_error());
    ExitCode::FAILURE
}

/// Needed only under launchers that speak PMIx.
fn pmix() -> Finding {
    // SAFETY: libpmix has no initialisers with preconditions.
    match unsafe { libloading::Library::new("libpmix.so.2") } {
        Ok(_) => Good("libpmix.so.2 loads: programs start under Open MPI's mpirun".into()),
        Err(_) => {
            Note("libpmix.so.2 is not installed: Open MPI's mpirun cannot start programs on Paceline (Debian: libpmix2)".into())
        }
    }
}
