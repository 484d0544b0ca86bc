// SPDX-License-Identifier: MIT OR Apache-2.0
//! The data that Open MPI's `mpi.h` names: a handle of a predefined object is the address of its symbol. A program linked
//! without PIE holds copies of these symbols (COPY relocations), so each has Open MPI's size, and begins with what tells
//! the engine's handle: the copy tells it too. Sizes and Fortran's integers are those of Open MPI 4.1.4 and 5.0.11.
#![allow(non_upper_case_globals)]

use std::ffi::c_void;
use std::ptr;

use paceline::api::kind::Object;
use paceline::object::constant::{self, Handle};

/// In the upper half of a predefined object's first word; the lower half is the engine's handle.
pub const MAGIC: u32 = 0x7061_6365;

/// Handles of predefined objects are below this.
pub const PREDEFINED: usize = 0x400;

/// No Fortran integer of its own.
const NONE: i32 = -1;

/// A predefined object of `8 * WORDS` bytes. Writable memory, as Open MPI's is: the loader may copy it.
#[repr(C, align(32))]
pub struct Predefined<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Predefined<WORDS> {
    const fn new(handle: Handle) -> Self {
        let mut words = [0; WORDS];
        words[0] = (MAGIC as u64) << 32 | handle as u64;
        Predefined(words)
    }
}

/// The address of each predefined object, by handle; null where Open MPI has none. The addresses are the loader's:
/// of the program's copies, where it has copies.
pub struct Addresses([*const c_void; PREDEFINED]);

// SAFETY: constant addresses.
unsafe impl Sync for Addresses {}

impl Addresses {
    /// The address of a predefined object.
    #[inline(always)]
    pub fn get(&self, handle: Handle) -> *mut c_void {
        self.0[handle as usize].cast_mut()
    }
}

/// Rows: `[object kind, bytes]` symbol = handle, Fortran integer. Where two symbols name one object, the last is what the library returns.
macro_rules! objects {
    ($([$object:ident, $bytes:literal] $($symbol:ident = $handle:ident, $fortran:expr;)*)*) => {
        $($(
            #[doc = concat!("`MPI_", stringify!($handle), "`.")]
            #[unsafe(no_mangle)]
            pub static mut $symbol: Predefined<{ $bytes / 8 }> = Predefined::new(constant::$handle);
        )*)*

        /// Where each predefined object is.
        pub static ADDRESSES: Addresses = {
            let mut addresses = [ptr::null(); PREDEFINED];
            $($(addresses[constant::$handle as usize] = (&raw const $symbol).cast();)*)*
            Addresses(addresses)
        };

        /// Fortran's integers of predefined objects.
        pub static FORTRAN: &[(Object, Handle, i32)] = &[$($((Object::$object, constant::$handle, $fortran),)*)*];
    };
}

objects! {
    [Comm, 512]
    ompi_mpi_comm_null = COMM_NULL, 2;
    ompi_mpi_comm_self = COMM_SELF, 1;
    ompi_mpi_comm_world = COMM_WORLD, 0;
    [Group, 256]
    ompi_mpi_group_empty = GROUP_EMPTY, 1;
    ompi_mpi_group_null = GROUP_NULL, 0;
    [Request, 256]
    ompi_request_null = REQUEST_NULL, 0;
    [Message, 256]
    ompi_message_no_proc = MESSAGE_NO_PROC, 1;
    ompi_message_null = MESSAGE_NULL, 0;
    [Op, 2048]
    ompi_mpi_op_band = BAND, 6;
    ompi_mpi_op_bor = BOR, 8;
    ompi_mpi_op_bxor = BXOR, 10;
    ompi_mpi_op_land = LAND, 5;
    ompi_mpi_op_lor = LOR, 7;
    ompi_mpi_op_lxor = LXOR, 9;
    ompi_mpi_op_max = MAX, 1;
    ompi_mpi_op_maxloc = MAXLOC, 11;
    ompi_mpi_op_min = MIN, 2;
    ompi_mpi_op_minloc = MINLOC, 12;
    ompi_mpi_op_no_op = NO_OP, 14;
    ompi_mpi_op_null = OP_NULL, 0;
    ompi_mpi_op_prod = PROD, 4;
    ompi_mpi_op_replace = REPLACE, 13;
    ompi_mpi_op_sum = SUM, 3;
    [Errhandler, 1024]
    ompi_mpi_errors_throw_exceptions = ERRORS_RETURN, NONE;
    ompi_mpi_errhandler_null = ERRHANDLER_NULL, 0;
    ompi_mpi_errors_abort = ERRORS_ABORT, 3;
    ompi_mpi_errors_are_fatal = ERRORS_ARE_FATAL, 1;
    ompi_mpi_errors_return = ERRORS_RETURN, 2;
    [Info, 256]
    ompi_mpi_info_env = INFO_ENV, 1;
    ompi_mpi_info_null = INFO_NULL, 0;
    [Win, 512]
    ompi_mpi_win_null = WIN_NULL, 0;
    [File, 1536]
    ompi_mpi_file_null = FILE_NULL, 0;
    [Session, 512]
    ompi_mpi_instance_null = SESSION_NULL, 0;
    [Datatype, 512]
    ompi_mpi_c_complex = C_FLOAT_COMPLEX, NONE;
    ompi_mpi_2cplex = TWO_COMPLEX, 26;
    ompi_mpi_2dblcplex = TWO_DOUBLE_COMPLEX, 27;
    ompi_mpi_2dblprec = TWO_DOUBLE_PRECISION, 24;
    ompi_mpi_2int = TWO_INT, 52;
    ompi_mpi_2integer = TWO_INTEGER, 25;
    ompi_mpi_2real = TWO_REAL, 23;
    ompi_mpi_aint = AINT, 66;
    ompi_mpi_byte = BYTE, 1;
    ompi_mpi_c_bool = C_BOOL, 68;
    ompi_mpi_c_double_complex = C_DOUBLE_COMPLEX, 70;
    ompi_mpi_c_float_complex = C_COMPLEX, 69;
    ompi_mpi_c_long_double_complex = C_LONG_DOUBLE_COMPLEX, 71;
    ompi_mpi_char = CHAR, 34;
    ompi_mpi_character = CHARACTER, 5;
    ompi_mpi_complex16 = COMPLEX16, 20;
    ompi_mpi_complex32 = COMPLEX32, 21;
    ompi_mpi_complex4 = COMPLEX4, NONE;
    ompi_mpi_complex8 = COMPLEX8, 19;
    ompi_mpi_count = COUNT, 72;
    ompi_mpi_cplex = COMPLEX, 18;
    ompi_mpi_cxx_bool = CXX_BOOL, 54;
    ompi_mpi_cxx_cplex = CXX_FLOAT_COMPLEX, 55;
    ompi_mpi_cxx_dblcplex = CXX_DOUBLE_COMPLEX, 56;
    ompi_mpi_cxx_ldblcplex = CXX_LONG_DOUBLE_COMPLEX, 57;
    ompi_mpi_datatype_null = DATATYPE_NULL, 0;
    ompi_mpi_dblcplex = DOUBLE_COMPLEX, 22;
    ompi_mpi_dblprec = DOUBLE_PRECISION, 17;
    ompi_mpi_double = DOUBLE, 46;
    ompi_mpi_double_int = DOUBLE_INT, 49;
    ompi_mpi_float = FLOAT, 45;
    ompi_mpi_float_int = FLOAT_INT, 48;
    ompi_mpi_int = INT, 39;
    ompi_mpi_int16_t = INT16_T, 60;
    ompi_mpi_int32_t = INT32_T, 62;
    ompi_mpi_int64_t = INT64_T, 64;
    ompi_mpi_int8_t = INT8_T, 58;
    ompi_mpi_integer = INTEGER, 7;
    ompi_mpi_integer1 = INTEGER1, 8;
    ompi_mpi_integer16 = INTEGER16, 12;
    ompi_mpi_integer2 = INTEGER2, 9;
    ompi_mpi_integer4 = INTEGER4, 10;
    ompi_mpi_integer8 = INTEGER8, 11;
    ompi_mpi_lb = LB, 4;
    ompi_mpi_ldblcplex = LONG_DOUBLE_COMPLEX, NONE;
    ompi_mpi_logical = LOGICAL, 6;
    ompi_mpi_logical1 = LOGICAL1, 29;
    ompi_mpi_logical2 = LOGICAL2, 30;
    ompi_mpi_logical4 = LOGICAL4, 31;
    ompi_mpi_logical8 = LOGICAL8, 32;
    ompi_mpi_long = LONG, 41;
    ompi_mpi_long_double = LONG_DOUBLE, 47;
    ompi_mpi_long_int = LONG_INT, 51;
    ompi_mpi_long_long_int = LONG_LONG_INT, 43;
    ompi_mpi_longdbl_int = LONG_DOUBLE_INT, 50;
    ompi_mpi_offset = OFFSET, 67;
    ompi_mpi_packed = PACKED, 2;
    ompi_mpi_real = REAL, 13;
    ompi_mpi_real16 = REAL16, 16;
    ompi_mpi_real2 = REAL2, 28;
    ompi_mpi_real4 = REAL4, 14;
    ompi_mpi_real8 = REAL8, 15;
    ompi_mpi_short = SHORT, 37;
    ompi_mpi_short_int = SHORT_INT, 53;
    ompi_mpi_signed_char = SIGNED_CHAR, 36;
    ompi_mpi_ub = UB, 3;
    ompi_mpi_uint16_t = UINT16_T, 61;
    ompi_mpi_uint32_t = UINT32_T, 63;
    ompi_mpi_uint64_t = UINT64_T, 65;
    ompi_mpi_uint8_t = UINT8_T, 59;
    ompi_mpi_unsigned = UNSIGNED, 40;
    ompi_mpi_unsigned_char = UNSIGNED_CHAR, 35;
    ompi_mpi_unsigned_long = UNSIGNED_LONG, 42;
    ompi_mpi_unsigned_long_long = UNSIGNED_LONG_LONG, 44;
    ompi_mpi_unsigned_short = UNSIGNED_SHORT, 38;
    ompi_mpi_wchar = WCHAR, 33;
}

/// Sentinels whose address Fortran passes; only the address matters. Sizes are Open MPI's (5.0.11's where they differ).
macro_rules! sentinels {
    ($($symbol:ident: $bytes:literal;)*) => {$(
        /// A Fortran sentinel.
        #[unsafe(no_mangle)]
        pub static mut $symbol: [u8; $bytes] = [0; $bytes];
    )*};
}

sentinels! {
    mpi_fortran_argv_null_: 1;
    mpi_fortran_argvs_null_: 1;
    mpi_fortran_bottom_: 4;
    mpi_fortran_errcodes_ignore_: 4;
    mpi_fortran_in_place_: 4;
    mpi_fortran_status_ignore_: 24;
    mpi_fortran_statuses_ignore_: 24;
    mpi_fortran_unweighted_: 4;
    mpi_fortran_weights_empty_: 4;
}

/// `MPI_F_STATUS_IGNORE` and its plural: pointers to the sentinels (MPI 5.0, section 19.3.5).
#[unsafe(no_mangle)]
pub static mut MPI_F_STATUS_IGNORE: *const c_void = (&raw const mpi_fortran_status_ignore_).cast();
/// See [`MPI_F_STATUS_IGNORE`].
#[unsafe(no_mangle)]
pub static mut MPI_F_STATUSES_IGNORE: *const c_void = (&raw const mpi_fortran_statuses_ignore_).cast();
/// The same for Fortran 2008 (Open MPI 5).
#[unsafe(no_mangle)]
pub static mut MPI_F08_STATUS_IGNORE: *const c_void = (&raw const mpi_fortran_status_ignore_).cast();
/// See [`MPI_F08_STATUS_IGNORE`].
#[unsafe(no_mangle)]
pub static mut MPI_F08_STATUSES_IGNORE: *const c_void = (&raw const mpi_fortran_statuses_ignore_).cast();
