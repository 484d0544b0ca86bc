// SPDX-License-Identifier: MIT OR Apache-2.0
//! Client of PMI-1: over the inherited socket `PMI_FD`, or by `PMI_PORT` and `PMI_ID`. Protocol: MPICH's "PMI-1.1".

use super::promise::Promise;
use super::wire::{Channel, Message, escape, unescape};
use super::{Server, pmi2};
use crate::object::error::Result;
use crate::{err, knob};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::fd::{BorrowedFd, OwnedFd, RawFd};
use std::time::Duration;

/// A connection to a PMI-1 server.
pub struct Client {
    channel: Channel,
    rank: u32,
    size: u32,
    application: u32,
    store: String,
    longest: usize,
}

impl Client {
    /// Speaks over an inherited socket. A server that knows only version 2 gets a client of version 2.
    pub fn from_fd(promise: &Promise, limit: Duration) -> Result<Box<dyn Server>> {
        let Promise::PmiFd { fd, rank, size, job, .. } = promise else { unreachable!("only PMI_FD has a descriptor") };
        let mut channel = Channel::new(inherited(*fd)?);
        if hello(&mut channel, limit)? == 2 {
            return Ok(Box::new(pmi2::Client::after_hello(channel, *rank, job, limit)?));
        }
        let (rank, size) = rank.zip(*size).ok_or_else(|| err!(Other, "PMI_RANK or PMI_SIZE is missing or no number"))?;
        Ok(Box::new(Client::after_hello(channel, rank, size, limit)?))
    }

    /// Connects to a listening server, which tells rank and size.
    pub fn from_port(address: &str, id: i32, limit: Duration) -> Result<Client> {
        let mut channel = Channel::new(dial(address, limit)?.into());
        let (rank, size) = introduce(&mut channel, id, limit)?;
        hello(&mut channel, limit)?;
        Client::after_hello(channel, rank, size, limit)
    }

    fn after_hello(channel: Channel, rank: u32, size: u32, limit: Duration) -> Result<Client> {
        if rank >= size {
            return Err(err!(Other, "the launcher says rank {rank} of {size}"));
        }
        let mut client = Client { channel, rank, size, application: 0, store: String::new(), longest: 0 };
        client.longest = client.ask("cmd=get_maxes", "maxes", limit)?.number("vallen_max").unwrap_or(256);
        let store = client.ask("cmd=get_my_kvsname", "my_kvsname", limit)?;
        client.store = store.get("kvsname").unwrap_or_default().into();
        client.application = client.ask("cmd=get_appnum", "appnum", limit)?.number("appnum").unwrap_or(0);
        Ok(client)
    }

    /// Sends a command and waits for the answer of that name with a zero `rc`.
    fn ask(&mut self, command: &str, answer: &str, limit: Duration) -> Result<Message> {
        self.channel.send(&format!("{command}\n"))?;
        let reply = expect(&mut self.channel, answer, limit)?;
        match reply.number::<i32>("rc").unwrap_or(0) {
            0 => Ok(reply),
            rc => Err(err!(Other, "the launcher refused '{command}': rc={rc} {}", reply.get("msg").unwrap_or_default())),
        }
    }
}

/// A copy of the descriptor named by the environment, if that is a socket: anything else is a leftover whose number now
/// means something of the program's. A copy, because it is closed if nobody answers on it.
pub(super) fn inherited(fd: RawFd) -> Result<OwnedFd> {
    // SAFETY: `stat` is plain data that fstat fills in; zeroed is a valid value of it.
    let mut stat: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: fstat writes to the live `stat`; a bad descriptor is reported, not touched.
    let found = fd >= 0 && unsafe { libc::fstat(fd, &mut stat) } == 0;
    if !found || stat.st_mode & libc::S_IFMT != libc::S_IFSOCK {
        return Err(err!(Other, "descriptor {fd} is not an open socket"));
    }
    // SAFETY: the descriptor is open, so it may be borrowed for this call; programs that this process starts shall not
    // inherit it, since two processes cannot speak on it.
    let copy = unsafe {
        libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC);
        BorrowedFd::borrow_raw(fd).try_clone_to_owned()
    };
    copy.map_err(|e| err!(Other, "descriptor {fd} cannot be copied: {e}"))
}

fn expect(channel: &mut Channel, command: &str, limit: Duration) -> Result<Message> {
    let line = channel.line(limit)?;
    let message = Message::from_line(&line);
    match message.command == command {
        true => Ok(message),
        false => Err(err!(Other, "the launcher answered '{line}' in place of {command}")),
    }
}

/// Agrees on a version; returns the server's.
fn hello(channel: &mut Channel, limit: Duration) -> Result<u32> {
    channel.send("cmd=init pmi_version=1 pmi_subversion=1\n")?;
    let reply = expect(channel, "response_to_init", limit)?;
    match (reply.number("rc").unwrap_or(0), reply.number("pmi_version").unwrap_or(1)) {
        (_, 2) => pmi2::hello(channel, limit).map(|()| 2),
        (0, version) => Ok(version),
        (rc, version) => Err(err!(Other, "the launcher speaks PMI version {version} only (rc={rc})")),
    }
}

fn dial(address: &str, limit: Duration) -> Result<TcpStream> {
    let failed = |e: std::io::Error| err!(Other, "cannot connect to {address}: {e}");
    let mut last = err!(Other, "{address} has no address");
    for target in address.to_socket_addrs().map_err(failed)? {
        match TcpStream::connect_timeout(&target, limit) {
            Ok(stream) => return Ok(stream),
            Err(e) => last = failed(e),
        }
    }
    Err(last)
}

/// The handshake of `PMI_PORT`: size, rank and a debug flag come unasked, one `set` line each.
fn introduce(channel: &mut Channel, id: i32, limit: Duration) -> Result<(u32, u32)> {
    channel.send(&format!("cmd=initack pmiid={id}\n"))?;
    expect(channel, "initack", limit)?;
    let (mut rank, mut size) = (None, None);
    for _ in 0..3 {
        let set = expect(channel, "set", limit)?;
        rank = rank.or(set.number("rank"));
        size = size.or(set.number("size"));
    }
    rank.zip(size).ok_or_else(|| err!(Other, "the launcher did not tell rank and size"))
}

impl Server for Client {
    fn rank(&self) -> u32 {
        self.rank
    }

    fn size(&self) -> u32 {
        self.size
    }

    fn application(&self) -> u32 {
        self.application
    }

    fn put(&mut self, key: &str, value: &str) -> Result<()> {
        let value = escape(value);
        if value.len() >= self.longest {
            return Err(err!(Other, "a value of {} bytes for {key}; the launcher takes {}", value.len(), self.longest));
        }
        let command = format!("cmd=put kvsname={} key={}-{key} value={value}", self.store, self.rank);
        self.ask(&command, "put_result", server_limit()).map(drop)
    }

    fn fence(&mut self) -> Result<()> {
        self.ask("cmd=barrier_in", "barrier_out", peers_limit()).map(drop)
    }

    fn get(&mut self, rank: u32, key: &str) -> Result<String> {
        let command = format!("cmd=get kvsname={} key={rank}-{key}", self.store);
        let reply = self.ask(&command, "get_result", server_limit())?;
        Ok(unescape(reply.get("value").unwrap_or_default()))
    }

    fn finalize(&mut self) -> Result<()> {
        self.ask("cmd=finalize", "finalize_ack", server_limit()).map(drop)
    }

    fn abort(&mut self, code: i32, _text: &str) {
        // Nothing to do if it fails: a launcher that is gone cannot end the job, and init::abort exits anyway.
        let _ = self.channel.send(&format!("cmd=abort exitcode={code}\n"));
    }

    fn name(&self) -> &'static str {
        "pmi1"
    }
}

/// How long the launcher may take to answer.
pub(super) fn server_limit() -> Duration {
    super::seconds(&knob::SERVER_LIMIT)
}

/// How long the other processes may take to come to a fence.
pub(super) fn peers_limit() -> Duration {
    super::seconds(&knob::PEERS_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixStream;
    use std::thread::{self, JoinHandle};

    const SECOND: Duration = Duration::from_secs(1);

    /// A server that answers each line it gets with the next of `answers`, and returns the lines.
    fn serve(stream: impl std::io::Read + Write + Send + 'static, answers: &'static [&'static str]) -> JoinHandle<Vec<String>> {
        thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            let mut heard = Vec::new();
            for answer in answers {
                let mut line = String::new();
                stream.read_line(&mut line).unwrap();
                heard.push(line.trim_end().to_owned());
                stream.get_mut().write_all(answer.as_bytes()).unwrap();
            }
            heard
        })
    }

    fn promise(fd: RawFd) -> Promise {
        Promise::PmiFd { fd, version: 1, rank: Some(2), size: Some(4), job: "job".into() }
    }

    #[test]
    fn speaks_over_a_descriptor() {
        let (mine, theirs) = UnixStream::pair().unwrap();
        let server = serve(
            theirs,
            &[
                "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n",
                "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=40\n",
                "cmd=my_kvsname kvsname=kvs_7\n",
                "cmd=appnum rc=0 appnum=1\n",
                "cmd=put_result rc=0 msg=success\n",
                "cmd=barrier_out\n",
                "cmd=get_result rc=0 msg=success value=a%20b\n",
                "cmd=get_result rc=-1 msg=key_not_found value=unknown\n",
                "cmd=finalize_ack\n",
            ],
        );
        let mut client = Client::from_fd(&promise(mine.as_raw_fd()), SECOND).unwrap();
        assert_eq!((client.rank(), client.size(), client.application(), client.name()), (2, 4, 1, "pmi1"));
        client.put("where", "a b").unwrap();
        assert!(client.put("where", &"x".repeat(40)).unwrap_err().text().contains("takes 40"));
        client.fence().unwrap();
        assert_eq!(client.get(3, "where").unwrap(), "a b");
        assert!(client.get(3, "nothing").unwrap_err().text().contains("key_not_found"));
        client.finalize().unwrap();
        let heard = server.join().unwrap();
        assert_eq!(heard[4], "cmd=put kvsname=kvs_7 key=2-where value=a%20b");
        assert_eq!(heard[6], "cmd=get kvsname=kvs_7 key=3-where");
    }

    #[test]
    fn learns_its_rank_from_a_port() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = thread::spawn(move || {
            let answers = &[
                "cmd=initack\ncmd=set size=4\ncmd=set rank=1\ncmd=set debug=0\n",
                "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n",
                "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024\n",
                "cmd=my_kvsname kvsname=k\n",
                "cmd=appnum rc=0 appnum=0\n",
            ];
            serve(listener.accept().unwrap().0, answers).join().unwrap()
        });
        let client = Client::from_port(&address, 9, SECOND).unwrap();
        assert_eq!((client.rank(), client.size()), (1, 4));
        assert_eq!(server.join().unwrap()[0], "cmd=initack pmiid=9");
    }

    #[test]
    fn follows_a_server_that_speaks_version_2_only() {
        let (mine, theirs) = UnixStream::pair().unwrap();
        let server = thread::spawn(move || {
            let refuse = "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=-1\n";
            let accept = "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0\n";
            let full = "cmd=fullinit-response;rc=0;rank=2;size=4;appnum=0;";
            let job = "cmd=job-getid-response;jobid=j1;rc=0;";
            let mut stream = BufReader::new(theirs);
            let mut line = String::new();
            for answer in [refuse, accept] {
                stream.read_line(&mut line).unwrap();
                stream.get_mut().write_all(answer.as_bytes()).unwrap();
            }
            for answer in [full, job] {
                write!(stream.get_mut(), "{:>6}{answer}", answer.len()).unwrap();
            }
            stream.read_line(&mut line).unwrap();
        });
        let client = Client::from_fd(&promise(mine.as_raw_fd()), SECOND).unwrap();
        assert_eq!((client.rank(), client.size(), client.name()), (2, 4, "pmi2"));
        drop(client);
        drop(mine);
        server.join().unwrap();
    }

    #[test]
    fn a_dead_a_silent_and_a_foreign_descriptor_are_errors() {
        let limit = Duration::from_millis(50);
        let text = |fd| Client::from_fd(&promise(fd), limit).err().unwrap().text().to_owned();
        assert!(text(-1).contains("not an open socket"));
        let file = std::fs::File::open("/dev/null").unwrap();
        assert!(text(file.as_raw_fd()).contains("not an open socket"));
        let (mine, theirs) = UnixStream::pair().unwrap();
        assert!(text(mine.as_raw_fd()).contains("in time"));
        drop(theirs);
        assert!(text(mine.as_raw_fd()).contains("failed") || text(mine.as_raw_fd()).contains("closed"));
    }
}
