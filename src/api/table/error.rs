// SPDX-License-Identifier: MIT OR Apache-2.0
//! Error handlers, classes, codes and strings (MPI 5.0, sections 9.3 to 9.5).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_error {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Add_error_class(errorclass: OutErrorCode) => absent, anytime;
        Add_error_code(errorclass: ErrorCode, errorcode: OutErrorCode) => absent, anytime;
        Add_error_string(errorcode: ErrorCode, string: Text) => absent, anytime;
        Comm_call_errhandler(comm: Comm, errorcode: ErrorCode) => absent;
        Comm_create_errhandler(comm_errhandler_fn: CommHandlerFn, errhandler: OutErrhandler) => absent, anytime;
        Comm_get_errhandler(comm: Comm, errhandler: OutErrhandler) => absent;
        Comm_set_errhandler(comm: Comm, errhandler: Errhandler) => absent;
        Errhandler_free(errhandler: InOutErrhandler) => absent, anytime;
        Error_class(errorcode: ErrorCode, errorclass: OutErrorCode) => absent, anytime;
        Error_string(errorcode: ErrorCode, string: OutErrorString & resultlen) => absent, anytime;
        Win_call_errhandler(win: Win, errorcode: ErrorCode) => absent;
        Win_create_errhandler(win_errhandler_fn: WinHandlerFn, errhandler: OutErrhandler) => absent, anytime;
        Win_get_errhandler(win: Win, errhandler: OutErrhandler) => absent;
        Win_set_errhandler(win: Win, errhandler: Errhandler) => absent;
    } };
}
