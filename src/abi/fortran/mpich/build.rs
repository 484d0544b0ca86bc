// SPDX-License-Identifier: MIT OR Apache-2.0
#[path = "../generate.rs"]
mod generate;

use generate::Library;

/// The four forms in which compilers ask for a name.
fn names(prefix: &str, name: &str) -> Vec<String> {
    let lower = format!("{prefix}_{name}").to_lowercase();
    let forms =
        |p: &str| [format!("{p}{lower}"), format!("{p}{lower}_"), format!("{p}{lower}__"), format!("{p}{lower}").to_uppercase()];
    [forms(""), forms("p")].concat()
}

fn main() {
    let library = Library {
        soname: "libmpifort.so.12",
        face: "libmpi.so.12",
        chapters: &[
            ("p2p", "MPI"),
            ("request", "MPI"),
            ("collective", "MPI"),
            ("persistent", "MPI"),
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
            ("recent", "MPI"),
            ("fault", "MPIX"),
        ],
        names,
        also: &[],
        own: &[],
        // The first three give their answer where others give their error code.
        rows: &[
            ("MPIX", "Query_cuda_support()"),
            ("MPIX", "Query_hip_support()"),
            ("MPIX", "Query_ze_support()"),
            ("MPIX", "GPU_query_support(gpu_type: Int, is_supported: OutFlag)"),
        ],
        more: String::new(),
    };
    library.generate();
}
