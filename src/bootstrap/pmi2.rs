// SPDX-License-Identifier: MIT OR Apache-2.0
//! Client of PMI-2, for servers that speak only that (or `PMI_VERSION=2`). Protocol: MPICH's "PMI-2.0".

use super::Server;
use super::pmi1::{inherited, peers_limit, server_limit};
use super::promise::Promise;
use super::wire::{Channel, Message, escape, unescape};
use crate::err;
use crate::object::error::Result;
use std::time::Duration;

/// A connection to a PMI-2 server.
pub struct Client {
    channel: Channel,
    rank: u32,
    size: u32,
    application: u32,
    job: String,
}

/// Asks for version 2; this one exchange is in PMI-1's form.
pub(super) fn hello(channel: &mut Channel, limit: Duration) -> Result<()> {
    channel.send("cmd=init pmi_version=2 pmi_subversion=0\n")?;
    let line = channel.line(limit)?;
    let reply = Message::from_line(&line);
    match (reply.command.as_str(), reply.number("rc").unwrap_or(0)) {
        ("response_to_init", 0) => Ok(()),
        _ => Err(err!(Other, "the launcher answered '{line}' to a greeting in PMI version 2")),
    }
}

impl Client {
    /// Speaks over an inherited socket.
    pub fn from_fd(promise: &Promise, limit: Duration) -> Result<Client> {
        let Promise::PmiFd { fd, rank, job, .. } = promise else { unreachable!("only PMI_FD has a descriptor") };
        let mut channel = Channel::new(inherited(*fd)?);
        hello(&mut channel, limit)?;
        Client::after_hello(channel, *rank, job, limit)
    }

    /// Goes on after the greeting: learns rank, size and the job's name. `rank` and `job` are what the environment says.
    pub(super) fn after_hello(channel: Channel, rank: Option<u32>, job: &str, limit: Duration) -> Result<Client> {
        let mut client = Client { channel, rank: 0, size: 0, application: 0, job: String::new() };
        let rank = rank.map(|r| r.to_string()).unwrap_or_default();
        let reply = client.ask("fullinit", &[("pmijobid", job), ("pmirank", &rank), ("threaded", "FALSE")], limit)?;
        let told = reply.number("rank").zip(reply.number("size"));
        (client.rank, client.size) = told.ok_or_else(|| err!(Other, "the launcher did not tell rank and size"))?;
        client.application = reply.number("appnum").unwrap_or(0);
        client.job = client.ask("job-getid", &[], limit)?.get("jobid").unwrap_or_default().into();
        Ok(client)
    }

    fn ask(&mut self, command: &str, pairs: &[(&str, &str)], limit: Duration) -> Result<Message> {
        self.channel.send(&framed(command, pairs))?;
        let reply = Message::from_body(&self.channel.body(limit)?);
        let rc = reply.number::<i32>("rc").unwrap_or(0);
        match rc == 0 && reply.command.strip_suffix("-response") == Some(command) {
            true => Ok(reply),
            false => Err(err!(
                Other,
                "the launcher answered {} (rc={rc} {}) to {command}",
                reply.command,
                reply.get("errmsg").unwrap_or_default()
            )),
        }
    }
}

/// A command as the wire wants it: six characters of length, then the pairs.
fn framed(command: &str, pairs: &[(&str, &str)]) -> String {
    let mut body = format!("cmd={command};");
    for (key, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
        body.push_str(&format!("{key}={value};"));
    }
    format!("{:>6}{body}", body.len())
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
        let (key, value) = (format!("{}-{key}", self.rank), escape(value));
        self.ask("kvs-put", &[("key", &key), ("value", &value)], server_limit()).map(drop)
    }

    fn fence(&mut self) -> Result<()> {
        self.ask("kvs-fence", &[], peers_limit()).map(drop)
    }

    fn get(&mut self, rank: u32, key: &str) -> Result<String> {
        let (job, source, name) = (self.job.clone(), rank.to_string(), format!("{rank}-{key}"));
        let reply = self.ask("kvs-get", &[("jobid", &job), ("srcid", &source), ("key", &name)], server_limit())?;
        match reply.get("value") {
            Some(value) if reply.get("found") != Some("FALSE") => Ok(unescape(value)),
            _ => Err(err!(Other, "rank {rank} published no {key}")),
        }
    }

    fn finalize(&mut self) -> Result<()> {
        self.ask("finalize", &[], server_limit()).map(drop)
    }

    fn abort(&mut self, code: i32, text: &str) {
        let text = escape(text);
        let code = code.to_string();
        // Nothing to do if it fails: see pmi1.
        let _ = self.channel.send(&framed("abort", &[("isworld", "TRUE"), ("msg", &text), ("exitcode", &code)]));
    }

    fn name(&self) -> &'static str {
        "pmi2"
    }
}
