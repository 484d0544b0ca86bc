// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows, by chapter: each file defines one macro `table_CHAPTER!(with, arguments…)` that hands its rows to the macro `with`.

mod attribute;
mod collective;
mod comm;
mod datatype;
mod env;
mod error;
mod fault;
mod file;
mod group;
mod info;
mod large;
mod mpich;
mod neighbor;
mod op;
mod p2p;
mod persistent;
mod process;
mod recent;
mod removed;
mod request;
mod rma;
mod session;
mod tool;
mod topology;
