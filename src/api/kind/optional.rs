// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outputs that a caller of the tool interface may decline with a null pointer (MPI 5.0, sections 15.3.6 to 15.3.9).

use std::ffi::c_int;

use super::{
    Face, Fate, Kind, OutBind, OutCount64, OutDatatype, OutFlag, OutInfo, OutInt, OutPvarClass, OutScope, OutSourceOrder,
    OutToolEnum, OutVerbosity, Spell, declare,
};
use crate::object::error::Result;

/// `Optional = Out, C type`: as `Out`, but nothing is written where C gives NULL.
macro_rules! optional {
    ($($name:ident = $out:ident, $c:ty;)*) => {$(
        declare!(
            #[doc = concat!("[`", stringify!($out), "`], or NULL.")]
            $name, <$out as Spell>::NARROW
        );
        impl<F: Face, W> Kind<F, W> for $name {
            type C = $c;
            type Read = $c;
            type Held = ($c, <$out as Kind<F, W>>::Held);
            type Lent<'a> = <$out as Kind<F, W>>::Lent<'a> where Self::Held: 'a;
            unsafe fn read(c: Self::C, _: &'static str) -> Result<Self::Read> {
                Ok(c)
            }
            unsafe fn open(c: Self::Read, name: &'static str, len: usize, with: *mut c_int) -> Result<Self::Held> {
                // SAFETY: kinds of outputs do not look at what the pointer points to before they write.
                Ok((c, unsafe { <$out as Kind<F, W>>::open(c, name, len, with) }?))
            }
            fn lend(held: &mut Self::Held) -> Self::Lent<'_> {
                <$out as Kind<F, W>>::lend(&mut held.1)
            }
            unsafe fn give((c, held): Self::Held, fate: Fate) {
                if !c.is_null() {
                    // SAFETY: by this function's contract; the pointer is not null.
                    unsafe { <$out as Kind<F, W>>::give(held, fate) };
                }
            }
        }
    )*};
}

optional! {
    MaybeInt = OutInt, *mut c_int;
    MaybeFlag = OutFlag, *mut c_int;
    MaybeCount64 = OutCount64, *mut i64;
    MaybeVerbosity = OutVerbosity, *mut c_int;
    MaybeBind = OutBind, *mut c_int;
    MaybeScope = OutScope, *mut c_int;
    MaybePvarClass = OutPvarClass, *mut c_int;
    MaybeSourceOrder = OutSourceOrder, *mut c_int;
    MaybeToolEnum = OutToolEnum, *mut usize;
    MaybeDatatype = OutDatatype, *mut F::Handle;
    MaybeInfo = OutInfo, *mut F::Handle;
}
