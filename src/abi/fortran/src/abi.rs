// SPDX-License-Identifier: MIT OR Apache-2.0
//! What differs between the faces, seen from Fortran.

use std::ffi::{c_int, c_void};

/// `INTEGER`, and `LOGICAL`.
pub type Fint = i32;

/// `INTEGER (KIND=MPI_ADDRESS_KIND)` and its kin.
pub type Aint = i64;

/// Kinds of handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Object {
    Comm,
    Group,
    Datatype,
    Op,
    Request,
    Message,
    Info,
    Errhandler,
    Win,
    File,
    Session,
}

/// A face.
pub trait Abi: 'static {
    /// A handle as C passes it.
    type Handle: Copy + PartialEq;
    /// What no function gives as a handle.
    const NO_HANDLE: Self::Handle;
    /// `MPI_STATUS_IGNORE` and `MPI_STATUSES_IGNORE` in C.
    const STATUS_IGNORE: usize;
    /// `MPI_IN_PLACE` in C.
    const IN_PLACE: usize;
    /// `MPI_ERR_IN_STATUS`.
    const ERR_IN_STATUS: c_int;
    /// `MPI_CART`.
    const CART: c_int;
    /// `MPI_GRAPH`.
    const GRAPH: c_int;
    /// `MPI_DIST_GRAPH`.
    const DIST_GRAPH: c_int;
    /// Number of `INTEGER`s of a status, which has the same bytes in C.
    const STATUS_SIZE: usize;

    /// The handle of an integer.
    fn handle_in(object: Object, integer: Fint) -> Self::Handle;
    /// The integer of a handle.
    fn handle_out(object: Object, c: Self::Handle) -> Fint;
    /// A buffer's address in C, where `MPI_BOTTOM` and `MPI_IN_PLACE` are numbers.
    fn buffer(f: *const c_void) -> *mut c_void;
    /// Weights in C, where `MPI_UNWEIGHTED` and `MPI_WEIGHTS_EMPTY` are numbers.
    fn weights(f: *mut Fint) -> *mut c_int;
    /// Whether it is `MPI_STATUS_IGNORE` or `MPI_STATUSES_IGNORE`.
    fn ignores(f: *const Fint) -> bool;
    /// C's key of an attribute.
    fn keyval(f: Fint) -> c_int {
        f
    }
    /// Whether C's key is of an attribute that MPI sets on communicators: C gets the address of its value.
    fn is_predefined(keyval: c_int) -> bool;
    /// Which attribute of a window that MPI sets C's key names.
    fn of_window(keyval: c_int) -> Option<WindowValue>;
    /// Processes that a collective call on the communicator exchanges data with.
    ///
    /// # Safety
    /// The handle is one that C takes.
    unsafe fn peers(comm: Self::Handle) -> usize;
    /// Edges of the communicator's topology that end and start at the calling process.
    ///
    /// # Safety
    /// As above.
    unsafe fn degrees(comm: Self::Handle) -> (usize, usize);
}

/// What C gets for an attribute of a window that MPI sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowValue {
    /// The value itself (`MPI_WIN_BASE`).
    Itself,
    /// The address of an address-sized integer (`MPI_WIN_SIZE`).
    Aint,
    /// The address of an int.
    Int,
}
