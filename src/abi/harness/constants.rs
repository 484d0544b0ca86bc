// SPDX-License-Identifier: MIT OR Apache-2.0
//! A C program made of a header's own names: it asks the library about every datatype, operation, communicator, group, error
//! handler, error class and attribute that the header defines, one line each. A constant that a face does not know gives
//! another line than on the peer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use super::peer::{Face, Peer, Scratch};
use super::program::Program;

/// C code that prints a line about the constant `NAME`, by the type of the constant.
const QUESTIONS: [(&str, &str); 6] = [
    (
        "MPI_Datatype",
        r#"{ int s = -1; MPI_Aint l = -1, e = -1; int a = class_of(MPI_Type_size(NAME, &s)), b = class_of(MPI_Type_get_extent(NAME, &l, &e)); printf("NAME: type %d %d: %d bytes, %ld + %ld\n", a, b, s, (long)l, (long)e); }"#,
    ),
    ("MPI_Op", r#"{ int c = -1; int a = class_of(MPI_Op_commutative(NAME, &c)); printf("NAME: op %d: %d\n", a, !!c); }"#),
    ("MPI_Comm", r#"{ int s = -1; int a = class_of(MPI_Comm_size(NAME, &s)); printf("NAME: comm %d: %d\n", a, s); }"#),
    ("MPI_Group", r#"{ int s = -1; int a = class_of(MPI_Group_size(NAME, &s)); printf("NAME: group %d: %d\n", a, s); }"#),
    (
        "MPI_Errhandler",
        r#"{ int a = class_of(MPI_Comm_set_errhandler(MPI_COMM_SELF, NAME)); MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); printf("NAME: handler %d\n", a); }"#,
    ),
    ("MPI_Info", r#"{ int n = -1; int a = class_of(MPI_Info_get_nkeys(NAME, &n)); printf("NAME: info %d\n", a); }"#),
];

const HEAD: &str = r#"#include <mpi.h>
#include <stdio.h>
static int class_of(int code) { int c = -1; MPI_Error_class(code, &c); return c; }
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
"#;

const ERROR_CLASS: &str =
    r#"{ int c = -1; MPI_Error_class(NAME, &c); printf("NAME: class %s\n", c == NAME ? "of its own" : "of another"); }"#;
const KEYVAL: &str = r#"{ int f = 0, *v = NULL; int a = class_of(MPI_Comm_get_attr(MPI_COMM_WORLD, NAME, &v, &f)); printf("NAME: attribute %d %d\n", a, f); }"#;
/// Not `MPI_UNIVERSE_SIZE`: to know it a single process of MPICH starts a launcher.
const KEYVALS: [&str; 5] = ["MPI_TAG_UB", "MPI_HOST", "MPI_IO", "MPI_WTIME_IS_GLOBAL", "MPI_LASTUSEDCODE"];

/// The constant that a line defines, with what it is defined as: `#define NAME text` or `NAME = number,` in an enum.
pub fn definition(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let rest = line.strip_prefix('#').map(str::trim_start).and_then(|l| l.strip_prefix("define ")).unwrap_or(line).trim_start();
    let end = rest.find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))?;
    let (name, text) = rest.split_at(end);
    name.starts_with("MPI_").then_some((name, text))
}

/// The question about a constant, if there is one.
fn question(name: &str, text: &str) -> Option<&'static str> {
    if name.starts_with("MPI_ERR_") && !name.ends_with("LASTCODE") && !text.starts_with("ORS") {
        return Some(ERROR_CLASS);
    }
    // MPICH 4.0.2 defines it and aborts when it is used.
    if name == "MPI_ERRORS_ABORT" {
        return None;
    }
    if KEYVALS.contains(&name) {
        return Some(KEYVAL);
    }
    let is = |kind: &str| {
        text.contains(&format!("({kind})")) || text.contains(&format!("({kind},")) || text.contains(&format!("( {kind},"))
    };
    QUESTIONS.iter().find(|(kind, _)| is(kind)).map(|&(_, question)| question)
}

/// The program. Names that a header may withhold are asked about where they are defined.
fn program(header: &str) -> String {
    let found: Vec<_> = header.lines().filter_map(definition).collect();
    let removed: BTreeSet<_> = found.iter().filter(|(_, is)| is.contains("REMOVED")).map(|(name, _)| *name).collect();
    let (mut text, mut seen) = (HEAD.to_owned(), BTreeSet::new());
    for (name, is) in found {
        let Some(question) = question(name, is).filter(|_| !removed.contains(name) && seen.insert(name)) else { continue };
        let question = question.replace("NAME", name);
        let _ = match is.trim_start().starts_with('=') {
            true => writeln!(text, "    {question}"),
            false => writeln!(text, "#ifdef {name}\n    {question}\n#endif"),
        };
    }
    text.push_str("    MPI_Finalize();\n    return 0;\n}\n");
    text
}

/// What MPICH and what is made of it answer otherwise: the classes of these null handles are their choice, and they take
/// `MPI_NO_OP`, whose order cannot matter, for not commutative.
pub const OTHERWISE_ON_MPICH: [&str; 3] = ["MPI_INFO_NULL", "MPI_ERRHANDLER_NULL", "MPI_NO_OP"];

fn lines(said: &str) -> BTreeMap<&str, &str> {
    said.lines().filter_map(|line| line.split_once(": ")).filter(|(name, _)| name.starts_with("MPI_")).collect()
}

/// Every constant of the peer's header means on our library what it means on the peer, but for those in `different`.
pub fn mean_the_same(face: &Face, peer: &Peer, different: &[&str]) {
    let place = Scratch::new(&format!("constants-{}", peer.name).replace([' ', '\''], "_"));
    let source = place.path().join("constants.c");
    fs::write(&source, program(&peer.header_text())).expect("the source");
    let program = Program::compile(face, peer, &source, &[]);
    let (status, theirs) = program.run_on_peer(peer, &[]);
    assert_eq!(status, Some(0), "{}: the program does not run on the peer: {theirs}", peer.name);
    let (status, ours) = program.run(&[]);
    assert_eq!(status, Some(0), "{}: {ours}", peer.name);
    let (theirs, ours) = (lines(&theirs), lines(&ours));
    assert!(theirs.len() > 120 && ours.len() == theirs.len(), "{} lines there, {} here", theirs.len(), ours.len());
    let wrong: Vec<_> = theirs
        .iter()
        .filter(|(name, line)| !different.contains(*name) && ours.get(*name) != Some(line))
        .map(|(name, line)| format!("{name}: {line} there, {} here", ours[name]))
        .collect();
    assert!(wrong.is_empty(), "{}: {wrong:#?}", peer.name);
}

#[test]
fn definitions_are_found() {
    assert_eq!(definition("#define MPI_INT ((MPI_Datatype)0x4c000405)"), Some(("MPI_INT", " ((MPI_Datatype)0x4c000405)")));
    assert_eq!(definition("    MPI_ERR_TRUNCATE                   = 15, /* x */").map(|d| d.0), Some("MPI_ERR_TRUNCATE"));
    assert_eq!(definition("int MPI_Init(int *argc, char ***argv);"), None);
}
