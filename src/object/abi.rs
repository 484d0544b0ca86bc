// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a program can ask about the ABI itself, and tell about Fortran (MPI 5.0, sections 20.2 and 20.4).

use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, Ordering};

use parking_lot::Mutex;

use super::constant::{Handle, INFO_NULL};
use super::error::Result;
use super::info::{self, Entries};
use crate::err;

/// Version of the standard ABI that the face has, -1 where it is another ABI.
static ABI: AtomicI32 = AtomicI32::new(-1);

/// Called by a face at load.
pub fn set(major: i32) {
    ABI.store(major, Ordering::Relaxed);
}

/// Whether the face is the standard ABI's.
pub fn is_standard() -> bool {
    ABI.load(Ordering::Relaxed) > 0
}

/// `MPI_Abi_get_version`: -1 and -1 where the library's ABI is not the standard's.
pub fn get_version(major: &mut i32, minor: &mut i32) -> Result<()> {
    *major = ABI.load(Ordering::Relaxed);
    *minor = (*major).min(0);
    Ok(())
}

/// `MPI_Abi_get_info`: sizes of C's types.
pub fn get_info(info: &mut Handle) -> Result<()> {
    let mut entries = Entries::default();
    for key in ["mpi_aint_size", "mpi_count_size", "mpi_offset_size"] {
        entries.set(key, &size_of::<i64>().to_string());
    }
    *info = info::register(entries);
    Ok(())
}

/// What the Fortran bindings said of their types. They say it once.
struct Fortran {
    info: Option<Entries>,
    /// Bytes of a LOGICAL, and its values for true and false.
    booleans: Option<(usize, [u8; 16], [u8; 16])>,
}

static FORTRAN: Mutex<Fortran> = Mutex::new(Fortran { info: None, booleans: None });

/// `MPI_Abi_set_fortran_info`.
pub fn set_fortran_info(info: Handle) -> Result<()> {
    let entries = info::entries(info)?;
    let mut fortran = FORTRAN.lock();
    if fortran.info.is_some() {
        return Err(err!(Abi, "the properties of Fortran's types were set already"));
    }
    fortran.info = Some(entries);
    Ok(())
}

/// `MPI_Abi_get_fortran_info`: `MPI_INFO_NULL` when nobody set it.
pub fn get_fortran_info(info: &mut Handle) -> Result<()> {
    *info = FORTRAN.lock().info.clone().map_or(INFO_NULL, info::register);
    Ok(())
}

fn logical_bytes(size: i32) -> Result<usize> {
    match size {
        1 | 2 | 4 | 8 | 16 => Ok(size as usize),
        _ => Err(err!(Arg, "logical_size is {size}; LOGICAL has 1, 2, 4, 8 or 16 bytes")),
    }
}

/// `MPI_Abi_set_fortran_booleans`.
///
/// # Safety
/// Both addresses are of values of `size` bytes.
pub unsafe fn set_fortran_booleans(size: c_int, yes: usize, no: usize) -> Result<()> {
    let bytes = logical_bytes(size)?;
    if yes == 0 || no == 0 {
        return Err(err!(Arg, "logical_true or logical_false is NULL"));
    }
    let mut fortran = FORTRAN.lock();
    if fortran.booleans.is_some() {
        return Err(err!(Abi, "the values of Fortran's LOGICAL were set already"));
    }
    let (mut t, mut f) = ([0; 16], [0; 16]);
    // SAFETY: by this function's contract.
    unsafe {
        (yes as *const u8).copy_to_nonoverlapping(t.as_mut_ptr(), bytes);
        (no as *const u8).copy_to_nonoverlapping(f.as_mut_ptr(), bytes);
    }
    fortran.booleans = Some((bytes, t, f));
    Ok(())
}

/// `MPI_Abi_get_fortran_booleans`.
///
/// # Safety
/// Both addresses are of values of `size` bytes.
pub unsafe fn get_fortran_booleans(size: c_int, yes: usize, no: usize, is_set: &mut bool) -> Result<()> {
    let bytes = logical_bytes(size)?;
    *is_set = false;
    let Some((known, t, f)) = FORTRAN.lock().booleans else { return Ok(()) };
    if known != bytes {
        return Err(err!(Arg, "logical_size is {size}, but was set to {known}"));
    }
    *is_set = true;
    // SAFETY: by this function's contract.
    unsafe {
        (yes as *mut u8).copy_from_nonoverlapping(t.as_ptr(), bytes);
        (no as *mut u8).copy_from_nonoverlapping(f.as_ptr(), bytes);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn booleans_are_set_once_and_come_back() {
        let (yes, no, mut flag) = (-1i32, 0i32, true);
        let (mut t, mut f) = (7i32, 7i32);
        // SAFETY: locals of four bytes.
        unsafe {
            get_fortran_booleans(4, &raw mut t as usize, &raw mut f as usize, &mut flag).unwrap();
            assert!(!flag && t == 7);
            assert!(set_fortran_booleans(3, &raw const yes as usize, &raw const no as usize).is_err());
            set_fortran_booleans(4, &raw const yes as usize, &raw const no as usize).unwrap();
            assert!(set_fortran_booleans(4, &raw const yes as usize, &raw const no as usize).is_err());
            get_fortran_booleans(4, &raw mut t as usize, &raw mut f as usize, &mut flag).unwrap();
        }
        assert_eq!((flag, t, f), (true, -1, 0));
    }
}
