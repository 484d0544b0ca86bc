// SPDX-License-Identifier: MIT OR Apache-2.0
//! What MPI is, said once. `table/` has a row a function, in kinds.
