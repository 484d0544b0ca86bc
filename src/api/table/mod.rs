// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows, by chapter: each file defines one macro `NAME!(with, arguments…)` that hands its rows to the macro `with`.

mod p2p;
