// SPDX-License-Identifier: MIT OR Apache-2.0
//! The three forms of a collective - blocking, nonblocking, persistent - from one function that checks the arguments and makes a
//! [`Job`](super::call::Job) of them.

/// `block, start, init = prepare(arguments in C order)`: `MPI_X`, `MPI_Ix` and `MPI_X_init`. `prepare` returns
/// `Result<impl Into<Option<Job>>>`.
macro_rules! forms {
    ($($(#[$doc:meta])* $block:ident, $start:ident, $init:ident = $prepare:ident($($name:ident: $kind:ty),* $(,)?);)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// Input must be readable and output writable for what counts and types say.
        #[allow(clippy::too_many_arguments)]
        pub unsafe fn $block($($name: $kind),*) -> $crate::object::error::Result<()> {
            $crate::coll::call::block($prepare($($name),*).map_err($crate::object::error::Error::refusing)?.into())
        }

        #[doc = concat!("[`", stringify!($block), "`] in the background (MPI 5.0, section 6.12).")]
        ///
        /// # Safety
        #[doc = concat!("As for [`", stringify!($block), "`], until the request completes.")]
        #[allow(clippy::too_many_arguments)]
        pub unsafe fn $start(
            $($name: $kind,)*
            request: &mut $crate::object::constant::Handle,
        ) -> $crate::object::error::Result<()> {
            $crate::coll::call::background($prepare($($name),*)?.into(), request)
        }

        #[doc = concat!("[`", stringify!($block), "`] as a persistent request (MPI 5.0, section 6.13). The hints are not looked at.")]
        ///
        /// # Safety
        #[doc = concat!("As for [`", stringify!($block), "`], for every start of the request.")]
        #[allow(clippy::too_many_arguments)]
        pub unsafe fn $init(
            $($name: $kind,)*
            info: $crate::object::constant::Handle,
            request: &mut $crate::object::constant::Handle,
        ) -> $crate::object::error::Result<()> {
            let _ = info;
            $crate::coll::call::persist($prepare($($name),*)?.into(), request)
        }
    )*};
}

pub(crate) use forms;
