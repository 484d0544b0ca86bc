// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recursive doubling scan (Hillis and Steele 1986): ceil(log2 n) rounds; before round k a rank holds the sum of the 2^k ranks
//! that end with it. Operands stay in rank order.

use crate::coll::schedule::{Id, Place, Schedule};

/// `MPI_Scan`: the sum that is passed on is, for the ranks below 2^k, the result itself.
pub fn inclusive(s: &mut Schedule) {
    doubling(s, Kind::Inclusive);
}

/// `MPI_Exscan`: the same rounds, without my own contribution in the result.
pub fn exclusive(s: &mut Schedule) {
    doubling(s, Kind::Exclusive);
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Inclusive,
    Exclusive,
}

fn doubling(s: &mut Schedule, kind: Kind) {
    let (me, n, all) = (s.rank(), s.size(), 0..s.len());
    let (own, result) = (Place::send(all.clone()), Place::recv(all.clone()));
    let (window, inbox) = (s.scratch(all.len()), s.scratch(all.len()));
    let mut window_ready = s.copy(own, window, &[]);
    // In place the result is written over my contribution, once that is in the window.
    let mut result_ready = match (kind, s.call().in_place) {
        (Kind::Inclusive, false) => s.copy(own, result, &[]),
        _ => window_ready,
    };
    let mut result_empty = kind == Kind::Exclusive;
    let mut free = Id::START;
    let mut distance = 1;
    while distance < n {
        let sent = if me + distance < n { s.send(me + distance, window, &[window_ready]) } else { Id::START };
        if me >= distance {
            let got = s.recv(me - distance, inbox, &[free]);
            result_ready = match result_empty {
                true => s.copy(inbox, result, &[got, result_ready]),
                false => s.reduce(inbox, result, &[got, result_ready]),
            };
            result_empty = false;
            window_ready = s.reduce(inbox, window, &[got, sent, window_ready]);
            free = s.join(&[result_ready, window_ready]);
        }
        distance *= 2;
    }
}
