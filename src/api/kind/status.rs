// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statuses. The engine always gets one to fill; what C ignores is dropped.

use std::ffi::c_int;

use smallvec::SmallVec;

use super::{Face, Fate, Kind, declare, null};
use crate::object::error::Result;
use crate::object::status::Status;

declare!(
    /// A status out. Its error field is not touched (MPI 5.0, section 3.2.5).
    OutStatus, "MPI_Status *{}"
);
impl<F: Face, W> Kind<F, W> for OutStatus {
    type C = *mut F::Status;
    type Read = *mut F::Status;
    type Held = (*mut F::Status, Status);
    type Lent<'a> = &'a mut Status;
    #[inline(always)]
    unsafe fn read(c: Self::C, name: &'static str) -> Result<Self::Read> {
        if c.is_null() && !F::ignores(c) { Err(null(name)) } else { Ok(c) }
    }
    #[inline(always)]
    unsafe fn open(c: Self::Read, _: &'static str, _: usize, _: *mut c_int) -> Result<Self::Held> {
        Ok((c, Status::EMPTY))
    }
    #[inline(always)]
    fn lend(held: &mut Self::Held) -> &mut Status {
        &mut held.1
    }
    #[inline(always)]
    unsafe fn give((c, status): Self::Held, fate: Fate) {
        // A failed call writes what its engine function filled (a truncated receive has a source and a tag).
        if !F::ignores(c) && (fate == Fate::Done || status != Status::EMPTY) {
            let nothing = status == Status::OF_NOTHING;
            // SAFETY: C passed the address of a status.
            unsafe { F::status_out(if nothing { &Status::EMPTY } else { &status }, c, nothing) };
        }
    }
}

declare!(
    /// An array of statuses out, `None` when C ignores them.
    OutStatuses, "MPI_Status {}[]"
);
impl<F: Face, W> Kind<F, W> for OutStatuses {
    type C = *mut F::Status;
    type Read = *mut F::Status;
    type Held = (*mut F::Status, Option<SmallVec<[Status; 8]>>);
    type Lent<'a> = Option<&'a mut [Status]>;
    #[inline(always)]
    unsafe fn read(c: Self::C, _: &'static str) -> Result<Self::Read> {
        Ok(c)
    }
    #[inline]
    unsafe fn open(c: Self::Read, name: &'static str, len: usize, _: *mut c_int) -> Result<Self::Held> {
        if F::ignores(c) {
            Ok((c, None))
        } else if c.is_null() && len > 0 {
            Err(null(name))
        } else {
            Ok((c, Some(SmallVec::from_elem(Status::EMPTY, len))))
        }
    }
    #[inline(always)]
    fn lend(held: &mut Self::Held) -> Option<&mut [Status]> {
        held.1.as_deref_mut()
    }
    #[inline]
    unsafe fn give((c, statuses): Self::Held, fate: Fate) {
        if fate == Fate::Failed {
            return;
        }
        for (i, status) in statuses.iter().flatten().enumerate() {
            // The error field is written also when none failed: Open MPI does so in all these calls, MPICH in some, and programs read it.
            // SAFETY: C passed an array of that many statuses.
            unsafe { F::status_out(status, c.add(i), true) };
        }
    }
}

declare!(
    /// A status in.
    InStatus, "const MPI_Status *{}"
);
impl<F: Face, W> Kind<F, W> for InStatus {
    type C = *const F::Status;
    type Read = Status;
    type Held = Status;
    type Lent<'a> = &'a Status;
    #[inline(always)]
    unsafe fn read(c: Self::C, name: &'static str) -> Result<Status> {
        if c.is_null() || F::ignores(c) {
            return Err(null(name));
        }
        // SAFETY: C passed the address of a status.
        Ok(unsafe { F::status_in(c) })
    }
    #[inline(always)]
    unsafe fn open(read: Status, _: &'static str, _: usize, _: *mut c_int) -> Result<Status> {
        Ok(read)
    }
    #[inline(always)]
    fn lend(held: &mut Status) -> &Status {
        held
    }
}

declare!(
    /// A status that the call changes.
    InOutStatus, "MPI_Status *{}"
);
impl<F: Face, W> Kind<F, W> for InOutStatus {
    type C = *mut F::Status;
    type Read = *mut F::Status;
    type Held = (*mut F::Status, Status);
    type Lent<'a> = &'a mut Status;
    unsafe fn read(c: Self::C, name: &'static str) -> Result<Self::Read> {
        if c.is_null() || F::ignores(c) { Err(null(name)) } else { Ok(c) }
    }
    unsafe fn open(c: Self::Read, _: &'static str, _: usize, _: *mut c_int) -> Result<Self::Held> {
        // SAFETY: C passed the address of a status, checked not to be null.
        Ok((c, unsafe { F::status_in(c) }))
    }
    fn lend(held: &mut Self::Held) -> &mut Status {
        &mut held.1
    }
    unsafe fn give((c, status): Self::Held, fate: Fate) {
        if fate == Fate::Done {
            // SAFETY: as in `open`.
            unsafe { F::status_out(&status, c, true) };
        }
    }
}
