// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fortran's functions (`mpi_send_` and so on) over the C functions of a face. They are made of the same rows as the C functions: a
//! build script (`generate.rs`) reads `src/api/table` and writes one [`bind!`] a row, and the kinds in the row say here
//! how an argument looks in Fortran and how it becomes C's. One library a face: `mpich/` and `openmpi/`.
//!
//! | file | what |
//! |---|---|
//! | `generate.rs` | for build scripts: rows → `bind!`, with the names under which Fortran compilers ask for a function |
//! | [`abi`] | what differs between faces: integers of handles, addresses of `MPI_BOTTOM` and its kin, statuses, keys |
//! | [`bind`] | a function out of a row |
//! | [`kind`] | what an argument is in Fortran: by reference, hidden lengths, `LOGICAL`, indices from 1 |
//! | [`length`] | lengths that Fortran does not pass, asked of the C functions |
//! | [`odd`] | functions that do more than call C's |
//! | [`attribute`] | `MPI_DUP_FN` and its kin |
//! | [`mark`] | how user functions of Fortran are told from C's |
//!
//! This library knows nothing of the engine: it is linked to C's symbols alone, so that wrappers around them see its calls.

pub mod abi;
pub mod attribute;
pub mod bind;
pub mod kind;
pub mod length;
#[path = "../../../api/mark.rs"]
pub mod mark;
pub mod odd;

pub use abi::{Abi, Fint, Object};
