// SPDX-License-Identifier: MIT OR Apache-2.0
//! `conformance SUITE...`: runs the cases of suites, one line a case, and closes with `N passed, N failed, N skipped`.

use clap::Parser;
use conformance::case::{self, Places, Tests, Verdict};
use conformance::compile::Face;
use conformance::launcher::Launcher;
use conformance::suite::{self, Case, Suite};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Runs suites of MPI programs on Paceline and on its peers.
#[derive(Parser)]
struct Arguments {
    /// Suites: names of files in conformance/suites.
    #[arg(required = true)]
    suites: Vec<String>,
    /// Only these launchers ("openmpi" is the peer itself: it shows that the cases are right).
    #[arg(long, value_delimiter = ',')]
    on: Vec<Launcher>,
    /// Only these numbers of ranks.
    #[arg(long, value_delimiter = ',')]
    np: Vec<u32>,
    /// Only cases of this folder (in suites that have folders).
    #[arg(long, default_value = "")]
    dir: String,
    /// Only cases whose title contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// Leave out what takes long.
    #[arg(long)]
    quick: bool,
    /// Name the cases and run nothing.
    #[arg(long)]
    list: bool,
    /// The library's face that is tested.
    #[arg(long, value_enum, default_value = "openmpi")]
    face: Face,
    /// The staged prefix.
    #[arg(long, default_value = "stage")]
    stage: PathBuf,
    /// Write the counts "passed failed skipped" to this file too.
    #[arg(long)]
    counts: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut counts = Tests::default();
    for name in &arguments.suites {
        if let Err(error) = run_suite(&arguments, name, &mut counts) {
            println!("FAIL {name}: {error}");
            counts.failed += 1;
        }
    }
    if arguments.list {
        return ExitCode::SUCCESS;
    }
    if let Some(path) = &arguments.counts {
        let text = format!("{} {} {}\n", counts.passed, counts.failed, counts.skipped);
        std::fs::write(path, text).expect("the file for the counts can be written");
    }
    println!("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped);
    if counts.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn places(arguments: &Arguments) -> Result<Places, String> {
    let root = std::env::current_dir().map_err(|error| error.to_string())?;
    let (stage, work) = (root.join(&arguments.stage), root.join("target/conformance"));
    Ok(Places { stage, work, root, face: arguments.face, peer: Default::default() })
}

fn run_suite(arguments: &Arguments, name: &str, counts: &mut Tests) -> Result<(), String> {
    let places = places(arguments)?;
    let mut suite = suite::read(&places.root, name, arguments.face)?;
    if let Some(lists) = &suite.testlists
        && let Some(reason) = script(&places, &lists.fetch, &[])?
    {
        report(name, Verdict::Skipped(reason), counts);
        return Ok(());
    }
    suite::complete(&mut suite, &places.root)?;
    let cases = wanted(arguments, &suite);
    if arguments.list {
        cases.iter().for_each(|case| println!("{name}/{}", case.title()));
        return Ok(());
    }
    let unprepared = prepare(&places, &suite, &cases)?;
    for case in &cases {
        let verdict = match &unprepared {
            Some(reason) => Verdict::Skipped(reason.clone()),
            None => case::run(&places, suite.kind, &suite.folder, case),
        };
        report(&format!("{name}/{}", case.title()), verdict, counts);
    }
    Ok(())
}

fn wanted(arguments: &Arguments, suite: &Suite) -> Vec<Case> {
    let mut cases = suite.cases(&arguments.on, &arguments.np);
    let dir = format!("{}/", arguments.dir.trim_end_matches('/'));
    cases.retain(|case| dir == "/" || case.row.name.starts_with(&dir));
    cases.retain(|case| case.title().contains(&arguments.only));
    cases.retain(|case| !arguments.quick || case.row.quick.unwrap_or(true));
    cases
}

/// Runs the suite's script that makes the binaries; gives the reason when it says that it cannot.
fn prepare(places: &Places, suite: &Suite, cases: &[Case]) -> Result<Option<String>, String> {
    let Some(path) = &suite.prepare else { return Ok(None) };
    let mut names: Vec<&str> = cases.iter().filter(|case| case.row.skip.is_none()).map(|case| case.row.file()).collect();
    names.dedup();
    script(places, path, &names)
}

/// Runs a script of a suite for the face; gives the reason when it says that it cannot.
fn script(places: &Places, path: &Path, arguments: &[&str]) -> Result<Option<String>, String> {
    let mut command = Command::new("bash");
    command.arg(places.root.join(path)).args(arguments).env("FACE", places.face.name()).env("STAGE", &places.stage);
    let done = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
    match done.status.code() {
        Some(0) => Ok(None),
        Some(77) => Ok(Some(said.lines().last().unwrap_or("it cannot be prepared here").to_owned())),
        _ => Err(format!("{} failed:\n{said}", path.display())),
    }
}

fn report(title: &str, verdict: Verdict, counts: &mut Tests) {
    match verdict {
        Verdict::Passed(took) => {
            counts.passed += 1;
            println!("ok   {title} ({:.1} s)", took.as_secs_f64());
        }
        Verdict::Failed(reason) => {
            counts.failed += 1;
            println!("FAIL {title}: {reason}");
        }
        Verdict::Skipped(reason) => {
            counts.skipped += 1;
            println!("skip {title}: {reason}");
        }
        Verdict::Counted(tests, said) => {
            counts.passed += tests.passed;
            counts.failed += tests.failed;
            counts.skipped += tests.skipped;
            let word = if tests.failed > 0 { "FAIL" } else { "ok  " };
            println!("{word} {title}: {} passed, {} failed, {} skipped", tests.passed, tests.failed, tests.skipped);
            if !said.is_empty() {
                println!("{said}");
            }
        }
    }
    let _ = std::io::stdout().flush();
}
