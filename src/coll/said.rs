// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a rank says of its call of a collective: as much as all ranks must have called the same.

use super::registry::Collective::{self, *};
use super::schedule::Call;
use crate::object::error::{Class, Error};
use crate::p2p::alarm::Alarm;
pub use crate::p2p::alarm::Said;

/// The collectives in which all ranks give as many bytes.
const EQUAL: [Collective; 11] =
    [Barrier, Bcast, Reduce, Allreduce, Gather, Scatter, Allgather, Alltoall, ReduceScatterBlock, Scan, Exscan];

/// What a call of so many packed bytes says. Ranks of an intercommunicator name roots and counts of their own.
pub fn of(collective: Collective, bytes: u64, call: &Call) -> Said {
    let within = call.first == 0 && call.neighbors.is_none();
    let root = if within { call.root as u32 } else { 0 };
    let bytes = if within && EQUAL.contains(&collective) { bytes } else { 0 };
    Said { what: collective as u32, root, bytes }
}

/// The error of a rank that hears another call than its own.
#[cold]
pub fn mismatch(mine: &Said, theirs: &Alarm) -> Error {
    let text = format!(
        "this rank calls {}, but rank {} calls {}: all ranks must make the same calls in the same order",
        describe(mine),
        theirs.rank,
        describe(&theirs.said)
    );
    Error::with_code(mine.discord(&theirs.said).unwrap_or(Class::Intern as i32), text)
}

fn describe(said: &Said) -> String {
    let Some(collective) = Collective::ALL.get(said.what as usize) else { return "an unknown collective".to_owned() };
    let name = collective.name();
    match collective {
        Barrier => name.to_owned(),
        Bcast | Reduce | Gather | Scatter => format!("{name} of {} bytes with root {}", said.bytes, said.root),
        Gatherv | Scatterv => format!("{name} with root {}", said.root),
        _ if EQUAL.contains(collective) => format!("{name} of {} bytes", said.bytes),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_differ_in_kind_root_and_bytes_where_all_give_as_many() {
        let call = |root, first| Call { root, size: 4, first, ..Call::default() };
        let bcast = of(Bcast, 40, &call(1, 0));
        assert_eq!(bcast.discord(&of(Bcast, 40, &call(1, 0))), None);
        assert_eq!(bcast.discord(&of(Bcast, 80, &call(1, 0))), Some(Class::Truncate as i32));
        assert_eq!(bcast.discord(&of(Bcast, 40, &call(0, 0))), Some(Class::Root as i32));
        assert_eq!(bcast.discord(&of(Scan, 40, &call(1, 0))), Some(Class::Arg as i32));
        assert_eq!(of(Alltoallv, 40, &call(0, 0)).discord(&of(Alltoallv, 80, &call(0, 0))), None);
        assert_eq!(of(Bcast, 40, &call(0, 2)).discord(&of(Bcast, 80, &call(3, 2))), None);
    }
}
