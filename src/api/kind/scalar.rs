// SPDX-License-Identifier: MIT OR Apache-2.0
//! Kinds whose value is all there is: buffers, counts, plain integers, flags, pointers, functions.

use std::ffi::{c_int, c_void};

use super::{Face, Kind, declare, value};
use crate::api::tool::pvar::ALL_HANDLES;
use crate::err;
use crate::object::error::Result;

declare!(
    /// A buffer that is read.
    Buf, "const void *{}"
);
value!(Buf, *const c_void => *mut u8, |c| F::buffer(c.cast()));

declare!(
    /// A buffer that is written.
    OutBuf, "void *{}"
);
value!(OutBuf, *mut c_void => *mut u8, |c| F::buffer(c.cast_const().cast()));

declare!(
    /// Any address, as it is: `MPI_Get_address` of a special one gives its value.
    Location, "const void *{}"
);
value!(Location, *const c_void => usize, |c| c as usize);

declare!(
    /// A number of elements.
    Count, "int {}", "MPI_Count {}"
);
value!(Narrow: Count, c_int => i64, |c| i64::from(c));
value!(Wide: Count, i64 => i64, |c| c);

declare!(
    /// A number of elements that is `MPI_Count` in both forms (the `_x` functions).
    Count64, "MPI_Count {}"
);
value!(Count64, i64 => i64, |c| c);

declare!(
    /// An address or a distance.
    Aint, "MPI_Aint {}"
);
value!(Aint, i64 => i64, |c| c);

declare!(
    /// A distance that the wide form has as `MPI_Count`.
    AintCount, "MPI_Aint {}", "MPI_Count {}"
);
value!(AintCount, i64 => i64, |c| c);

declare!(
    /// A distance that the wide form has as `MPI_Aint`.
    IntAint, "int {}", "MPI_Aint {}"
);
value!(Narrow: IntAint, c_int => i64, |c| i64::from(c));
value!(Wide: IntAint, i64 => i64, |c| c);

declare!(
    /// A place in a file.
    Offset, "MPI_Offset {}"
);
value!(Offset, i64 => i64, |c| c);

declare!(
    /// A plain integer.
    Int, "int {}"
);
value!(Int, c_int => i32, |c| c);

declare!(
    /// The length of an array that the engine gets as a slice: the engine does not get it again. Never negative.
    Length, "int {}"
);
impl<F: Face, W> Kind<F, W> for Length {
    type C = c_int;
    type Read = usize;
    type Held = usize;
    type Lent<'a> = usize;
    #[inline(always)]
    unsafe fn read(c: c_int, name: &'static str) -> Result<usize> {
        usize::try_from(c).map_err(|_| err!(Count, "{name} is negative: {c}"))
    }
    #[inline(always)]
    unsafe fn open(read: usize, _: &'static str, _: usize, _: *mut c_int) -> Result<usize> {
        Ok(read)
    }
    #[inline(always)]
    fn lend(held: &mut usize) -> usize {
        *held
    }
}

declare!(
    /// How safe a callback of `MPI_T` must be; the values are the same everywhere.
    CallbackSafety, "MPI_T_cb_safety {}"
);
value!(CallbackSafety, c_int => i32, |c| c);

declare!(
    /// The level of `MPI_Pcontrol`; what follows it is the profiler's business.
    Level, "const int {}, ..."
);
value!(Level, c_int => i32, |c| c);

declare!(
    /// A truth value.
    Flag, "int {}"
);
value!(Flag, c_int => bool, |c| c != 0);

declare!(
    /// A pointer that the engine only keeps: extra state, the value of an attribute, an object behind a pointer.
    Pointer, "void *{}"
);
value!(Pointer, *mut c_void => usize, |c| c as usize);

/// Functions and opaque pointers: the engine gets their address.
macro_rules! pointers {
    ($($name:ident = $c:literal;)*) => {
        $(declare!(
            #[doc = concat!("`", $c, "`: the engine gets the address.")]
            $name, $c
        );
        value!($name, *mut c_void => usize, |c| c as usize);)*
    };
}

pointers! {
    Argc = "int *{}";
    Argv = "char ***{}";
    EventRegistration = "MPI_T_event_registration {}";
    EventInstance = "MPI_T_event_instance {}";
    EventFn = "MPI_T_event_cb_function {}";
    EventFreeFn = "MPI_T_event_free_cb_function {}";
    EventDroppedFn = "MPI_T_event_dropped_cb_function {}";
    LargeUserFn = "MPI_User_function_c *{}";
    LargeConversionFn = "MPI_Datarep_conversion_function_c *{}";
    UserFn = "MPI_User_function *{}";
    CopyFn = "MPI_Copy_function *{}";
    DeleteFn = "MPI_Delete_function *{}";
    CommCopyFn = "MPI_Comm_copy_attr_function *{}";
    CommDeleteFn = "MPI_Comm_delete_attr_function *{}";
    TypeCopyFn = "MPI_Type_copy_attr_function *{}";
    TypeDeleteFn = "MPI_Type_delete_attr_function *{}";
    WinCopyFn = "MPI_Win_copy_attr_function *{}";
    WinDeleteFn = "MPI_Win_delete_attr_function *{}";
    HandlerFn = "MPI_Handler_function *{}";
    CommHandlerFn = "MPI_Comm_errhandler_function *{}";
    FileHandlerFn = "MPI_File_errhandler_function *{}";
    WinHandlerFn = "MPI_Win_errhandler_function *{}";
    SessionHandlerFn = "MPI_Session_errhandler_function *{}";
    QueryFn = "MPI_Grequest_query_function *{}";
    FreeFn = "MPI_Grequest_free_function *{}";
    CancelFn = "MPI_Grequest_cancel_function *{}";
    ConversionFn = "MPI_Datarep_conversion_function *{}";
    ExtentFn = "MPI_Datarep_extent_function *{}";
    ToolEnum = "MPI_T_enum {}";
    ToolCvar = "MPI_T_cvar_handle {}";
    ToolSession = "MPI_T_pvar_session {}";
    RawArgv = "char *{}[]";
    RawArgvs = "char **{}[]";
    RawInts = "int {}[]";
}

declare!(
    /// A handle of a performance variable; the one that means all is [`ALL_HANDLES`] to the engine.
    ToolPvar, "MPI_T_pvar_handle {}"
);
value!(ToolPvar, *mut c_void => usize, |c| if F::is_all_pvars(c as usize) { ALL_HANDLES } else { c as usize });
