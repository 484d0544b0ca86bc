// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bench`: Paceline against Open MPI, interleaved; a table of medians and ratios.

use clap::Parser;
use conformance::measure::{self, Plan};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

/// Measures Paceline and Open MPI in turns with the same binary.
#[derive(Parser)]
struct Arguments {
    /// Operations: pingpong, window, bcast, allreduce, barrier.
    #[arg(long, value_delimiter = ',', default_value = "pingpong,window,bcast,allreduce,barrier")]
    operations: Vec<String>,
    /// Numbers of ranks.
    #[arg(long, value_delimiter = ',', default_value = "2,4")]
    np: Vec<u32>,
    /// Sizes in bytes; K and M are powers of 1024.
    #[arg(long, default_value = "8,64,1K,4K,16K,64K,256K,1M,4M,16M,64M")]
    sizes: String,
    /// How often each library takes its turn.
    #[arg(long, default_value_t = 5)]
    passes: u32,
    /// Repeats of a size in one turn.
    #[arg(long, default_value_t = 5)]
    repeats: u32,
    /// Length of a repeat in microseconds.
    #[arg(long, default_value_t = 3000)]
    target: u32,
    /// One line a size: that distance of the cores which was seen most.
    #[arg(long)]
    short: bool,
    /// A table for a document.
    #[arg(long)]
    markdown: bool,
    /// The staged prefix.
    #[arg(long, default_value = "stage")]
    stage: PathBuf,
}

/// Share of the processor that may be in use by others while times are taken.
const QUIET: f64 = 0.1;

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(table) => {
            print!("{table}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<String, String> {
    let root = std::env::current_dir().map_err(|error| error.to_string())?;
    let plan = Plan {
        operations: arguments.operations.clone(),
        ranks: arguments.np.clone(),
        sizes: measure::sizes(&arguments.sizes)?,
        passes: arguments.passes,
        repeats: arguments.repeats,
        target: arguments.target,
    };
    let work = root.join("target/conformance/bench");
    std::fs::create_dir_all(&work).map_err(|error| error.to_string())?;
    let program = measure::program(&root)?;
    if let Some(busy) = measure::busy_share().filter(|busy| *busy > QUIET) {
        eprintln!("note: other programs use {:.0} % of the processor: times and ratios below mean little", busy * 100.0);
    }
    let lines = measure::measure(&plan, &program, &root.join(&arguments.stage), &work, progress)?;
    let lines = if arguments.short { measure::most_measured(lines) } else { lines };
    Ok(measure::table(&lines, arguments.markdown))
}

/// One line that is overwritten, on a terminal only.
fn progress(text: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{text}\r");
    }
}
