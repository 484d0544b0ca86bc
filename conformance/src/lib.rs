// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the programs of this package share. Three programs: `conformance` (suites of cases), `demo`, `bench`.
//!
//! | module | what it does |
//! |---|---|
//! | [`suite`] | reads `suites/NAME.toml` into cases; every case crossed with ranks, launchers and environments |
//! | [`testlist`] | rows from lists in the form of MPICH's suite |
//! | [`case`] | runs one case and judges it |
//! | [`compile`] | one C source into one binary, with Open MPI's `mpicc` |
//! | [`launcher`] | the ways to start a program: our mpiexec, Open MPI's mpirun with a preload, alone, and Open MPI itself |
//! | [`process`] | a command under a time limit, its output, and the end of everything it started |
//! | [`measure`] | the benchmark program on Paceline and on Open MPI in turns; medians and ratios |

pub mod case;
pub mod compile;
pub mod launcher;
pub mod measure;
pub mod process;
pub mod suite;
pub mod testlist;
