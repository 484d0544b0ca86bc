// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints `include/mpi.h`.

fn main() {
    print!("{}", paceline::api::header::header());
}
