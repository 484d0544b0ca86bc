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
        all.extend([format!("{p}{lower}"), format!("{p}{lower}_"), format!("{p}{lower}__"), format!("{p}{lower}").to_uppercase()]);
        all.extend(["f", "f08"].map(|form| format!("{}{prefix}_{name}_{form}", p.to_uppercase())));
    }
    all
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
        own: &[("Pcontrol", "(level: *const i32) { unsafe { paceline_fortran::odd::MPI_Pcontrol::call(*level) }; }")],
    };
    library.generate();
}
