// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the command line to started ranks.

use super::command::{App, Job};
use super::ending::{Ending, sweep};
use super::environment::{self, Place};
use super::face::{self, Lead};
use super::keeper::Keeper;
use super::rank::{Rank, Stream};
use super::spawn::{self, Child, Input, Start};
use super::{os, stdin};
use crate::os::cpuset::CpuSet;
use std::ffi::OsString;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::Path;

/// Open descriptors of the launcher itself, generously.
const FILES: usize = 64;
/// Two outputs and a socket.
const FILES_PER_RANK: usize = 3;

/// Starts every rank. If one cannot be started, those before it are ended again.
pub fn start_all(job: &Job, keeper: &mut Keeper) -> Result<(Vec<Rank>, Option<stdin::Pump>), String> {
    let leads = job.apps.iter().map(|app| lead(job, app)).collect::<Result<Vec<Lead>, String>>()?;
    let size = job.apps.iter().map(|app| app.count).sum();
    let files = os::allow_files(FILES + FILES_PER_RANK * size)?;
    let stale: Vec<OsString> = std::env::vars_os().map(|(name, _)| name).filter(|name| environment::is_stale(name)).collect();
    let cores = if job.bind { CpuSet::mine().map_or(Vec::new(), |set| set.cpus()) } else { Vec::new() };
    let mut starter = Starter { job, size, stale, cores, files, keeper, ranks: Vec::new(), pump: None };
    for (index, (app, lead)) in job.apps.iter().zip(&leads).enumerate() {
        for _ in 0..app.count {
            if let Err(error) = starter.start(index, app, lead) {
                starter.undo();
                let advice = if error.kind() == io::ErrorKind::PermissionDenied { " (is it a program?)" } else { "" };
                return Err(format!("cannot start {}: {error}{advice}", Path::new(&app.words[0]).display()));
            }
        }
    }
    Ok((starter.ranks, starter.pump))
}

/// A shell's habit: programs of the working directory need their folder's name.
fn hint(name: &Path, app: &App) -> String {
    let here = app.folder.as_deref().unwrap_or(Path::new("."));
    if name.components().count() == 1 && here.join(name).is_file() {
        return format!(" on PATH; did you mean ./{}?", name.display());
    }
    String::new()
}

/// Finds the program and the library that it is to run on.
fn lead(job: &Job, app: &App) -> Result<Lead, String> {
    let name = Path::new(&app.words[0]);
    if let Some(folder) = app.folder.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(format!("cannot start {}: there is no folder {}", name.display(), folder.display()));
    }
    let program = face::locate(name.as_os_str(), app.folder.as_deref());
    let program =
        program.ok_or_else(|| format!("cannot start {}: there is no such program{}", name.display(), hint(name, app)))?;
    let given = job.env.iter().chain(&app.env).rev().find(|(name, _)| name == "LD_LIBRARY_PATH").map(|(_, v)| v.clone());
    let path = given.or_else(|| std::env::var("LD_LIBRARY_PATH").ok()).unwrap_or_default();
    let lead = face::lead(&program, face::own_folder().as_deref(), &path);
    if let Some(note) = &lead.note {
        eprintln!("mpiexec: note: {note}");
    }
    if job.verbose {
        let ranks = if app.count == 1 { "rank" } else { "ranks" };
        eprintln!("mpiexec: {} {ranks} of {}, {}", app.count, program.display(), lead.describe());
    }
    Ok(lead)
}

struct Starter<'a> {
    job: &'a Job,
    size: usize,
    stale: Vec<OsString>,
    cores: Vec<usize>,
    files: Option<libc::rlimit>,
    keeper: &'a mut Keeper,
    ranks: Vec<Rank>,
    pump: Option<stdin::Pump>,
}

impl Starter<'_> {
    fn start(&mut self, index: usize, app: &App, lead: &Lead) -> std::io::Result<()> {
        let place = Place { rank: self.ranks.len(), size: self.size };
        let (ours, theirs) = UnixStream::pair()?;
        let what = Start {
            words: &app.words,
            folder: app.folder.as_deref(),
            env: environment::of_rank(self.job, app, place, theirs.as_raw_fd(), lead, &|name| std::env::var_os(name)),
            stale: &self.stale,
            input: self.input(place),
            core: self.cores.get(place.rank).filter(|_| self.size <= self.cores.len()).map(|&core| CpuSet::of(core)),
            files: self.files,
            socket: &theirs,
        };
        let child = spawn::start(&what)?;
        self.keeper.add(child.pid);
        self.add(child, index, app, ours);
        Ok(())
    }

    fn add(&mut self, child: Child, index: usize, app: &App, socket: UnixStream) {
        let tag = |stream| if self.job.tag { format!("[1,{}]<{stream}>:", self.ranks.len()) } else { String::new() };
        let streams = [Stream::new(child.stdout, tag("stdout")), Stream::new(child.stderr, tag("stderr"))];
        let program = app.words[0].to_string_lossy().into_owned();
        self.pump = child.stdin.map(stdin::Pump::new).or(self.pump.take());
        self.ranks.push(Rank::new(child.pid, index, program, socket, streams));
    }

    fn input(&self, place: Place) -> Input {
        match place.rank {
            0 if self.job.no_stdin => Input::Nothing,
            0 if os::is_terminal(0) => Input::Forwarded,
            0 => Input::Own,
            _ => Input::Nothing,
        }
    }

    fn undo(&self) {
        Ending::begin(self.ranks.iter().map(|rank| rank.pid), libc::SIGKILL);
        sweep();
    }
}
