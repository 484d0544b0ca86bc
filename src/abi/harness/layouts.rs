// SPDX-License-Identifier: MIT OR Apache-2.0
//! A C program made of a header's own names that prints the value of every constant that is a number or a handle, the size of every
//! type, and where the fields of a status are. Two headers of one ABI must print the same; and the library must fill a status
//! as the header says it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use super::constants::definition;
use super::peer::{Face, Peer, Scratch};
use super::program::Program;

const HEAD: &str = r#"#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#define SHOW(n) printf("%s = %lld\n", #n, (long long)(intptr_t)(n))
int main(int argc, char **argv) {
"#;

/// The fields of a status, and that a receive fills them and nothing beside.
const STATUS: &str = r#"
    printf("status: %zu bytes, source %zu, tag %zu, error %zu\n", sizeof(MPI_Status), offsetof(MPI_Status, MPI_SOURCE),
           offsetof(MPI_Status, MPI_TAG), offsetof(MPI_Status, MPI_ERROR));
    MPI_Status three[3], before;
    int out = 5, in = 0, count = 0;
    memset(three, 0x5a, sizeof three), memset(&before, 0x5a, sizeof before);
    MPI_Init(&argc, &argv);
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 77, &in, 1, MPI_INT, 0, 77, MPI_COMM_SELF, &three[1]);
    MPI_Get_count(&three[1], MPI_INT, &count);
    int right = three[1].MPI_SOURCE == 0 && three[1].MPI_TAG == 77 && three[1].MPI_ERROR == before.MPI_ERROR && count == 1;
    printf("a status is %s\n", right && !memcmp(three, &before, sizeof before) && !memcmp(three + 2, &before, sizeof before) ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
"#;

/// Constants whose text is a value: no macros with arguments, no attributes of compilers, no strings.
fn constants(header: &str) -> Vec<(&str, bool)> {
    let found: Vec<_> = header.lines().filter_map(definition).collect();
    let removed: BTreeSet<_> = found.iter().filter(|(_, is)| is.contains("REMOVED")).map(|(name, _)| *name).collect();
    let mut seen = BTreeSet::new();
    let value = |is: &str| {
        let text = is.trim_start_matches([' ', '\t', '=']);
        is.starts_with([' ', '\t']) && !text.is_empty() && !text.starts_with(['"', '_']) && !is.contains("Comm_c2f")
    };
    let fit = found.into_iter().filter(|(name, is)| value(is) && !removed.contains(name) && seen.insert(*name));
    fit.map(|(name, is)| (name, is.trim_start().starts_with('='))).collect()
}

/// Names of types that are complete: `typedef TYPE NAME;` and `} NAME;`.
fn types(header: &str) -> BTreeSet<&str> {
    let lines = header.lines().map(str::trim).filter(|line| line.ends_with(';') && !line.contains('('));
    let named = lines.filter(|line| line.starts_with("typedef ") || line.starts_with('}'));
    let last = named.filter_map(|line| line.trim_end_matches(';').rsplit([' ', '*']).next());
    last.filter(|name| name.starts_with("MPI_") && !name.contains(['[', ']'])).collect()
}

/// The program, and how many constants it prints.
fn program(header: &str) -> (String, usize) {
    let (mut text, constants) = (HEAD.to_owned(), constants(header));
    for (name, listed) in &constants {
        let show = format!("    SHOW({name});");
        let _ = if *listed { writeln!(text, "{show}") } else { writeln!(text, "#ifdef {name}\n{show}\n#endif") };
    }
    for name in types(header) {
        let _ = writeln!(text, "    printf(\"{name}: %zu bytes\\n\", sizeof({name}));");
    }
    text.push_str(STATUS);
    (text, constants.len())
}

/// What the header says, in lines `NAME = VALUE`, `NAME: SIZE`.
fn said(face: &Face, peer: &Peer) -> BTreeMap<String, String> {
    let (text, count) = program(&peer.header_text());
    assert!(count > 200, "{}: only {count} constants", peer.name);
    let place = Scratch::new(&format!("layouts-{}", peer.name).replace([' ', '\''], "_"));
    let source = place.path().join("layouts.c");
    fs::write(&source, text).expect("the source");
    let (status, said) = Program::compile(face, peer, &source, &["-Wno-pointer-to-int-cast"]).run(&[]);
    assert!(status == Some(0) && said.contains("a status is right"), "{}: {status:?} {said}", peer.name);
    let pair = |line: &str| line.split_once([':', '=']).map(|(name, is)| (name.trim().to_owned(), is.trim().to_owned()));
    said.lines().filter_map(pair).collect()
}

/// Where two headers have the same name it is the same number, and the same size; but for those in `different`. Handles that are
/// addresses count as the same.
pub fn are_the_same(face: &Face, one: &Peer, other: &Peer, least: usize, different: &[&str]) {
    let (a, b) = (said(face, one), said(face, other));
    let both: Vec<_> = a.iter().filter_map(|(name, is)| b.get(name).map(|there| (name, is, there))).collect();
    assert!(both.len() >= least, "{} and {} have only {} names in common", one.name, other.name, both.len());
    let address = |text: &str| text.parse::<i64>().is_ok_and(|number| number > 1 << 32);
    let wrong: Vec<_> = both
        .into_iter()
        .filter(|(name, is, there)| is != there && !(address(is) && address(there)) && !different.contains(&name.as_str()))
        .map(|(name, is, there)| format!("{name} is {is} in {} and {there} in {}", one.name, other.name))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The names of one header that the other lacks.
pub fn missing(face: &Face, from: &Peer, of: &Peer) -> Vec<String> {
    let there = said(face, from);
    said(face, of).into_keys().filter(|name| !there.contains_key(name)).collect()
}
