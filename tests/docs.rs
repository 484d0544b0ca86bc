// SPDX-License-Identifier: MIT OR Apache-2.0
//! The documents say what the program says.

use std::process::Command;

/// `docs/tuning.md` has the table of knobs that `paceline info --markdown` prints (`make docs` puts it there).
#[test]
fn the_table_of_knobs_in_the_document_is_the_programs() {
    let done = Command::new(env!("CARGO_BIN_EXE_paceline")).args(["info", "--markdown"]).output().unwrap();
    assert!(done.status.success());
    let table = String::from_utf8(done.stdout).unwrap();
    assert!(table.contains("`PACELINE_REPORT`"), "the table has no rows");
    let document = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/tuning.md")).unwrap();
    assert!(document.contains(&table), "docs/tuning.md is out of date: run `make docs`");
}
