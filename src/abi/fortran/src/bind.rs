// SPDX-License-Identifier: MIT OR Apache-2.0
//! A Fortran function out of a row, under all the names by which compilers ask for it.

/// `bind! { Face [extern MPI_Send] [mpi_send_ mpi_send …] (buf: Buf, …) (hidden lengths) }`: what is called (`extern` for a C
/// function, `odd` for one of [`odd`](crate::odd)), names, arguments as `name: Kind [what else the kind needs]`, and the lengths of strings, which
/// compilers pass behind all other arguments.
#[macro_export]
macro_rules! bind {
    ($abi:path [$how:ident $target:ident] [$($name:ident)+] $args:tt $hidden:tt) => {
        #[allow(non_snake_case)]
        pub mod $target {
            $crate::bind_body!($abi [$how $target] $args $hidden);
            $($crate::bind_name!($abi, $name $args $hidden);)+
        }
    };
}

/// What all the names run.
#[doc(hidden)]
#[macro_export]
macro_rules! bind_body {
    ($abi:path [$how:ident $target:ident] ($($arg:ident: $kind:ident $([$with:expr])?),*) ($($hidden:ident),*)) => {
        #[allow(unused_imports)]
        use $crate::kind::{self, Kind};
        #[allow(unused_imports)]
        use $crate::length::*;

        $crate::bind_target!($abi [$how $target] ($($arg: $kind),*));

        #[allow(clippy::too_many_arguments, unused_mut, unused_variables)]
        unsafe extern "C" fn body(
            $($arg: <kind::$kind as Kind<$abi>>::F,)* ierror: *mut $crate::Fint $(, $hidden: usize)*
        ) {
            // SAFETY: Fortran passed what the standard demands of the function, which is all that kinds and C rely on.
            unsafe {
                // All lengths are asked before an argument takes another form.
                #[allow(clippy::let_unit_value)]
                let ($(mut $arg,)*) = ($(<kind::$kind as Kind<$abi>>::open($arg, $crate::bind_with!($($with)?)),)*);
                let code = $target($(<kind::$kind as Kind<$abi>>::lend(&mut $arg)),*);
                $(<kind::$kind as Kind<$abi>>::give($arg, code);)*
                if !ierror.is_null() {
                    *ierror = code;
                }
            }
        }
    };
}

/// Where the called function is.
#[doc(hidden)]
#[macro_export]
macro_rules! bind_target {
    ($abi:path [extern $target:ident] ($($arg:ident: $kind:ident),*)) => {
        unsafe extern "C" {
            fn $target($($arg: <kind::$kind as Kind<$abi>>::C),*) -> ::std::ffi::c_int;
        }
    };
    ($abi:path [odd $target:ident] ($($arg:ident: $kind:ident),*)) => {
        use $crate::odd::$target::call as $target;
    };
}

/// One name.
#[doc(hidden)]
#[macro_export]
macro_rules! bind_name {
    ($abi:path, $name:ident ($($arg:ident: $kind:ident $([$with:expr])?),*) ($($hidden:ident),*)) => {
        /// A Fortran function.
        ///
        /// # Safety
        /// The arguments are what MPI demands of them.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $name(
            $($arg: <kind::$kind as Kind<$abi>>::F,)* ierror: *mut $crate::Fint $(, $hidden: usize)*
        ) {
            // SAFETY: the caller passes on what the standard demands.
            unsafe { body($($arg,)* ierror $(, $hidden)*) }
        }
    };
}

/// What else a kind needs: a length, or 0.
#[doc(hidden)]
#[macro_export]
macro_rules! bind_with {
    () => {
        0
    };
    ($with:expr) => {
        $with
    };
}

/// Functions that are no rows, under many names; the body may be unsafe: `function! { [names] { (a: *const i64) -> i64 { … } } }`.
#[macro_export]
macro_rules! function {
    ([$($name:ident)+] $function:tt) => {
        $($crate::function_name!($name $function);)+
    };
}

/// One name of it.
#[doc(hidden)]
#[macro_export]
macro_rules! function_name {
    ($name:ident { ($($arg:ident: $type:ty),*) $(-> $out:ty)? $body:block }) => {
        /// A Fortran function.
        ///
        /// # Safety
        /// The arguments are what MPI demands of them.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, unused_variables, unused_unsafe)]
        pub unsafe extern "C" fn $name($($arg: $type),*) $(-> $out)? {
            // SAFETY: Fortran passed addresses of what the standard demands.
            unsafe { $body }
        }
    };
}
