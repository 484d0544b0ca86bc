// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table of options. Those of Open MPI's and MPICH's launchers that change nothing on one machine are taken and
//! forgotten; those that would change something and are not served are refused by name.

/// What an option means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Number of ranks of this program.
    Count,
    /// Number of ranks, if no count is given (one machine: per node is in all).
    PerNode,
    /// `NAME[=VALUE]`
    Export,
    /// `NAME VALUE` for every program.
    SetAll,
    /// `NAME VALUE` for this program.
    Set,
    /// Working directory.
    Folder,
    /// Each line is marked with its rank.
    Tag,
    /// Seconds after which the job is ended.
    Timeout,
    /// What ranks are bound to.
    Bind,
    /// Who gets the standard input.
    Stdin,
    /// Hosts, comma-separated.
    Hosts,
    /// A file of hosts.
    HostFile,
    /// Say what is done.
    Verbose,
    /// Print the help.
    Help,
    /// Print the version.
    Version,
    /// Takes this many words and changes nothing.
    Ignored(usize),
}

/// The meaning of an option, given without its dashes.
pub fn meaning(name: &str) -> Option<Meaning> {
    use Meaning::*;
    Some(match name {
        "n" | "np" | "c" => Count,
        "N" | "npernode" | "ppn" | "perhost" => PerNode,
        "x" => Export,
        "genv" => SetAll,
        "env" => Set,
        "wdir" | "wd" => Folder,
        "tag-output" | "l" | "prepend-rank" => Tag,
        "timeout" => Timeout,
        "bind-to" => Bind,
        "stdin" => Stdin,
        "host" | "hosts" | "H" => Hosts,
        "hostfile" | "machinefile" | "f" => HostFile,
        "v" | "verbose" => Verbose,
        "h" | "help" => Help,
        "V" | "version" => Version,
        "allow-run-as-root" | "oversubscribe" | "nooversubscribe" | "use-hwthread-cpus" | "report-bindings" => Ignored(0),
        "display-map" | "display-allocation" | "q" | "quiet" | "genvall" | "envall" | "bynode" | "byslot" => Ignored(0),
        "bycore" | "bysocket" | "bind-to-core" | "bind-to-none" | "print-all-exitcodes" | "enable-recovery" => Ignored(0),
        "map-by" | "rank-by" | "launcher" | "iface" | "genvlist" | "envlist" | "prefix" | "display" => Ignored(1),
        "mca" | "gmca" | "pmixmca" | "prtemca" => Ignored(2),
        _ => return None,
    })
}

/// What `--help` prints.
pub const HELP: &str = "\
usage: mpiexec [OPTIONS] PROGRAM [ARGUMENTS] [: [OPTIONS] PROGRAM [ARGUMENTS]]...

Starts PROGRAM as the ranks of one MPI job on this machine. The MPI library that the program was built for is found out
from the program, and Paceline serves it under that name.

  -n, -np, -c N          number of ranks of this program (default: one for each core)
  -x NAME[=VALUE]        set an environment variable for the ranks (all variables are passed on anyway)
  -genv NAME[=]VALUE     the same, for all programs;  -env NAME[=]VALUE  for this program (= or a blank)
  -wdir, --wdir DIR      working directory of the ranks
  --tag-output           begin each line with [1,RANK]<stdout>: or [1,RANK]<stderr>:
  --timeout S            end the job after S seconds, with status 124
  --bind-to core|none    bind each rank to a core of its own where there are enough (default: none)
  --stdin 0|none         who reads the standard input (default: rank 0; the others read nothing)
  -host, -hostfile ...   taken where they name this machine only
  -v, --verbose          say what is started and how
  --help, --version

The exit status is that of the first rank that failed: its exit code, 128 + signal, or the code of MPI_Abort.
Options of Open MPI's and MPICH's launchers that change nothing here (--oversubscribe, --allow-run-as-root,
--map-by X, --mca K V, ...) are taken and ignored.
";
