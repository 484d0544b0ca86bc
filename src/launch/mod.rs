// SPDX-License-Identifier: MIT OR Apache-2.0
//! Our own mpiexec: one machine, PMI-1 to the ranks.
//!
//! | file | what |
//! |---|---|
//! | [`command`] | the command line: options, programs parted by `:` |
//! | [`option`] | the table of options, those of other launchers included |
//! | [`face`] | which MPI library a program wants, and how it is led to ours |
//! | [`environment`] | the variables that a rank gets |
//! | [`prepare`] | from the command line to started ranks |
//! | [`spawn`] | starting a rank: process group, its end when the launcher dies, its sockets |
//! | [`pty`] | a terminal for a rank's standard output |
//! | [`keeper`] | ends the ranks when the launcher is killed |
//! | [`pmi`] | the server's side of PMI-1, as a state machine without input or output |
//! | [`rank`] | a started rank: its process, its socket, its output |
//! | [`stdin`] | what is typed, passed to rank 0 |
//! | [`output`] | whole lines from many ranks to one place |
//! | [`verdict`] | what the end of a rank means for the job |
//! | [`run`] | the loop |
//! | [`ending`] | asking ranks to end, then making them |
//! | [`os`] | poll, signalfd, pipes |

pub mod command;
mod ending;
mod environment;
pub mod face;
mod keeper;
mod option;
mod os;
mod output;
mod pmi;
mod prepare;
mod pty;
mod rank;
mod run;
mod spawn;
mod stdin;
mod verdict;

use command::Asked;
use std::ffi::OsString;

/// Runs the command line; returns the exit status.
pub fn main(words: Vec<OsString>) -> i32 {
    match command::parse(words) {
        Ok(Asked::Help) => print(option::HELP),
        Ok(Asked::Version) => print(&format!("mpiexec (Paceline) {}\n", env!("CARGO_PKG_VERSION"))),
        Ok(Asked::Run(job)) => run::run(&job).unwrap_or_else(complain),
        Err(text) => complain(text),
    }
}

fn print(text: &str) -> i32 {
    print!("{text}");
    0
}

fn complain(text: String) -> i32 {
    eprintln!("mpiexec: {text}");
    1
}
