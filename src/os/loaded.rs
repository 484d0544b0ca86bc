// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which shared libraries are in this process.

use std::ffi::{CStr, OsStr, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Begin the file names of MPI libraries; what follows is a version.
const NAMES: [&str; 3] = ["libmpi.so", "libmpich.so", "libmpi_abi.so"];

/// The file that this code is in, and another MPI library in the process, if there is one.
pub fn twin() -> Option<(PathBuf, PathBuf)> {
    let mut seen = Seen { ours: PathBuf::new(), mpi: Vec::new() };
    // SAFETY: `note` is called with the pointer given here, while `seen` lives.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut seen).cast()) };
    let other = seen.mpi.into_iter().find(|path| !same(path, &seen.ours))?;
    Some((seen.ours, other))
}

struct Seen {
    ours: PathBuf,
    mpi: Vec<PathBuf>,
}

/// Whether it is the name of an MPI library.
fn is_mpi(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let version = |start: &str| name.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    NAMES.iter().any(|start| version(start))
}

fn same(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real(a) == real(b)
}

unsafe extern "C" fn note(info: *mut libc::dl_phdr_info, _: usize, data: *mut c_void) -> c_int {
    // SAFETY: the loader passes a valid description, and `data` is what `twin` gave.
    let (info, seen) = unsafe { (&*info, &mut *data.cast::<Seen>()) };
    if info.dlpi_name.is_null() {
        return 0;
    }
    // SAFETY: the name of a loaded object ends with a zero.
    let name = unsafe { CStr::from_ptr(info.dlpi_name) };
    let path = Path::new(OsStr::from_bytes(name.to_bytes()));
    // SAFETY: the loader's table has so many entries.
    let parts = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let here = (twin as fn() -> Option<(PathBuf, PathBuf)>) as usize as u64;
    let holds =
        |part: &libc::Elf64_Phdr| (part.p_vaddr..part.p_vaddr + part.p_memsz).contains(&here.wrapping_sub(info.dlpi_addr));
    if parts.iter().any(|part| part.p_type == libc::PT_LOAD && holds(part)) {
        seen.ours = path.to_owned();
    }
    if is_mpi(path) {
        seen.mpi.push(path.to_owned());
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_mpi_libraries_are_known() {
        let names = ["/x/libmpi.so.40.30.4", "libmpich.so.12", "libmpi_abi.so", "libmpi_cxx.so.40", "libmpicfg.so", "libmpi.so"];
        assert_eq!(names.map(|name| is_mpi(Path::new(name))), [true, true, true, false, false, true]);
    }
}
