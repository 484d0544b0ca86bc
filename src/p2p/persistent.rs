// SPDX-License-Identifier: MIT OR Apache-2.0
//! Persistent sends and receives (MPI 5.0, section 3.9): the arguments are checked and kept, each start is the immediate call.

use super::{argument, buffered, receive, send};
use crate::object::constant::Handle;
use crate::object::error::Result;
use crate::object::request::{self, Restart};

type Send = unsafe fn(*mut u8, i64, Handle, i32, i32, Handle, &mut Handle) -> Result<()>;

/// The arguments of one call.
struct Kept {
    call: Send,
    buffer: usize,
    count: i64,
    datatype: Handle,
    rank: i32,
    tag: i32,
    comm: Handle,
}

impl Restart for Kept {
    fn start(&mut self) -> Result<Handle> {
        let mut round = 0;
        // SAFETY: `MPI_Start`'s contract: the buffer stays valid until the round completes.
        unsafe {
            (self.call)(self.buffer as *mut u8, self.count, self.datatype, self.rank, self.tag, self.comm, &mut round)?;
        }
        Ok(round)
    }
}

fn keep(call: Send, data: (*mut u8, i64, Handle), peer: (i32, i32, Handle), request: &mut Handle) -> Result<()> {
    argument::span(data.0, data.1, data.2)?;
    let kept = Kept { call, buffer: data.0 as usize, count: data.1, datatype: data.2, rank: peer.0, tag: peer.1, comm: peer.2 };
    *request = request::persistent(Box::new(kept));
    Ok(())
}

macro_rules! sends {
    ($($(#[$doc:meta])* $name:ident = $call:path;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// The buffer must be readable in each round.
        pub unsafe fn $name(
            buffer: *mut u8, count: i64, datatype: Handle, dest: i32, tag: i32, comm: Handle, request: &mut Handle,
        ) -> Result<()> {
            argument::destination(dest, tag, comm)?;
            keep($call, (buffer, count, datatype), (dest, tag, comm), request)
        }
    )*};
}

sends! {
    /// `MPI_Send_init`.
    send_init = send::isend;
    /// `MPI_Ssend_init`.
    ssend_init = send::issend;
    /// `MPI_Rsend_init`.
    rsend_init = send::irsend;
    /// `MPI_Bsend_init`.
    bsend_init = buffered::ibsend;
}

/// `MPI_Recv_init`.
///
/// # Safety
/// The buffer must be writable in each round.
pub unsafe fn recv_init(
    buffer: *mut u8,
    count: i64,
    datatype: Handle,
    source: i32,
    tag: i32,
    comm: Handle,
    request: &mut Handle,
) -> Result<()> {
    argument::source(source, tag, comm)?;
    keep(receive::irecv, (buffer, count, datatype), (source, tag, comm), request)
}
