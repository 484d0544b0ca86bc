// SPDX-License-Identifier: MIT OR Apache-2.0
//! Starts the ranks of a job on this machine (also installed as `mpirun`). All of it is in `paceline::launch`.

fn main() {
    std::process::exit(paceline::launch::main(std::env::args_os().skip(1).collect()));
}
