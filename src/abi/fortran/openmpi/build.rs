// SPDX-License-Identifier: MIT OR Apache-2.0
#[path = "../generate.rs"]
mod generate;

use generate::Library;

/// The four forms in which compilers ask for a name, the two that Open MPI's own modules use, and the one by which its module
/// `mpi_f08` calls.
fn names(prefix: &str, name: &str) -> Vec<String> {
    let own = prefix.replace("MPI", "ompi");
    let lower = format!("{prefix}_{name}").to_lowercase();
    let mut all = vec![format!("{}_{}_f", own.to_lowercase(), name.to_lowercase())];
    for p in ["", "p"] {
        all.extend([
            format!("{p}{lower}"),
            format!("{p}{lower}_"),
            format!("{p}{lower}__"),
            format!("{p}{lower}").to_uppercase(),
        ]);
        all.extend(["f", "f08"].map(|form| format!("{}{prefix}_{name}_{form}", p.to_uppercase())));
    }
    all
}

/// Types of `MPI_SIZEOF` and their bytes. The names of complex ones tell the bits of a part.
const SIZES: [(&str, usize); 12] = [
    ("character", 1),
    ("complex32", 8),
    ("complex64", 16),
    ("complex128", 32),
    ("int8", 1),
    ("int16", 2),
    ("int32", 4),
    ("int64", 8),
    ("logical", 4),
    ("real32", 4),
    ("real64", 8),
    ("real128", 16),
];

/// `MPI_SIZEOF` of scalars and of arrays of 1 to 15 dimensions.
fn sizes() -> String {
    let ranks = || std::iter::once("scalar".to_owned()).chain((1..=15).map(|n| format!("r{n}")));
    let of_type = |(name, bytes): (&str, usize)| {
        let names = ranks().flat_map(|rank| ["", "p"].map(|p| format!("{p}mpi_sizeof_{name}_{rank}_")));
        let names = names.collect::<Vec<_>>().join(" ");
        let body = format!("(what: Unused, size: *mut i32, error: *mut i32) {{ (*size, *error) = ({bytes}, 0) }}");
        format!("paceline_fortran::function! {{ [{names}] {{ {body} }} }}\n")
    };
    SIZES.into_iter().map(of_type).collect()
}

fn main() {
    let library = Library {
        soname: "libmpi_mpifh.so.40",
        face: "libmpi.so.40",
        chapters: &[
            ("p2p", "MPI"),
            ("request", "MPI"),
            ("collective", "MPI"),
            ("persistent", "MPI"),
            ("persistent", "MPIX"),
            ("neighbor", "MPI"),
            ("op", "MPI"),
            ("datatype", "MPI"),
            ("group", "MPI"),
            ("comm", "MPI"),
            ("attribute", "MPI"),
            ("topology", "MPI"),
            ("error", "MPI"),
            ("info", "MPI"),
            ("env", "MPI"),
            ("session", "MPI"),
            ("process", "MPI"),
            ("rma", "MPI"),
            ("file", "MPI"),
            ("removed", "MPI"),
            ("fault", "MPIX"),
        ],
        names,
        // Those whose address out is a `TYPE (C_PTR)`, which is an address-sized integer's storage.
        also: &[
            ("Alloc_mem", "Alloc_mem_cptr"),
            ("Win_allocate", "Win_allocate_cptr"),
            ("Win_allocate_shared", "Win_allocate_shared_cptr"),
            ("Win_shared_query", "Win_shared_query_cptr"),
        ],
        // As the standard has it; MPICH's takes an error code.
        own: &[("Pcontrol", "(level: *const i32) { paceline_fortran::odd::MPI_Pcontrol::call(*level); }")],
        rows: &[],
        more: sizes(),
    };
    library.generate();
}
