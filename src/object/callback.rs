// SPDX-License-Identifier: MIT OR Apache-2.0
//! User functions receive handles, and handles look different in each ABI: so the face registers one table of
//! trampolines at load, and the engine calls user functions only through it. Function pointers travel as `usize`.
//! Never call one of these with an engine lock held: user code may call MPI.

use std::sync::OnceLock;

use super::constant::Handle;
use super::status::Status;

/// Calls user functions in the face's ABI. Every `f` is a C function pointer the user passed in.
#[allow(clippy::too_many_arguments)]
pub trait Callbacks: Sync {
    /// `MPI_User_function` (or `_c` when `large`): combine `len` elements.
    fn op(&self, f: usize, large: bool, input: *mut u8, inout: *mut u8, len: i64, datatype: Handle);
    /// A copy-attribute function of a communicator, datatype or window (`object` says which by its handle's table).
    /// Returns (error code in the standard ABI's numbering, value out, flag).
    fn copy_attribute(
        &self,
        f: usize,
        kind: super::handle::Kind,
        object: Handle,
        keyval: i32,
        extra: usize,
        value: usize,
    ) -> (i32, usize, bool);
    /// A delete-attribute function. Returns the error code.
    fn delete_attribute(
        &self,
        f: usize,
        kind: super::handle::Kind,
        object: Handle,
        keyval: i32,
        value: usize,
        extra: usize,
    ) -> i32;
    /// A user error handler of any object kind; `code` in the standard ABI's numbering.
    fn error_handler(&self, f: usize, kind: super::handle::Kind, object: Handle, code: i32);
    /// An error code in the face's numbering.
    fn error_code(&self, code: i32) -> i32 {
        code
    }
    /// Whether wrong reductions and aliased buffers that Open MPI lets through are let through.
    fn is_lenient(&self) -> bool {
        true
    }
    /// Whether errors on a communicator whose handler was never set go to the handler of `MPI_COMM_WORLD` at that moment.
    fn unset_handler_is_worlds(&self) -> bool {
        false
    }
    /// Generalized request: query. Returns (error code, status).
    fn grequest_query(&self, f: usize, extra: usize) -> (i32, Status);
    /// Generalized request: free.
    fn grequest_free(&self, f: usize, extra: usize) -> i32;
    /// Generalized request: cancel.
    fn grequest_cancel(&self, f: usize, extra: usize, complete: bool) -> i32;
}

static FACE: OnceLock<&'static dyn Callbacks> = OnceLock::new();

/// The face registers its trampolines, once, before any other call.
pub fn register(face: &'static dyn Callbacks) {
    let _ = FACE.set(face);
}

/// The registered trampolines.
pub fn face() -> &'static dyn Callbacks {
    *FACE.get().expect("the ABI face registers its callbacks when it is loaded")
}

/// [`Callbacks::is_lenient`] of the face; true where there is none.
#[cold]
pub fn is_lenient() -> bool {
    FACE.get().is_none_or(|face| face.is_lenient())
}
