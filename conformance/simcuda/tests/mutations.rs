// SPDX-License-Identifier: MIT OR Apache-2.0
//! The simulator finds mistakes: a program of two processes is right without them, and fails with each of three that programs
//! with CUDA IPC are prone to.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs the program; gives whether it succeeded and its error output.
fn run(mistake: &str, seed: u32) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pair"));
    command.arg(mistake).env("SIMCUDA_SEED", seed.to_string()).env("SIMCUDA_DELAY_US", "20000").stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("pair {mistake} runs for ever");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    (status.success(), text)
}

#[test]
fn the_right_program_passes_with_every_seed() {
    for seed in 1..=5 {
        let (passed, text) = run("none", seed);
        assert!(passed, "seed {seed}: {text}");
    }
}

#[test]
fn a_dropped_wait_fails() {
    assert!((1..=8).any(|seed| !run("wait", seed).0));
}

#[test]
fn a_missing_offset_fails() {
    assert!(!run("offset", 1).0);
}

#[test]
fn a_stale_mapping_ends_the_process_with_a_message() {
    let (passed, text) = run("stale", 1);
    assert!(!passed && text.contains("has freed"), "{text}");
}
