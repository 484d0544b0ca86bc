// SPDX-License-Identifier: MIT OR Apache-2.0
//! `include/mpi.h`, the standard ABI's header (MPI 5.0, chapter 20): constants from the engine's constants, which are the
//! standard's, error classes from [`Class`](crate::object::error::Class), prototypes from the rows. `cargo run --example
//! header` prints it; a test keeps the committed file equal.

use std::fmt::Write;

use super::describe::{Function, functions};

const CONSTANTS: &str = include_str!("../object/constant.rs");
const ERRORS: &str = include_str!("../object/error/mod.rs");

/// Types, which no row tells.
const TYPES: &str = include_str!("header_types.h");

/// Handles as functions name them, with their types in C.
const HANDLES: [(&str, &str); 11] = [
    ("Comm", "MPI_Comm"),
    ("Errhandler", "MPI_Errhandler"),
    ("File", "MPI_File"),
    ("Group", "MPI_Group"),
    ("Info", "MPI_Info"),
    ("Message", "MPI_Message"),
    ("Op", "MPI_Op"),
    ("Request", "MPI_Request"),
    ("Session", "MPI_Session"),
    ("Type", "MPI_Datatype"),
    ("Win", "MPI_Win"),
];

/// The whole header.
pub fn header() -> String {
    let mut out = String::from(
        "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n\
         /* The MPI standard ABI, as Paceline prints it from its table of functions (cargo run --example header). */\n\
         #ifndef PACELINE_MPI_H\n#define PACELINE_MPI_H\n\n#include <stdint.h>\n\n\
         #if defined(__cplusplus)\nextern \"C\" {\n#endif\n\n",
    );
    out.push_str(TYPES);
    out.push('\n');
    constants(&mut out);
    out.push('\n');
    classes(&mut out);
    prototypes(&mut out);
    fortran(&mut out);
    out.push_str("\n#if defined(__cplusplus)\n}\n#endif\n\n#endif\n");
    out
}

/// Lines `pub const NAME: TYPE = VALUE;` of the engine's constants.
fn constants(out: &mut String) {
    for line in CONSTANTS.lines() {
        let Some((name, rest)) = line.strip_prefix("pub const ").and_then(|rest| rest.split_once(": ")) else { continue };
        let Some((kind, value)) = rest.trim_end_matches(';').split_once(" = ") else { continue };
        let name = c_name(name);
        match kind {
            "Handle" => handle(out, &name, value),
            "i32" => writeln!(out, "#define {name} ({value})").unwrap(),
            _ => {}
        }
    }
}

/// Rust names cannot begin with a digit, MPI's can.
fn c_name(name: &str) -> String {
    let pair = ["TWO_INT", "TWO_REAL", "TWO_DOUBLE_PRECISION", "TWO_INTEGER"].contains(&name);
    if pair { format!("MPI_2{}", &name[4..]) } else { format!("MPI_{name}") }
}

fn handle(out: &mut String, name: &str, value: &str) {
    let number = value.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match number {
        // Extensions of our own are not the standard's.
        Some(0x3e0..) => {}
        Some(number) => writeln!(out, "#define {name} (({}){value})", handle_type(number)).unwrap(),
        None => writeln!(out, "#define {name} {}", c_name(value)).unwrap(),
    }
}

/// The type of a predefined handle, which its value tells (MPI 5.0, section 20.3).
fn handle_type(number: u32) -> &'static str {
    match number {
        ..0x100 => "MPI_Op",
        0x100..0x108 => "MPI_Comm",
        0x108..0x110 => "MPI_Group",
        0x110..0x118 => "MPI_Win",
        0x118..0x120 => "MPI_File",
        0x120..0x128 => "MPI_Session",
        0x128..0x130 => "MPI_Message",
        0x130..0x140 => "MPI_Info",
        0x140..0x180 => "MPI_Errhandler",
        0x180..0x200 => "MPI_Request",
        _ => "MPI_Datatype",
    }
}

/// The variants of `Class`: `InStatus = 19,` is `MPI_ERR_IN_STATUS`.
fn classes(out: &mut String) {
    let body = ERRORS.split("pub enum Class {").nth(1).and_then(|rest| rest.split('}').next()).unwrap_or_default();
    for line in body.lines() {
        let Some((name, value)) = line.trim().trim_end_matches(',').split_once(" = ") else { continue };
        // Classes of extensions stand between the standard's and those of the tool interface.
        if !matches!(value.parse(), Ok(100..=999)) {
            writeln!(out, "#define {} {value}", class_name(name)).unwrap();
        }
    }
    out.push_str("#define MPI_ERR_LASTCODE 0x3fff\n");
}

fn class_name(name: &str) -> String {
    let mut words = String::new();
    for (i, letter) in name.char_indices() {
        if letter.is_uppercase() && i > 0 {
            words.push('_');
        }
        words.push(letter.to_ascii_uppercase());
    }
    match (words.as_str(), words.strip_prefix("T_")) {
        ("SUCCESS", _) => "MPI_SUCCESS".to_owned(),
        (_, Some(tool)) => format!("MPI_T_ERR_{tool}"),
        _ => format!("MPI_ERR_{words}"),
    }
}

/// Every function of the standard, under its own and its profiling name.
fn prototypes(out: &mut String) {
    let mut chapter = "";
    for function in functions().filter(|f| !["Removed", "Fault tolerance", "Extensions of MPICH"].contains(&f.chapter)) {
        if function.chapter != chapter {
            chapter = function.chapter;
            writeln!(out, "\n/* {chapter} */").unwrap();
        }
        for wide in [false, true] {
            if !wide || function.large {
                both(out, function, wide);
            }
        }
    }
    odd(out);
}

fn both(out: &mut String, function: &Function, wide: bool) {
    let prototype = function.prototype(wide);
    writeln!(out, "{prototype};\n{};", prototype.replacen("int MPI_", "int PMPI_", 1)).unwrap();
}

/// Functions whose shape does not fit the table.
fn odd(out: &mut String) {
    let mut line = |result: &str, name: &str, params: &str| {
        for prefix in ["", "P"] {
            writeln!(out, "{result} {prefix}MPI_{name}({params});").unwrap();
        }
    };
    line("double", "Wtime", "void");
    line("double", "Wtick", "void");
    line("MPI_Aint", "Aint_add", "MPI_Aint base, MPI_Aint disp");
    line("MPI_Aint", "Aint_diff", "MPI_Aint addr1, MPI_Aint addr2");
    for (name, kind) in HANDLES {
        line("int", &format!("{name}_toint"), &format!("{kind} handle"));
        line(kind, &format!("{name}_fromint"), "int handle");
    }
}

/// What older programs and libraries expect of each header (MPI 5.0, section 19.3.4): the ABI leaves it to Fortran's libraries, and
/// its own conversions of handles, which are whole numbers too, do for it.
fn fortran(out: &mut String) {
    out.push_str("\ntypedef int MPI_Fint;\n");
    for (name, _) in HANDLES {
        writeln!(out, "#define MPI_{name}_c2f(handle) ((MPI_Fint)MPI_{name}_toint(handle))").unwrap();
        writeln!(out, "#define MPI_{name}_f2c(handle) MPI_{name}_fromint((int)(handle))").unwrap();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_header_is_what_the_table_says() {
        let committed = include_str!("../../include/mpi.h");
        assert!(header() == committed, "include/mpi.h is old: cargo run --example header > include/mpi.h");
    }

    #[test]
    fn names_are_mpis() {
        assert_eq!(class_name("InStatus"), "MPI_ERR_IN_STATUS");
        assert_eq!(class_name("TCvarSetNotNow"), "MPI_T_ERR_CVAR_SET_NOT_NOW");
        assert_eq!(c_name("TWO_INT"), "MPI_2INT");
    }
}
