// SPDX-License-Identifier: MIT OR Apache-2.0
//! Choosing is data: a table of rules `collective:bytes:memory:ranks:@algorithm`, the user's (`PACELINE_COLL`,
//! comma-separated) before the built-in ones. The first rule that fits and whose algorithm can serve the call decides.
//!
//! * bytes and ranks are `from-to` (both included; `64K`, `inf`), one number, or `*`; memory is `host`, `cuda` (on devices), `one` (on one
//!   device that all ranks share), `staged` (on devices, with messages that go through the host: both are a `cuda`,
//!   too) or `*`. Ranks agree on it in large blocking calls of one node; nonblocking and persistent ones take what the communicator's ranks agreed on last, other calls count as `host`;
//! * fields between the collective and the algorithm may be left out from the right: `allreduce:@ring` forces the ring;
//! * the algorithm may name its chunk: `@chain/256K`, `@two_shot/inf`; `@node` is the algorithm in the shared segment.
//!
//! All ranks must see the same rules, since all must choose the same.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use crate::knob::{self, parse_number};

use super::registry::{self, Algorithm, Collective};
use super::schedule::{Call, Ground};

/// The built-in rules. Those of the host were measured on one node (shared memory, direct reads). Those of devices come from the cost
/// model (15 us a step, 25 GB/s a link) and wait for a measurement on a real device. The last of each collective serves everything.
const BUILT_IN: &str = "
    barrier:*:*:*:@dissemination,
    bcast:16K-inf:one:*:@star,
    bcast:16K-inf:cuda:2:@star,
    bcast:16K-1M:cuda:*:@binomial,
    bcast:1M-8M:cuda:*:@chain/512K,
    bcast:8M-64M:cuda:*:@chain/1M,
    bcast:64M-inf:cuda:*:@chain/4M,
    bcast:0-16K:*:*:@binomial,
    bcast:16K-inf:*:2-8:@star,
    bcast:16K-512K:*:*:@binomial,
    bcast:512K-inf:*:*:@ring,
    bcast:*:*:*:@chain,
    reduce:0-16K:*:*:@binomial,
    reduce:16K-512K:*:2-4:@star,
    reduce:256K-inf:staged:2-8:@two_shot/512K,
    reduce:16K-inf:*:2-8:@two_shot/inf,
    reduce:1M-inf:*:*:@chain,
    reduce:*:*:*:@binomial,
    allreduce:256K-inf:staged:2-8:@two_shot/512K,
    allreduce:0-1M:cuda:2:@one_shot,
    allreduce:0-256K:cuda:3-4:@one_shot,
    allreduce:0-64K:cuda:5-8:@one_shot,
    allreduce:64K-inf:one:2-8:@two_shot/inf,
    allreduce:64K-4M:cuda:2-8:@two_shot/inf,
    allreduce:64K-64M:cuda:*:@ring/1M,
    allreduce:64M-inf:cuda:*:@ring/4M,
    allreduce:0-16K:*:*:@recursive_doubling,
    allreduce:16K-inf:*:2-8:@two_shot/inf,
    allreduce:16K-inf:*:*:@ring,
    allreduce:*:*:*:@tree,
    gather:0-2K:*:9-inf:@binomial,
    gather:*:*:*:@linear,
    gatherv:*:*:*:@linear,
    scatter:0-2K:*:9-inf:@binomial,
    scatter:*:*:*:@linear,
    scatterv:*:*:*:@linear,
    allgather:0-1K:*:9-inf:@bruck,
    allgather:*:*:2-16:@direct,
    allgather:*:*:*:@ring,
    allgatherv:*:*:2-16:@direct,
    allgatherv:*:*:*:@ring,
    alltoall:0-256:*:9-inf:@bruck,
    alltoall:*:*:2-16:@direct,
    alltoall:*:*:*:@pairwise,
    alltoallv:*:*:2-32:@direct,
    alltoallv:*:*:*:@pairwise,
    alltoallw:*:*:2-32:@direct,
    alltoallw:*:*:*:@pairwise,
    reduce_scatter:64K-inf:*:9-inf:@ring,
    reduce_scatter:*:*:*:@direct,
    reduce_scatter_block:64K-inf:*:9-inf:@ring,
    reduce_scatter_block:*:*:*:@direct,
    scan:0-64K:*:3-inf:@recursive_doubling,
    scan:*:*:*:@linear,
    exscan:0-64K:*:3-inf:@recursive_doubling,
    exscan:*:*:*:@linear,
    neighbor_allgather:*:*:*:@direct,
    neighbor_allgatherv:*:*:*:@direct,
    neighbor_alltoall:*:*:*:@direct,
    neighbor_alltoallv:*:*:*:@direct,
    neighbor_alltoallw:*:*:*:@direct,
    barrier:*:*:*:@inter,
    bcast:*:*:*:@inter,
    reduce:*:*:*:@inter,
    allreduce:*:*:*:@inter,
    gather:*:*:*:@inter,
    gatherv:*:*:*:@inter,
    scatter:*:*:*:@inter,
    scatterv:*:*:*:@inter,
    allgather:*:*:*:@inter,
    allgatherv:*:*:*:@inter,
    alltoall:*:*:*:@inter,
    alltoallv:*:*:*:@inter,
    alltoallw:*:*:*:@inter,
    reduce_scatter:*:*:*:@inter,
    reduce_scatter_block:*:*:*:@inter";

/// The collectives with an algorithm in the shared segment.
const IN_SEGMENT: [Collective; 4] = [Collective::Barrier, Collective::Bcast, Collective::Reduce, Collective::Allreduce];

/// Packed bytes of a chunk where neither the rule nor `PACELINE_CHUNK` says.
const CHUNK: u64 = 256 << 10;

/// What a rule's algorithm is.
#[derive(Clone, Copy)]
enum Way {
    /// The algorithm in the shared segment.
    Node,
    /// A schedule.
    Schedule(&'static Algorithm),
}

/// One row of the table.
struct Rule {
    collective: Collective,
    bytes: RangeInclusive<u64>,
    grounds: &'static [Ground],
    ranks: RangeInclusive<u64>,
    way: Way,
    chunk: u64,
}

struct Table {
    user: Vec<Rule>,
    built_in: Vec<Rule>,
}

/// Reads the user's rules, and complains about those that cannot be read.
pub fn read_rules() {
    table();
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let (user, complaints) = parse(knob::COLL.text());
        complaints.iter().for_each(|c| knob::say(format!("{}: {c}; the rule is ignored", knob::COLL.name)));
        let (built_in, wrong) = parse(BUILT_IN);
        debug_assert!(wrong.is_empty(), "{wrong:?}");
        Table { user, built_in }
    })
}

/// Reads rules; the second list says what is wrong with those that cannot be read.
fn parse(text: &str) -> (Vec<Rule>, Vec<String>) {
    let (mut rules, mut complaints) = (Vec::new(), Vec::new());
    for rule in text.split(',').map(str::trim).filter(|r| !r.is_empty()) {
        match parse_rule(rule) {
            Ok(r) => rules.push(r),
            Err(why) => complaints.push(format!("rule '{rule}': {why}")),
        }
    }
    (rules, complaints)
}

fn parse_rule(rule: &str) -> Result<Rule, String> {
    let (front, name) = rule.split_once('@').ok_or("no @algorithm at its end")?;
    let fields: Vec<&str> = front.trim_end_matches(':').split(':').map(str::trim).collect();
    if fields.len() > 4 {
        return Err("more fields than collective:bytes:memory:ranks:@algorithm".into());
    }
    let field = |i: usize| fields.get(i).copied().unwrap_or("*");
    let collective = Collective::named(field(0)).ok_or_else(|| format!("'{}' is no collective", field(0)))?;
    let (bytes, ranks) = (parse_range(field(1))?, parse_range(field(3))?);
    let grounds = match field(2) {
        "*" => &Ground::ALL[..],
        "host" => &[Ground::Host],
        "cuda" => &[Ground::Devices, Ground::OneDevice, Ground::Staged],
        "one" => &[Ground::OneDevice],
        "staged" => &[Ground::Staged],
        other => return Err(format!("memory '{other}' is none of host, cuda, one, staged, *")),
    };
    let (name, chunk) = name.split_once('/').unwrap_or((name, "0"));
    let chunk = parse_number(chunk).ok_or_else(|| format!("chunk '{chunk}' is not a number"))?;
    Ok(Rule { collective, bytes, grounds, ranks, way: way(collective, name.trim())?, chunk })
}

fn way(collective: Collective, name: &str) -> Result<Way, String> {
    let on_node = IN_SEGMENT.contains(&collective);
    if name == "node" && on_node {
        return Ok(Way::Node);
    }
    registry::find(collective, name).map(Way::Schedule).ok_or_else(|| {
        let known: Vec<&str> = registry::all().filter(|a| a.collective == collective).map(|a| a.name).collect();
        format!(
            "{} has no algorithm '{name}' (it has {}{})",
            collective.name(),
            if on_node { "node, " } else { "" },
            known.join(", ")
        )
    })
}

fn parse_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    if text.is_empty() || text == "*" {
        return Ok(0..=u64::MAX);
    }
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let number = |t: &str| parse_number(t).ok_or_else(|| format!("'{t}' is not a number (like 64K, 2M, inf)"));
    let (from, to) = (number(from)?, number(to)?);
    if from <= to { Ok(from..=to) } else { Err(format!("the range '{text}' is empty")) }
}

impl Rule {
    fn fits(&self, collective: Collective, ground: Ground, bytes: u64, ranks: u64) -> bool {
        self.collective == collective
            && self.grounds.contains(&ground)
            && self.bytes.contains(&bytes)
            && self.ranks.contains(&ranks)
    }
}

/// Whether the algorithm in the shared segment should be asked first: unless a rule of the user says something else.
#[inline]
pub fn node_first(collective: Collective, bytes: u64, ranks: usize) -> bool {
    let user = &table().user;
    user.is_empty() || user_node(user, collective, bytes, ranks)
}

#[cold]
fn user_node(user: &[Rule], collective: Collective, bytes: u64, ranks: usize) -> bool {
    let rule = user.iter().find(|r| r.fits(collective, Ground::Host, bytes, ranks as u64));
    rule.is_none_or(|r| matches!(r.way, Way::Node))
}

/// The algorithm for a call of so many packed bytes; sets the call's chunk, in units of `unit` bytes. Every collective
/// has a built-in algorithm that serves every call.
pub fn choose(collective: Collective, bytes: u64, unit: u64, call: &mut Call) -> &'static Algorithm {
    let table = table();
    for rule in table.user.iter().chain(&table.built_in) {
        let Way::Schedule(algorithm) = rule.way else { continue };
        if rule.fits(collective, call.ground, bytes, call.size as u64) && algorithm.serves(call) {
            call.chunk = (chunk_bytes(rule) / unit.max(1)).max(1) as usize;
            crate::trace::chose(collective.name(), algorithm.name, bytes);
            return algorithm;
        }
    }
    panic!("no algorithm for {}", collective.name())
}

fn chunk_bytes(rule: &Rule) -> u64 {
    match (knob::CHUNK.number(), rule.chunk) {
        (0, 0) => CHUNK,
        (0, chunk) => chunk,
        (forced, _) => forced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_wrong_ones_explained() {
        let (rules, wrong) = parse("allreduce:64K-inf:host:2-8:@ring/1M, bcast:@chain");
        assert!(wrong.is_empty(), "{wrong:?}");
        assert!(rules[0].fits(Collective::Allreduce, Ground::Host, 65536, 8));
        assert!(!rules[0].fits(Collective::Allreduce, Ground::Host, 65535, 8));
        assert!(!rules[0].fits(Collective::Allreduce, Ground::Host, 65536, 9));
        assert_eq!(rules[0].chunk, 1 << 20);
        assert!(rules[1].fits(Collective::Bcast, Ground::OneDevice, 0, 1));
        assert_eq!(parse("bcast:*:cuda:*:@chain").0[0].grounds, [Ground::Devices, Ground::OneDevice, Ground::Staged]);
        assert_eq!(parse("bcast:*:one:*:@chain").0[0].grounds, [Ground::OneDevice]);
        for bad in
            ["bcast", "bcats:@ring", "bcast:@rign", "bcast:9-1:@ring", "bcast:x:@ring", "bcast:*:disk:@ring", "gather:@node"]
        {
            assert_eq!(parse(bad).1.len(), 1, "{bad}");
        }
    }

    #[test]
    fn every_collective_with_algorithms_has_a_rule_for_every_call() {
        let (rules, wrong) = parse(BUILT_IN);
        assert!(wrong.is_empty(), "{wrong:?}");
        for algorithm in registry::all() {
            for (commutative, bytes, size) in [(true, 0, 2), (false, 1 << 40, 3), (false, 20000, 5), (true, 1 << 21, 4096)] {
                let first = if algorithm.needs == registry::Needs::Inter { 1 } else { 0 };
                let call = Call { commutative, size, first, ..Call::default() };
                let serves = |r: &Rule| matches!(r.way, Way::Schedule(a) if a.serves(&call));
                assert!(
                    Ground::ALL.iter().all(|ground| rules.iter().any(|r| r.fits(
                        algorithm.collective,
                        *ground,
                        bytes,
                        size as u64
                    ) && serves(r))),
                    "{}",
                    algorithm.name
                );
            }
        }
    }
}
