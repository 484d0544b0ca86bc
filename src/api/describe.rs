// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows as data: the list of functions and what is implemented, and the prototypes of `include/mpi.h`.

/// An MPI function, as its row says.
pub struct Function {
    /// The chapter: the name of its table.
    pub chapter: &'static str,
    /// Its C name, without the `_c` of the wide form.
    pub name: &'static str,
    /// Whether it is implemented.
    pub implemented: bool,
    /// Whether it has a wide form.
    pub large: bool,
    /// Its arguments, in C order.
    pub params: &'static [Param],
}

/// An argument of a function.
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its C declaration with `{}` for the name, in the narrow and the wide form.
    pub spelling: [&'static str; 2],
    /// The `int *` argument that belongs to it and follows it.
    pub with: Option<&'static str>,
}

impl Function {
    /// The C prototype, of the wide form when `wide`; no semicolon.
    pub fn prototype(&self, wide: bool) -> String {
        let suffix = if wide { "_c" } else { "" };
        let params: Vec<String> = self.params.iter().flat_map(|p| p.declarations(wide)).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        format!("int {}{suffix}({params})", self.name)
    }
}

impl Param {
    fn declarations(&self, wide: bool) -> impl Iterator<Item = String> {
        let own = self.spelling[usize::from(wide)].replace("{}", self.name);
        [Some(own), self.with.map(|w| format!("int *{w}"))].into_iter().flatten()
    }
}

/// Rows of a table to a slice of [`Function`].
#[macro_export]
macro_rules! describe {
    ([$chapter:literal, $prefix:literal]
     $($name:ident ($($arg:ident : $kind:ident $([$($len:tt)+])? $(& $with:ident)?),* $(,)?) => $($target:ident)::+ $(, $word:ident)*;)*) => {
        &[$($crate::api::describe::Function {
            chapter: $chapter,
            name: concat!($prefix, stringify!($name)),
            implemented: $crate::describe_implemented!($($target)::+),
            large: false $(|| $crate::describe_large!($word))*,
            params: &[$($crate::api::describe::Param {
                name: stringify!($arg),
                spelling: [
                    <$crate::api::kind::$kind as $crate::api::kind::Spell>::NARROW,
                    <$crate::api::kind::$kind as $crate::api::kind::Spell>::WIDE,
                ],
                with: $crate::describe_with!($($with)?),
            }),*],
        }),*]
    };
}

/// Whether a row's target is an engine function.
#[doc(hidden)]
#[macro_export]
macro_rules! describe_implemented {
    (absent) => {
        false
    };
    ($($target:ident)::+) => {
        true
    };
}

/// Whether a row's word says that there is a wide form.
#[doc(hidden)]
#[macro_export]
macro_rules! describe_large {
    (large) => {
        true
    };
    ($word:ident) => {
        false
    };
}

/// The companion argument.
#[doc(hidden)]
#[macro_export]
macro_rules! describe_with {
    () => {
        None
    };
    ($with:ident) => {
        Some(stringify!($with))
    };
}

type Table = &'static [Function];

/// Every row, chapter by chapter.
pub static FUNCTIONS: &[Table] = &[
    crate::table_p2p!(crate::describe, ["Point-to-point", "MPI_"]),
    crate::table_request!(crate::describe, ["Requests", "MPI_"]),
    crate::table_collective!(crate::describe, ["Collectives", "MPI_"]),
    crate::table_persistent!(crate::describe, ["Persistent collectives", "MPI_"]),
    crate::table_neighbor!(crate::describe, ["Neighborhood collectives", "MPI_"]),
    crate::table_op!(crate::describe, ["Operations", "MPI_"]),
    crate::table_datatype!(crate::describe, ["Datatypes", "MPI_"]),
    crate::table_group!(crate::describe, ["Groups", "MPI_"]),
    crate::table_comm!(crate::describe, ["Communicators", "MPI_"]),
    crate::table_attribute!(crate::describe, ["Attributes", "MPI_"]),
    crate::table_topology!(crate::describe, ["Topologies", "MPI_"]),
    crate::table_error!(crate::describe, ["Errors", "MPI_"]),
    crate::table_info!(crate::describe, ["Info", "MPI_"]),
    crate::table_env!(crate::describe, ["Environment", "MPI_"]),
    crate::table_session!(crate::describe, ["Sessions", "MPI_"]),
    crate::table_process!(crate::describe, ["Processes", "MPI_"]),
    crate::table_rma!(crate::describe, ["One-sided", "MPI_"]),
    crate::table_file!(crate::describe, ["Files", "MPI_"]),
    crate::table_tool!(crate::describe, ["Tool interface", "MPI_"]),
    crate::table_removed!(crate::describe, ["Removed", "MPI_"]),
    crate::table_recent!(crate::describe, ["MPI 4.1 and 5.0", "MPI_"]),
    crate::table_large!(crate::describe, ["Large counts", "MPI_"]),
    crate::table_fault!(crate::describe, ["Fault tolerance", "MPIX_"]),
    crate::table_mpich!(crate::describe, ["Extensions of MPICH", "MPIX_"]),
];

/// Every function.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter().copied().flatten()
}
