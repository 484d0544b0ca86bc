// SPDX-License-Identifier: MIT OR Apache-2.0
//! The standard ABI's numbers are the engine's: only the limits of strings are left to say.

use paceline::api::kind::Limit;
use paceline::object::constant as e;

/// Sizes of the buffers that `mpi.h` tells programs to provide.
pub fn limit(limit: Limit) -> usize {
    let most = match limit {
        Limit::ProcessorName => e::MAX_PROCESSOR_NAME,
        Limit::LibraryVersion => e::MAX_LIBRARY_VERSION_STRING,
        Limit::ErrorString => e::MAX_ERROR_STRING,
        Limit::ObjectName => e::MAX_OBJECT_NAME,
        Limit::PortName => e::MAX_PORT_NAME,
        Limit::InfoKey | Limit::InfoKeyIn => e::MAX_INFO_KEY,
        Limit::DataRep => e::MAX_DATAREP_STRING,
    };
    most as usize
}
