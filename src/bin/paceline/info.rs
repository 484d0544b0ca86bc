// SPDX-License-Identifier: MIT OR Apache-2.0
//! What this installation is: version, libraries, knobs. The knobs come from their table, so they cannot be out of date.

use crate::prefix_and_library;
use paceline::api::describe::{self, Function};
use paceline::coll::tuning;
use paceline::knob;

/// For a terminal.
pub fn text() -> String {
    knob::check_environment();
    tuning::read_rules();
    let (prefix, library) = prefix_and_library();
    let there = if library.exists() { "" } else { "  (missing)" };
    let mut text = format!("Paceline {}\n", env!("CARGO_PKG_VERSION"));
    text += &format!("prefix    {}\n", prefix.display());
    text += &format!("Open MPI  {}{there}\n", library.display());
    for (abi, name) in [("MPICH     ", "libmpi.so.12"), ("standard  ", "libmpi_abi.so.1")] {
        let library = prefix.join("lib").join(name);
        text += &format!("{abi}{}{}\n", library.display(), if library.exists() { "" } else { "  (missing)" });
    }
    let (done, all) = (describe::functions().filter(|f| f.implemented).count(), describe::functions().count());
    text += &format!("\n{done} of {all} functions are implemented (docs/functions.md)\n\n");
    text += "Knobs (environment variables; * is set here):\n";
    for knob in knob::ALL {
        let mark = if knob.is_set() { '*' } else { ' ' };
        text += &format!("{mark} {}={}  [{}]\n      {}\n", knob.name, knob.text(), knob.values.describe(), knob.help.trim());
    }
    text
}

/// For `docs/tuning.md`.
pub fn markdown() -> String {
    let mut text = "| knob | default | values | what it does |\n|---|---|---|---|\n".to_owned();
    for knob in knob::ALL {
        let default = if knob.default.is_empty() { String::new() } else { format!("`{}`", knob.default) };
        text += &format!("| `{}` | {default} | {} | {} |\n", knob.name, knob.values.describe(), knob.help.trim());
    }
    text
}

/// For `docs/functions.md`: of each chapter how many functions work, and the names of those that do not.
pub fn functions() -> String {
    let mut text = "| chapter | work | of | not yet |\n|---|---|---|---|\n".to_owned();
    for table in describe::FUNCTIONS {
        text += &chapter(table);
    }
    let works = describe::functions().filter(|function| function.implemented).count();
    text + &format!("| all | {works} | {} | |\n", describe::functions().count())
}

fn chapter(table: &[Function]) -> String {
    let missing: Vec<&str> = table.iter().filter(|function| !function.implemented).map(|function| function.name).collect();
    let name = table.first().map_or("", |function| function.chapter);
    let works = table.len() - missing.len();
    let names = if works == 0 { "all".to_owned() } else { missing.join(" ") };
    format!("| {name} | {works} | {} | {names} |\n", table.len())
}
