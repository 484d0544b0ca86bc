// SPDX-License-Identifier: MIT OR Apache-2.0
//! Starting, ending and asking about the environment (MPI 5.0, chapters 9 and 11).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_env {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Abort(comm: Comm, errorcode: ErrorCode) => absent;
        Alloc_mem(size: Aint, info: Info, baseptr: OutPointer) => absent;
        Finalize() => absent;
        Finalized(flag: OutFlag) => absent, anytime;
        Free_mem(base: Pointer) => absent;
        Get_library_version(version: OutLibraryVersion & resultlen) => absent, anytime;
        Get_processor_name(name: OutProcessorName & resultlen) => absent;
        Get_version(version: OutInt, subversion: OutInt) => absent, anytime;
        Init(argc: Argc, argv: Argv) => absent, anytime;
        Init_thread(argc: Argc, argv: Argv, required: Threading, provided: OutThreading) => absent, anytime;
        Initialized(flag: OutFlag) => absent, anytime;
        Is_thread_main(flag: OutFlag) => absent;
        Pcontrol(level: Level) => absent, anytime;
        Query_thread(provided: OutThreading) => absent;
    } };
}
