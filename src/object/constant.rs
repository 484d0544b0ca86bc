// SPDX-License-Identifier: MIT OR Apache-2.0
//! The constants of the standard ABI (MPI 5.0, chapter 20), which are the engine's own values.
//! Names are MPI's without the prefix; error classes live in [`super::error::Class`].
#![allow(missing_docs)]

/// A handle: 32 bits. Predefined objects have the standard ABI's constants, dynamic ones start above them.
pub type Handle = u32;

// MPI_Op
pub const OP_NULL: Handle = 0x20;
pub const SUM: Handle = 0x21;
pub const MIN: Handle = 0x22;
pub const MAX: Handle = 0x23;
pub const PROD: Handle = 0x24;
pub const BAND: Handle = 0x28;
pub const BOR: Handle = 0x29;
pub const BXOR: Handle = 0x2a;
pub const LAND: Handle = 0x30;
pub const LOR: Handle = 0x31;
pub const LXOR: Handle = 0x32;
pub const MINLOC: Handle = 0x38;
pub const MAXLOC: Handle = 0x39;
pub const REPLACE: Handle = 0x3c;
pub const NO_OP: Handle = 0x3d;

// MPI_Comm
pub const COMM_NULL: Handle = 0x100;
pub const COMM_WORLD: Handle = 0x101;
pub const COMM_SELF: Handle = 0x102;

// MPI_Group
pub const GROUP_NULL: Handle = 0x108;
pub const GROUP_EMPTY: Handle = 0x109;

// MPI_Win
pub const WIN_NULL: Handle = 0x110;

// MPI_File
pub const FILE_NULL: Handle = 0x118;

// MPI_Session
pub const SESSION_NULL: Handle = 0x120;

// MPI_Message
pub const MESSAGE_NULL: Handle = 0x128;
pub const MESSAGE_NO_PROC: Handle = 0x129;

// MPI_Info
pub const INFO_NULL: Handle = 0x130;
pub const INFO_ENV: Handle = 0x131;

// MPI_Errhandler
pub const ERRHANDLER_NULL: Handle = 0x140;
pub const ERRORS_ARE_FATAL: Handle = 0x141;
pub const ERRORS_ABORT: Handle = 0x142;
pub const ERRORS_RETURN: Handle = 0x143;

// MPI_Request
pub const REQUEST_NULL: Handle = 0x180;

// MPI_Datatype
pub const DATATYPE_NULL: Handle = 0x200;
pub const AINT: Handle = 0x201;
pub const COUNT: Handle = 0x202;
pub const OFFSET: Handle = 0x203;
pub const PACKED: Handle = 0x207;
pub const SHORT: Handle = 0x208;
pub const INT: Handle = 0x209;
pub const LONG: Handle = 0x20a;
pub const LONG_LONG: Handle = 0x20b;
pub const UNSIGNED_SHORT: Handle = 0x20c;
pub const UNSIGNED: Handle = 0x20d;
pub const UNSIGNED_LONG: Handle = 0x20e;
pub const UNSIGNED_LONG_LONG: Handle = 0x20f;
pub const FLOAT: Handle = 0x210;
pub const C_FLOAT_COMPLEX: Handle = 0x212;
pub const CXX_FLOAT_COMPLEX: Handle = 0x213;
pub const DOUBLE: Handle = 0x214;
pub const C_DOUBLE_COMPLEX: Handle = 0x216;
pub const CXX_DOUBLE_COMPLEX: Handle = 0x217;
pub const LOGICAL: Handle = 0x218;
pub const INTEGER: Handle = 0x219;
pub const REAL: Handle = 0x21a;
pub const COMPLEX: Handle = 0x21b;
pub const DOUBLE_PRECISION: Handle = 0x21c;
pub const DOUBLE_COMPLEX: Handle = 0x21d;
pub const CHARACTER: Handle = 0x21e;
pub const LONG_DOUBLE: Handle = 0x220;
pub const C_LONG_DOUBLE_COMPLEX: Handle = 0x224;
pub const CXX_LONG_DOUBLE_COMPLEX: Handle = 0x225;
pub const FLOAT_INT: Handle = 0x228;
pub const DOUBLE_INT: Handle = 0x229;
pub const LONG_INT: Handle = 0x22a;
pub const TWO_INT: Handle = 0x22b;
pub const SHORT_INT: Handle = 0x22c;
pub const LONG_DOUBLE_INT: Handle = 0x22d;
pub const TWO_REAL: Handle = 0x230;
pub const TWO_DOUBLE_PRECISION: Handle = 0x231;
pub const TWO_INTEGER: Handle = 0x232;
pub const C_BOOL: Handle = 0x238;
pub const CXX_BOOL: Handle = 0x239;
pub const WCHAR: Handle = 0x23c;
pub const INT8_T: Handle = 0x240;
pub const UINT8_T: Handle = 0x241;
pub const CHAR: Handle = 0x243;
pub const SIGNED_CHAR: Handle = 0x244;
pub const UNSIGNED_CHAR: Handle = 0x245;
pub const BYTE: Handle = 0x247;
pub const INT16_T: Handle = 0x248;
pub const UINT16_T: Handle = 0x249;
pub const INT32_T: Handle = 0x250;
pub const UINT32_T: Handle = 0x251;
pub const INT64_T: Handle = 0x258;
pub const UINT64_T: Handle = 0x259;
pub const LOGICAL1: Handle = 0x2c0;
pub const INTEGER1: Handle = 0x2c1;
pub const LOGICAL2: Handle = 0x2c8;
pub const INTEGER2: Handle = 0x2c9;
pub const REAL2: Handle = 0x2ca;
pub const LOGICAL4: Handle = 0x2d0;
pub const INTEGER4: Handle = 0x2d1;
pub const REAL4: Handle = 0x2d2;
pub const COMPLEX4: Handle = 0x2d3;
pub const LOGICAL8: Handle = 0x2d8;
pub const INTEGER8: Handle = 0x2d9;
pub const REAL8: Handle = 0x2da;
pub const COMPLEX8: Handle = 0x2db;
pub const LOGICAL16: Handle = 0x2e0;
pub const INTEGER16: Handle = 0x2e1;
pub const REAL16: Handle = 0x2e2;
pub const COMPLEX16: Handle = 0x2e3;
pub const COMPLEX32: Handle = 0x2eb;

// Types that the standard ABI has no constant for but other ABIs name: a block of our own, below the dynamic handles.
pub const TWO_COMPLEX: Handle = 0x3e0;
pub const TWO_DOUBLE_COMPLEX: Handle = 0x3e1;
pub const LB: Handle = 0x3e2;
pub const UB: Handle = 0x3e3;
pub const BFLOAT16: Handle = 0x3e4;
pub const FLOAT16: Handle = 0x3e5;
/// Fortran's `COMPLEX` of two `long double`s, where the compiler has it.
pub const LONG_DOUBLE_COMPLEX: Handle = 0x3e6;

// Other names of the same objects.
pub const LONG_LONG_INT: Handle = LONG_LONG;
pub const C_COMPLEX: Handle = C_FLOAT_COMPLEX;

// Integers.
pub const F_STATUS_SIZE: i32 = 8;
pub const F_SOURCE: i32 = 0;
pub const F_TAG: i32 = 1;
pub const F_ERROR: i32 = 2;
pub const MODE_APPEND: i32 = 1;
pub const MODE_CREATE: i32 = 2;
pub const MODE_DELETE_ON_CLOSE: i32 = 4;
pub const MODE_EXCL: i32 = 8;
pub const MODE_RDONLY: i32 = 16;
pub const MODE_RDWR: i32 = 32;
pub const MODE_SEQUENTIAL: i32 = 64;
pub const MODE_UNIQUE_OPEN: i32 = 128;
pub const MODE_WRONLY: i32 = 256;
pub const MODE_NOCHECK: i32 = 1024;
pub const MODE_NOPRECEDE: i32 = 2048;
pub const MODE_NOPUT: i32 = 4096;
pub const MODE_NOSTORE: i32 = 8192;
pub const MODE_NOSUCCEED: i32 = 16384;
pub const ANY_SOURCE: i32 = -1;
pub const ANY_TAG: i32 = -2;
pub const PROC_NULL: i32 = -3;
pub const ROOT: i32 = -4;
pub const UNDEFINED: i32 = -32766;
pub const THREAD_SINGLE: i32 = 0;
pub const THREAD_FUNNELED: i32 = 1024;
pub const THREAD_SERIALIZED: i32 = 2048;
pub const THREAD_MULTIPLE: i32 = 4096;
pub const ORDER_C: i32 = 12;
pub const ORDER_FORTRAN: i32 = 15;
pub const DISTRIBUTE_NONE: i32 = 16;
pub const DISTRIBUTE_BLOCK: i32 = 17;
pub const DISTRIBUTE_CYCLIC: i32 = 18;
pub const DISTRIBUTE_DFLT_DARG: i32 = 19;
pub const COMBINER_NAMED: i32 = 101;
pub const COMBINER_DUP: i32 = 102;
pub const COMBINER_CONTIGUOUS: i32 = 103;
pub const COMBINER_VECTOR: i32 = 104;
pub const COMBINER_HVECTOR: i32 = 105;
pub const COMBINER_INDEXED: i32 = 106;
pub const COMBINER_HINDEXED: i32 = 107;
pub const COMBINER_INDEXED_BLOCK: i32 = 108;
pub const COMBINER_HINDEXED_BLOCK: i32 = 109;
pub const COMBINER_STRUCT: i32 = 110;
pub const COMBINER_SUBARRAY: i32 = 111;
pub const COMBINER_DARRAY: i32 = 112;
pub const COMBINER_F90_REAL: i32 = 113;
pub const COMBINER_F90_COMPLEX: i32 = 114;
pub const COMBINER_F90_INTEGER: i32 = 115;
pub const COMBINER_RESIZED: i32 = 116;
pub const COMBINER_VALUE_INDEX: i32 = 117;
pub const TYPECLASS_INTEGER: i32 = 192;
pub const TYPECLASS_REAL: i32 = 193;
pub const TYPECLASS_COMPLEX: i32 = 194;
pub const IDENT: i32 = 201;
pub const CONGRUENT: i32 = 202;
pub const SIMILAR: i32 = 203;
pub const UNEQUAL: i32 = 204;
pub const CART: i32 = 211;
pub const GRAPH: i32 = 212;
pub const DIST_GRAPH: i32 = 213;
pub const COMM_TYPE_SHARED: i32 = 221;
pub const COMM_TYPE_HW_UNGUIDED: i32 = 222;
pub const COMM_TYPE_HW_GUIDED: i32 = 223;
pub const COMM_TYPE_RESOURCE_GUIDED: i32 = 224;
pub const LOCK_EXCLUSIVE: i32 = 301;
pub const LOCK_SHARED: i32 = 302;
pub const WIN_FLAVOR_CREATE: i32 = 311;
pub const WIN_FLAVOR_ALLOCATE: i32 = 312;
pub const WIN_FLAVOR_DYNAMIC: i32 = 313;
pub const WIN_FLAVOR_SHARED: i32 = 314;
pub const WIN_UNIFIED: i32 = 321;
pub const WIN_SEPARATE: i32 = 322;
pub const SEEK_CUR: i32 = 401;
pub const SEEK_END: i32 = 402;
pub const SEEK_SET: i32 = 403;
pub const KEYVAL_INVALID: i32 = 0;
pub const TAG_UB: i32 = 501;
pub const IO: i32 = 502;
pub const HOST: i32 = 503;
pub const WTIME_IS_GLOBAL: i32 = 504;
pub const APPNUM: i32 = 505;
pub const LASTUSEDCODE: i32 = 506;
pub const UNIVERSE_SIZE: i32 = 507;
pub const WIN_BASE: i32 = 601;
pub const WIN_DISP_UNIT: i32 = 602;
pub const WIN_SIZE: i32 = 603;
pub const WIN_CREATE_FLAVOR: i32 = 604;
pub const WIN_MODEL: i32 = 605;
pub const T_CB_REQUIRE_NONE: i32 = 0;
pub const T_CB_REQUIRE_MPI_RESTRICTED: i32 = 3;
pub const T_CB_REQUIRE_THREAD_SAFE: i32 = 15;
pub const T_CB_REQUIRE_ASYNC_SIGNAL_SAFE: i32 = 63;
pub const T_SOURCE_ORDERED: i32 = 1;
pub const T_SOURCE_UNORDERED: i32 = 2;
pub const T_VERBOSITY_USER_BASIC: i32 = 9;
pub const T_VERBOSITY_USER_DETAIL: i32 = 10;
pub const T_VERBOSITY_USER_ALL: i32 = 12;
pub const T_VERBOSITY_TUNER_BASIC: i32 = 17;
pub const T_VERBOSITY_TUNER_DETAIL: i32 = 18;
pub const T_VERBOSITY_TUNER_ALL: i32 = 20;
pub const T_VERBOSITY_MPIDEV_BASIC: i32 = 33;
pub const T_VERBOSITY_MPIDEV_DETAIL: i32 = 34;
pub const T_VERBOSITY_MPIDEV_ALL: i32 = 36;
pub const T_BIND_NO_OBJECT: i32 = 1;
pub const T_BIND_MPI_COMM: i32 = 2;
pub const T_BIND_MPI_DATATYPE: i32 = 3;
pub const T_BIND_MPI_ERRHANDLER: i32 = 4;
pub const T_BIND_MPI_FILE: i32 = 5;
pub const T_BIND_MPI_GROUP: i32 = 6;
pub const T_BIND_MPI_OP: i32 = 7;
pub const T_BIND_MPI_REQUEST: i32 = 8;
pub const T_BIND_MPI_WIN: i32 = 9;
pub const T_BIND_MPI_MESSAGE: i32 = 10;
pub const T_BIND_MPI_INFO: i32 = 11;
pub const T_BIND_MPI_SESSION: i32 = 12;
pub const T_SCOPE_CONSTANT: i32 = 1;
pub const T_SCOPE_READONLY: i32 = 2;
pub const T_SCOPE_LOCAL: i32 = 3;
pub const T_SCOPE_GROUP: i32 = 4;
pub const T_SCOPE_GROUP_EQ: i32 = 5;
pub const T_SCOPE_ALL: i32 = 6;
pub const T_SCOPE_ALL_EQ: i32 = 7;
pub const T_PVAR_CLASS_STATE: i32 = 1;
pub const T_PVAR_CLASS_LEVEL: i32 = 2;
pub const T_PVAR_CLASS_SIZE: i32 = 3;
pub const T_PVAR_CLASS_PERCENTAGE: i32 = 4;
pub const T_PVAR_CLASS_HIGHWATERMARK: i32 = 5;
pub const T_PVAR_CLASS_LOWWATERMARK: i32 = 6;
pub const T_PVAR_CLASS_COUNTER: i32 = 7;
pub const T_PVAR_CLASS_AGGREGATE: i32 = 8;
pub const T_PVAR_CLASS_TIMER: i32 = 9;
pub const T_PVAR_CLASS_GENERIC: i32 = 10;
pub const MAX_DATAREP_STRING: i32 = 128;
pub const MAX_ERROR_STRING: i32 = 512;
pub const MAX_INFO_KEY: i32 = 256;
pub const MAX_INFO_VAL: i32 = 1024;
pub const MAX_LIBRARY_VERSION_STRING: i32 = 8192;
pub const MAX_OBJECT_NAME: i32 = 128;
pub const MAX_PORT_NAME: i32 = 1024;
pub const MAX_PROCESSOR_NAME: i32 = 256;
pub const MAX_STRINGTAG_LEN: i32 = 1024;
pub const MAX_PSET_NAME_LEN: i32 = 1024;
pub const BSEND_OVERHEAD: i32 = 512;

// Buffer addresses.
pub const BOTTOM: usize = 0;
pub const IN_PLACE: usize = 1;
pub const BUFFER_AUTOMATIC: usize = 2;
pub const UNWEIGHTED: usize = 10;
pub const WEIGHTS_EMPTY: usize = 11;
