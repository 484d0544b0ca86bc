// SPDX-License-Identifier: MIT OR Apache-2.0
//! How processes come to share the segment: process 0 makes the memfd and hands it out over an abstract socket whose name
//! travels through the launcher's store; then each tries to read a neighbour's memory.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::layout::{self, HEAPS, MOST, Segment, segment};
use crate::bootstrap::{self, Server};
use crate::err;
use crate::object::error::Result;
use crate::os::cpuset::CpuSet;
use crate::os::{self, membarrier, memfd, passfd};
use crate::transport::cma;
use crate::{knob, trace};

const SOCKET: &str = "paceline-segment";
const HOST: &str = "paceline-host";

/// Joins the segment of the job. All processes call it; returns when all have.
pub fn join(server: &mut dyn Server) -> Result<()> {
    let (me, size) = (server.rank(), server.size());
    if size > MOST {
        return Err(err!(Other, "{size} ranks on one node, at most {MOST} are supported"));
    }
    let payload = layout::payload_bytes();
    let (base, bytes) = if size == 1 { alone(payload) } else { share(server, payload) }?;
    layout::publish(Segment { base, bytes, me, size, oversubscribed: size as usize > os::cores(), payload });
    meet(size)?;
    try_cma(me, size)
}

fn failed(what: &str, error: io::Error) -> crate::object::error::Error {
    err!(Other, "{what} failed: {error}")
}

fn alone(payload: usize) -> Result<(*mut u8, usize)> {
    let (_, base, bytes) = make(1, payload, &HEAPS[HEAPS.len() - 1..])?;
    Ok((base, bytes))
}

/// A segment with the largest of these heaps that this process can map.
fn make(size: u32, payload: usize, heaps: &[usize]) -> Result<(OwnedFd, *mut u8, usize)> {
    let mut outcome = Err(io::ErrorKind::OutOfMemory.into());
    for &heap in heaps {
        let bytes = layout::total(size, payload, heap);
        outcome = memfd::create(bytes).and_then(|fd| memfd::map(&fd, bytes).map(|base| (fd, base, bytes)));
        match &outcome {
            Ok(_) => break,
            Err(error) => trace::note(format!("no shared segment with {} MiB for collectives ({error})", heap >> 20)),
        }
    }
    outcome.map_err(|e| failed("making the shared segment (memfd_create, mmap)", e))
}

fn share(server: &mut dyn Server, payload: usize) -> Result<(*mut u8, usize)> {
    let (me, size) = (server.rank(), server.size());
    let mine = host();
    server.put(HOST, &mine)?;
    if me != 0 {
        server.fence()?;
        let theirs = server.get(0, HOST)?;
        if theirs != mine {
            return Err(err!(
                Other,
                "rank {me} runs on host {mine} and rank 0 on {theirs}: only jobs on one host are supported so far"
            ));
        }
        let name = server.get(0, SOCKET)?;
        let (fd, bytes) = passfd::take(&name).map_err(|e| failed("taking the shared segment from rank 0", e))?;
        let base = memfd::map(&fd, bytes as usize).map_err(|e| failed("mapping the shared segment", e))?;
        return Ok((base, bytes as usize));
    }
    let (fd, base, bytes) = make(size, payload, &HEAPS)?;
    let (listener, name) = passfd::listen().map_err(|e| failed("opening an abstract Unix socket", e))?;
    server.put(SOCKET, &name)?;
    server.fence()?;
    passfd::give(&listener, &fd, bytes as u64, size as usize - 1).map_err(|e| failed("handing out the shared segment", e))?;
    Ok((base, bytes))
}

/// A name that is the same for processes that can share memory: host and boot.
fn host() -> String {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    format!("{}/{}", read("/proc/sys/kernel/hostname"), read("/proc/sys/kernel/random/boot_id"))
}

fn wait_for(what: &str, ready: impl Fn() -> bool) -> Result<()> {
    let (start, limit) = (Instant::now(), bootstrap::seconds(&knob::PEERS_LIMIT));
    while !ready() {
        if start.elapsed() > limit {
            return Err(err!(
                Other,
                "{what}: not all ranks came within {} s ({} sets the time)",
                limit.as_secs(),
                knob::PEERS_LIMIT.name
            ));
        }
        std::thread::yield_now();
    }
    Ok(())
}

/// Waits until everybody has mapped the segment, and settles who fences.
fn meet(size: u32) -> Result<()> {
    let header = segment().header();
    let control = segment().control(segment().me);
    cma::allow();
    control.pid.store(std::process::id(), Ordering::Relaxed);
    if membarrier::register() {
        header.fenced.fetch_add(1, Ordering::SeqCst);
    }
    // Holds the rank: in other PID namespaces the same process id may mean this very process.
    let nonce = Box::leak(Box::new((u64::from(segment().me) << 32 | u64::from(std::process::id())) ^ 0x9e37_79b9_7f4a_7c15));
    control.probe_value.store(*nonce, Ordering::Relaxed);
    control.probe_at.store(nonce as *const u64 as usize, Ordering::Relaxed);
    let cpus = hash(&CpuSet::mine().ok());
    if segment().me == 0 {
        header.cpus.store(cpus, Ordering::Relaxed);
    }
    header.attached.fetch_add(1, Ordering::SeqCst);
    wait_for("sharing the segment", || header.attached.load(Ordering::SeqCst) >= size)?;
    if header.cpus.load(Ordering::Relaxed) != cpus {
        header.bound_otherwise.fetch_add(1, Ordering::Relaxed);
    }
    let all = header.fenced.load(Ordering::SeqCst) >= size;
    membarrier::set_available(all);
    if !all {
        trace::note("membarrier is not available: each message costs a fence more");
    }
    Ok(())
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Reads a word of the next process with a real transfer. All must succeed, else nobody uses cross-memory attach.
fn try_cma(me: u32, size: u32) -> Result<()> {
    let segment = segment();
    let header = segment.header();
    let pids = (0..size).map(|p| segment.control(p).pid.load(Ordering::Relaxed) as libc::pid_t).collect();
    let wanted = knob::CMA.text() == "auto";
    cma::start(pids, wanted && size > 1);
    let next = (me + 1) % size;
    let control = segment.control(next);
    let mut word = 0u64;
    let remote = control.probe_at.load(Ordering::Relaxed);
    // SAFETY: `word` is a live local of 8 bytes.
    let read = unsafe { cma::read(next, remote, (&raw mut word).cast(), 8) };
    let good = wanted && read.is_ok() && word == control.probe_value.load(Ordering::Relaxed);
    header.cma_good.fetch_add(good as u32, Ordering::SeqCst);
    header.cma_tried.fetch_add(1, Ordering::SeqCst);
    wait_for("trying cross-memory attach", || header.cma_tried.load(Ordering::SeqCst) >= size)?;
    let all = header.cma_good.load(Ordering::SeqCst) >= size;
    cma::disable_unless(all);
    if !all {
        trace::note("cross-memory attach is off or refused: large messages go through the shared segment");
    }
    Ok(())
}
