// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who am I, who are the others, and three verbs to find them: put, get, fence; and abort.
//!
//! | file | what |
//! |---|---|
//! | [`promise`] | which servers the environment promises, in the order they are tried |
//! | [`wire`] | the text lines of PMI-1 and PMI-2, and a socket that carries them |
//! | [`pmi1`] | client of MPICH's Hydra, Slurm's pmi2 plug-in, and our own mpiexec |
//! | [`pmi2`] | client of servers that speak only version 2 |
//! | [`pmix`] | client of Open MPI's mpirun, PRRTE and Slurm's pmix plug-in, by their `libpmix.so.2` |
//! | [`singleton`] | a process started alone |

pub mod pmi1;
pub mod pmi2;
pub mod pmix;
pub mod promise;
pub mod singleton;
pub mod wire;

use crate::err;
use crate::object::error::Result;
use crate::{knob, trace};
use promise::Promise;
use std::time::Duration;

/// What a launcher tells a process, and the key-value store it offers.
pub trait Server: Send {
    /// My number in the job.
    fn rank(&self) -> u32;
    /// How many processes the job has.
    fn size(&self) -> u32;
    /// Which program of an MPMD job this process runs, counted from 0 (`MPI_APPNUM`).
    fn application(&self) -> u32 {
        0
    }
    /// Publishes a value (seen by others after a fence).
    fn put(&mut self, key: &str, value: &str) -> Result<()>;
    /// Waits until all processes of the job have come here.
    fn fence(&mut self) -> Result<()>;
    /// A value that `rank` published before the last fence.
    fn get(&mut self, rank: u32, key: &str) -> Result<String>;
    /// Tells the launcher that this process ends in order.
    fn finalize(&mut self) -> Result<()>;
    /// Asks the launcher to end the whole job with this exit code; returns if the launcher could only be asked.
    fn abort(&mut self, code: i32, text: &str);
    /// A name of the server for the report ("pmi1", "pmix", "singleton").
    fn name(&self) -> &'static str;
}

/// Finds the server this environment promises and connects to it. No promise: a singleton. A promise that nobody
/// answers: one clear error, never a singleton.
pub fn connect() -> Result<Box<dyn Server>> {
    // All ranks have the same tunables: one complains about them.
    knob::hold();
    let server = find();
    knob::speak(server.as_ref().map_or(true, |server| server.rank() == 0));
    server
}

fn find() -> Result<Box<dyn Server>> {
    let env = |name: &str| std::env::var(name).ok();
    match knob::SERVER.text() {
        "auto" => first_answer(&promise::promises(&env)),
        "singleton" => Ok(Box::new(singleton::Singleton::new())),
        chosen => {
            let all = promise::promises(&env);
            let some: Vec<Promise> = all.into_iter().filter(|p| p.protocol() == chosen).collect();
            match some.is_empty() {
                true => Err(err!(Other, "PACELINE_SERVER={chosen}, but the environment names no such server")),
                false => first_answer(&some),
            }
        }
    }
}

/// Tries the promises in turn. The first is the innermost launcher's; the variables of outer ones may be stale.
fn first_answer(promises: &[Promise]) -> Result<Box<dyn Server>> {
    let mut failures = Vec::new();
    for promise in promises {
        match answer(promise) {
            Ok(server) => {
                for failure in &failures {
                    trace::note(format!("start: {failure}; using {} instead", server.name()));
                }
                trace::chose("start", server.name(), 0);
                return Ok(server);
            }
            Err(error) => failures.push(format!("{promise}: {}", error.text())),
        }
    }
    if failures.is_empty() {
        trace::chose("start", "singleton", 0);
        return Ok(Box::new(singleton::Singleton::new()));
    }
    Err(err!(Other, "{}", unanswered(&failures)))
}

/// A knob's seconds: at least one, and not so many that a clock cannot count them.
pub fn seconds(knob: &knob::Knob) -> Duration {
    Duration::from_secs(knob.number().clamp(1, 1 << 30))
}

fn answer(promise: &Promise) -> Result<Box<dyn Server>> {
    let limit = seconds(&knob::SERVER_LIMIT);
    match promise {
        Promise::PmiFd { version: 2, .. } => Ok(Box::new(pmi2::Client::from_fd(promise, limit)?)),
        Promise::PmiFd { .. } => pmi1::Client::from_fd(promise, limit),
        Promise::PmiPort { address, id } => Ok(Box::new(pmi1::Client::from_port(address, *id, limit)?)),
        Promise::Pmix { uri } => Ok(Box::new(pmix::Client::connect(uri, limit)?)),
        Promise::Nobody { advice, .. } => Err(err!(Other, "{advice}")),
    }
}

fn unanswered(failures: &[String]) -> String {
    format!(
        "the environment says that a launcher started this process as one of several, but no launcher answers ({}). \
         Start the program with a launcher whose process-management interface answers (mpiexec, or srun --mpi=pmix or \
         --mpi=pmi2), or set PACELINE_SERVER=singleton to run this process alone",
        failures.join("; ")
    )
}
