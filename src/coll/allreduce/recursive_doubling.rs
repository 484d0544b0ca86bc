// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recursive doubling: in round k partners 2^k apart exchange and combine the whole buffer. log2 n rounds of len units;
//! two more when n is no power of two: the first ranks then work in pairs. Operands stay in rank order.

use crate::coll::schedule::{Id, Place, Schedule};

/// The partial result and a place beside it: a partner's partial result is received there, and whichever is the right
/// operand becomes the sum of both.
struct Partial {
    sum: Place,
    other: Place,
    ready: Id,
}

impl Partial {
    /// Exchanges with a partner whose ranks all lie below or all above those in `sum`.
    fn exchange(&mut self, s: &mut Schedule, partner: usize) {
        let sent = s.send(partner, self.sum, &[self.ready]);
        self.absorb(s, partner, sent);
    }

    fn absorb(&mut self, s: &mut Schedule, partner: usize, after: Id) {
        let got = s.recv(partner, self.other, &[self.ready]);
        if partner > s.rank() {
            std::mem::swap(&mut self.sum, &mut self.other);
        }
        self.ready = s.reduce(self.other, self.sum, &[got, after, self.ready]);
    }
}

/// The first 2r ranks, r being what n exceeds a power of two by, fold into the odd ones first and unfold at the end.
pub fn recursive_doubling(s: &mut Schedule) {
    let (me, n, len) = (s.rank(), s.size(), s.len());
    let all = Place::recv(0..len);
    let power = 1 << n.ilog2();
    let pairs = n - power;
    if me < 2 * pairs && me % 2 == 0 {
        let sent = s.send(me + 1, Place::send(0..len), &[]);
        s.recv(me + 1, all, &[sent]);
        return;
    }
    let ready = s.copy(Place::send(0..len), all, &[]);
    let mut partial = Partial { sum: all, other: s.scratch(len), ready };
    if me < 2 * pairs {
        partial.absorb(s, me - 1, Id::START);
    }
    let folded = if me < 2 * pairs { me / 2 } else { me - pairs };
    let unfold = |f: usize| if f < pairs { 2 * f + 1 } else { f + pairs };
    let mut distance = 1;
    while distance < power {
        partial.exchange(s, unfold(folded ^ distance));
        distance *= 2;
    }
    let result = s.copy(partial.sum, all, &[partial.ready]);
    if me < 2 * pairs {
        s.send(me - 1, all, &[result]);
    }
}
