// SPDX-License-Identifier: MIT OR Apache-2.0
//! MPICH's numbers for what the engine numbers as the standard ABI does. Values from `mpi.h` of MPICH 4.0.2 and 5.0.2 and of
//! Intel MPI 2021 (they agree).

use std::ffi::c_int;

use paceline::api::kind::{Limit, Word};
use paceline::api::number::{NOBODY, Pairs, bits_inward, bits_outward, inward, outward};
use paceline::object::constant as e;
use paceline::object::error::Class;

const MPI_PROC_NULL: c_int = -1;
const MPI_ANY_SOURCE: c_int = -2;
const MPI_ROOT: c_int = -3;
const MPI_ANY_TAG: c_int = -1;

/// The engine's `MPI_ERR_LASTCODE`: codes that a program adds are above it.
const LAST_CODE: i32 = 0x3fff;
/// MPICH's `MPI_ERR_LASTCODE`.
const MPI_ERR_LASTCODE: c_int = 0x3fff_ffff;
/// What makes added codes greater than it.
const ADDED: c_int = 0x4000_0000;

/// The engine's value.
#[inline(always)]
pub fn word_in(word: Word, c: c_int) -> i32 {
    match word {
        // Not negative: the common case, the same in both.
        Word::Rank | Word::Tag if c >= 0 => c,
        Word::Rank => rank_in(c),
        Word::Tag => tag_in(c),
        _ => translate_in(word, c),
    }
}

/// MPICH's value.
#[inline(always)]
pub fn word_out(word: Word, value: i32) -> c_int {
    match word {
        Word::Rank | Word::Tag if value >= 0 => value,
        Word::Rank => rank_out(value),
        Word::Tag => tag_out(value),
        _ => translate_out(word, value),
    }
}

fn rank_in(c: c_int) -> i32 {
    match c {
        MPI_ANY_SOURCE => e::ANY_SOURCE,
        MPI_PROC_NULL => e::PROC_NULL,
        MPI_ROOT => e::ROOT,
        e::ROOT => NOBODY,
        other => other,
    }
}

fn rank_out(value: i32) -> c_int {
    match value {
        e::ANY_SOURCE => MPI_ANY_SOURCE,
        e::PROC_NULL => MPI_PROC_NULL,
        e::ROOT => MPI_ROOT,
        other => other,
    }
}

fn tag_in(c: c_int) -> i32 {
    match c {
        MPI_ANY_TAG => e::ANY_TAG,
        e::ANY_TAG => NOBODY,
        other => other,
    }
}

fn tag_out(value: i32) -> c_int {
    if value == e::ANY_TAG { MPI_ANY_TAG } else { value }
}

#[inline(never)]
fn translate_in(word: Word, c: c_int) -> i32 {
    match word {
        Word::FileMode => bits_inward(FILE_MODE, c),
        Word::WindowAssert => bits_inward(WINDOW_ASSERT, c),
        Word::Error if c == MPI_ERR_LASTCODE => LAST_CODE,
        Word::Error if c & ADDED != 0 => c & !ADDED,
        _ => inward(pairs(word), c),
    }
}

#[inline(never)]
fn translate_out(word: Word, value: i32) -> c_int {
    match word {
        Word::FileMode => bits_outward(FILE_MODE, value),
        Word::WindowAssert => bits_outward(WINDOW_ASSERT, value),
        Word::Error if value == LAST_CODE => MPI_ERR_LASTCODE,
        Word::Error if value > LAST_CODE => value | ADDED,
        _ => outward(pairs(word), value),
    }
}

fn pairs(word: Word) -> Pairs {
    match word {
        Word::Keyval => KEYVAL,
        Word::Threading => THREADING,
        Word::Split => SPLIT,
        Word::Comparison => COMPARISON,
        Word::Topology => TOPOLOGY,
        Word::Combiner => COMBINER,
        Word::TypeClass => TYPE_CLASS,
        Word::Order => ORDER,
        Word::Distribution => DISTRIBUTION,
        Word::DistributionArgument => &[(e::DISTRIBUTE_DFLT_DARG, -49767)],
        Word::Error => ERROR,
        Word::Lock => LOCK,
        Word::Whence => WHENCE,
        Word::Verbosity => VERBOSITY,
        Word::Bind => BIND,
        Word::Scope => SCOPE,
        Word::PvarClass => PVAR_CLASS,
        Word::Rank | Word::Tag | Word::FileMode | Word::WindowAssert => &[],
    }
}

const KEYVAL: Pairs = &[
    (e::KEYVAL_INVALID, 0x2400_0000),
    (e::TAG_UB, 0x6440_0001),
    (e::HOST, 0x6440_0003),
    (e::IO, 0x6440_0005),
    (e::WTIME_IS_GLOBAL, 0x6440_0007),
    (e::UNIVERSE_SIZE, 0x6440_0009),
    (e::LASTUSEDCODE, 0x6440_000b),
    (e::APPNUM, 0x6440_000d),
    (e::WIN_BASE, 0x6600_0001),
    (e::WIN_SIZE, 0x6600_0003),
    (e::WIN_DISP_UNIT, 0x6600_0005),
    (e::WIN_CREATE_FLAVOR, 0x6600_0007),
    (e::WIN_MODEL, 0x6600_0009),
];

const THREADING: Pairs = &[(e::THREAD_SINGLE, 0), (e::THREAD_FUNNELED, 1), (e::THREAD_SERIALIZED, 2), (e::THREAD_MULTIPLE, 3)];

const SPLIT: Pairs =
    &[(e::COMM_TYPE_SHARED, 1), (e::COMM_TYPE_HW_GUIDED, 2), (e::COMM_TYPE_HW_UNGUIDED, 3), (e::COMM_TYPE_RESOURCE_GUIDED, 4)];

const COMPARISON: Pairs = &[(e::IDENT, 0), (e::CONGRUENT, 1), (e::SIMILAR, 2), (e::UNEQUAL, 3)];

const TOPOLOGY: Pairs = &[(e::GRAPH, 1), (e::CART, 2), (e::DIST_GRAPH, 3)];

const COMBINER: Pairs = &[
    (e::COMBINER_NAMED, 1),
    (e::COMBINER_DUP, 2),
    (e::COMBINER_CONTIGUOUS, 3),
    (e::COMBINER_VECTOR, 4),
    (e::COMBINER_HVECTOR, 6),
    (e::COMBINER_INDEXED, 7),
    (e::COMBINER_HINDEXED, 9),
    (e::COMBINER_INDEXED_BLOCK, 10),
    (e::COMBINER_STRUCT, 12),
    (e::COMBINER_SUBARRAY, 13),
    (e::COMBINER_DARRAY, 14),
    (e::COMBINER_F90_REAL, 15),
    (e::COMBINER_F90_COMPLEX, 16),
    (e::COMBINER_F90_INTEGER, 17),
    (e::COMBINER_RESIZED, 18),
    (e::COMBINER_HINDEXED_BLOCK, 19),
    (e::COMBINER_VALUE_INDEX, 20),
];

const TYPE_CLASS: Pairs = &[(e::TYPECLASS_REAL, 1), (e::TYPECLASS_INTEGER, 2), (e::TYPECLASS_COMPLEX, 3)];

const ORDER: Pairs = &[(e::ORDER_C, 56), (e::ORDER_FORTRAN, 57)];

const DISTRIBUTION: Pairs = &[(e::DISTRIBUTE_BLOCK, 121), (e::DISTRIBUTE_CYCLIC, 122), (e::DISTRIBUTE_NONE, 123)];

const LOCK: Pairs = &[(e::LOCK_EXCLUSIVE, 234), (e::LOCK_SHARED, 235)];

const WHENCE: Pairs = &[(e::SEEK_SET, 600), (e::SEEK_CUR, 602), (e::SEEK_END, 604)];

const FILE_MODE: Pairs = &[
    (e::MODE_CREATE, 1),
    (e::MODE_RDONLY, 2),
    (e::MODE_WRONLY, 4),
    (e::MODE_RDWR, 8),
    (e::MODE_DELETE_ON_CLOSE, 16),
    (e::MODE_UNIQUE_OPEN, 32),
    (e::MODE_EXCL, 64),
    (e::MODE_APPEND, 128),
    (e::MODE_SEQUENTIAL, 256),
];

const WINDOW_ASSERT: Pairs = &[
    (e::MODE_NOCHECK, 1024),
    (e::MODE_NOSTORE, 2048),
    (e::MODE_NOPUT, 4096),
    (e::MODE_NOPRECEDE, 8192),
    (e::MODE_NOSUCCEED, 16384),
];

const VERBOSITY: Pairs = &[
    (e::T_VERBOSITY_USER_BASIC, 221),
    (e::T_VERBOSITY_USER_DETAIL, 222),
    (e::T_VERBOSITY_USER_ALL, 223),
    (e::T_VERBOSITY_TUNER_BASIC, 224),
    (e::T_VERBOSITY_TUNER_DETAIL, 225),
    (e::T_VERBOSITY_TUNER_ALL, 226),
    (e::T_VERBOSITY_MPIDEV_BASIC, 227),
    (e::T_VERBOSITY_MPIDEV_DETAIL, 228),
    (e::T_VERBOSITY_MPIDEV_ALL, 229),
];

const BIND: Pairs = &[
    (e::T_BIND_NO_OBJECT, 9700),
    (e::T_BIND_MPI_COMM, 9701),
    (e::T_BIND_MPI_DATATYPE, 9702),
    (e::T_BIND_MPI_ERRHANDLER, 9703),
    (e::T_BIND_MPI_FILE, 9704),
    (e::T_BIND_MPI_GROUP, 9705),
    (e::T_BIND_MPI_OP, 9706),
    (e::T_BIND_MPI_REQUEST, 9707),
    (e::T_BIND_MPI_WIN, 9708),
    (e::T_BIND_MPI_MESSAGE, 9709),
    (e::T_BIND_MPI_INFO, 9710),
    (e::T_BIND_MPI_SESSION, 9711),
];

const SCOPE: Pairs = &[
    (e::T_SCOPE_CONSTANT, 60438),
    (e::T_SCOPE_READONLY, 60439),
    (e::T_SCOPE_LOCAL, 60440),
    (e::T_SCOPE_GROUP, 60441),
    (e::T_SCOPE_GROUP_EQ, 60442),
    (e::T_SCOPE_ALL, 60443),
    (e::T_SCOPE_ALL_EQ, 60444),
];

const PVAR_CLASS: Pairs = &[
    (e::T_PVAR_CLASS_STATE, 240),
    (e::T_PVAR_CLASS_LEVEL, 241),
    (e::T_PVAR_CLASS_SIZE, 242),
    (e::T_PVAR_CLASS_PERCENTAGE, 243),
    (e::T_PVAR_CLASS_HIGHWATERMARK, 244),
    (e::T_PVAR_CLASS_LOWWATERMARK, 245),
    (e::T_PVAR_CLASS_COUNTER, 246),
    (e::T_PVAR_CLASS_AGGREGATE, 247),
    (e::T_PVAR_CLASS_TIMER, 248),
    (e::T_PVAR_CLASS_GENERIC, 249),
];

/// Classes.
const ERROR: Pairs = &[
    (Class::Success as i32, 0),
    (Class::Buffer as i32, 1),
    (Class::Count as i32, 2),
    (Class::Type as i32, 3),
    (Class::Tag as i32, 4),
    (Class::Comm as i32, 5),
    (Class::Rank as i32, 6),
    (Class::Root as i32, 7),
    (Class::Group as i32, 8),
    (Class::Op as i32, 9),
    (Class::Topology as i32, 10),
    (Class::Dims as i32, 11),
    (Class::Arg as i32, 12),
    (Class::Unknown as i32, 13),
    (Class::Truncate as i32, 14),
    (Class::Other as i32, 15),
    (Class::Intern as i32, 16),
    (Class::InStatus as i32, 17),
    (Class::Pending as i32, 18),
    (Class::Request as i32, 19),
    (Class::Access as i32, 20),
    (Class::Amode as i32, 21),
    (Class::BadFile as i32, 22),
    (Class::Conversion as i32, 23),
    (Class::DupDatarep as i32, 24),
    (Class::FileExists as i32, 25),
    (Class::FileInUse as i32, 26),
    (Class::File as i32, 27),
    (Class::Info as i32, 28),
    (Class::InfoKey as i32, 29),
    (Class::InfoValue as i32, 30),
    (Class::InfoNokey as i32, 31),
    (Class::Io as i32, 32),
    (Class::Name as i32, 33),
    (Class::NoMem as i32, 34),
    (Class::NotSame as i32, 35),
    (Class::NoSpace as i32, 36),
    (Class::NoSuchFile as i32, 37),
    (Class::Port as i32, 38),
    (Class::Quota as i32, 39),
    (Class::ReadOnly as i32, 40),
    (Class::Service as i32, 41),
    (Class::Spawn as i32, 42),
    (Class::UnsupportedDatarep as i32, 43),
    (Class::UnsupportedOperation as i32, 44),
    (Class::Win as i32, 45),
    (Class::Base as i32, 46),
    (Class::Locktype as i32, 47),
    (Class::Keyval as i32, 48),
    (Class::RmaConflict as i32, 49),
    (Class::RmaSync as i32, 50),
    (Class::Size as i32, 51),
    (Class::Disp as i32, 52),
    (Class::Assert as i32, 53),
    (Class::RmaRange as i32, 55),
    (Class::RmaAttach as i32, 56),
    (Class::RmaShared as i32, 57),
    (Class::RmaFlavor as i32, 58),
    (Class::TMemory as i32, 59),
    (Class::TNotInitialized as i32, 60),
    (Class::TCannotInit as i32, 61),
    (Class::TInvalidIndex as i32, 62),
    (Class::TInvalidItem as i32, 63),
    (Class::TInvalidHandle as i32, 64),
    (Class::TOutOfHandles as i32, 65),
    (Class::TOutOfSessions as i32, 66),
    (Class::TInvalidSession as i32, 67),
    (Class::TCvarSetNotNow as i32, 68),
    (Class::TCvarSetNever as i32, 69),
    (Class::TPvarNoStartstop as i32, 70),
    (Class::TPvarNoWrite as i32, 71),
    (Class::TPvarNoAtomic as i32, 72),
    (Class::TInvalidName as i32, 73),
    (Class::TInvalid as i32, 74),
    (Class::Session as i32, 75),
    (Class::ProcAborted as i32, 76),
    (Class::ValueTooLarge as i32, 77),
    (Class::TNotSupported as i32, 78),
    (Class::TNotAccessible as i32, 79),
    (Class::Errhandler as i32, 80),
    (Class::Abi as i32, 81),
];

/// Sizes of the buffers that `mpi.h` tells programs to provide.
pub fn limit(limit: Limit) -> usize {
    match limit {
        Limit::ProcessorName => 128,
        Limit::LibraryVersion => 8192,
        Limit::ErrorString => 512,
        Limit::ObjectName => 128,
        Limit::PortName => 256,
        Limit::InfoKey => 255,
        // MPICH does not count the final zero here.
        Limit::InfoKeyIn => 256,
        Limit::DataRep => 128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_values_go_both_ways() {
        for (word, engine, ours) in [
            (Word::Rank, e::PROC_NULL, -1),
            (Word::Rank, e::ANY_SOURCE, -2),
            (Word::Rank, e::ROOT, -3),
            (Word::Rank, e::UNDEFINED, e::UNDEFINED),
            (Word::Tag, e::ANY_TAG, -1),
            (Word::Keyval, e::TAG_UB, 0x6440_0001),
            (Word::Error, Class::Truncate as i32, 14),
            (Word::Error, LAST_CODE, MPI_ERR_LASTCODE),
            (Word::Error, 0x4001, 0x4000_4001),
            (Word::FileMode, e::MODE_CREATE | e::MODE_RDWR, 9),
        ] {
            assert_eq!(word_in(word, ours), engine, "{word:?} in");
            assert_eq!(word_out(word, engine), ours, "{word:?} out");
        }
    }
}
