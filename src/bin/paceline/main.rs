// SPDX-License-Identifier: MIT OR Apache-2.0
//! `paceline info` says what this installation is and which knobs it has; `paceline doctor` looks at the machine.

mod doctor;
mod info;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Tells about this installation of Paceline and the machine it is on.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The version, the libraries, and every knob with its value.
    Info {
        /// The knobs as a table for a document, with their defaults.
        #[arg(long)]
        markdown: bool,
        /// Instead of the knobs: which of MPI's functions work, chapter by chapter, as a table for a document.
        #[arg(long)]
        functions: bool,
    },
    /// Tries what Paceline needs on this machine, and says what to do where something fails.
    Doctor {
        /// Reads one word of another process (the doctor's own use).
        #[arg(long, hide = true, num_args = 2, value_names = ["PID", "ADDRESS"])]
        peek: Option<Vec<u64>>,
    },
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Info { functions: true, .. } => print!("{}", info::functions()),
        Command::Info { markdown: true, .. } => print!("{}", info::markdown()),
        Command::Info { .. } => print!("{}", info::text()),
        Command::Doctor { peek: None } => return doctor::examine(),
        Command::Doctor { peek: Some(words) } => return doctor::peek(words[0] as i32, words[1] as usize),
    }
    ExitCode::SUCCESS
}

/// The prefix this program is installed in, and the library of the Open MPI face in it.
fn prefix_and_library() -> (PathBuf, PathBuf) {
    let program = std::env::current_exe().and_then(|path| path.canonicalize()).unwrap_or_default();
    let prefix = program.ancestors().nth(2).unwrap_or(&program).to_owned();
    let library = prefix.join("lib/libmpi.so.40");
    (prefix, library)
}
