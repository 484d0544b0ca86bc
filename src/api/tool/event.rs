// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events (MPI 5.0, section 15.3.8): the library raises none and has no source of them, so every index, registration and
//! instance is one that does not exist.

use super::started;
use crate::err;
use crate::object::constant::Handle;
use crate::object::error::{Error, Result};

/// `MPI_T_event_get_num`, `MPI_T_source_get_num`.
pub fn get_num(num: &mut i32) -> Result<()> {
    *num = 0;
    started()
}

fn index(what: &str, index: i32) -> Result<()> {
    started()?;
    Err(err!(TInvalidIndex, "there is no {what} {index}"))
}

fn handle(what: &str, address: usize) -> Result<()> {
    started()?;
    Err(no_handle(what, address))
}

fn no_handle(what: &str, address: usize) -> Error {
    err!(TInvalidHandle, "{address:#x} is no {what}")
}

/// `MPI_T_event_get_index`.
pub fn get_index(name: &str, _index: &mut i32) -> Result<()> {
    started()?;
    Err(err!(TInvalidName, "there is no event {name}"))
}

/// `MPI_T_event_get_info`.
#[allow(clippy::too_many_arguments)]
pub fn get_info(
    event: i32,
    _name: &mut String,
    _verbosity: &mut i32,
    _types: &mut [Handle],
    _displacements: &mut [i64],
    _elements: &mut i32,
    _enumtype: &mut usize,
    _info: &mut Handle,
    _desc: &mut String,
    _bind: &mut i32,
) -> Result<()> {
    index("event", event)
}

/// `MPI_T_source_get_info`.
#[allow(clippy::too_many_arguments)]
pub fn source_get_info(
    source: i32,
    _name: &mut String,
    _desc: &mut String,
    _order: &mut i32,
    _ticks: &mut i64,
    _most: &mut i64,
    _info: &mut Handle,
) -> Result<()> {
    index("source of events", source)
}

/// `MPI_T_source_get_timestamp`.
pub fn source_get_timestamp(source: i32, _stamp: &mut i64) -> Result<()> {
    index("source of events", source)
}

/// `MPI_T_event_handle_alloc`.
pub fn handle_alloc(event: i32, _object: usize, _info: Handle, _registration: &mut usize) -> Result<()> {
    index("event", event)
}

/// `MPI_T_event_handle_free`.
pub fn handle_free(registration: usize, _data: usize, _function: usize) -> Result<()> {
    handle("registration of an event", registration)
}

/// `MPI_T_event_handle_get_info`.
pub fn handle_get_info(registration: usize, _info: &mut Handle) -> Result<()> {
    handle("registration of an event", registration)
}

/// `MPI_T_event_handle_set_info`.
pub fn handle_set_info(registration: usize, _info: Handle) -> Result<()> {
    handle("registration of an event", registration)
}

/// `MPI_T_event_callback_get_info`.
pub fn callback_get_info(registration: usize, _safety: i32, _info: &mut Handle) -> Result<()> {
    handle("registration of an event", registration)
}

/// `MPI_T_event_callback_set_info`.
pub fn callback_set_info(registration: usize, _safety: i32, _info: Handle) -> Result<()> {
    handle("registration of an event", registration)
}

/// `MPI_T_event_register_callback`.
pub fn register_callback(registration: usize, _safety: i32, _info: Handle, _data: usize, _function: usize) -> Result<()> {
    handle("registration of an event", registration)
}

/// `MPI_T_event_set_dropped_handler`.
pub fn set_dropped_handler(registration: usize, _function: usize) -> Result<()> {
    handle("registration of an event", registration)
}

/// `MPI_T_event_copy`.
pub fn copy(instance: usize, _buffer: usize) -> Result<()> {
    handle("event", instance)
}

/// `MPI_T_event_read`.
pub fn read(instance: usize, _element: i32, _buffer: usize) -> Result<()> {
    handle("event", instance)
}

/// `MPI_T_event_get_source`.
pub fn get_source(instance: usize, _source: &mut i32) -> Result<()> {
    handle("event", instance)
}

/// `MPI_T_event_get_timestamp`.
pub fn get_timestamp(instance: usize, _stamp: &mut i64) -> Result<()> {
    handle("event", instance)
}
