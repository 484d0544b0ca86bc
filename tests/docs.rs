// SPDX-License-Identifier: MIT OR Apache-2.0
//! The documents say what the program says (`make docs` puts it there).

use std::process::Command;

/// Whether `document` has what `paceline ARGUMENTS` prints, which must contain `row`.
fn is_in(document: &str, arguments: &[&str], row: &str) {
    let done = Command::new(env!("CARGO_BIN_EXE_paceline")).args(arguments).output().unwrap();
    assert!(done.status.success());
    let table = String::from_utf8(done.stdout).unwrap();
    assert!(table.contains(row), "the table has no row {row}");
    let text = std::fs::read_to_string(format!("{}/{document}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert!(text.contains(&table), "{document} is out of date: run `make docs`");
}

#[test]
fn the_table_of_knobs_is_the_programs() {
    is_in("docs/tuning.md", &["info", "--markdown"], "`PACELINE_REPORT`");
}

#[test]
fn the_table_of_functions_is_the_programs() {
    is_in("docs/functions.md", &["info", "--functions"], "| Point-to-point |");
}
