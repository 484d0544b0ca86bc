// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the tests of the faces share (each includes this folder as a module): the library under test and the installed ones
//! it is compared with ([`peer`]), what libraries export ([`exports`]), C programs compiled for a peer ([`program`]), and
//! the programs made of a header's constants and types ([`constants`], [`layouts`]) and of a face's numbers ([`values`]).

// Each face uses a part of it.
#![allow(dead_code)]

pub mod constants;
pub mod exports;
pub mod layouts;
pub mod peer;
pub mod program;
pub mod values;
