// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lengths that an array of handles or a string has, in Fortran's arguments: under the names of `src/api/length.rs` those that
//! Fortran does not pass, asked of the C functions. A communicator that has no answer is 0 long; the error names the function that was asked.

use std::ffi::c_void;

use crate::abi::{Abi, Fint, Object};

/// A length that is passed.
///
/// # Safety
/// It is the address of an integer.
pub unsafe fn number(f: *const Fint) -> usize {
    // SAFETY: by this function's contract.
    unsafe { *f }.max(0) as usize
}

/// The key of an attribute, as Fortran has it.
///
/// # Safety
/// It is the address of an integer.
pub unsafe fn key(f: *const Fint) -> usize {
    // SAFETY: by this function's contract.
    unsafe { *f as isize as usize }
}

/// Where a length will be.
pub fn place(f: *mut Fint) -> usize {
    f.expose_provenance()
}

/// Processes that a collective call exchanges data with.
///
/// # Safety
/// `comm` is the address of an integer.
pub unsafe fn peers<A: Abi>(comm: *const Fint) -> usize {
    // SAFETY: by this function's contract.
    unsafe { A::peers(A::handle_in(Object::Comm, *comm)) }
}

/// As [`peers`]; 0 when `MPI_IN_PLACE` stands for the send buffer.
///
/// # Safety
/// `comm` is the address of an integer.
pub unsafe fn sent<A: Abi>(buffer: *const c_void, comm: *const Fint) -> usize {
    // SAFETY: by this function's contract.
    if A::buffer(buffer).addr() == A::IN_PLACE { 0 } else { unsafe { peers::<A>(comm) } }
}

/// Edges that end at the calling process.
///
/// # Safety
/// `comm` is the address of an integer.
pub unsafe fn indegree<A: Abi>(comm: *const Fint) -> usize {
    // SAFETY: by this function's contract.
    unsafe { A::degrees(A::handle_in(Object::Comm, *comm)).0 }
}

/// Edges that start at the calling process.
///
/// # Safety
/// `comm` is the address of an integer.
pub unsafe fn outdegree<A: Abi>(comm: *const Fint) -> usize {
    // SAFETY: by this function's contract.
    unsafe { A::degrees(A::handle_in(Object::Comm, *comm)).1 }
}

/// The questions of a face about its communicators: functions of its [`Abi`]. They go to the profiling names, which wrappers do not see.
#[macro_export]
macro_rules! questions {
    ($handle:ty) => {
        unsafe fn peers(comm: $handle) -> usize {
            unsafe extern "C" {
                fn PMPI_Comm_test_inter(comm: $handle, flag: *mut ::std::ffi::c_int) -> ::std::ffi::c_int;
                fn PMPI_Comm_size(comm: $handle, size: *mut ::std::ffi::c_int) -> ::std::ffi::c_int;
                fn PMPI_Comm_remote_size(comm: $handle, size: *mut ::std::ffi::c_int) -> ::std::ffi::c_int;
            }
            let (mut inter, mut size) = (0, 0);
            // SAFETY: by this function's contract; the addresses are of locals.
            unsafe {
                match PMPI_Comm_test_inter(comm, &mut inter) {
                    0 if inter != 0 => PMPI_Comm_remote_size(comm, &mut size),
                    0 => PMPI_Comm_size(comm, &mut size),
                    failed => failed,
                };
            }
            size as usize
        }

        unsafe fn degrees(comm: $handle) -> (usize, usize) {
            use ::std::ffi::c_int;
            unsafe extern "C" {
                fn PMPI_Topo_test(comm: $handle, kind: *mut c_int) -> c_int;
                fn PMPI_Cartdim_get(comm: $handle, dims: *mut c_int) -> c_int;
                fn PMPI_Comm_rank(comm: $handle, rank: *mut c_int) -> c_int;
                fn PMPI_Graph_neighbors_count(comm: $handle, rank: c_int, count: *mut c_int) -> c_int;
                fn PMPI_Dist_graph_neighbors_count(
                    comm: $handle,
                    indegree: *mut c_int,
                    outdegree: *mut c_int,
                    weighted: *mut c_int,
                ) -> c_int;
            }
            let (mut kind, mut first, mut second, mut other) = (0, 0, 0, 0);
            // SAFETY: by this function's contract; the addresses are of locals.
            unsafe {
                if PMPI_Topo_test(comm, &mut kind) != 0 {
                    return (0, 0);
                }
                if kind == Self::CART {
                    PMPI_Cartdim_get(comm, &mut first);
                    (first, second) = (2 * first, 2 * first);
                } else if kind == Self::GRAPH {
                    PMPI_Comm_rank(comm, &mut other);
                    PMPI_Graph_neighbors_count(comm, other, &mut first);
                    second = first;
                } else if kind == Self::DIST_GRAPH {
                    PMPI_Dist_graph_neighbors_count(comm, &mut first, &mut second, &mut other);
                }
            }
            (first as usize, second as usize)
        }
    };
}
