// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tool interface (MPI 5.0, chapter 15): knobs are control variables, strings that are read when they are first used;
//! there are no performance variables and no categories. Its functions return their errors, no handler is asked.

use std::sync::atomic::{AtomicI32, Ordering};

use crate::err;
use crate::knob::{self, Knob};
use crate::object::constant::{CHAR, Handle, T_BIND_NO_OBJECT, T_SCOPE_READONLY, T_VERBOSITY_USER_BASIC};
use crate::object::error::{Error, Result};

static STARTED: AtomicI32 = AtomicI32::new(0);

fn started() -> Result<()> {
    match STARTED.load(Ordering::Relaxed) {
        1.. => Ok(()),
        _ => Err(err!(TNotInitialized, "MPI_T_init_thread was not called")),
    }
}

/// `MPI_T_init_thread`.
pub fn init_thread(required: i32, provided: &mut i32) -> Result<()> {
    STARTED.fetch_add(1, Ordering::Relaxed);
    *provided = required;
    Ok(())
}

/// `MPI_T_finalize`.
pub fn finalize() -> Result<()> {
    started()?;
    STARTED.fetch_sub(1, Ordering::Relaxed);
    Ok(())
}

fn knob(index: i32) -> Result<&'static Knob> {
    started()?;
    let found = usize::try_from(index).ok().and_then(|i| knob::ALL.get(i));
    found.copied().ok_or_else(|| err!(TInvalidIndex, "there is no control variable {index}"))
}

/// `MPI_T_cvar_get_num`.
pub fn cvar_get_num(num: &mut i32) -> Result<()> {
    started()?;
    *num = knob::ALL.len() as i32;
    Ok(())
}

/// `MPI_T_cvar_get_index`.
pub fn cvar_get_index(name: &str, index: &mut i32) -> Result<()> {
    started()?;
    let place = knob::ALL.iter().position(|knob| knob.name == name);
    *index = place.ok_or_else(|| err!(TInvalidName, "there is no control variable {name}"))? as i32;
    Ok(())
}

/// `MPI_T_cvar_get_info`.
#[allow(clippy::too_many_arguments)]
pub fn cvar_get_info(
    index: i32,
    name: &mut String,
    verbosity: &mut i32,
    datatype: &mut Handle,
    enumtype: &mut usize,
    desc: &mut String,
    bind: &mut i32,
    scope: &mut i32,
) -> Result<()> {
    let knob = knob(index)?;
    knob.name.clone_into(name);
    knob.help.trim().clone_into(desc);
    (*verbosity, *datatype, *enumtype) = (T_VERBOSITY_USER_BASIC, CHAR, 0);
    (*bind, *scope) = (T_BIND_NO_OBJECT, T_SCOPE_READONLY);
    Ok(())
}

/// `MPI_T_cvar_handle_alloc`: the handle is the index plus one, so that 0 stays the null handle.
pub fn cvar_handle_alloc(index: i32, _object: usize, handle: &mut usize, count: &mut i32) -> Result<()> {
    let knob = knob(index)?;
    *handle = index as usize + 1;
    *count = knob.text().len() as i32 + 1;
    Ok(())
}

fn of_handle(handle: usize) -> Result<&'static Knob> {
    let index = handle.checked_sub(1).and_then(|i| i32::try_from(i).ok());
    index.and_then(|i| knob(i).ok()).ok_or_else(|| err!(TInvalidHandle, "{handle:#x} is no handle of a control variable"))
}

/// `MPI_T_cvar_handle_free`.
pub fn cvar_handle_free(handle: &mut usize) -> Result<()> {
    started()?;
    of_handle(*handle)?;
    *handle = 0;
    Ok(())
}

/// `MPI_T_cvar_read`.
///
/// # Safety
/// `buffer` has room for as many bytes as `cvar_handle_alloc` told.
pub unsafe fn cvar_read(handle: usize, buffer: usize) -> Result<()> {
    started()?;
    let text = of_handle(handle)?.text();
    let buffer = buffer as *mut u8;
    // SAFETY: by this function's contract; a knob's text does not change.
    unsafe {
        buffer.copy_from_nonoverlapping(text.as_ptr(), text.len());
        *buffer.add(text.len()) = 0;
    }
    Ok(())
}

/// `MPI_T_cvar_write`.
pub fn cvar_write(handle: usize, _buffer: *mut u8) -> Result<()> {
    started()?;
    let name = of_handle(handle)?.name;
    Err(err!(TCvarSetNever, "{name} is read from the environment when it is first used"))
}

/// `MPI_T_enum_get_info`.
pub fn enum_get_info(enumtype: usize, _num: &mut i32, _name: &mut String) -> Result<()> {
    started()?;
    Err(err!(TInvalidHandle, "{enumtype:#x} is no enumeration"))
}

/// `MPI_T_enum_get_item`.
pub fn enum_get_item(enumtype: usize, _index: i32, _value: &mut i32, _name: &mut String) -> Result<()> {
    started()?;
    Err(err!(TInvalidHandle, "{enumtype:#x} is no enumeration"))
}

/// The number of performance variables, of categories, or of changes to them.
pub fn none(num: &mut i32) -> Result<()> {
    started()?;
    *num = 0;
    Ok(())
}

/// `MPI_T_pvar_get_index`.
pub fn pvar_get_index(name: &str, _class: i32, _index: &mut i32) -> Result<()> {
    started()?;
    Err(err!(TInvalidName, "there is no performance variable {name}"))
}

fn no_pvar(index: i32) -> Error {
    err!(TInvalidIndex, "there is no performance variable {index}")
}

/// `MPI_T_pvar_get_info`.
#[allow(clippy::too_many_arguments)]
pub fn pvar_get_info(
    index: i32,
    _name: &mut String,
    _verbosity: &mut i32,
    _class: &mut i32,
    _datatype: &mut Handle,
    _enumtype: &mut usize,
    _desc: &mut String,
    _bind: &mut i32,
    _readonly: &mut bool,
    _continuous: &mut bool,
    _atomic: &mut bool,
) -> Result<()> {
    started()?;
    Err(no_pvar(index))
}

/// `MPI_T_pvar_session_create`.
pub fn pvar_session_create(session: &mut usize) -> Result<()> {
    started()?;
    *session = 1;
    Ok(())
}

/// `MPI_T_pvar_session_free`.
pub fn pvar_session_free(session: &mut usize) -> Result<()> {
    started()?;
    match std::mem::take(session) {
        1 => Ok(()),
        other => Err(err!(TInvalidSession, "{other:#x} is no session")),
    }
}

/// `MPI_T_pvar_handle_alloc`.
pub fn pvar_handle_alloc(_session: usize, index: i32, _object: usize, _handle: &mut usize, _count: &mut i32) -> Result<()> {
    started()?;
    Err(no_pvar(index))
}

/// `MPI_T_pvar_handle_free`.
pub fn pvar_handle_free(_session: usize, handle: &mut usize) -> Result<()> {
    started()?;
    Err(no_handle(*handle))
}

/// `MPI_T_pvar_start`, `MPI_T_pvar_stop`, `MPI_T_pvar_reset`: of all handles, which are none.
pub fn pvar_all(_session: usize, _handle: usize) -> Result<()> {
    started()
}

/// `MPI_T_pvar_read`, `MPI_T_pvar_readreset`.
pub fn pvar_read(_session: usize, handle: usize, _buffer: usize) -> Result<()> {
    started()?;
    Err(no_handle(handle))
}

/// `MPI_T_pvar_write`.
pub fn pvar_write(_session: usize, handle: usize, _buffer: *mut u8) -> Result<()> {
    started()?;
    Err(no_handle(handle))
}

fn no_handle(handle: usize) -> Error {
    err!(TInvalidHandle, "{handle:#x} is no handle of a performance variable")
}

fn no_category(index: i32) -> Error {
    err!(TInvalidIndex, "there is no category {index}")
}

/// `MPI_T_category_get_index`.
pub fn category_get_index(name: &str, _index: &mut i32) -> Result<()> {
    started()?;
    Err(err!(TInvalidName, "there is no category {name}"))
}

/// `MPI_T_category_get_info`.
pub fn category_get_info(
    index: i32,
    _name: &mut String,
    _desc: &mut String,
    _cvars: &mut i32,
    _pvars: &mut i32,
    _categories: &mut i32,
) -> Result<()> {
    started()?;
    Err(no_category(index))
}

/// `MPI_T_category_get_cvars`, `MPI_T_category_get_pvars`, `MPI_T_category_get_categories`.
pub fn category_members(index: i32, _len: i32, _indices: &mut [i32]) -> Result<()> {
    started()?;
    Err(no_category(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knobs_are_found_and_read() {
        let (mut provided, mut index, mut handle, mut count) = (0, -1, 0, 0);
        init_thread(0, &mut provided).unwrap();
        cvar_get_index("PACELINE_EAGER", &mut index).unwrap();
        cvar_handle_alloc(index, 0, &mut handle, &mut count).unwrap();
        let mut buffer = vec![1u8; count as usize];
        // SAFETY: the buffer has `count` bytes.
        unsafe { cvar_read(handle, buffer.as_mut_ptr() as usize).unwrap() };
        assert_eq!(buffer.last(), Some(&0));
        assert!(buffer.len() > 1);
        assert!(cvar_get_index("PACELINE_NONE", &mut index).is_err());
        cvar_handle_free(&mut handle).unwrap();
        assert!(cvar_handle_free(&mut handle).is_err());
        finalize().unwrap();
    }
}
