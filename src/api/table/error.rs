// SPDX-License-Identifier: MIT OR Apache-2.0
//! Error handlers, classes, codes and strings (MPI 5.0, sections 9.3 to 9.5).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_error {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Add_error_class(errorclass: OutErrorCode) => object::error::registry::add_error_class, anytime;
        Add_error_code(errorclass: ErrorCode, errorcode: OutErrorCode) => object::error::registry::add_error_code, anytime;
        Add_error_string(errorcode: ErrorCode, string: Text) => object::error::registry::add_error_string, anytime;
        Comm_call_errhandler(comm: Comm, errorcode: ErrorCode) => object::errhandler::comm_call_errhandler;
        Comm_create_errhandler(comm_errhandler_fn: CommHandlerFn, errhandler: OutErrhandler) => object::errhandler::comm_create_errhandler, anytime;
        Comm_get_errhandler(comm: Comm, errhandler: OutErrhandler) => object::errhandler::comm_get_errhandler;
        Comm_set_errhandler(comm: Comm, errhandler: Errhandler) => object::errhandler::comm_set_errhandler;
        Errhandler_free(errhandler: InOutErrhandler) => object::errhandler::free, anytime;
        Error_class(errorcode: ErrorCode, errorclass: OutErrorCode) => object::error::registry::error_class, anytime;
        Error_string(errorcode: ErrorCode, string: OutErrorString & resultlen) => object::error::registry::error_string, anytime;
        Win_call_errhandler(win: Win, errorcode: ErrorCode) => absent;
        Win_create_errhandler(win_errhandler_fn: WinHandlerFn, errhandler: OutErrhandler) => object::errhandler::win_create_errhandler, anytime;
        Win_get_errhandler(win: Win, errhandler: OutErrhandler) => absent;
        Win_set_errhandler(win: Win, errhandler: Errhandler) => absent;
    } };
}
