// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of attributes. Those that programs set are numbers; of those that MPI sets C gets the address, and Fortran the value.

use std::ffi::c_int;
use std::ptr;

use super::Kind;
use crate::abi::{Abi, Aint, Fint, WindowValue};

/// The value behind what C gave for an attribute of a communicator or datatype.
///
/// # Safety
/// C gave it for this key.
unsafe fn of_communicator<A: Abi>(keyval: c_int, value: usize) -> Aint {
    match A::is_predefined(keyval) && value != 0 {
        // SAFETY: C gave the address of an int.
        true => Aint::from(unsafe { *ptr::with_exposed_provenance::<c_int>(value) }),
        false => value as Aint,
    }
}

/// The same of a window.
///
/// # Safety
/// C gave it for this key.
unsafe fn of_window<A: Abi>(keyval: c_int, value: usize) -> Aint {
    match A::of_window(keyval).filter(|_| value != 0) {
        // SAFETY: C gave the address of an address-sized integer.
        Some(WindowValue::Aint) => unsafe { *ptr::with_exposed_provenance::<Aint>(value) },
        // SAFETY: C gave the address of an int.
        Some(WindowValue::Int) => Aint::from(unsafe { *ptr::with_exposed_provenance::<c_int>(value) }),
        Some(WindowValue::Itself) | None => value as Aint,
    }
}

/// A value out; the key is passed as what else the kind needs.
macro_rules! values {
    ($($(#[$doc:meta])* $name:ident: $f:ty, $value:ident;)*) => {$(
        $(#[$doc])*
        pub struct $name;
        impl<A: Abi> Kind<A> for $name {
            type F = *mut $f;
            type C = *mut usize;
            type Held = (*mut $f, c_int, usize);
            unsafe fn open(f: *mut $f, with: usize) -> Self::Held {
                (f, A::keyval(with as Fint), 0)
            }
            fn lend(held: &mut Self::Held) -> *mut usize {
                &mut held.2
            }
            unsafe fn give((f, keyval, value): Self::Held, code: c_int) {
                if code == 0 {
                    // SAFETY: Fortran passed the address of a number; C gave the value for this key.
                    unsafe { *f = $value::<A>(keyval, value) as $f };
                }
            }
        }
    )*};
}

values! {
    /// The value of an attribute of a communicator or datatype.
    OutAttribute: Aint, of_communicator;
    /// The same as an `INTEGER`, as before MPI 2.
    OldOutAttribute: Fint, of_communicator;
    /// The value of an attribute of a window.
    OutWindowAttribute: Aint, of_window;
}
