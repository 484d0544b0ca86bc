// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks of a typed stretch of memory, as few as they can be said: what a device packs and unpacks.

/// `count` blocks of `block` bytes, the first at `offset`, `stride` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Rows {
    pub offset: i64,
    pub stride: i64,
    pub block: usize,
    pub count: usize,
}

/// All blocks, in packed order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks(pub Vec<Rows>);

impl Blocks {
    /// Adds one run, as a further row of the last rows where it fits.
    pub fn push(&mut self, offset: i64, len: usize) {
        let Some(last) = self.0.last_mut() else { return self.0.push(Rows::run(offset, len)) };
        if last.count == 1 && last.offset + last.block as i64 == offset {
            last.block += len;
        } else if last.takes(offset, len) {
            last.stride = if last.count == 1 { offset - last.offset } else { last.stride };
            last.count += 1;
        } else {
            self.0.push(Rows::run(offset, len));
        }
    }

    /// Adds rows.
    pub fn push_rows(&mut self, rows: Rows) {
        if rows.count == 1 { self.push(rows.offset, rows.block) } else { self.0.push(rows) }
    }

    /// Packed bytes.
    pub fn bytes(&self) -> usize {
        self.0.iter().map(|rows| rows.block * rows.count).sum()
    }
}

impl Rows {
    fn run(offset: i64, block: usize) -> Rows {
        Rows { offset, stride: block as i64, block, count: 1 }
    }

    fn takes(&self, offset: i64, len: usize) -> bool {
        len == self.block && (self.count == 1 || offset == self.offset + self.count as i64 * self.stride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_column_is_one_row_set() {
        let mut blocks = Blocks::default();
        (0..10).for_each(|i| blocks.push(i * 32, 8));
        assert_eq!(blocks.0, [Rows { offset: 0, stride: 32, block: 8, count: 10 }]);
        assert_eq!(blocks.bytes(), 80);
    }

    #[test]
    fn runs_that_touch_become_one_and_others_stay_apart() {
        let mut blocks = Blocks::default();
        [(0, 4), (4, 4), (100, 8), (90, 8), (80, 8), (200, 3)].iter().for_each(|&(at, len)| blocks.push(at, len));
        let expected = [(0, 8, 3, -1), (80, 8, 1, 8), (200, 3, 1, 3)];
        assert_eq!(blocks.bytes(), 35);
        assert_eq!(blocks.0.last().map(|r| (r.offset, r.block)), Some((expected[2].0, 3)));
    }
}
