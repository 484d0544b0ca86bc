// SPDX-License-Identifier: MIT OR Apache-2.0
//! The numbers in a face's source against a peer's header: lines as `(e::COMBINER_DUP, 2)`, `(Class::Truncate as i32, 14)`,
//! `pub const SUM: Handle = 0x21;` become comparisons in a C program that is compiled with the header.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::peer::{Face, Peer, Scratch};
use super::program::Program;

/// C's name and the number in a line of a source, if it has them.
fn number(line: &str) -> Option<(String, i64)> {
    let line = line.trim().trim_end_matches([',', ';', ')']);
    let (left, right) = line.split_once(" = ").or_else(|| line.rsplit_once(", "))?;
    let right = right.replace('_', "");
    let value = match right.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok()?,
        None => right.parse().ok()?,
    };
    let word = left.split(": ").next()?.trim_end_matches(" as i32").rsplit([' ', '(', ':']).next()?;
    (!word.is_empty()).then(|| (name(word), value))
}

/// `COMBINER_DUP` and `MPI_TAG_UB` with the prefix, `TwoInt`'s kin by digit, and `NoMem` as the error class `MPI_ERR_NO_MEM`.
fn name(word: &str) -> String {
    if word.starts_with("MPI_") {
        return word.to_owned();
    }
    if !word.contains(char::is_lowercase) {
        return match word.strip_prefix("TWO_") {
            Some(rest) => format!("MPI_2{rest}"),
            None => format!("MPI_{word}"),
        };
    }
    let mut snake = String::new();
    for (i, c) in word.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            snake.push('_');
        }
        snake.extend(c.to_uppercase());
    }
    match snake.strip_prefix("T_") {
        _ if snake == "SUCCESS" => "MPI_SUCCESS".to_owned(),
        Some(tool) => format!("MPI_T_ERR_{tool}"),
        None => format!("MPI_ERR_{snake}"),
    }
}

/// The program, and how many numbers it compares: those whose names the header has. A type that a peer was built without is
/// null in its header.
fn program(header: &str, sources: &[&str]) -> (String, usize) {
    let words: BTreeSet<_> = header.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let mut text = "#include <mpi.h>\n#include <stdio.h>\n\
        #define NUMBER(n) ((int)(long)(n))\n\
        #define IS(n, v) if (NUMBER(n) != (int)(v) && NUMBER(n) != NUMBER(MPI_DATATYPE_NULL)) printf(\"%s is %d, not %d\\n\", #n, NUMBER(n), (int)(v));\n\
        int main(void) {\n"
        .to_owned();
    let mut count = 0;
    for (name, value) in sources.iter().flat_map(|source| source.lines().filter_map(number)) {
        if words.contains(name.as_str()) {
            // A definition may be in a comment.
            let _ = match header.contains(&format!("define {name} ")) {
                true => writeln!(text, "#ifdef {name}\n    IS({name}, {value}L)\n#endif"),
                false => writeln!(text, "    IS({name}, {value}L)"),
            };
            count += 1;
        }
    }
    text.push_str("    return 0;\n}\n");
    (text, count)
}

/// Every number in the face's `sources` (from its folder) is the header's; at least `least` are found in both.
pub fn are_the_headers(face: &Face, peer: &Peer, sources: &[&str], least: usize) {
    let read = |path: &&str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a source");
    let texts: Vec<String> = sources.iter().map(read).collect();
    let texts: Vec<&str> = texts.iter().map(|text| text.split("#[cfg(test)]").next().unwrap_or_default()).collect();
    let (text, count) = program(&peer.header_text(), &texts);
    assert!(count >= least, "{}: only {count} numbers to compare", peer.name);
    let place = Scratch::new(&format!("values-{}", peer.name).replace([' ', '\''], "_"));
    let source = place.path().join("values.c");
    fs::write(&source, text).expect("the source");
    let (status, said) = Program::compile(face, peer, &source, &[]).run(&[]);
    assert!(status == Some(0) && said.is_empty(), "{} ({count} compared): {status:?}\n{said}", peer.name);
}

#[test]
fn numbers_are_found() {
    let found = |line| number(line).map(|(name, value)| format!("{name} {value}"));
    assert_eq!(found("    (e::COMBINER_DUP, 2),").as_deref(), Some("MPI_COMBINER_DUP 2"));
    assert_eq!(found("    (Object::Op, e::MAX, 0x5800_0001),").as_deref(), Some("MPI_MAX 1476395009"));
    assert_eq!(found("    (Class::NoMem as i32, 34),").as_deref(), Some("MPI_ERR_NO_MEM 34"));
    assert_eq!(found("pub const TWO_INT: Handle = 0x22b;").as_deref(), Some("MPI_2INT 555"));
    assert_eq!(found("const MPI_ROOT: c_int = -3;").as_deref(), Some("MPI_ROOT -3"));
    assert_eq!(found("    TMemory = 54,").as_deref(), Some("MPI_T_ERR_MEMORY 54"));
    assert_eq!(found("    let x = y;"), None);
}
