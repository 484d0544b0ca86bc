// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs one case and judges it: status, output, the peer's output where asked, and that nothing is left behind.

use crate::compile::Face;
use crate::launcher::Launcher;
use crate::process::{self, Ended};
use crate::suite::{Case, Exit, Kind};
use crate::{compile, launcher};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Where things are.
pub struct Places {
    /// The repository.
    pub root: PathBuf,
    /// The staged prefix.
    pub stage: PathBuf,
    /// The face that programs are compiled for.
    pub face: Face,
    /// Where binaries and outputs go.
    pub work: PathBuf,
    /// What the peer printed: it runs once for all the launchers that are compared with it.
    pub peer: RefCell<HashMap<String, String>>,
}

/// The judgement.
pub enum Verdict {
    /// All is as it should be.
    Passed(Duration),
    /// What is wrong, and the end of the output.
    Failed(String),
    /// Not run, and why.
    Skipped(String),
    /// A suite of another runner, which counted its tests itself, and what it says of those that failed.
    Counted(Tests, String),
}

/// Numbers of tests.
#[derive(Clone, Copy, Default)]
pub struct Tests {
    /// They did what they should.
    pub passed: u32,
    /// They did not.
    pub failed: u32,
    /// They were not run.
    pub skipped: u32,
}

/// The file in which a script that runs many tests says "passed failed skipped".
const COUNTS: &str = "counts";

/// Exit status by which a script says that it cannot run here.
const SKIP: i32 = 77;

/// Runs `case` of a suite of `kind` whose files are in `folder`.
pub fn run(places: &Places, kind: Kind, folder: &Path, case: &Case) -> Verdict {
    if let Some(reason) = skip_reason(places, case) {
        return Verdict::Skipped(reason);
    }
    match judge(places, kind, folder, case) {
        Ok(verdict) => verdict,
        Err(reason) => Verdict::Failed(reason),
    }
}

fn skip_reason(places: &Places, case: &Case) -> Option<String> {
    if let Some(obstacle) = case.on.obstacle(places.face) {
        return Some(obstacle.into());
    }
    if case.row.faces.as_ref().is_some_and(|faces| !faces.contains(&places.face)) {
        return Some("this face's header does not have its calls".into());
    }
    let missing = case.row.needs.iter().flatten().find(|path| !path.exists());
    let on_face = || case.row.skip_on.as_ref().and_then(|faces| faces.get(&places.face)).cloned();
    case.row.skip.clone().or_else(on_face).or_else(|| missing.map(|path| format!("{} is not installed", path.display())))
}

fn judge(places: &Places, kind: Kind, folder: &Path, case: &Case) -> Result<Verdict, String> {
    let program = find(places, places.face, kind, folder, case)?;
    let before = leftovers();
    let ended = start(places, places.face, kind, case, case.on, &program)?;
    if kind == Kind::Script && ended.status == Some(SKIP) {
        return Ok(Verdict::Skipped(ended.out.lines().last().unwrap_or("the script says so").to_owned()));
    }
    if let Some(tests) = counts(places, case) {
        let said = if tests.failed > 0 { keep(places, case, &ended) } else { String::new() };
        return Ok(Verdict::Counted(tests, said));
    }
    let mut wrong = complaint(case, &ended);
    if wrong.is_none() && case.on != Launcher::Peer {
        wrong = leftovers().difference(&before).next().map(|name| format!("left {name} behind"));
    }
    let compared = case.on != Launcher::Peer && Launcher::Peer.obstacle(places.face.of_peer()).is_none();
    if wrong.is_none() && case.row.same_output == Some(true) && compared {
        wrong = difference(&ended.out, &peer_output(places, kind, folder, case)?);
    }
    Ok(match wrong {
        None => Verdict::Passed(ended.took),
        Some(what) => Verdict::Failed(format!("{what}\n{}", keep(places, case, &ended))),
    })
}

/// Puts all that the failed case wrote away, and shows it: output, error output, and the files with its results.
fn keep(places: &Places, case: &Case, ended: &Ended) -> String {
    let kept = places.work.join("failed").join(format!("{} {}", places.face.name(), case.title()).replace([' ', '/'], "_"));
    let _ = fs::remove_dir_all(&kept);
    let moved = fs::create_dir_all(places.work.join("failed")).and_then(|()| fs::rename(run_folder(places, case), &kept));
    let place = match moved {
        Ok(()) => format!("    all it wrote is in {}", kept.display()),
        Err(error) => format!("    what it wrote is lost: {error}"),
    };
    let file = |path: &PathBuf| fs::read(kept.join("here").join(path)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let results = case.row.results.iter().flatten().map(|path| match file(path) {
        Ok(text) => shown(&path.display().to_string(), &text),
        Err(error) => format!("    no {}: {error}", path.display()),
    });
    let outputs = [shown("output", &ended.out), shown("error output", &ended.err)];
    let parts = outputs.into_iter().chain(results).chain([place]);
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Lines of a file that are shown at most.
const SHOWN: usize = 120;

/// A text as part of the report, indented, its beginning left out when it is long.
fn shown(name: &str, text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("    {line}")).collect();
    let left_out = lines.len().saturating_sub(SHOWN);
    let head = match (lines.len(), left_out) {
        (0, _) => return String::new(),
        (count, 0) => format!("  {name}, {count} lines:"),
        (count, _) => format!("  {name}, {count} lines, the last {SHOWN}:"),
    };
    [vec![head], lines[left_out..].to_vec()].concat().join("\n")
}

/// The folder a case runs in; each face has its own, so that two can be tested at a time.
fn run_folder(places: &Places, case: &Case) -> PathBuf {
    places.work.join("run").join(places.face.name()).join(case.row.name.replace([' ', '/'], "_"))
}

fn counts(places: &Places, case: &Case) -> Option<Tests> {
    let text = fs::read_to_string(run_folder(places, case).join("here").join(COUNTS)).ok()?;
    let mut numbers = text.split_whitespace().map(|word| word.parse().ok());
    Some(Tests { passed: numbers.next()??, failed: numbers.next()??, skipped: numbers.next()?? })
}

/// How often a peer may run for its output: Open MPI 4.1.4 now and then hangs, with more ranks than cores in `MPI_Comm_create_group`.
const TRIES: u32 = 5;

/// What the peer prints for this case.
fn peer_output(places: &Places, kind: Kind, folder: &Path, case: &Case) -> Result<String, String> {
    let face = places.face.of_peer();
    let program = find(places, face, kind, folder, case)?;
    let key = format!("{} {:?} {}", program.display(), case.row.args, case.ranks);
    if let Some(known) = places.peer.borrow().get(&key) {
        return Ok(known.clone());
    }
    for _ in 0..TRIES {
        let ended = start(places, face, kind, case, Launcher::Peer, &program)?;
        if ended.status.is_some() {
            places.peer.borrow_mut().insert(key, ended.out.clone());
            return Ok(ended.out);
        }
    }
    Err(format!("the peer ran past the limit of {} s in each of {TRIES} runs", case.row.limit()))
}

/// The file that the case runs, compiled when it is a source.
fn find(places: &Places, face: Face, kind: Kind, folder: &Path, case: &Case) -> Result<PathBuf, String> {
    let file = places.root.join(folder).join(case.row.file());
    let found = match kind {
        Kind::C | Kind::Fortran => {
            let flags = case.row.flags.clone().unwrap_or_default();
            let bin = places.work.join(format!("bin/{face:?}")).join(folder).join(flags.concat());
            compile::program_with(&places.stage, face, &file.with_extension(kind.ending().unwrap_or_default()), &bin, &flags)?
        }
        Kind::Binary => file,
        Kind::Script => file.with_extension("sh"),
    };
    if found.exists() { Ok(found) } else { Err(format!("{} does not exist", found.display())) }
}

fn start(places: &Places, face: Face, kind: Kind, case: &Case, on: Launcher, program: &Path) -> Result<Ended, String> {
    let folder = run_folder(places, case);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("here")).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut command = match kind {
        Kind::Script => script(places, case, on, program),
        Kind::Fortran => on.command_with(face, &places.stage, case.ranks, program, &launcher::FORTRAN),
        Kind::C | Kind::Binary => on.command(face, &places.stage, case.ranks, program),
    };
    let variables = case.row.env.iter().flatten().chain(&case.with);
    command.args(case.row.args.iter().flatten()).envs(variables.map(|(name, value)| (name, expand(places, value))));
    command.current_dir(folder.join("here"));
    let limit = Duration::from_secs(case.row.limit());
    let input = case.row.input.as_deref().unwrap_or("");
    process::run(command, input, limit, &folder).map_err(|error| format!("cannot start {}: {error}", program.display()))
}

/// `$STAGE` in an environment variable's value is the staged prefix, `$ROOT` the repository.
fn expand(places: &Places, value: &str) -> String {
    let text = |path: &Path| path.display().to_string();
    value.replace("$STAGE", &text(&places.stage)).replace("$ROOT", &text(&places.root))
}

/// A script starts the ranks itself: `$MPIRUN -n $NP program`.
fn script(places: &Places, case: &Case, on: Launcher, script: &Path) -> Command {
    let mut command = Command::new("bash");
    command.arg(script);
    on.prepare(&places.stage, &mut command);
    let libraries: &[&str] = if case.row.fortran == Some(true) { &launcher::FORTRAN } else { &launcher::C };
    command.env("MPIRUN", on.words(places.face, &places.stage, libraries).join(" ")).env("NP", case.ranks.to_string());
    command.env("TARGET", places.root.join("target")).env("STAGE", &places.stage);
    command.env("FACE", places.face.name()).env("ROOT", &places.root);
    command.env("LIBRARY", launcher::library(&places.stage));
    command
}

/// What is wrong with how it ended, if anything.
fn complaint(case: &Case, ended: &Ended) -> Option<String> {
    let right = case.row.exit.clone().unwrap_or(Exit::Code(0));
    let Some(status) = ended.status else {
        return Some(format!("ran past its limit of {} s", ended.took.as_secs()));
    };
    if !right.allows(status) {
        return Some(format!("exit status {status}"));
    }
    let silent = |text: &&String| !ended.out.contains(*text) && !ended.err.contains(*text);
    if let Some(text) = case.row.says.iter().flatten().find(silent) {
        return Some(format!("does not say {text:?}"));
    }
    if let Some(texts) = case.row.says_one.as_ref().filter(|texts| !texts.is_empty() && texts.iter().all(|text| silent(&text))) {
        return Some(format!("says none of {texts:?}"));
    }
    let said = |text: &&String| !silent(text);
    if let Some(text) = case.row.never.iter().flatten().find(said) {
        return Some(format!("says {text:?}"));
    }
    (ended.left > 0).then(|| format!("left {} processes behind", ended.left))
}

fn difference(ours: &str, peer: &str) -> Option<String> {
    if ours == peer {
        return None;
    }
    let at = ours.lines().zip(peer.lines()).position(|(a, b)| a != b).unwrap_or(ours.lines().count().min(peer.lines().count()));
    let line = |text: &str| text.lines().nth(at).unwrap_or("(nothing)").to_owned();
    Some(format!("line {} is not the peer's:\n  ours: {}\n  peer: {}", at + 1, line(ours), line(peer)))
}

/// Segments of the peers, which run beside the cases.
const OF_PEERS: [&str; 5] = ["vader_segment", "open_mpi.", "sm_segment.", "mpich_sh", "sem.mp-"];

/// What a job might leave: names in `/dev/shm` (but for the peers' own segments) and names of ours in `/tmp`.
fn leftovers() -> BTreeSet<String> {
    let names = |folder: &'static str| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(move |entry| format!("{folder}/{}", entry.file_name().to_string_lossy()))
    };
    let shared = names("/dev/shm").filter(|name| !OF_PEERS.iter().any(|peer| name.contains(peer)));
    shared.chain(names("/tmp").filter(|name| name.contains("paceline"))).collect()
}
