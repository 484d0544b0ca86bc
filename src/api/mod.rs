// SPDX-License-Identifier: MIT OR Apache-2.0
//! What MPI is, said once. `table/` has a row a function, in kinds; [`kind`] says what each kind is in C and in the engine;
//! [`export`] makes C functions of rows for a face, and `abi/fortran` Fortran's; [`describe`] makes the list of functions and the prototypes of them.
//!
//! # How a function gets implemented
//!
//! 1. Write the engine function: arguments in C order, types as [`kind`] says (`Count` is `i64`, `Comm` is `Handle`,
//!    `OutStatus` is `&mut Status`, `Counts` is `&[i64]` …), returning `Result<()>`. `unsafe fn` or not, both fit.
//! 2. In its row, replace `absent` by the path from the crate's root:
//!    ```text
//!    Send(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) => absent, large;
//!    Send(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) => p2p::send::send, large;
//!    ```
//!
//! That is all: `MPI_Send`, `PMPI_Send`, where the face has them `MPI_Send_c` and `PMPI_Send_c`, the prototypes of
//! `include/mpi.h` ([`header`]) and the list of what works ([`describe::functions`]) come from the row.
//!
//! Words after the path: `large` (has a `_c` twin), `anytime` (may be called before `MPI_Init` and after `MPI_Finalize`), `quick` (it is
//! not asked whether MPI runs: a communicator is not found while it does not, and a type may be read at any time).
//! `name: Kind[len]` gives an array's length, an expression of other arguments and of the functions in [`length`].
//! A `name: Length` is not passed on: the engine function gets slices, which know theirs. `name: OutName & resultlen` is one
//! string out that takes two C arguments. A call outside `MPI_Init` … `MPI_Finalize`, a NULL where something is to be written, a
//! negative `Length` never reach the engine; negative counts, ranks, tags and handles that name nothing do, and it reports them.

pub mod callback;
pub mod contents;
pub mod describe;
pub mod export;
mod fortran;
pub mod header;
pub mod kind;
pub mod length;
pub mod mark;
pub mod number;
pub mod table;
pub mod tool;
