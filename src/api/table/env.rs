// SPDX-License-Identifier: MIT OR Apache-2.0
//! Starting, ending and asking about the environment (MPI 5.0, chapters 9 and 11).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_env {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Abort(comm: Comm, errorcode: Int) => init::mpi_abort;
        Alloc_mem(size: Aint, info: Info, baseptr: OutPointer) => object::environment::alloc_mem;
        Finalize() => init::finalize;
        Finalized(flag: OutFlag) => init::is_finalized, anytime;
        Free_mem(base: Pointer) => object::environment::free_mem;
        Get_library_version(version: OutLibraryVersion & resultlen) => object::environment::get_library_version, anytime;
        Get_processor_name(name: OutProcessorName & resultlen) => object::environment::get_processor_name;
        Get_version(version: OutInt, subversion: OutInt) => object::environment::get_version, anytime;
        Init(argc: Argc, argv: Argv) => init::init, anytime;
        Init_thread(argc: Argc, argv: Argv, required: Threading, provided: OutThreading) => init::init_thread, anytime;
        Initialized(flag: OutFlag) => init::is_initialized, anytime;
        Is_thread_main(flag: OutFlag) => init::is_thread_main;
        Pcontrol(level: Level) => object::environment::pcontrol, anytime;
        Query_thread(provided: OutThreading) => init::query_thread;
    } };
}
