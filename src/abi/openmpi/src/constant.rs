// SPDX-License-Identifier: MIT OR Apache-2.0
//! Open MPI's numbers for what the engine numbers as the standard ABI does: pairs (engine, Open MPI), searched both ways.
//! Numbers that are in no pair mean themselves in both. Values from `mpi.h` of Open MPI 4.1.4 and 5.0.11 (they agree).

use std::ffi::c_int;

use paceline::api::kind::{Limit, Word};
use paceline::api::number::{NOBODY, Pairs, bits_inward, bits_outward, inward, outward};
use paceline::object::constant as e;
use paceline::object::error::Class;

const MPI_ANY_SOURCE: c_int = -1;
const MPI_PROC_NULL: c_int = -2;
const MPI_ROOT: c_int = -4;
const MPI_ANY_TAG: c_int = -1;
const MPI_KEYVAL_INVALID: c_int = -1;

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

/// Open MPI's value.
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
        e::PROC_NULL => NOBODY,
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
        _ => inward(pairs(word), c),
    }
}

#[inline(never)]
fn translate_out(word: Word, value: i32) -> c_int {
    match word {
        Word::FileMode => bits_outward(FILE_MODE, value),
        Word::WindowAssert => bits_outward(WINDOW_ASSERT, value),
        Word::Error if MISSING_ERROR.iter().any(|pair| pair.0 == value) => outward(MISSING_ERROR, value),
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
        Word::DistributionArgument => &[(e::DISTRIBUTE_DFLT_DARG, -1)],
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
    (e::KEYVAL_INVALID, MPI_KEYVAL_INVALID),
    (e::TAG_UB, 0),
    (e::HOST, 1),
    (e::IO, 2),
    (e::WTIME_IS_GLOBAL, 3),
    (e::APPNUM, 4),
    (e::LASTUSEDCODE, 5),
    (e::UNIVERSE_SIZE, 6),
    (e::WIN_BASE, 7),
    (e::WIN_SIZE, 8),
    (e::WIN_DISP_UNIT, 9),
    (e::WIN_CREATE_FLAVOR, 10),
    (e::WIN_MODEL, 11),
];

const THREADING: Pairs = &[(e::THREAD_SINGLE, 0), (e::THREAD_FUNNELED, 1), (e::THREAD_SERIALIZED, 2), (e::THREAD_MULTIPLE, 3)];

const SPLIT: Pairs = &[(e::COMM_TYPE_SHARED, 0), (e::COMM_TYPE_HW_UNGUIDED, 12), (e::COMM_TYPE_HW_GUIDED, 13)];

const COMPARISON: Pairs = &[(e::IDENT, 0), (e::CONGRUENT, 1), (e::SIMILAR, 2), (e::UNEQUAL, 3)];

const TOPOLOGY: Pairs = &[(e::CART, 1), (e::GRAPH, 2), (e::DIST_GRAPH, 3)];

const COMBINER: Pairs = &[
    (e::COMBINER_NAMED, 0),
    (e::COMBINER_DUP, 1),
    (e::COMBINER_CONTIGUOUS, 2),
    (e::COMBINER_VECTOR, 3),
    (e::COMBINER_HVECTOR, 5),
    (e::COMBINER_INDEXED, 6),
    (e::COMBINER_HINDEXED, 8),
    (e::COMBINER_INDEXED_BLOCK, 9),
    (e::COMBINER_STRUCT, 11),
    (e::COMBINER_SUBARRAY, 12),
    (e::COMBINER_DARRAY, 13),
    (e::COMBINER_F90_REAL, 14),
    (e::COMBINER_F90_COMPLEX, 15),
    (e::COMBINER_F90_INTEGER, 16),
    (e::COMBINER_RESIZED, 17),
    (e::COMBINER_HINDEXED_BLOCK, 18),
];

const TYPE_CLASS: Pairs = &[(e::TYPECLASS_INTEGER, 1), (e::TYPECLASS_REAL, 2), (e::TYPECLASS_COMPLEX, 3)];

const ORDER: Pairs = &[(e::ORDER_C, 0), (e::ORDER_FORTRAN, 1)];

const DISTRIBUTION: Pairs = &[(e::DISTRIBUTE_BLOCK, 0), (e::DISTRIBUTE_CYCLIC, 1), (e::DISTRIBUTE_NONE, 2)];

const LOCK: Pairs = &[(e::LOCK_EXCLUSIVE, 1), (e::LOCK_SHARED, 2)];

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

const WINDOW_ASSERT: Pairs =
    &[(e::MODE_NOCHECK, 1), (e::MODE_NOPRECEDE, 2), (e::MODE_NOPUT, 4), (e::MODE_NOSTORE, 8), (e::MODE_NOSUCCEED, 16)];

const VERBOSITY: Pairs = &[
    (e::T_VERBOSITY_USER_BASIC, 0),
    (e::T_VERBOSITY_USER_DETAIL, 1),
    (e::T_VERBOSITY_USER_ALL, 2),
    (e::T_VERBOSITY_TUNER_BASIC, 3),
    (e::T_VERBOSITY_TUNER_DETAIL, 4),
    (e::T_VERBOSITY_TUNER_ALL, 5),
    (e::T_VERBOSITY_MPIDEV_BASIC, 6),
    (e::T_VERBOSITY_MPIDEV_DETAIL, 7),
    (e::T_VERBOSITY_MPIDEV_ALL, 8),
];

const BIND: Pairs = &[
    (e::T_BIND_NO_OBJECT, 0),
    (e::T_BIND_MPI_COMM, 1),
    (e::T_BIND_MPI_DATATYPE, 2),
    (e::T_BIND_MPI_ERRHANDLER, 3),
    (e::T_BIND_MPI_FILE, 4),
    (e::T_BIND_MPI_GROUP, 5),
    (e::T_BIND_MPI_OP, 6),
    (e::T_BIND_MPI_REQUEST, 7),
    (e::T_BIND_MPI_WIN, 8),
    (e::T_BIND_MPI_MESSAGE, 9),
    (e::T_BIND_MPI_INFO, 10),
];

const SCOPE: Pairs = &[
    (e::T_SCOPE_CONSTANT, 0),
    (e::T_SCOPE_READONLY, 1),
    (e::T_SCOPE_LOCAL, 2),
    (e::T_SCOPE_GROUP, 3),
    (e::T_SCOPE_GROUP_EQ, 4),
    (e::T_SCOPE_ALL, 5),
    (e::T_SCOPE_ALL_EQ, 6),
];

const PVAR_CLASS: Pairs = &[
    (e::T_PVAR_CLASS_STATE, 0),
    (e::T_PVAR_CLASS_LEVEL, 1),
    (e::T_PVAR_CLASS_SIZE, 2),
    (e::T_PVAR_CLASS_PERCENTAGE, 3),
    (e::T_PVAR_CLASS_HIGHWATERMARK, 4),
    (e::T_PVAR_CLASS_LOWWATERMARK, 5),
    (e::T_PVAR_CLASS_COUNTER, 6),
    (e::T_PVAR_CLASS_AGGREGATE, 7),
    (e::T_PVAR_CLASS_TIMER, 8),
    (e::T_PVAR_CLASS_GENERIC, 9),
];

/// Classes that differ. `MPI_ERR_LASTCODE` is 92 in Open MPI; codes that a program adds are above both numberings.
const ERROR: Pairs = &[
    (Class::Pending as i32, 19),
    (Class::InStatus as i32, 18),
    (Class::RmaConflict as i32, 46),
    (Class::RmaSync as i32, 47),
    (Class::Service as i32, 48),
    (Class::Size as i32, 49),
    (Class::Spawn as i32, 50),
    (Class::UnsupportedDatarep as i32, 51),
    (Class::UnsupportedOperation as i32, 52),
    (Class::Win as i32, 53),
    (Class::TMemory as i32, 54),
    (Class::TNotInitialized as i32, 55),
    (Class::TCannotInit as i32, 56),
    (Class::TInvalidIndex as i32, 57),
    (Class::TInvalidItem as i32, 58),
    (Class::TInvalidHandle as i32, 59),
    (Class::TOutOfHandles as i32, 60),
    (Class::TOutOfSessions as i32, 61),
    (Class::TInvalidSession as i32, 62),
    (Class::TCvarSetNotNow as i32, 63),
    (Class::TCvarSetNever as i32, 64),
    (Class::TPvarNoStartstop as i32, 65),
    (Class::TPvarNoWrite as i32, 66),
    (Class::TPvarNoAtomic as i32, 67),
    (Class::RmaRange as i32, 68),
    (Class::RmaAttach as i32, 69),
    (Class::RmaFlavor as i32, 70),
    (Class::RmaShared as i32, 71),
    (Class::TInvalid as i32, 72),
    (Class::TInvalidName as i32, 73),
    (Class::ProcAborted as i32, 74),
    (Class::ProcFailed as i32, 75),
    (Class::ProcFailedPending as i32, 76),
    (Class::Revoked as i32, 77),
    (Class::Session as i32, 78),
    (Class::ValueTooLarge as i32, 79),
];

/// Classes that Open MPI does not have, as the nearest that it has; that one keeps its own meaning on the way in.
const MISSING_ERROR: Pairs = &[
    (Class::TNotAccessible as i32, 72),
    (Class::TNotSupported as i32, 72),
    (Class::Errhandler as i32, 13),
    (Class::Abi as i32, 16),
];

/// Sizes of the buffers that `mpi.h` tells programs to provide.
pub fn limit(limit: Limit) -> usize {
    match limit {
        Limit::ProcessorName => 256,
        Limit::LibraryVersion => 256,
        Limit::ErrorString => 256,
        Limit::ObjectName => 64,
        Limit::PortName => 1024,
        Limit::InfoKey | Limit::InfoKeyIn => 36,
        Limit::DataRep => 128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_values_go_both_ways() {
        for (word, engine, ours) in [
            (Word::Rank, e::PROC_NULL, -2),
            (Word::Rank, e::ANY_SOURCE, -1),
            (Word::Rank, e::ROOT, -4),
            (Word::Rank, e::UNDEFINED, e::UNDEFINED),
            (Word::Rank, 7, 7),
            (Word::Tag, e::ANY_TAG, -1),
            (Word::Keyval, e::TAG_UB, 0),
            (Word::Keyval, e::KEYVAL_INVALID, -1),
            (Word::Error, Class::Truncate as i32, 15),
            (Word::Error, Class::UnsupportedOperation as i32, 52),
            (Word::Error, Class::Other as i32, 16),
            (Word::Error, Class::Arg as i32, 13),
            (Word::FileMode, e::MODE_CREATE | e::MODE_RDWR, 9),
        ] {
            assert_eq!(word_in(word, ours), engine, "{word:?} in");
            assert_eq!(word_out(word, engine), ours, "{word:?} out");
        }
    }

    #[test]
    fn a_number_that_is_special_only_in_the_engine_is_nobodys() {
        assert_eq!(word_in(Word::Rank, -3), NOBODY);
        assert_eq!(word_in(Word::Tag, -2), NOBODY);
    }
}
