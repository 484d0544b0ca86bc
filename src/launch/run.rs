// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loop: one thread that serves the ranks' PMI, passes their lines on, and watches how they end.

use super::command::Job;
use super::ending::{Ending, sweep};
use super::keeper::Keeper;
use super::os::{self, Signals};
use super::output::Sink;
use super::pmi::{Reply, State, Store};
use super::rank::Rank;
use super::verdict::{self, Failure};
use super::{prepare, stdin};
use libc::{POLLIN, POLLOUT};
use std::time::{Duration, Instant};

/// After the last rank is gone, what its own children still write is waited for this long.
const LINGER: Duration = Duration::from_millis(200);
/// What `timeout(1)` answers.
const TIMED_OUT: i32 = 124;
/// What the launcher is told by signals.
const SIGNALS: [i32; 8] =
    [libc::SIGCHLD, libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGUSR1, libc::SIGUSR2, libc::SIGTSTP, libc::SIGCONT];
/// A piece of what a rank writes.
const PIECE: usize = 64 << 10;

/// Runs the job; returns its exit status. The error is a sentence: nothing was started, or all is ended again.
pub fn run(job: &Job) -> Result<i32, String> {
    let signals = Signals::take(&SIGNALS);
    let signals = signals.map_err(|e| format!("cannot take over signals: {e}"))?;
    let mut keeper = Keeper::start().map_err(|e| format!("cannot start a process: {e}"))?;
    os::adopt_orphans();
    let sinks = [Sink::new(1), Sink::new(2)];
    let (ranks, pump) = prepare::start_all(job, &mut keeper)?;
    let store = Store::new(ranks.iter().map(|rank| rank.app).collect());
    let deadline = job.timeout.map(|limit| Instant::now() + limit);
    let mut run = Run { signals, keeper, ranks, store, sinks, pump, deadline, ending: None, failure: None, gone: None };
    run.work();
    Ok(run.close())
}

/// What a descriptor in the poll set is.
#[derive(Clone, Copy)]
enum Token {
    Socket(usize),
    Pipe(usize, usize),
    Sink(usize),
    Pump,
    Signals,
}

struct Run {
    signals: Signals,
    keeper: Keeper,
    ranks: Vec<Rank>,
    store: Store,
    sinks: [Sink; 2],
    pump: Option<stdin::Pump>,
    deadline: Option<Instant>,
    ending: Option<Ending>,
    failure: Option<Failure>,
    gone: Option<Instant>,
}

impl Run {
    fn work(&mut self) {
        let mut set = Vec::new();
        let mut tokens = Vec::new();
        while !self.finished() {
            set.clear();
            tokens.clear();
            self.interests(|fd, events, token| {
                set.push(libc::pollfd { fd, events, revents: 0 });
                tokens.push(token);
            });
            let now = Instant::now();
            let limit = self.next_time().map(|time| time.saturating_duration_since(now));
            os::poll(&mut set, limit);
            for (entry, &token) in set.iter().zip(&tokens).filter(|(entry, _)| entry.revents != 0) {
                self.serve(token, entry.revents);
            }
            self.look_at_the_clock();
        }
    }

    /// Everything to wait for. Signals come last: what a rank said before it died must be heard first.
    fn interests(&self, mut want: impl FnMut(i32, i16, Token)) {
        for (index, rank) in self.ranks.iter().enumerate() {
            if let Some(fd) = rank.socket_fd() {
                want(fd, POLLIN, Token::Socket(index));
            }
            for which in 0..2 {
                if let Some(fd) = rank.streams[which].fd().filter(|_| !self.sinks[which].full()) {
                    want(fd, POLLIN, Token::Pipe(index, which));
                }
            }
        }
        for (which, sink) in self.sinks.iter().enumerate().filter(|(_, sink)| sink.pending()) {
            want(sink.fd(), POLLOUT, Token::Sink(which));
        }
        if let Some((fd, events)) = self.pump.as_ref().and_then(|pump| pump.interest()) {
            want(fd, events, Token::Pump);
        }
        want(self.signals.fd(), POLLIN, Token::Signals);
    }

    fn next_time(&self) -> Option<Instant> {
        let prompts = self.ranks.iter().flat_map(|rank| {
            let shown = rank.streams.iter().zip(&self.sinks).filter(|(_, sink)| sink.terminal);
            shown.filter_map(|(stream, _)| stream.lines.due())
        });
        let ending = self.ending.as_ref().map(Ending::due).filter(|_| self.living() > 0);
        let deadline = self.deadline.filter(|_| self.ending.is_none());
        let linger = self.gone.map(|gone| gone + LINGER);
        prompts.chain(ending).chain(deadline).chain(linger).chain(self.pump.as_ref().and_then(|p| p.due())).min()
    }

    fn serve(&mut self, token: Token, revents: i16) {
        match token {
            Token::Socket(rank) => self.hear(rank),
            Token::Pipe(rank, which) => self.read(rank, which),
            Token::Sink(which) => self.write(which),
            Token::Pump => self.pump = self.pump.take().and_then(|pump| pump.serve(revents)),
            Token::Signals => self.take_signals(),
        }
    }

    fn look_at_the_clock(&mut self) {
        let now = Instant::now();
        for rank in &mut self.ranks {
            for (stream, sink) in rank.streams.iter_mut().zip(&mut self.sinks).filter(|(_, sink)| sink.terminal) {
                if stream.lines.due().is_some_and(|due| due <= now) {
                    stream.lines.flush(sink);
                }
            }
        }
        if self.ending.is_none() && self.deadline.is_some_and(|deadline| deadline <= now) {
            self.say("the time limit is over; ending the job");
            self.fail(Failure { code: TIMED_OUT, text: "time limit".into(), ends_job: true }, libc::SIGTERM);
        }
        let living: Vec<i32> = self.living_pids().collect();
        if let Some(ending) = &mut self.ending {
            ending.step(living.into_iter());
        }
    }

    /// Takes what a rank says by PMI.
    fn hear(&mut self, rank: usize) {
        while let Some(line) = self.ranks[rank].line() {
            match self.store.line(rank, &line) {
                Reply::Nothing => {}
                Reply::One(text) => self.ranks[rank].answer(&text),
                Reply::All(text) => self.ranks.iter_mut().for_each(|other| other.answer(&text)),
                Reply::Abort(code) => self.rank_failed(rank, verdict::abort(code)),
            }
        }
        self.nobody_waits_for_the_dead();
    }

    fn read(&mut self, rank: usize, which: usize) {
        let mut piece = [0u8; PIECE];
        let stream = &mut self.ranks[rank].streams[which];
        if let Some(bytes) = stream.read(&mut piece) {
            stream.lines.push(bytes, &mut self.sinks[which]);
        } else if stream.fd().is_none() {
            stream.lines.flush(&mut self.sinks[which]);
        }
    }

    fn write(&mut self, which: usize) {
        self.sinks[which].write();
        if self.sinks[which].broken() {
            self.ranks.iter_mut().for_each(|rank| rank.streams[which].close());
            // The reader went away: the job ends as a program that writes to nobody does.
            let failure = Failure { code: 128 + libc::SIGPIPE, text: "nobody reads the output".into(), ends_job: true };
            self.fail(failure, libc::SIGTERM);
        }
    }

    fn take_signals(&mut self) {
        while let Some(signal) = self.signals.next() {
            match signal {
                libc::SIGCHLD => self.reap(),
                libc::SIGUSR1 | libc::SIGUSR2 | libc::SIGCONT => self.pass_on(signal),
                libc::SIGTSTP => {
                    // The ranks first: then the launcher stops too, as the terminal's user expects, until it is continued.
                    self.pass_on(signal);
                    os::stop_self();
                }
                _ => self.interrupted(signal),
            }
        }
    }

    fn pass_on(&self, signal: i32) {
        self.living_pids().for_each(|pid| os::signal(-pid, signal));
    }

    fn interrupted(&mut self, signal: i32) {
        let living: Vec<i32> = self.living_pids().collect();
        match &mut self.ending {
            Some(ending) => ending.kill(living.into_iter()),
            None => {
                self.say(&format!("got signal {signal} ({}); ending the job", verdict::signal_name(signal)));
                self.fail(Failure { code: 128 + signal, text: "interrupted".into(), ends_job: true }, signal);
            }
        }
    }

    fn reap(&mut self) {
        while let Some((pid, status)) = os::reap() {
            // Others are orphans of ranks, which we adopted.
            if let Some(rank) = self.ranks.iter().position(|rank| rank.pid == pid && rank.alive) {
                self.hear(rank);
                self.ended(rank, status);
            }
        }
        if self.living() == 0 {
            self.gone.get_or_insert_with(Instant::now);
        }
    }

    fn ended(&mut self, rank: usize, status: i32) {
        self.ranks[rank].alive = false;
        self.keeper.remove(self.ranks[rank].pid);
        match verdict::judge(status, self.store.state(rank)) {
            Some(failure) => self.rank_failed(rank, failure),
            None => self.nobody_waits_for_the_dead(),
        }
    }

    fn last_words(&mut self, rank: usize, which: usize) {
        let mut piece = [0u8; PIECE];
        let stream = &mut self.ranks[rank].streams[which];
        // A pipe holds 16 such pieces at most; what comes later is its children's.
        for _ in 0..16 {
            let Some(bytes) = stream.read(&mut piece) else { break };
            stream.lines.push(bytes, &mut self.sinks[which]);
        }
        stream.lines.flush(&mut self.sinks[which]);
    }

    /// A fence that a rank which ended will never come to would last for ever.
    fn nobody_waits_for_the_dead(&mut self) {
        if self.ending.is_some() || !self.store.anyone_waits() {
            return;
        }
        if let Some(rank) = self.ranks.iter().position(|rank| !rank.alive) {
            let when = if self.store.state(rank) == State::Silent { "before MPI_Init" } else { "after MPI_Finalize" };
            let text = format!("exited {when}, while other ranks wait for it");
            self.rank_failed(rank, Failure { code: 1, text, ends_job: true });
        }
    }

    /// Says and remembers the first failure; later ones are mostly its consequences.
    fn rank_failed(&mut self, rank: usize, failure: Failure) {
        if self.failure.is_some() && (self.ending.is_some() || !failure.ends_job) {
            return;
        }
        // Its last words come before ours about it.
        (0..2).for_each(|which| self.last_words(rank, which));
        let Rank { pid, program, .. } = &self.ranks[rank];
        let rest = if failure.ends_job && self.ranks.len() > 1 { "; ending the other ranks" } else { "" };
        self.say(&format!("rank {rank} ({program}, process {pid}) {}{rest}", failure.text));
        self.fail(failure, libc::SIGTERM);
    }

    fn fail(&mut self, failure: Failure, signal: i32) {
        if failure.ends_job && self.ending.is_none() {
            self.ending = Some(Ending::begin(self.living_pids(), signal));
        }
        self.failure.get_or_insert(failure);
    }

    fn say(&mut self, text: &str) {
        self.sinks[1].push(format!("mpiexec: {text}\n").as_bytes());
    }

    fn living_pids(&self) -> impl Iterator<Item = i32> + '_ {
        self.ranks.iter().filter(|rank| rank.alive).map(|rank| rank.pid)
    }

    fn living(&self) -> usize {
        self.living_pids().count()
    }

    fn finished(&self) -> bool {
        let hopeless = self.ending.as_ref().is_some_and(Ending::hopeless);
        let lingered = self.gone.is_some_and(|gone| gone.elapsed() >= LINGER);
        let silent = || self.ranks.iter().all(|rank| rank.streams.iter().all(|stream| stream.fd().is_none()));
        let heard = self.living() == 0 && (lingered || silent());
        (heard && !self.sinks.iter().any(Sink::pending)) || (hopeless && lingered) || (hopeless && self.living() > 0)
    }

    /// Passes on what is left, ends what was left behind, and tells the exit status.
    fn close(mut self) -> i32 {
        // The time to linger may have passed while this process had no processor: what was written is still in the pipes.
        for rank in 0..self.ranks.len() {
            (0..2).for_each(|which| self.last_words(rank, which));
        }
        let status = self.failure.as_ref().map_or(0, |failure| failure.code);
        if self.ending.is_some() {
            self.living_pids().for_each(|pid| os::signal(-pid, libc::SIGKILL));
            sweep();
        }
        self.sinks.iter_mut().for_each(Sink::drain);
        self.keeper.dismiss();
        status
    }
}
