// SPDX-License-Identifier: MIT OR Apache-2.0
//! How user functions of Fortran are told from C's: the Fortran libraries set bits in their addresses that no address of a
//! program has. This file is theirs too.

/// The function has Fortran's calling sequence: every argument by address, the error code as the last.
pub const FORTRAN: usize = 1 << 63;
/// Its attributes and extra state are `INTEGER`s, as before MPI 2, instead of address-sized.
pub const INTEGERS: usize = 1 << 62;

/// The address itself.
pub const fn unmarked(function: usize) -> usize {
    function & !(FORTRAN | INTEGERS)
}
