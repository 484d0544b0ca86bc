// SPDX-License-Identifier: MIT OR Apache-2.0
//! Generalized requests (MPI 5.0, section 13.2): the user completes them, and supplies query, free and cancel.

use super::{Body, REQUESTS, Slot, unknown};
use crate::err;
use crate::object::callback::face;
use crate::object::constant::Handle;
use crate::object::error::{Error, Result};
use crate::object::status::Status;

/// A generalized request: the user's functions and whether he said it is complete.
#[derive(Clone)]
pub struct Generalized {
    query: usize,
    free: usize,
    cancel: usize,
    extra: usize,
    pub(super) complete: bool,
}

fn check(code: i32, what: &str) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(Error::with_code(code, format!("the request's {what} function failed with code {code}"))) }
}

impl Generalized {
    pub(super) fn query(&self) -> Result<Status> {
        let (code, status) = face().grequest_query(self.query, self.extra);
        check(code, "query").map(|()| status)
    }

    pub(super) fn free(&self) -> Result<()> {
        check(face().grequest_free(self.free, self.extra), "free")
    }

    pub(super) fn cancel(&self) -> Result<()> {
        check(face().grequest_cancel(self.cancel, self.extra, self.complete), "cancel")
    }

    /// Query, then free: what wait and test do when it is complete.
    pub(super) fn finish(&self) -> Result<Status> {
        let status = self.query();
        self.free()?;
        status
    }
}

/// `MPI_Grequest_start`.
pub fn start(query: usize, free: usize, cancel: usize, extra: usize, request: &mut Handle) -> Result<()> {
    let state = Generalized { query, free, cancel, extra, complete: false };
    *request = REQUESTS.lock().insert(Body::Generalized(state));
    Ok(())
}

/// `MPI_Grequest_complete`.
pub fn complete(request: Handle) -> Result<()> {
    let mut requests = REQUESTS.lock();
    let slot = requests.get(request).ok_or_else(|| unknown(request))?;
    let Slot { body: Body::Generalized(state), forgotten } = slot else {
        return Err(err!(Request, "the request is not a generalized request"));
    };
    state.complete = true;
    if *forgotten {
        let state = state.clone();
        requests.release(request);
        drop(requests);
        return state.free();
    }
    drop(requests);
    crate::progress::wake();
    Ok(())
}
