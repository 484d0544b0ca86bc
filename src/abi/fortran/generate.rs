// SPDX-License-Identifier: MIT OR Apache-2.0
//! For the build scripts of Fortran's libraries: reads the rows of src/api/table and writes a `bind!` for each, and the library
//! of C's functions that the result is linked to.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What a library has.
pub struct Library {
    /// Its name for the loader.
    pub soname: &'static str,
    /// The name of the library of the C functions.
    pub face: &'static str,
    /// Chapters of the table, each with the prefix of its names.
    pub chapters: &'static [(&'static str, &'static str)],
    /// Forms of a name: of `MPI_Send`'s words `prefix` and `name`, here `MPI` and `Send`.
    pub names: fn(&str, &str) -> Vec<String>,
    /// Second names: a function and what else it is called.
    pub also: &'static [(&'static str, &'static str)],
    /// Functions of its own, as [`FUNCTIONS`]; they stand for rows of their name.
    pub own: &'static [(&'static str, &'static str)],
    /// Rows of its own, each with the prefix of its names.
    pub rows: &'static [(&'static str, &'static str)],
    /// More of the source.
    pub more: String,
}

/// Rows that have no function of this kind in Fortran: those of the tool interface and of the ABI, and what an odd row below replaces.
fn is_left_out(name: &str) -> bool {
    name.starts_with("T_") || name.starts_with("Abi_") || ODD.iter().any(|row| row.starts_with(&format!("{name}(")))
}

/// Rows as Fortran has them where arguments are others than C's, or what C gets is; called is a function of `odd.rs`.
const ODD: [&str; 4] = [
    "Init()",
    "Init_thread(required: Threading, provided: OutThreading)",
    "Pcontrol(level: Level)",
    "Info_create_env(info: OutInfo)",
];

/// Functions that return a value or are no rows: name, forms of the table's words, arguments and body.
const FUNCTIONS: [(&str, &str); 18] = [
    ("Wtime", "() -> f64 { paceline_fortran::odd::wtime() }"),
    ("Wtick", "() -> f64 { paceline_fortran::odd::wtick() }"),
    ("Aint_add", "(base: *const i64, distance: *const i64) -> i64 { (*base).wrapping_add(*distance) }"),
    ("Aint_diff", "(one: *const i64, other: *const i64) -> i64 { (*one).wrapping_sub(*other) }"),
    ("F_sync_reg", "(buffer: Unused) {}"),
    ("CONVERSION_FN_NULL", "() {}"),
    ("NULL_COPY_FN", COPY_NOTHING),
    ("COMM_NULL_COPY_FN", COPY_NOTHING),
    ("TYPE_NULL_COPY_FN", COPY_NOTHING),
    ("WIN_NULL_COPY_FN", COPY_NOTHING),
    (
        "DUP_FN",
        "(object: Unused, key: Unused, extra: Unused, value: *const i32, out: *mut i32, flag: *mut i32, error: *mut i32) { copy(value, out, flag, error) }",
    ),
    ("COMM_DUP_FN", COPY),
    ("TYPE_DUP_FN", COPY),
    ("WIN_DUP_FN", COPY),
    ("NULL_DELETE_FN", DELETE_NOTHING),
    ("COMM_NULL_DELETE_FN", DELETE_NOTHING),
    ("TYPE_NULL_DELETE_FN", DELETE_NOTHING),
    ("WIN_NULL_DELETE_FN", DELETE_NOTHING),
];
const COPY_NOTHING: &str = "(object: Unused, key: Unused, extra: Unused, value: Unused, out: Unused, flag: *mut i32, error: *mut i32) { no_copy(flag, error) }";
const COPY: &str = "(object: Unused, key: Unused, extra: Unused, value: *const i64, out: *mut i64, flag: *mut i32, error: *mut i32) { copy(value, out, flag, error) }";
const DELETE_NOTHING: &str = "(object: Unused, key: Unused, value: Unused, extra: Unused, error: *mut i32) { *error = 0 }";

/// A row of the table.
struct Row {
    name: String,
    parameters: Vec<Parameter>,
}

/// `name: Kind[length] & with`.
struct Parameter {
    name: String,
    kind: String,
    length: Option<String>,
    with: Option<String>,
}

impl Row {
    /// Of a line `Name(parameters) => …;`.
    fn read(line: &str) -> Option<Row> {
        let (name, rest) = line.trim().split_once('(')?;
        let parameters = rest.split(") =>").next()?.trim_end_matches(')');
        let named = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        named.then(|| Row {
            name: name.to_owned(),
            parameters: pieces(parameters).iter().map(|text| Parameter::read(text)).collect(),
        })
    }
}

/// The parts between commas that stand in no bracket.
fn pieces(text: &str) -> Vec<String> {
    let (mut depth, mut all) = (0, vec![String::new()]);
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                all.push(String::new());
                continue;
            }
            _ => {}
        }
        all.last_mut().expect("one at least").push(c);
    }
    all.retain(|piece| !piece.trim().is_empty());
    all
}

impl Parameter {
    fn read(text: &str) -> Parameter {
        let (name, rest) = text.trim().split_once(": ").expect("name: Kind");
        let (rest, with) = match rest.split_once(" & ") {
            Some((rest, with)) => (rest, Some(with.to_owned())),
            None => (rest, None),
        };
        let (kind, length) = match rest.split_once('[') {
            Some((kind, length)) => (kind, Some(length.trim_end_matches(']').to_owned())),
            None => (rest, None),
        };
        Parameter { name: name.to_owned(), kind: kind.to_owned(), length, with }
    }

    /// Whether it is a string, whose length compilers pass behind all arguments.
    fn is_text(&self) -> bool {
        const OUT: [&str; 9] =
            ["ProcessorName", "LibraryVersion", "ErrorString", "ObjectName", "PortName", "InfoKey", "DataRep", "Text", "Bytes"];
        self.kind == "Text" || self.kind.strip_prefix("Out").is_some_and(|rest| OUT.contains(&rest))
    }

    /// The kind in Fortran: where it depends on more than the kind in C.
    fn kind(&self, chapter: &str) -> String {
        let kind = match (chapter, self.kind.as_str(), self.name.as_str()) {
            ("removed", "Aint", _) => "OldAint",
            ("removed", "Aints", _) => "OldAints",
            ("removed", "OutAint", _) => "OldOutAint",
            ("info", "Text", _) => "InfoText",
            ("info" | "session", "InOutInt", _) => "InOutLength",
            (_, "OutInts", "array_of_indices") => "OutIndices",
            (_, "Pointer", "base") => "Address",
            (_, "Aint", _) => "Aint64",
            (_, kind, _) => kind,
        };
        kind.to_owned()
    }

    /// What else the kind needs, in terms of Fortran's arguments.
    fn needs(&self, chapter: &str, hidden: &str) -> Option<String> {
        if self.is_text() {
            return Some(hidden.to_owned());
        }
        match self.kind(chapter).as_str() {
            "OutIndices" => Some("place(outcount)".to_owned()),
            "Comms" | "Datatypes" | "Infos" | "Requests" | "InRequests" | "OutDatatypes" | "OutStatuses" | "OldAints" => {
                self.length.as_deref().map(length)
            }
            _ => None,
        }
    }
}

/// The expression of a length: `count`, or a function of arguments.
fn length(text: &str) -> String {
    match text.split_once('(') {
        Some((function, arguments)) => format!("{function}::<crate::Face>({arguments}"),
        None => format!("number({text})"),
    }
}

/// Attributes: values out that may be MPI's own, and values that were `INTEGER`s before MPI 2.
fn attribute_kind(row: &str, parameter: &Parameter) -> Option<(&'static str, bool)> {
    match (row, parameter.kind.as_str()) {
        ("Attr_get", "OutPointer") => Some(("OldOutAttribute", true)),
        ("Win_get_attr", "OutPointer") => Some(("OutWindowAttribute", true)),
        ("Comm_get_attr" | "Type_get_attr", "OutPointer") => Some(("OutAttribute", true)),
        ("Attr_put" | "Keyval_create", "Pointer") => Some(("OldPointer", false)),
        // The peers pass the functions of a generalized request the program's own extra state, which they may change.
        ("Grequest_start", "Pointer") => Some(("Address", false)),
        _ => None,
    }
}

/// The arguments of a row as `bind!` has them, and the hidden lengths.
fn arguments(row: &Row, chapter: &str) -> (String, String) {
    let (mut arguments, mut hidden) = (Vec::new(), Vec::new());
    let key = row.parameters.iter().find(|parameter| parameter.kind == "Keyval");
    for parameter in &row.parameters {
        let length = format!("{}_length", parameter.name);
        let (kind, needs) = match attribute_kind(&row.name, parameter) {
            Some((kind, keyed)) => (kind.to_owned(), key.filter(|_| keyed).map(|key| format!("key({})", key.name))),
            None => (parameter.kind(chapter), parameter.needs(chapter, &length)),
        };
        let needs = needs.map_or(String::new(), |needs| format!(" [{needs}]"));
        arguments.push(format!("{}: {kind}{needs}", parameter.name));
        arguments.extend(parameter.with.iter().map(|with| format!("{with}: OutInt")));
        hidden.extend(parameter.is_text().then_some(length));
    }
    (arguments.join(", "), hidden.join(", "))
}

impl Library {
    /// Writes `rows.rs`, and tells cargo how to link.
    pub fn generate(&self) {
        let table = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo says where")).join("../../../api/table");
        println!("cargo:rerun-if-changed={}", table.display());
        println!("cargo:rerun-if-changed=../generate.rs");
        let mut text = String::new();
        for (chapter, prefix) in self.chapters {
            let rows = fs::read_to_string(table.join(format!("{chapter}.rs"))).expect("a chapter of the table");
            let rows = rows.lines().filter_map(Row::read).filter(|row| !is_left_out(&row.name));
            rows.for_each(|row| self.bind(&mut text, &row, chapter, prefix, "extern"));
        }
        let is_own = |row: &Row| self.own.iter().any(|(name, _)| *name == row.name);
        ODD.iter()
            .filter_map(|row| Row::read(row))
            .filter(|row| !is_own(row))
            .for_each(|row| self.bind(&mut text, &row, "", "MPI", "odd"));
        for (prefix, row) in self.rows {
            self.bind(&mut text, &Row::read(row).expect("a row"), "", prefix, "extern");
        }
        text.push_str(&self.more);
        for (name, function) in FUNCTIONS.iter().chain(self.own) {
            let names = (self.names)("MPI", name).join(" ");
            writeln!(text, "paceline_fortran::function! {{ [{names}] {{ {function} }} }}").expect("a string takes all");
        }
        let place = PathBuf::from(env::var("OUT_DIR").expect("cargo says where"));
        fs::write(place.join("rows.rs"), text).expect("the rows are written");
        self.link(&place);
    }

    fn bind(&self, text: &mut String, row: &Row, chapter: &str, prefix: &str, how: &str) {
        let mut names = (self.names)(prefix, &row.name);
        let also = self.also.iter().filter(|(name, _)| *name == row.name);
        names.extend(also.flat_map(|(_, other)| (self.names)(prefix, other)));
        let (arguments, hidden) = arguments(row, chapter);
        let names = names.join(" ");
        writeln!(
            text,
            "paceline_fortran::bind! {{ crate::Face [{how} {prefix}_{}] [{names}] ({arguments}) ({hidden}) }}",
            row.name
        )
        .expect("a string takes all");
    }

    /// Linked to an empty library of the face's name: the loader brings ours, or whichever stands for it.
    fn link(&self, place: &Path) {
        let face = place.join(self.face);
        let source = place.join("empty.c");
        fs::write(&source, "").expect("an empty source");
        let soname = format!("-Wl,-soname,{}", self.face);
        let made = Command::new("cc").args(["-shared", "-nostdlib", &soname]).arg(&source).arg("-o").arg(&face).status();
        assert!(made.expect("cc runs").success(), "cc makes an empty library");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,{}", self.soname);
        println!("cargo:rustc-cdylib-link-arg=-Wl,--no-as-needed,{}", face.display());
    }
}
