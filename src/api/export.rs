// SPDX-License-Identifier: MIT OR Apache-2.0
//! C functions out of rows. A face writes `paceline::table_p2p!(paceline::export, [Face, narrow, "MPI_"]);` and has for each
//! row a module of that name with `MPI_x` and `PMPI_x`, both real functions (weak aliases are dropped from a cdylib); neither calls
//! the other. `wide` in place of `narrow` adds the `_c` twins of rows marked `large`.

use super::kind::{Face, Object, Word};
use crate::coll::refusal;
use crate::init;
use crate::object::constant::{FILE_NULL, Handle};
use crate::object::errhandler;
use crate::object::error::{Class, Error, registry};
use crate::p2p::failure;

/// Asks the error handler of `target` (or of the face's default) and returns the code in the face's numbering.
#[cold]
#[inline(never)]
pub fn fail<F: Face>(error: Error, name: &'static str, target: Option<(Object, Handle)>) -> i32 {
    // What failed besides is not the next call's.
    drop(failure::take());
    registry::note(error.code(), name, error.text());
    if name.starts_with("MPI_T_") {
        // The tool interface asks no handler (MPI 5.0, section 15.3.10).
        return F::word_out(Word::Error, error.code());
    }
    if !init::running() && !target.is_some_and(|(object, _)| matches!(object, Object::Session | Object::Errhandler)) {
        // No communicator exists whose handler could be asked: the initial handler is fatal (MPI 5.0, section 9.3.1).
        let who = if init::finalized() { format!("rank {}: ", init::rank()) } else { String::new() };
        init::abort(1, &format!("paceline: {who}{name}: {error}"));
    }
    if let (true, Some((Object::Comm, comm))) = (error.is_refusal(), target) {
        refusal::tell(&error, name, comm);
    }
    // Calls that make a file have no file yet: the default handler of files is asked (MPI 5.0, section 14.7).
    let opens_file = || name.starts_with("MPI_File_").then_some((Object::File, FILE_NULL));
    let target = target.filter(|(object, _)| *object == Object::File).or_else(opens_file).or(target);
    let (object, handle) = target.unwrap_or(F::DEFAULT_TARGET);
    F::word_out(Word::Error, errhandler::raise(object, handle, &error, name))
}

/// The error of a call outside `MPI_Init` … `MPI_Finalize`.
#[cold]
pub fn not_running() -> Error {
    let when = if init::finalized() { "after MPI_Finalize" } else { "before MPI_Init or MPI_Session_init" };
    Error::new(Class::Other, format!("called {when}"))
}

/// The error of a function that is not implemented.
#[cold]
pub fn absent(name: &str) -> Error {
    Error::new(Class::UnsupportedOperation, format!("{name} is not implemented in Paceline yet"))
}

/// The first object among a call's arguments that has an error handler of its own.
#[inline]
pub fn first(found: Option<(Object, Handle)>, next: Option<(Object, Handle)>) -> Option<(Object, Handle)> {
    found.or(next
        .filter(|(object, _)| matches!(object, Object::Comm | Object::Win | Object::File | Object::Session | Object::Errhandler)))
}

/// Rows of a table to C functions; see the head of this file.
#[macro_export]
macro_rules! export {
    ([$face:path, $width:ident, $prefix:literal]
     $($name:ident $params:tt => $($target:ident)::+ $(, $word:ident)*;)*) => {
        $($crate::export_row!([$face, $width, $prefix] $name $params ($($target)::+) [$($word)*]);)*
    };
}

/// One row: sorts out its words.
#[doc(hidden)]
#[macro_export]
macro_rules! export_row {
    ([$face:path, wide, $prefix:literal] $name:ident $params:tt $target:tt [large]) => {
        #[allow(non_snake_case)]
        pub mod $name {
            $crate::export_pair!($face, Narrow, $prefix, $name, "", $params $target during);
            pub mod wide {
                $crate::export_pair!($face, Wide, $prefix, $name, "_c", $params $target during);
            }
        }
    };
    ([$face:path, $width:ident, $prefix:literal] $name:ident $params:tt $target:tt [$(large)?]) => {
        #[allow(non_snake_case)]
        pub mod $name {
            $crate::export_pair!($face, Narrow, $prefix, $name, "", $params $target during);
        }
    };
    ([$face:path, wide, $prefix:literal] $name:ident $params:tt $target:tt [large quick]) => {
        #[allow(non_snake_case)]
        pub mod $name {
            $crate::export_pair!($face, Narrow, $prefix, $name, "", $params $target quick);
            pub mod wide {
                $crate::export_pair!($face, Wide, $prefix, $name, "_c", $params $target quick);
            }
        }
    };
    ([$face:path, $width:ident, $prefix:literal] $name:ident $params:tt $target:tt [$(large)? quick]) => {
        #[allow(non_snake_case)]
        pub mod $name {
            $crate::export_pair!($face, Narrow, $prefix, $name, "", $params $target quick);
        }
    };
    ([$face:path, $width:ident, $prefix:literal] $name:ident $params:tt $target:tt [anytime]) => {
        #[allow(non_snake_case)]
        pub mod $name {
            $crate::export_pair!($face, Narrow, $prefix, $name, "", $params $target anytime);
        }
    };
}

/// `MPI_x` and `PMPI_x` on one body.
#[doc(hidden)]
#[macro_export]
macro_rules! export_pair {
    ($face:path, $form:ident, $prefix:literal, $name:ident, $suffix:literal,
     ($($arg:ident : $kind:ident $([$($len:tt)+])? $(& $with:ident)?),* $(,)?) $target:tt $when:ident) => {
        #[allow(unused_imports)]
        use $crate::api::length::*;

        // One body for both names, which jump to it: the optimizer may still copy a short one into them.
        #[allow(clippy::too_many_arguments, unused_variables)]
        unsafe extern "C" fn body($($arg: $crate::export_c!($face, $form, $kind) $(, $with: *mut ::std::ffi::c_int)?),*) -> ::std::ffi::c_int {
            const NAME: &str = concat!($prefix, stringify!($name), $suffix);
            let outcome: ::std::result::Result<(), $crate::object::error::Error> = (move || $crate::export_call!(
                $face, $form, $when, NAME, ($($arg : $kind $([$($len)+])? $(& $with)?),*) $target))();
            match outcome {
                Ok(()) if !$crate::p2p::failure::is_noted() => 0,
                Ok(()) => match $crate::p2p::failure::take() {
                    Ok(()) => 0,
                    Err(error) => failed(error, $($arg),*),
                },
                Err(error) => failed(error, $($arg),*),
            }
        }

        // Apart, so that calls that succeed keep nothing for it.
        #[cold]
        #[inline(never)]
        #[allow(clippy::too_many_arguments)]
        fn failed(error: $crate::object::error::Error, $($arg: $crate::export_c!($face, $form, $kind)),*) -> ::std::ffi::c_int {
            const NAME: &str = concat!($prefix, stringify!($name), $suffix);
            let found = None;
            $(let found = $crate::api::export::first(found,
                <$crate::api::kind::$kind as $crate::api::kind::Kind<$face, $crate::api::kind::$form>>::target($arg));)*
            $crate::api::export::fail::<$face>($crate::export_error!($when, error), NAME, found)
        }

        #[doc = concat!("`", $prefix, stringify!($name), $suffix, "`.\n\n# Safety\nThe arguments are what MPI demands of them.")]
        #[unsafe(export_name = concat!($prefix, stringify!($name), $suffix))]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn mpi($($arg: $crate::export_c!($face, $form, $kind) $(, $with: *mut ::std::ffi::c_int)?),*)
            -> ::std::ffi::c_int {
            $crate::export_glance!($when $form $name $face; $($arg)*);
            // SAFETY: the caller passes on what the standard demands.
            unsafe { body($($arg $(, $with)?),*) }
        }

        #[doc = concat!("The profiling name of `", $prefix, stringify!($name), $suffix, "`.\n\n# Safety\nAs there.")]
        #[unsafe(export_name = concat!("P", $prefix, stringify!($name), $suffix))]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn pmpi($($arg: $crate::export_c!($face, $form, $kind) $(, $with: *mut ::std::ffi::c_int)?),*)
            -> ::std::ffi::c_int {
            // SAFETY: the caller passes on what the standard demands.
            unsafe { body($($arg $(, $with)?),*) }
        }
    };
}

/// The C type of a kind.
#[doc(hidden)]
#[macro_export]
macro_rules! export_c {
    ($face:path, $form:ident, $kind:ident) => {
        <$crate::api::kind::$kind as $crate::api::kind::Kind<$face, $crate::api::kind::$form>>::C
    };
}

/// The call of the engine function: read, open, lend, give.
#[doc(hidden)]
#[macro_export]
macro_rules! export_call {
    ($face:path, $form:ident, $when:ident, $name:ident, ($($params:tt)*) (absent)) => {{
        $crate::export_check!($when);
        Err($crate::api::export::absent($name))
    }};
    ($face:path, $form:ident, $when:ident, $name:ident,
     ($($arg:ident : $kind:ident $([$($len:tt)+])? $(& $with:ident)?),*) ($($target:ident)::+)) => {{
        use $crate::api::kind::Kind;
        $crate::export_check!($when);
        // SAFETY: the caller of the MPI function passed what the standard demands, which is all that kinds and engine rely on.
        unsafe {
            $(let $arg = <$crate::api::kind::$kind as Kind<$face, $crate::api::kind::$form>>::read($arg, stringify!($arg))?;)*
            $(#[allow(unused_mut)]
            let mut $arg = <$crate::api::kind::$kind as Kind<$face, $crate::api::kind::$form>>::open(
                $arg, stringify!($arg), $crate::export_len!($($($len)+)?), $crate::export_with!($($with)?))?;)*
            #[allow(unused_unsafe)]
            let outcome: $crate::object::error::Result<()> =
                $crate::export_invoke!([$face, $form] [$crate::$($target)::+] [] $($arg $kind)*);
            #[allow(unused_variables)]
            let fate = $crate::api::kind::Fate::of(&outcome);
            $(<$crate::api::kind::$kind as Kind<$face, $crate::api::kind::$form>>::give($arg, fate);)*
            outcome
        }
    }};
}

/// The call itself: every argument but lengths, which slices know, and the command line.
#[doc(hidden)]
#[macro_export]
macro_rules! export_invoke {
    ([$face:path, $form:ident] [$target:path] [$($done:expr,)*]) => {
        $target($($done),*)
    };
    ($head:tt $target:tt $done:tt $arg:ident Length $($rest:tt)*) => {
        $crate::export_invoke!($head $target $done $($rest)*)
    };
    ($head:tt $target:tt $done:tt $arg:ident Argc $($rest:tt)*) => {
        $crate::export_invoke!($head $target $done $($rest)*)
    };
    ($head:tt $target:tt $done:tt $arg:ident Argv $($rest:tt)*) => {
        $crate::export_invoke!($head $target $done $($rest)*)
    };
    ([$face:path, $form:ident] $target:tt [$($done:expr,)*] $arg:ident $kind:ident $($rest:tt)*) => {
        $crate::export_invoke!([$face, $form] $target
            [$($done,)* <$crate::api::kind::$kind as Kind<$face, $crate::api::kind::$form>>::lend(&mut $arg),] $($rest)*)
    };
}

/// The whole of a quick call that succeeds: a handle in, an int out. Everything else, errors too, is for the body.
#[doc(hidden)]
#[macro_export]
macro_rules! export_glance {
    (quick Narrow $name:ident $face:path; $handle:ident $out:ident) => {
        if !$out.is_null()
            && let Some(value) = $crate::export_quick!($name $face; $handle)
        {
            // SAFETY: C passed the address of an int, and it is not null.
            unsafe { *$out = value };
            return 0;
        }
    };
    ($when:ident $form:ident $name:ident $face:path; $($arg:ident)*) => {};
}

/// What a quick call answers, if its handle names something that is quickly found.
#[doc(hidden)]
#[macro_export]
macro_rules! export_quick {
    (Comm_rank $face:path; $handle:ident) => {
        $crate::object::comm::glance_rank($crate::export_handle!($face, Comm, $handle))
    };
    (Comm_size $face:path; $handle:ident) => {
        $crate::object::comm::glance_size($crate::export_handle!($face, Comm, $handle))
    };
    (Type_size $face:path; $handle:ident) => {
        $crate::object::datatype::glance_size($crate::export_handle!($face, Datatype, $handle))
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! export_handle {
    ($face:path, $object:ident, $handle:ident) => {
        <$face as $crate::api::kind::Face>::handle_in($crate::api::kind::Object::$object, $handle)
    };
}

/// The error of a call: of a quick one, which did not ask whether MPI is running, mostly that it is not.
#[doc(hidden)]
#[macro_export]
macro_rules! export_error {
    (quick, $error:ident) => {
        if $crate::init::running() { $error } else { $crate::api::export::not_running() }
    };
    ($when:ident, $error:ident) => {
        $error
    };
}

/// Whether MPI must be running.
#[doc(hidden)]
#[macro_export]
macro_rules! export_check {
    (anytime) => {};
    (quick) => {};
    (during) => {
        if !$crate::init::running() {
            return Err($crate::api::export::not_running());
        }
    };
}

/// A length expression as a number of elements; 0 where there is none.
#[doc(hidden)]
#[macro_export]
macro_rules! export_len {
    () => {
        0
    };
    ($($len:tt)+) => {
        $crate::api::length::Length::elements($($len)+)
    };
}

/// The second C argument of a kind; null where there is none.
#[doc(hidden)]
#[macro_export]
macro_rules! export_with {
    () => {
        ::std::ptr::null_mut()
    };
    ($with:ident) => {
        $with
    };
}

/// Functions under their own and their profiling name.
#[macro_export]
macro_rules! both {
    ($($(#[$doc:meta])* fn $name:ident / $profiling:ident ($($arg:ident: $type:ty),*) $(-> $out:ty)? $body:block)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// The arguments are what MPI demands of them.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub unsafe extern "C" fn $name($($arg: $type),*) $(-> $out)? $body

        /// The profiling name.
        ///
        /// # Safety
        /// The arguments are what MPI demands of them.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub unsafe extern "C" fn $profiling($($arg: $type),*) $(-> $out)? $body
    )*};
}
