// SPDX-License-Identifier: MIT OR Apache-2.0
//! What programs with `use mpi` take from MPICH's library by gfortran's names of its modules: `MPI_SIZEOF`, and the
//! comparisons of the handle types of `mpi_f08`, which `mpi` has too.
#![allow(non_snake_case)]

use std::ffi::c_void;

use paceline_fortran::Fint;

/// `MPI_SIZEOF` of scalars and arrays.
macro_rules! sizes {
    ($($scalar:ident $array:ident = $bytes:literal;)*) => {$(
        paceline_fortran::function! {
            [$scalar $array] {
                (what: *const c_void, size: *mut Fint, error: *mut Fint) {
                    (*size, *error) = ($bytes, 0)
                }
            }
        }
    )*};
}

sizes! {
    __mpi_sizeofs_MOD_mpi_sizeof_ch __mpi_sizeofs_MOD_mpi_sizeof_chv = 1;
    __mpi_sizeofs_MOD_mpi_sizeof_cx __mpi_sizeofs_MOD_mpi_sizeof_cxv = 8;
    __mpi_sizeofs_MOD_mpi_sizeof_d __mpi_sizeofs_MOD_mpi_sizeof_dv = 8;
    __mpi_sizeofs_MOD_mpi_sizeof_i __mpi_sizeofs_MOD_mpi_sizeof_iv = 4;
    __mpi_sizeofs_MOD_mpi_sizeof_i1 __mpi_sizeofs_MOD_mpi_sizeof_i1v = 1;
    __mpi_sizeofs_MOD_mpi_sizeof_i2 __mpi_sizeofs_MOD_mpi_sizeof_i2v = 2;
    __mpi_sizeofs_MOD_mpi_sizeof_i8 __mpi_sizeofs_MOD_mpi_sizeof_i8v = 8;
    __mpi_sizeofs_MOD_mpi_sizeof_l __mpi_sizeofs_MOD_mpi_sizeof_lv = 4;
    __mpi_sizeofs_MOD_mpi_sizeof_r __mpi_sizeofs_MOD_mpi_sizeof_rv = 4;
}

/// `==` and `/=` of handle types, each an integer.
macro_rules! comparisons {
    ($($equal:ident $different:ident;)*) => {$(
        paceline_fortran::function! {
            [$equal] {
                (one: *const Fint, other: *const Fint) -> Fint {
                    Fint::from(*one == *other)
                }
            }
        }
        paceline_fortran::function! {
            [$different] {
                (one: *const Fint, other: *const Fint) -> Fint {
                    Fint::from(*one != *other)
                }
            }
        }
    )*};
}

comparisons! {
    __mpi_constants_MOD_commeq __mpi_constants_MOD_commneq;
    __mpi_constants_MOD_datatypeeq __mpi_constants_MOD_datatypeneq;
    __mpi_constants_MOD_errhandlereq __mpi_constants_MOD_errhandlerneq;
    __mpi_constants_MOD_fileeq __mpi_constants_MOD_fileneq;
    __mpi_constants_MOD_groupeq __mpi_constants_MOD_groupneq;
    __mpi_constants_MOD_infoeq __mpi_constants_MOD_infoneq;
    __mpi_constants_MOD_messageeq __mpi_constants_MOD_messageneq;
    __mpi_constants_MOD_opeq __mpi_constants_MOD_opneq;
    __mpi_constants_MOD_requesteq __mpi_constants_MOD_requestneq;
    __mpi_constants_MOD_wineq __mpi_constants_MOD_winneq;
}
