// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two processes that share device memory, right or with one mistake: `pair MISTAKE` is the owner, which starts
//! `pair MISTAKE reader`. In each round the owner fills a fresh buffer in a stream and records an event; the reader opens both,
//! copies the buffer to the host and compares. The reader closes a mapping in the next round, and until then what the owner has freed
//! stays allocated. Exit status 0: all contents, and the free memory, were right.
//!
//! Mistakes: `none`; `wait` (the reader does not wait for the event); `offset` (it forgets where the buffer is in its
//! allocation); `stale` (it goes on using a mapping although the buffer at that address is a new one).

#![allow(clippy::undocumented_unsafe_blocks, reason = "every call of the driver is unsafe; pointers are to locals")]

use simcuda::Out;
use simcuda::context::{cuCtxSetCurrent, cuDevicePrimaryCtxRetain, cuMemGetInfo_v2};
use simcuda::copy::{cuMemcpyDtoHAsync_v2, cuMemcpyHtoDAsync_v2};
use simcuda::device::cuInit;
use simcuda::event::{cuEventCreate, cuEventRecord, cuStreamWaitEvent};
use simcuda::host::cuMemHostAlloc;
use simcuda::ipc::{
    Handle, cuIpcCloseMemHandle, cuIpcGetEventHandle, cuIpcGetMemHandle, cuIpcOpenEventHandle, cuIpcOpenMemHandle_v2,
};
use simcuda::memory::{cuMemAlloc_v2, cuMemFree_v2};
use simcuda::pointer::cuPointerGetAttribute;
use simcuda::stream::{cuStreamCreate, cuStreamSynchronize};
use std::io::{Read, Write};
use std::process::{Command, ExitCode, Stdio};

const BYTES: usize = 3 << 20;
const INSIDE: u64 = 4096 + 192;
const ROUNDS: u8 = 3;

/// What the owner tells the reader each round.
#[repr(C)]
#[derive(Clone, Copy)]
struct Message {
    memory: Handle,
    event: Handle,
    base: u64,
    id: u64,
    inside: u64,
    round: u64,
}

/// Ends the process when a call of the driver fails.
fn must(code: i32, what: &str) {
    if code != 0 {
        eprintln!("pair: {what} gave {code}");
        std::process::exit(3);
    }
}

macro_rules! must {
    ($call:expr) => {
        must(unsafe { $call }, stringify!($call))
    };
}

fn start() -> u64 {
    let (mut context, mut stream) = (0, 0);
    must!(cuInit(0));
    must!(cuDevicePrimaryCtxRetain(Out(&mut context), 0));
    must!(cuCtxSetCurrent(context));
    must!(cuStreamCreate(Out(&mut stream), 1));
    stream
}

fn pinned() -> &'static mut [u8] {
    let mut at = std::ptr::null_mut();
    must!(cuMemHostAlloc(Out(&mut at), BYTES, 0));
    unsafe { std::slice::from_raw_parts_mut(at.cast(), BYTES) }
}

/// The contents of a round.
fn right(round: u8, at: usize) -> u8 {
    (at % 251) as u8 ^ (round + 1)
}

/// The owner's round: a new buffer, filled in the stream, offered with an event.
fn offer(stream: u64, host: &mut [u8], round: u8) -> Message {
    let (mut base, mut event, mut id) = (0, 0, 0u64);
    must!(cuMemAlloc_v2(Out(&mut base), BYTES + INSIDE as usize));
    must!(cuPointerGetAttribute((&raw mut id).cast(), 7, base));
    must!(cuEventCreate(Out(&mut event), 6));
    host.iter_mut().enumerate().for_each(|(at, byte)| *byte = right(round, at));
    must!(cuMemcpyHtoDAsync_v2(base + INSIDE, host.as_ptr() as u64, BYTES, stream));
    must!(cuEventRecord(event, stream));
    let mut handles = std::mem::MaybeUninit::<[Handle; 2]>::uninit();
    let places = handles.as_mut_ptr().cast::<Handle>();
    must!(cuIpcGetMemHandle(Out(places), base));
    must!(cuIpcGetEventHandle(Out(places.wrapping_add(1)), event));
    let [memory, event] = unsafe { handles.assume_init() };
    Message { memory, event, base, id, inside: INSIDE, round: round.into() }
}

fn free_memory() -> usize {
    let (mut free, mut total) = (0, 0);
    must!(cuMemGetInfo_v2(Out(&mut free), Out(&mut total)));
    free
}

fn owner(mistake: &str) -> ExitCode {
    let (stream, host) = (start(), pinned());
    let program = std::env::current_exe().expect("this program has a path");
    let mut reader =
        Command::new(program).args([mistake, "reader"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut to, mut from) = (reader.stdin.take().unwrap(), reader.stdout.take().unwrap());
    let (all, mut is_held) = (free_memory(), true);
    for round in 0..ROUNDS {
        let message = offer(stream, host, round);
        let bytes = unsafe { std::slice::from_raw_parts((&raw const message).cast(), size_of::<Message>()) };
        let answered = to.write_all(bytes).and_then(|()| from.read_exact(&mut [0]));
        if answered.is_err() {
            break;
        }
        must!(cuStreamSynchronize(stream));
        must!(cuMemFree_v2(message.base));
        is_held &= (BYTES..BYTES * 2).contains(&(all - free_memory()));
    }
    drop(to);
    let is_right = reader.wait().unwrap().success();
    if is_right && is_held && free_memory() == all { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// A mapping that the reader keeps.
struct Cached {
    base: u64,
    id: u64,
    at: u64,
}

fn open(message: &Message, cached: &mut Option<Cached>, mistake: &str) -> u64 {
    if let Some(entry) = cached {
        if entry.base == message.base && (entry.id == message.id || mistake == "stale") {
            return entry.at;
        }
        must!(cuIpcCloseMemHandle(entry.at));
    }
    let mut at = 0;
    must!(cuIpcOpenMemHandle_v2(Out(&mut at), message.memory, 1));
    *cached = Some(Cached { base: message.base, id: message.id, at });
    at
}

fn reader(mistake: &str) -> ExitCode {
    let (stream, host) = (start(), pinned());
    let (mut cached, mut all_right) = (None, true);
    let mut bytes = [0u8; size_of::<Message>()];
    while std::io::stdin().read_exact(&mut bytes).is_ok() {
        let message: Message = unsafe { bytes.as_ptr().cast::<Message>().read_unaligned() };
        let at = open(&message, &mut cached, mistake) + if mistake == "offset" { 0 } else { message.inside };
        let mut event = 0;
        must!(cuIpcOpenEventHandle(Out(&mut event), message.event));
        if mistake != "wait" {
            must!(cuStreamWaitEvent(stream, event, 0));
        }
        must!(cuMemcpyDtoHAsync_v2(host.as_mut_ptr() as u64, at, BYTES, stream));
        must!(cuStreamSynchronize(stream));
        all_right &= host.iter().enumerate().all(|(at, byte)| *byte == right(message.round as u8, at));
        std::io::stdout().write_all(b".").and_then(|()| std::io::stdout().flush()).unwrap();
    }
    if all_right { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [mistake] => owner(mistake),
        [mistake, "reader"] => reader(mistake),
        _ => ExitCode::from(2),
    }
}
