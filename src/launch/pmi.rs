// SPDX-License-Identifier: MIT OR Apache-2.0
//! The server's side of PMI-1 ("PMI-1.1" of MPICH): lines in, replies out; no descriptor, no process.

use crate::bootstrap::wire::Message;
use std::collections::HashMap;

/// How far a rank has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Has not spoken: no MPI program, or not yet.
    Silent,
    /// Between init and finalize.
    Inside,
    /// Has said good-bye.
    Done,
}

/// What is to be done about a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Reply {
    /// Nothing.
    Nothing,
    /// Send this to the rank that asked.
    One(String),
    /// Send this to every rank.
    All(String),
    /// The rank wants the job ended with this code.
    Abort(i32),
}

/// The job's key-value store and barrier.
pub struct Store {
    states: Vec<State>,
    waiting: Vec<bool>,
    apps: Vec<usize>,
    values: HashMap<String, String>,
}

const NAME: &str = "kvs_0";

impl Store {
    /// A store for ranks whose programs' numbers are `apps`.
    pub fn new(apps: Vec<usize>) -> Store {
        let size = apps.len();
        let everybody_here = ("PMI_process_mapping".to_owned(), format!("(vector,(0,1,{size}))"));
        Store { states: vec![State::Silent; size], waiting: vec![false; size], apps, values: HashMap::from([everybody_here]) }
    }

    /// How far `rank` has come.
    pub fn state(&self, rank: usize) -> State {
        self.states[rank]
    }

    /// Whether any rank waits for the others.
    pub fn anyone_waits(&self) -> bool {
        self.waiting.contains(&true)
    }

    /// Takes a line of `rank`.
    pub fn line(&mut self, rank: usize, line: &str) -> Reply {
        let message = Message::from_line(line);
        let size = self.apps.len();
        match message.command.as_str() {
            "init" => self.init(rank, &message),
            "get_maxes" => one("cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=4096"),
            "get_my_kvsname" => one(&format!("cmd=my_kvsname rc=0 kvsname={NAME}")),
            "get_universe_size" => one(&format!("cmd=universe_size rc=0 size={size}")),
            "get_appnum" => one(&format!("cmd=appnum rc=0 appnum={}", self.apps[rank])),
            "put" => self.put(&message),
            "get" => self.get(&message),
            "barrier_in" => self.barrier(rank),
            "finalize" => self.finalize(rank),
            "abort" => Reply::Abort(message.number("exitcode").unwrap_or(1)),
            "" if line.trim() == "endcmd" => one("cmd=spawn_result rc=-1 msg=this_launcher_starts_no_further_ranks"),
            "" | "spawn" => Reply::Nothing,
            other => one(&format!("cmd={other}_result rc=-1 msg=unknown_command")),
        }
    }

    fn init(&mut self, rank: usize, message: &Message) -> Reply {
        if message.number::<u32>("pmi_version") != Some(1) {
            return one("cmd=response_to_init rc=-1 pmi_version=1 pmi_subversion=1");
        }
        self.states[rank] = State::Inside;
        one("cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1")
    }

    fn put(&mut self, message: &Message) -> Reply {
        match message.get("key").zip(message.get("value")) {
            Some((key, value)) => {
                self.values.insert(key.into(), value.into());
                one("cmd=put_result rc=0 msg=success")
            }
            None => one("cmd=put_result rc=-1 msg=no_key_or_no_value"),
        }
    }

    fn get(&self, message: &Message) -> Reply {
        match message.get("key").and_then(|key| self.values.get(key)) {
            Some(value) => one(&format!("cmd=get_result rc=0 msg=success value={value}")),
            None => one("cmd=get_result rc=-1 msg=key_not_found value=unknown"),
        }
    }

    fn barrier(&mut self, rank: usize) -> Reply {
        self.waiting[rank] = true;
        if self.waiting.contains(&false) {
            return Reply::Nothing;
        }
        self.waiting.fill(false);
        Reply::All("cmd=barrier_out rc=0\n".into())
    }

    fn finalize(&mut self, rank: usize) -> Reply {
        self.states[rank] = State::Done;
        one("cmd=finalize_ack rc=0")
    }
}

fn one(text: &str) -> Reply {
    Reply::One(format!("{text}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(reply: Reply) -> String {
        match reply {
            Reply::One(text) | Reply::All(text) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn init_put_barrier_get_finalize() {
        let mut store = Store::new(vec![0, 1]);
        assert_eq!(store.state(0), State::Silent);
        assert!(text(store.line(0, "cmd=init pmi_version=1 pmi_subversion=1")).contains("rc=0"));
        assert_eq!(store.state(0), State::Inside);
        assert!(text(store.line(0, "cmd=put kvsname=kvs_0 key=a value=x=y")).contains("rc=0"));
        assert_eq!(store.line(0, "cmd=barrier_in"), Reply::Nothing);
        assert!(store.anyone_waits());
        assert_eq!(store.line(1, "cmd=barrier_in"), Reply::All("cmd=barrier_out rc=0\n".into()));
        assert!(!store.anyone_waits());
        assert!(text(store.line(1, "cmd=get kvsname=kvs_0 key=a")).ends_with("value=x=y\n"));
        assert!(text(store.line(1, "cmd=get kvsname=kvs_0 key=b")).contains("rc=-1"));
        assert!(text(store.line(1, "cmd=get_appnum")).contains("appnum=1"));
        assert!(text(store.line(1, "cmd=get kvsname=kvs_0 key=PMI_process_mapping")).contains("(0,1,2)"));
        assert!(text(store.line(0, "cmd=finalize")).contains("finalize_ack"));
        assert_eq!(store.state(0), State::Done);
    }

    #[test]
    fn what_is_not_served_is_refused() {
        let mut store = Store::new(vec![0]);
        assert!(text(store.line(0, "cmd=init pmi_version=2 pmi_subversion=0")).contains("rc=-1"));
        assert!(text(store.line(0, "cmd=publish_name service=s port=p")).contains("rc=-1"));
        assert_eq!(store.line(0, "mcmd=spawn"), Reply::Nothing);
        assert_eq!(store.line(0, "nprocs=2"), Reply::Nothing);
        assert!(text(store.line(0, "endcmd")).contains("spawn_result rc=-1"));
        assert_eq!(store.line(0, "cmd=abort exitcode=7"), Reply::Abort(7));
    }
}
