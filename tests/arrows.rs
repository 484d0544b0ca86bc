// SPDX-License-Identifier: MIT OR Apache-2.0
//! The arrows written in `src/lib.rs` hold: a layer uses only the layers that an arrow leads to, and those anyone may use.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What `src/lib.rs` says.
#[derive(Default)]
struct Rules {
    /// `("coll", "p2p")`: coll may use p2p.
    arrows: BTreeSet<(String, String)>,
    /// What anyone may use.
    open: BTreeSet<String>,
}

impl Rules {
    /// Reads the paragraph that begins with "Arrows:"; layers stand in backticks.
    fn read(text: &str) -> Rules {
        let lines = text.lines().filter_map(|line| line.strip_prefix("//!")).map(str::trim);
        let paragraph: Vec<&str> =
            lines.skip_while(|line| !line.starts_with("Arrows:")).take_while(|line| !line.is_empty()).collect();
        let paragraph = paragraph.join(" ");
        let (chains, open) = paragraph.split_once("anyone →").expect("the paragraph says what anyone may use");
        let mut rules = Rules { open: quoted(open).iter().map(|name| name.replace("::", "/")).collect(), ..Rules::default() };
        quoted(chains).iter().flat_map(|part| part.split('·')).for_each(|chain| rules.add(chain));
        rules
    }

    /// Adds `a → b → {c, d}`.
    fn add(&mut self, chain: &str) {
        let stations: Vec<Vec<String>> = chain
            .split('→')
            .map(|names| names.split(['{', '}', ',']).map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect())
            .collect();
        for pair in stations.windows(2) {
            for from in &pair[0] {
                self.arrows.extend(pair[1].iter().map(|to| (from.clone(), to.clone())));
            }
        }
    }

    fn allow(&self, from: &str, to: &str) -> bool {
        let layer = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
        let arrow = |f: &String| prefixes(to).any(|t| self.arrows.contains(&(f.clone(), t)));
        layer(from) == layer(to) || prefixes(to).any(|t| self.open.contains(&t)) || prefixes(from).any(|f| arrow(&f))
    }
}

/// `a/b/c`, `a/b`, `a`.
fn prefixes(path: &str) -> impl Iterator<Item = String> {
    let parts: Vec<String> = path.split('/').map(str::to_owned).collect();
    (1..=parts.len()).rev().map(move |n| parts[..n].join("/"))
}

/// The parts of `text` between backticks.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The paths that a source file uses, as `coll/schedule`: what follows `crate::`, groups in braces taken apart. The code
/// of a test module at the end does not count.
fn uses(text: &str) -> BTreeSet<String> {
    let code: Vec<&str> = text
        .lines()
        .take_while(|line| !line.trim_start().starts_with("#[cfg(test)]"))
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    code.join("\n").split("crate::").skip(1).flat_map(paths).collect()
}

fn paths(rest: &str) -> Vec<String> {
    match rest.strip_prefix('{') {
        None => vec![path(rest)],
        Some(group) => top_level_items(group).into_iter().map(path).collect(),
    }
}

/// Lower-case words joined by `::`, as a path of modules.
fn path(text: &str) -> String {
    let end = text.trim().find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(text.trim().len());
    let words: Vec<&str> =
        text.trim()[..end].split("::").take_while(|word| word.starts_with(|c: char| c.is_lowercase())).collect();
    words.join("/")
}

/// The items of a `{...}` group whose opening brace is gone.
fn top_level_items(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut items) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(&group[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// `src/coll/node/mod.rs` is `coll/node`, `src/coll/drive.rs` is `coll/drive`.
fn module_of(file: &Path, src: &Path) -> String {
    let path = file.strip_prefix(src).unwrap().with_extension("");
    let text = path.to_string_lossy().into_owned();
    text.strip_suffix("/mod").unwrap_or(&text).to_owned()
}

#[test]
fn layers_use_only_what_the_arrows_allow() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let map = fs::read_to_string(src.join("lib.rs")).unwrap();
    let rules = Rules::read(&map);
    let modules: BTreeSet<String> =
        map.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).map(str::to_owned).collect();
    let mut files = Vec::new();
    sources(&src, &mut files);
    let outside = |from: &str| from == "lib" || from.starts_with("abi/") || from.starts_with("bin/");
    let mut wrong = Vec::new();
    for file in files {
        let from = module_of(&file, &src);
        let used = if outside(&from) { BTreeSet::new() } else { uses(&fs::read_to_string(&file).unwrap()) };
        let used = used.iter().filter(|to| modules.contains(to.split('/').next().unwrap_or_default()));
        wrong.extend(used.filter(|to| !rules.allow(&from, to)).map(|to| format!("{from} uses {to}")));
    }
    assert!(wrong.is_empty(), "no arrow in src/lib.rs allows:\n{}", wrong.join("\n"));
}

#[test]
fn rules_and_uses_are_read_as_written() {
    let rules = Rules::read(
        "//! Arrows: `api → {object, coll} · coll → p2p ·\n//! coll/node → transport/shm` · anyone → `knob`, `object::error`.\n",
    );
    assert!(rules.allow("api/export", "object/comm") && rules.allow("coll/drive", "p2p") && rules.allow("p2p", "knob"));
    assert!(rules.allow("p2p", "object/error/registry") && rules.allow("coll/node/bcast", "transport/shm/cell"));
    assert!(
        !rules.allow("p2p", "coll") && !rules.allow("coll/drive", "transport/shm") && !rules.allow("coll/node", "transport/cma")
    );
    let used = uses(
        "use crate::coll::schedule::{Id, Place};\nuse crate::{err, p2p::{self, Span}};\n// crate::no\nlet x = crate::os::lock();",
    );
    let expected = ["coll/schedule", "err", "os/lock", "p2p"].map(str::to_owned);
    assert_eq!(used, BTreeSet::from(expected));
}
