// SPDX-License-Identifier: MIT OR Apache-2.0
//! The benchmark program on Open MPI and on Paceline in turns (A B A B), so that a machine whose speed drifts slows both.
//!
//! On two ranks every repeat carries the round trip of a cache line just before and just after it. Only repeats with the
//! same distance between the cores are compared; the medians of near and far repeats stand in lines of their own.

use crate::compile::Face;
use crate::launcher::Launcher;
use crate::process;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Round trips below this many nanoseconds are "near"; in a virtual machine cores are seen at about 100 or 500.
const NEAR_BELOW: f64 = 250.0;
/// Sizes up to this many bytes are measured in one run, the longer ones in another.
const SHORT: u64 = 64 << 10;
const LIMIT: Duration = Duration::from_secs(120);

/// What to measure.
pub struct Plan {
    /// Operations of the benchmark program.
    pub operations: Vec<String>,
    /// Numbers of ranks.
    pub ranks: Vec<u32>,
    /// Sizes in bytes.
    pub sizes: Vec<u64>,
    /// How often both libraries take their turn.
    pub passes: u32,
    /// Repeats of a size in one turn.
    pub repeats: u32,
    /// Length of a repeat in microseconds.
    pub target: u32,
}

/// How far the two cores were from each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    /// A cache line goes there and back in less than 250 ns.
    Near,
    /// It takes longer.
    Far,
    /// More than two ranks, or the cores moved during the repeat.
    Unknown,
}

impl Distance {
    /// The word in the table.
    pub fn name(self) -> &'static str {
        match self {
            Distance::Near => "near",
            Distance::Far => "far",
            Distance::Unknown => "-",
        }
    }
}

/// What is compared with what: operation, ranks, bytes, distance.
pub type Key = (String, u32, u64, Distance);

/// Times in microseconds of one key on both libraries.
#[derive(Default)]
pub struct Times {
    /// Open MPI's repeats.
    pub peer: Vec<f64>,
    /// Paceline's repeats.
    pub ours: Vec<f64>,
}

/// A line of the table: medians in microseconds.
pub struct Line {
    /// What was measured.
    pub key: Key,
    /// Open MPI's median.
    pub peer: f64,
    /// Paceline's median.
    pub ours: f64,
    /// The smaller number of repeats of the two.
    pub repeats: usize,
}

impl Line {
    /// Paceline's time over Open MPI's: below 1 is faster.
    pub fn ratio(&self) -> f64 {
        self.ours / self.peer
    }
}

/// One thing that the benchmark program does in one run.
struct Turn<'a> {
    operation: &'a str,
    ranks: u32,
    sizes: Vec<u64>,
}

/// The share of all processors' time that others use just now (of half a second); `None` where the system does not say.
pub fn busy_share() -> Option<f64> {
    let before = processor_times()?;
    std::thread::sleep(Duration::from_millis(500));
    let after = processor_times()?;
    let (all, idle) = (after.0 - before.0, after.1 - before.1);
    (all > 0.0).then(|| 1.0 - idle / all)
}

/// Ticks of all processors since the machine started, and the idle ones among them (proc(5), /proc/stat).
fn processor_times() -> Option<(f64, f64)> {
    let text = std::fs::read_to_string("/proc/stat").ok()?;
    let ticks: Vec<f64> = text.lines().next()?.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    Some((ticks.iter().take(8).sum(), ticks.get(3)? + ticks.get(4)?))
}

/// Measures; `program` is the compiled benchmark, `say` hears of every turn.
pub fn measure(plan: &Plan, program: &Path, stage: &Path, work: &Path, say: impl Fn(&str)) -> Result<Vec<Line>, String> {
    let mut all: BTreeMap<Key, Times> = BTreeMap::new();
    for pass in 0..plan.passes {
        for turn in turns(plan) {
            say(&format!("pass {}/{}: {} on {} ranks", pass + 1, plan.passes, turn.operation, turn.ranks));
            for on in [Launcher::Peer, Launcher::Mpiexec] {
                for (key, time) in run(plan, &turn, on, program, stage, work)? {
                    let times = all.entry(key).or_default();
                    if on == Launcher::Peer { times.peer.push(time) } else { times.ours.push(time) }
                }
            }
        }
    }
    Ok(lines(all))
}

fn turns(plan: &Plan) -> Vec<Turn<'_>> {
    let (short, long): (Vec<u64>, Vec<u64>) = plan.sizes.iter().partition(|bytes| **bytes <= SHORT);
    let mut turns = Vec::new();
    for &ranks in &plan.ranks {
        for operation in &plan.operations {
            let parts = if operation == "barrier" { vec![vec![0]] } else { vec![short.clone(), long.clone()] };
            let parts = parts.into_iter().filter(|sizes| !sizes.is_empty());
            turns.extend(parts.map(|sizes| Turn { operation, ranks, sizes }));
        }
    }
    turns
}

fn run(plan: &Plan, turn: &Turn, on: Launcher, program: &Path, stage: &Path, work: &Path) -> Result<Vec<(Key, f64)>, String> {
    let sizes: Vec<String> = turn.sizes.iter().map(u64::to_string).collect();
    let mut command = on.command(Face::Openmpi, stage, turn.ranks, program);
    command.args([turn.operation, &sizes.join(","), &plan.repeats.to_string(), &plan.target.to_string()]);
    // With a core for each rank Open MPI polls; with fewer it only works when it yields.
    let crowded = turn.ranks as usize > std::thread::available_parallelism().map_or(1, |n| n.get());
    command.env("OMPI_MCA_mpi_yield_when_idle", if crowded { "1" } else { "0" });
    let ended = process::run(command, "", LIMIT, work).map_err(|error| format!("cannot start the benchmark on {on}: {error}"))?;
    match ended.status {
        Some(0) => Ok(ended.out.lines().filter_map(|row| parse(row, turn.ranks)).collect()),
        Some(status) => Err(format!("{} np={} on {on}: exit status {status}\n{}", turn.operation, turn.ranks, ended.err)),
        None => Err(format!("{} np={} on {on}: took more than {} s", turn.operation, turn.ranks, LIMIT.as_secs())),
    }
}

/// A row of the benchmark program: operation, bytes, repeat, microseconds, iterations, probe before, probe after.
fn parse(row: &str, ranks: u32) -> Option<(Key, f64)> {
    let fields: Vec<&str> = row.split('\t').collect();
    let number = |i: usize| fields.get(i)?.parse::<f64>().ok();
    let distance = distance(number(5)?, number(6)?);
    Some(((fields[0].to_owned(), ranks, number(1)? as u64, distance), number(3)?))
}

fn distance(before: f64, after: f64) -> Distance {
    match (before, after) {
        (b, a) if b > 0.0 && b < NEAR_BELOW && a < NEAR_BELOW => Distance::Near,
        (b, a) if b >= NEAR_BELOW && a >= NEAR_BELOW => Distance::Far,
        _ => Distance::Unknown,
    }
}

/// Medians of the keys that both libraries have. Two-rank repeats during which the cores moved are left out.
fn lines(all: BTreeMap<Key, Times>) -> Vec<Line> {
    let comparable =
        |key: &Key, times: &Times| !times.peer.is_empty() && !times.ours.is_empty() && (key.1 > 2 || key.3 != Distance::Unknown);
    all.into_iter()
        .filter(|(key, times)| comparable(key, times))
        .map(|(key, times)| Line {
            key,
            repeats: times.peer.len().min(times.ours.len()),
            peer: median(times.peer),
            ours: median(times.ours),
        })
        .collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

/// Only the distance with the most repeats for each operation, ranks and size.
pub fn most_measured(lines: Vec<Line>) -> Vec<Line> {
    let mut best: BTreeMap<(String, u32, u64), Line> = BTreeMap::new();
    for line in lines {
        let place = (line.key.0.clone(), line.key.1, line.key.2);
        match best.get(&place) {
            Some(other) if other.repeats >= line.repeats => {}
            _ => drop(best.insert(place, line)),
        }
    }
    best.into_values().collect()
}

/// The table, for a terminal or for a document.
pub fn table(lines: &[Line], markdown: bool) -> String {
    let head = ["operation", "ranks", "cores", "size", "Open MPI, us", "Paceline, us", "ratio", "repeats"].map(str::to_owned);
    let rows: Vec<[String; 8]> = std::iter::once(head).chain(lines.iter().map(row)).collect();
    if markdown { as_markdown(&rows) } else { as_text(&rows) }
}

fn row(line: &Line) -> [String; 8] {
    let (operation, ranks, bytes, distance) = &line.key;
    let time = |t: f64| if t < 100.0 { format!("{t:.2}") } else { format!("{t:.0}") };
    let name = if operation == "window" { "isend/irecv" } else { operation };
    let ratio = format!("{:.2}", line.ratio());
    [
        name.into(),
        ranks.to_string(),
        distance.name().into(),
        size_name(*bytes),
        time(line.peer),
        time(line.ours),
        ratio,
        line.repeats.to_string(),
    ]
}

fn as_text(rows: &[[String; 8]]) -> String {
    let line = |[name, ranks, cores, size, peer, ours, ratio, repeats]: &[String; 8]| {
        format!("{name:<11} {ranks:>5}  {cores:<5} {size:>8} {peer:>13} {ours:>13} {ratio:>6} {repeats:>8}\n")
    };
    rows.iter().map(line).collect()
}

fn as_markdown(rows: &[[String; 8]]) -> String {
    let line = |row: &[String; 8]| format!("| {} |\n", row.join(" | "));
    let body: String = rows[1..].iter().map(line).collect();
    line(&rows[0]) + "|---|---|---|---|---|---|---|---|\n" + &body
}

/// 65536 is "64 KiB".
fn size_name(bytes: u64) -> String {
    match bytes {
        0 => "-".into(),
        b if b % (1 << 20) == 0 => format!("{} MiB", b >> 20),
        b if b % (1 << 10) == 0 => format!("{} KiB", b >> 10),
        b => format!("{b} B"),
    }
}

/// Reads "8,1K,64M".
pub fn sizes(text: &str) -> Result<Vec<u64>, String> {
    text.split(',').map(size).collect()
}

fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(['K', 'M']);
    let shift = if text.ends_with('K') {
        10
    } else if text.ends_with('M') {
        20
    } else {
        0
    };
    digits.parse::<u64>().map(|n| n << shift).map_err(|_| format!("{text} is not a size"))
}

/// Where the benchmark program is, and where its binary goes.
pub fn program(root: &Path) -> Result<PathBuf, String> {
    crate::compile::program(&root.join("bench/mpi_bench.c"), &root.join("target/conformance/bin/bench"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(bytes: u64, distance: Distance) -> Key {
        ("bcast".into(), 2, bytes, distance)
    }

    #[test]
    fn a_row_is_read_with_its_distance() {
        assert!(parse("bcast\t8\t0\t0.5\t100\t97\t99", 2) == Some((key(8, Distance::Near), 0.5)));
        assert!(parse("bcast\t8\t0\t0.5\t100\t97\t490", 2) == Some((key(8, Distance::Unknown), 0.5)));
        assert!(parse("bcast\t8\t0\t0.5\t100\t470\t490", 2) == Some((key(8, Distance::Far), 0.5)));
        assert!(parse("some warning", 2).is_none());
    }

    #[test]
    fn medians_are_of_equal_distance_and_of_both_libraries() {
        let mut all = BTreeMap::new();
        all.insert(key(8, Distance::Near), Times { peer: vec![1.0, 9.0, 2.0], ours: vec![4.0, 2.0] });
        all.insert(key(8, Distance::Far), Times { peer: vec![1.0], ours: vec![] });
        all.insert(key(8, Distance::Unknown), Times { peer: vec![1.0], ours: vec![1.0] });
        let lines = lines(all);
        assert_eq!(lines.len(), 1);
        assert_eq!((lines[0].peer, lines[0].ours, lines[0].ratio(), lines[0].repeats), (2.0, 3.0, 1.5, 2));
    }

    #[test]
    fn sizes_have_suffixes() {
        assert_eq!(sizes("8,1K,64M").unwrap(), [8, 1024, 64 << 20]);
        assert!(sizes("8,x").is_err());
        assert_eq!([8, 1024, 64 << 20].map(size_name), ["8 B", "1 KiB", "64 MiB"]);
    }

    #[test]
    fn the_distance_with_more_repeats_stands_for_a_size() {
        let line = |distance, repeats| Line { key: key(8, distance), peer: 1.0, ours: 1.0, repeats };
        let best = most_measured(vec![line(Distance::Near, 2), line(Distance::Far, 5)]);
        assert!(best.len() == 1 && best[0].key.3 == Distance::Far);
    }
}
