// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paceline, an MPI library. The map, layers top-down:
//!
//! | layer | what lives there |
//! |---|---|
//! | [`api`] | what MPI is, said once: the table of functions in kinds, and the macros that make C symbols of it |
//! | `abi/` (own packages) | how it looks from C: one face a library name; conversions only; `abi/fortran` the same for Fortran |
//! | [`object`] | what handles name: communicator, group, datatype, op, request, status, info, attribute, error handler |
//! | [`coll`] | collectives: schedules, their drivers, the table that chooses, one folder a collective |
//! | [`p2p`] | matching, eager, rendezvous, probe, persistent, buffered |
//! | [`transport`] | bytes between two processes; knows no tag, no communicator |
//! | [`device`] | where memory lives and who reduces it |
//! | [`bootstrap`] | who am I, put/get/fence/abort |
//! | [`launch`] | our own mpiexec |
//! | [`progress`] | the one loop, and how to wait |
//! | [`init`] | bringing a process into the job and out of it |
//! | [`knob`], [`trace`] | tunables as rows; counters and what was chosen and why |
//! | [`os`] | mmap, memfd, futex, locks |
//!
//! Arrows: `abi → api → {init, coll, object, p2p} · init → {bootstrap, device, object, p2p, transport} · coll → {object, p2p} · object → p2p →
//! {object, transport} · {coll, p2p, object, transport} → device → object · {object, transport, launch} → bootstrap · coll/node → transport · progress → {object, p2p, transport}`
//! · anyone → `knob`, `trace`, `object::error`, `object::constant`, `progress`, `init`, `os`.
//!
//! `object` and `p2p` know each other: a request is an object that p2p completes, and communicators agree by messages.
//! `device` knows operations and types by name: a GPU kernel is found by the pair.

pub mod api;
pub mod bootstrap;
pub mod coll;
pub mod device;
pub mod init;
pub mod knob;
pub mod launch;
pub mod object;
pub mod os;
pub mod p2p;
pub mod progress;
pub mod trace;
pub mod transport;
