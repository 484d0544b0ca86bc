// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of algorithms: a row each, beside the algorithms of its collective. A row is all it takes to be chosen,
//! forced, reported and proven by the checker.

use super::schedule::{Call, Schedule};

/// The collectives, by their MPI names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Collective {
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    Exscan,
    NeighborAllgather,
    NeighborAllgatherv,
    NeighborAlltoall,
    NeighborAlltoallv,
    NeighborAlltoallw,
}

use Collective::*;

impl Collective {
    /// All of them.
    pub const ALL: [Collective; 22] = [
        Barrier,
        Bcast,
        Reduce,
        Allreduce,
        Gather,
        Gatherv,
        Scatter,
        Scatterv,
        Allgather,
        Allgatherv,
        Alltoall,
        Alltoallv,
        Alltoallw,
        ReduceScatter,
        ReduceScatterBlock,
        Scan,
        Exscan,
        NeighborAllgather,
        NeighborAllgatherv,
        NeighborAlltoall,
        NeighborAlltoallv,
        NeighborAlltoallw,
    ];

    /// Its name in rules, reports and messages: MPI's, in small letters.
    pub fn name(self) -> &'static str {
        match self {
            Barrier => "barrier",
            Bcast => "bcast",
            Reduce => "reduce",
            Allreduce => "allreduce",
            Gather => "gather",
            Gatherv => "gatherv",
            Scatter => "scatter",
            Scatterv => "scatterv",
            Allgather => "allgather",
            Allgatherv => "allgatherv",
            Alltoall => "alltoall",
            Alltoallv => "alltoallv",
            Alltoallw => "alltoallw",
            ReduceScatter => "reduce_scatter",
            ReduceScatterBlock => "reduce_scatter_block",
            Scan => "scan",
            Exscan => "exscan",
            NeighborAllgather => "neighbor_allgather",
            NeighborAllgatherv => "neighbor_allgatherv",
            NeighborAlltoall => "neighbor_alltoall",
            NeighborAlltoallv => "neighbor_alltoallv",
            NeighborAlltoallw => "neighbor_alltoallw",
        }
    }

    /// The collective of that name.
    pub fn named(name: &str) -> Option<Collective> {
        Collective::ALL.into_iter().find(|c| c.name() == name)
    }
}

/// What a call must be for an algorithm to serve it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Any call within one group.
    Nothing,
    /// A commutative operation.
    Commutative,
    /// A number of ranks that is a power of two.
    PowerOfTwo,
    /// An intercommunicator.
    Inter,
}

/// An algorithm.
pub struct Algorithm {
    /// Its name in rules and reports.
    pub name: &'static str,
    /// What it does.
    pub collective: Collective,
    /// When it may be chosen.
    pub needs: Needs,
    /// Writes the schedule of one rank.
    pub write: fn(&mut Schedule),
}

impl Algorithm {
    /// Whether it can serve a call. The answer is the same on every rank.
    pub fn serves(&self, call: &Call) -> bool {
        let inter = call.first != 0;
        match self.needs {
            Needs::Inter => inter,
            _ if inter => false,
            Needs::Nothing => true,
            Needs::Commutative => call.commutative,
            Needs::PowerOfTwo => call.size.is_power_of_two(),
        }
    }
}

/// Every table of algorithms, one a collective.
static TABLES: &[&[Algorithm]] = &[
    super::barrier::ALGORITHMS,
    super::bcast::ALGORITHMS,
    super::reduce::ALGORITHMS,
    super::allreduce::ALGORITHMS,
    super::gather::ALGORITHMS,
    super::scatter::ALGORITHMS,
    super::allgather::ALGORITHMS,
    super::alltoall::ALGORITHMS,
    super::reduce_scatter::ALGORITHMS,
    super::scan::ALGORITHMS,
    super::neighbor::ALGORITHMS,
];

/// Every algorithm.
pub fn all() -> impl Iterator<Item = &'static Algorithm> {
    TABLES.iter().flat_map(|table| table.iter())
}

/// The algorithm of that name.
pub fn find(collective: Collective, name: &str) -> Option<&'static Algorithm> {
    all().find(|a| a.collective == collective && a.name == name)
}
