// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Open MPI face.
