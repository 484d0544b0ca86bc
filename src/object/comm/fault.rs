// SPDX-License-Identifier: MIT OR Apache-2.0
//! User-level failure mitigation, as far as programs can ask: a job whose process dies ends, so no program ever sees a failed
//! process. Nobody has failed, an agreement is among all, a shrunken communicator has all processes. Revoking is refused.

use super::agree::{self, Circle, Exchange, and};
use super::birth::{self, Plan};
use super::get;
use crate::err;
use crate::object::constant::{GROUP_EMPTY, Handle};
use crate::object::error::Result;
use crate::object::request::{self, Active};
use crate::object::status::Status;

/// `MPIX_Comm_get_failed`: nobody.
pub fn get_failed(comm: Handle, group: &mut Handle) -> Result<()> {
    get(comm)?;
    *group = GROUP_EMPTY;
    Ok(())
}

/// `MPIX_Comm_failure_get_acked`: nobody.
pub fn failure_get_acked(comm: Handle, group: &mut Handle) -> Result<()> {
    get_failed(comm, group)
}

/// `MPIX_Comm_failure_ack`.
pub fn failure_ack(comm: Handle) -> Result<()> {
    get(comm).map(|_| ())
}

/// `MPIX_Comm_ack_failed`.
pub fn ack_failed(comm: Handle, _to_acknowledge: i32, acknowledged: &mut i32) -> Result<()> {
    *acknowledged = 0;
    failure_ack(comm)
}

/// `MPIX_Comm_is_revoked`: never.
pub fn is_revoked(comm: Handle, flag: &mut bool) -> Result<()> {
    *flag = false;
    failure_ack(comm)
}

/// `MPIX_Comm_revoke`.
pub fn revoke(comm: Handle) -> Result<()> {
    let name = get(comm)?.name();
    Err(err!(UnsupportedOperation, "{name} cannot be revoked: a job whose process fails ends, there is nothing to recover from"))
}

fn votes(among: Circle, flag: i32) -> Exchange {
    Exchange::new(&among, vec![u64::from(flag as u32)], and)
}

/// `MPIX_Comm_agree`: the bits that all members give.
pub fn agree(comm: Handle, flag: &mut i32) -> Result<()> {
    let mut exchange = votes(get(comm)?.everyone(), *flag);
    *flag = agree::wait("MPIX_Comm_agree", || exchange.advance())?[0] as u32 as i32;
    Ok(())
}

/// An agreement under way, and where its result goes.
struct Later(Exchange, usize);

impl Active for Later {
    fn advance(&mut self) -> Option<Result<Status>> {
        let outcome = self.0.advance()?;
        Some(outcome.map(|words| {
            // SAFETY: the caller of `MPIX_Comm_iagree` keeps the int valid until the request completes.
            unsafe { (self.1 as *mut i32).write(words[0] as u32 as i32) };
            Status::EMPTY
        }))
    }
}

/// `MPIX_Comm_iagree`.
///
/// # Safety
/// `flag` is the address of an int that stays valid until the request completes.
pub unsafe fn iagree(comm: Handle, flag: usize, request: &mut Handle) -> Result<()> {
    if flag == 0 {
        return Err(err!(Arg, "flag is NULL"));
    }
    // SAFETY: by this function's contract.
    let mine = unsafe { (flag as *const i32).read() };
    *request = request::start(Box::new(Later(votes(get(comm)?.everyone_later(), mine), flag)));
    Ok(())
}

/// `MPIX_Comm_shrink`: a communicator of the processes that have not failed, which are all.
pub fn shrink(comm: Handle, new: &mut Handle) -> Result<()> {
    let comm = get(comm)?;
    let mut plan = Plan::child(comm, comm.group.clone(), comm.rank);
    plan.remote = comm.remote.clone();
    *new = birth::now(comm.everyone(), plan)?;
    Ok(())
}
