// SPDX-License-Identifier: MIT OR Apache-2.0
//! Control variables: the knobs, strings that are read when they are first used.

use super::started;
use crate::err;
use crate::knob::{self, Knob};
use crate::object::constant::{CHAR, Handle, T_BIND_NO_OBJECT, T_SCOPE_READONLY, T_VERBOSITY_USER_BASIC};
use crate::object::error::Result;

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

#[cfg(test)]
mod tests {
    use super::super::{finalize, init_thread};
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
