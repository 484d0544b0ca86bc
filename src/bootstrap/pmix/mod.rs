// SPDX-License-Identifier: MIT OR Apache-2.0
//! Client of PMIx: Open MPI's mpirun, PRRTE, Slurm's pmix plug-in. The wire depends on the version, so the launcher's
//! own `libpmix.so.2` speaks it.
//!
//! Every call that waits for somebody runs on a helper thread with a limit, because not every server heeds
//! `PMIX_TIMEOUT`.

mod library;
mod lost;

use super::Server;
use super::pmi1::{peers_limit, server_limit};
use super::wire::{escape, unescape};
use crate::err;
use crate::object::error::Result;
use library::{BOOL, Data, GLOBAL, INT, Info, Library, Process, STRING, UINT32, Value, WILDCARD};
use std::ffi::{CStr, CString};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::mpsc;
use std::time::Duration;

/// A connection to a PMIx server.
pub struct Client {
    library: Library,
    me: Process,
    size: u32,
    application: u32,
    dirty: bool,
}

impl Client {
    /// Connects to the server that the environment names; `uri` is its address, for a quick look and for messages.
    pub fn connect(uri: &str, limit: Duration) -> Result<Client> {
        knock(uri, limit)?;
        let library = Library::load()?;
        let me = bounded(limit, move || {
            let mut me = Process { space: [0; 256], rank: 0 };
            // SAFETY: `me` is written during the call; no info is given.
            let status = unsafe { (library.init)(&mut me, std::ptr::null(), 0) };
            library.check(status, "PMIx_Init")?;
            lost::watch(&library, me.rank);
            Ok(me)
        })
        .map_err(|e| with_versions(e.text(), &library))?;
        let mut client = Client { library, me, size: 0, application: 0, dirty: false };
        client.size = client.job_size()?;
        client.application = client.own_number(c"pmix.appnum").unwrap_or(0);
        Ok(client)
    }

    fn job_size(&self) -> Result<u32> {
        match self.fetch(WILDCARD, c"pmix.job.size", server_limit())? {
            Fetched::Number(size) => Ok(size),
            _ => Err(err!(Other, "the PMIx server does not tell the job's size as a number")),
        }
    }

    /// What the server says of this process, if it does.
    fn own_number(&self, key: &CStr) -> Option<u32> {
        match self.fetch(self.me.rank, key, server_limit()) {
            Ok(Fetched::Number(number)) => Some(number),
            _ => None,
        }
    }

    fn fetch(&self, rank: u32, key: &CStr, limit: Duration) -> Result<Fetched> {
        let (library, key) = (self.library, key.to_owned());
        let process = Process { rank, ..self.me };
        bounded(limit, move || {
            let info = Info::new(c"pmix.timeout", INT, Data { integer: limit.as_secs() as i32 });
            let mut value: *mut Value = std::ptr::null_mut();
            // SAFETY: all pointers live during the call; on success `value` points to a value of PMIx's.
            let status = unsafe { (library.get)(&process, key.as_ptr(), &info, 1, &mut value) };
            library.check(status, &format!("PMIx_Get of {key:?}"))?;
            // SAFETY: PMIx_Get succeeded, so `value` is a value that we now own.
            Ok(unsafe { Fetched::take(value) })
        })
    }

    fn commit(&mut self) -> Result<()> {
        if std::mem::take(&mut self.dirty) {
            // SAFETY: takes no argument.
            let status = unsafe { (self.library.commit)() };
            self.library.check(status, "PMIx_Commit")?;
        }
        Ok(())
    }
}

/// A value that PMIx gave, copied out of its memory.
enum Fetched {
    Text(String),
    Number(u32),
    Other,
}

impl Fetched {
    /// # Safety
    /// `value` was returned by a successful `PMIx_Get` and is not used again.
    unsafe fn take(value: *mut Value) -> Fetched {
        // SAFETY: by the caller's word; the kind says which member of the union holds.
        unsafe {
            let copy = match (*value).kind {
                STRING => Fetched::Text(library::text((*value).data.string)),
                UINT32 => Fetched::Number((*value).data.uint32),
                _ => Fetched::Other,
            };
            library::release(value);
            copy
        }
    }
}

impl Server for Client {
    fn rank(&self) -> u32 {
        self.me.rank
    }

    fn size(&self) -> u32 {
        self.size
    }

    fn application(&self) -> u32 {
        self.application
    }

    fn put(&mut self, key: &str, value: &str) -> Result<()> {
        let (key, text) = (c_string(key)?, c_string(&escape(value))?);
        let mut value = Value { kind: STRING, data: Data { string: text.as_ptr().cast_mut() } };
        // SAFETY: key and value live during the call; PMIx copies both.
        let status = unsafe { (self.library.put)(GLOBAL, key.as_ptr(), &mut value) };
        self.dirty = true;
        self.library.check(status, "PMIx_Put")
    }

    fn fence(&mut self) -> Result<()> {
        self.commit()?;
        let (library, job) = (self.library, Process { rank: WILDCARD, ..self.me });
        bounded(peers_limit(), move || {
            let collect = Info::new(c"pmix.collect", BOOL, Data { flag: true });
            // SAFETY: one process and one info, alive during the call.
            let status = unsafe { (library.fence)(&job, 1, &collect, 1) };
            library.check(status, "PMIx_Fence")
        })
    }

    fn get(&mut self, rank: u32, key: &str) -> Result<String> {
        match self.fetch(rank, &c_string(key)?, server_limit())? {
            Fetched::Text(text) => Ok(unescape(&text)),
            _ => Err(err!(Other, "rank {rank} published {key} as something else than text")),
        }
    }

    fn finalize(&mut self) -> Result<()> {
        let library = self.library;
        lost::expect_it();
        bounded(server_limit(), move || {
            // SAFETY: no info is given.
            let status = unsafe { (library.finalize)(std::ptr::null(), 0) };
            library.check(status, "PMIx_Finalize")
        })
    }

    fn abort(&mut self, code: i32, text: &str) {
        let library = self.library;
        let text = c_string(text).unwrap_or_default();
        lost::expect_it();
        // Nothing to do if it fails or takes too long: init::abort exits anyway.
        let _ = bounded(Duration::from_secs(2), move || {
            // SAFETY: the text lives during the call; no processes means all of the job.
            let status = unsafe { (library.abort)(code, text.as_ptr(), std::ptr::null(), 0) };
            library.check(status, "PMIx_Abort")
        });
    }

    fn name(&self) -> &'static str {
        "pmix"
    }
}

fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| err!(Other, "a NUL inside {text:?}"))
}

fn with_versions(reason: &str, library: &Library) -> crate::object::error::Error {
    let server = std::env::var("PMIX_VERSION").unwrap_or_else(|_| "unknown".into());
    err!(Other, "{reason}; the server's version is {server}, the client library is {}", library.version())
}

/// Runs a call that may never return. After the limit it is left to itself: the caller ends the process soon.
fn bounded<T: Send + 'static>(limit: Duration, call: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let (tell, hear) = mpsc::sync_channel(1);
    let helper = std::thread::Builder::new().name("paceline-pmix".into()).spawn(move || tell.send(call()));
    helper.map_err(|e| err!(Other, "no thread for PMIx: {e}"))?;
    match hear.recv_timeout(limit) {
        Ok(result) => result,
        Err(_) => Err(err!(Other, "no answer within {} s", limit.as_secs())),
    }
}

/// Looks whether anybody listens at `…;tcp4://HOST:PORT`, since PMIx itself retries for long. Other address forms are
/// left to PMIx.
fn knock(uri: &str, limit: Duration) -> Result<()> {
    let Some(address) = uri.rsplit_once(";tcp4://").map(|(_, rest)| rest.split([';', ',']).next().unwrap_or(rest)) else {
        return Ok(());
    };
    let failed = |e: std::io::Error| err!(Other, "nobody listens at {address}: {e}");
    let target = address.to_socket_addrs().map_err(failed)?.next();
    let target = target.ok_or_else(|| err!(Other, "{address} has no address"))?;
    TcpStream::connect_timeout(&target, limit).map(drop).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn a_dead_server_is_noticed_by_its_address() {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let uri = format!("job.0;tcp4://127.0.0.1:{port}");
        let error = Client::connect(&uri, Duration::from_secs(1)).err().unwrap();
        assert!(error.text().contains(&format!("nobody listens at 127.0.0.1:{port}")), "{error}");
    }

    #[test]
    fn a_call_that_never_returns_is_left() {
        let error = bounded(Duration::from_millis(10), || {
            std::thread::sleep(Duration::from_secs(3));
            Ok(())
        });
        assert!(error.unwrap_err().text().contains("no answer"));
    }
}
