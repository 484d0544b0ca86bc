// SPDX-License-Identifier: MIT OR Apache-2.0
//! What libraries export, compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use super::peer::{Face, Peer};

/// Names of functions; data with sizes.
pub struct Exports {
    /// Names of functions.
    pub functions: BTreeSet<String>,
    /// Sizes of data by name.
    pub data: BTreeMap<String, u64>,
}

impl Exports {
    /// Of a shared library.
    pub fn of(library: &Path) -> Exports {
        let out = Command::new("nm").args(["-D", "-S", "--defined-only"]).arg(library).output().expect("nm runs");
        assert!(out.status.success(), "nm {}: {}", library.display(), String::from_utf8_lossy(&out.stderr));
        let mut exports = Exports { functions: BTreeSet::new(), data: BTreeMap::new() };
        String::from_utf8_lossy(&out.stdout).lines().for_each(|line| exports.add(line));
        exports
    }

    fn add(&mut self, line: &str) {
        let fields: Vec<_> = line.split_whitespace().collect();
        match fields[..] {
            [_, _, "T" | "W", name] => {
                self.functions.insert(name.to_owned());
            }
            [_, size, "B" | "D" | "R" | "V", name] => {
                self.data.insert(name.to_owned(), u64::from_str_radix(size, 16).expect("a size in hexadecimal"));
            }
            _ => {}
        }
    }
}

fn begins(name: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Each peer's functions with these prefixes are ours too.
pub fn functions_of_peers(face: &Face, peers: &[Peer], prefixes: &[&str]) {
    functions_of_peers_that(face, peers, |name| begins(name, prefixes));
}

/// Each peer's functions that `wanted` picks are ours too.
pub fn functions_of_peers_that(face: &Face, peers: &[Peer], wanted: impl Fn(&str) -> bool) {
    let ours = Exports::of(&face.library());
    for peer in peers {
        let theirs = Exports::of(&peer.library).functions;
        let missing: Vec<_> = theirs.iter().filter(|name| wanted(name) && !ours.functions.contains(*name)).collect();
        assert!(missing.is_empty(), "{}: functions that we lack: {missing:?}", peer.name);
    }
}

/// Each peer's data symbols that `public` picks are ours too, at the same size.
pub fn data_of_peers(face: &Face, peers: &[Peer], public: impl Fn(&Peer, &str) -> bool) {
    let ours = Exports::of(&face.library()).data;
    for peer in peers {
        let theirs = Exports::of(&peer.library).data;
        let wrong: Vec<_> = theirs
            .iter()
            .filter(|(name, size)| public(peer, name) && ours.get(*name) != Some(size))
            .map(|(name, size)| format!("{name}: {size} bytes there, {:?} here", ours.get(name)))
            .collect();
        assert!(wrong.is_empty(), "{}: data symbols: {wrong:#?}", peer.name);
    }
}

/// Nothing but MPI's names is visible.
pub fn nothing_else(face: &Face, prefixes: &[&str]) {
    let ours = Exports::of(&face.library());
    let leaks: Vec<_> = ours.functions.iter().chain(ours.data.keys()).filter(|name| !begins(name, prefixes)).collect();
    assert!(leaks.is_empty(), "Rust's internals are visible: {leaks:?}");
}
