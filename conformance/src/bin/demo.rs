// SPDX-License-Identifier: MIT OR Apache-2.0
//! `demo`: the lessons of `examples-c`, compiled once with Open MPI's `mpicc`; the same binaries on Open MPI and on
//! Paceline, side by side.

use conformance::compile::Face;
use conformance::launcher::Launcher;
use conformance::process::{self, Ended};
use conformance::{compile, launcher};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

const RANKS: u32 = 4;
const LIMIT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    match show() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("demo: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Shows all lessons; whether all outputs agree.
fn show() -> Result<bool, String> {
    let root = std::env::current_dir().map_err(|error| error.to_string())?;
    let stage = root.join("stage");
    println!("The lessons in examples-c, compiled with Open MPI's mpicc; the same binaries on {RANKS} ranks of each library:\n");
    println!("  Open MPI   mpirun -n {RANKS} PROGRAM");
    println!("  Paceline   stage/bin/mpiexec -n {RANKS} PROGRAM        ({})\n", needs(&root, &stage)?);
    let mut agree = true;
    for source in sources(&root)? {
        agree &= lesson(&root, &stage, &source)?;
    }
    println!("{}\n", if agree { "All outputs agree." } else { "SOME OUTPUTS DIFFER." });
    Ok(agree)
}

fn sources(root: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(root.join("examples-c")).map_err(|error| error.to_string())?;
    let mut sources: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    sources.retain(|path| path.extension().is_some_and(|e| e == "c"));
    sources.sort();
    Ok(sources)
}

/// What the loader says the binary asks for, and what it gets from us.
fn needs(root: &Path, stage: &Path) -> Result<String, String> {
    let binary = compile::program(&sources(root)?[0], &binaries(root))?;
    let mut command = Command::new("ldd");
    command.arg(binary).env("LD_LIBRARY_PATH", stage.join("lib"));
    let ours = launcher::library(stage);
    let loaded = process::output_of(command)?.contains(&ours.display().to_string());
    Ok(format!("libmpi.so.40 is {}", if loaded { "stage/lib/libmpi.so.40" } else { "NOT the staged one" }))
}

fn binaries(root: &Path) -> PathBuf {
    root.join("target/conformance/bin/examples-c")
}

/// Runs one lesson on both and prints its last line; whether the whole outputs are equal.
fn lesson(root: &Path, stage: &Path, source: &Path) -> Result<bool, String> {
    let program = compile::program(source, &binaries(root))?;
    let run = |on: Launcher| -> Result<Ended, String> {
        let folder = root.join("target/conformance/demo");
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        process::run(on.command(Face::Openmpi, stage, RANKS, &program), "", LIMIT, &folder)
            .map_err(|error| format!("{on}: {error}"))
    };
    let (peer, ours) = (run(Launcher::Peer)?, run(Launcher::Mpiexec)?);
    let same = peer.status == Some(0) && ours.status == Some(0) && peer.out == ours.out;
    println!("{:<20} {}", source.file_stem().unwrap_or_default().to_string_lossy(), if same { "same output" } else { "DIFFERS" });
    describe("Open MPI", &peer);
    describe("Paceline", &ours);
    Ok(same)
}

fn describe(who: &str, ended: &Ended) {
    let last = ended.out.lines().last().unwrap_or("");
    println!("  {who}  {:>6.2} s  {} lines, the last: {last}", ended.took.as_secs_f64(), ended.out.lines().count());
    if ended.status != Some(0) {
        println!("            ended with {:?}: {}", ended.status, ended.err.lines().last().unwrap_or(""));
    }
}
