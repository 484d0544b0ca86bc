// SPDX-License-Identifier: MIT OR Apache-2.0
//! Managed memory: host and devices reach it at the same address.

use crate::call::{Out, driver};
use crate::code::{self};
use crate::context;
use crate::memory::{self, Kind, Range};
use std::ffi::c_uint;

driver! {
    /// Allocates managed memory.
    fn cuMemAllocManaged(out: Out<u64>, bytes: usize, flags: c_uint) {
        let context = context::current()?;
        if bytes == 0 || !(1..=2).contains(&flags) {
            return Err(code::INVALID_VALUE);
        }
        memory::fits(context.device, bytes)?;
        let home = memory::own(bytes, true)?;
        out.put(Range::new(home, bytes, Kind::Managed, context.device, context.handle, true).base)
    }
}
