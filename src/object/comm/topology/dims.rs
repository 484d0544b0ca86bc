// SPDX-License-Identifier: MIT OR Apache-2.0
//! `MPI_Dims_create`: dimensions that multiply to a number of processes, as close to each other as possible, the largest
//! first (MPI 5.0, section 8.5.2).

use crate::err;
use crate::object::error::Result;

/// `MPI_Dims_create`: entries of 0 are chosen, others stay.
pub fn dims_create(nnodes: i32, ndims: i32, dims: &mut [i32]) -> Result<()> {
    if nnodes < 1 || ndims < 0 {
        return Err(err!(Dims, "{nnodes} processes in {ndims} dimensions cannot be arranged"));
    }
    if let Some(negative) = dims.iter().find(|&&d| d < 0) {
        return Err(err!(Dims, "a dimension is {negative}"));
    }
    let given = dims.iter().filter(|&&d| d > 0).fold(1i64, |product, &d| product.saturating_mul(i64::from(d)));
    if i64::from(nnodes) % given != 0 {
        return Err(err!(Dims, "{nnodes} processes are not a multiple of {given}, the product of the given dimensions"));
    }
    let open: Vec<usize> = (0..dims.len()).filter(|&i| dims[i] == 0).collect();
    let rest = i64::from(nnodes) / given;
    if open.is_empty() {
        return if rest == 1 { Ok(()) } else { Err(err!(Dims, "the given dimensions make {given} processes, not {nnodes}")) };
    }
    for (&at, size) in open.iter().zip(balanced(rest, open.len())) {
        dims[at] = size as i32;
    }
    Ok(())
}

/// `parts` factors of `n`, the largest first, with the smallest difference between first and last; among those the
/// largest last factor, then the largest before it, and so on.
fn balanced(n: i64, parts: usize) -> Vec<i64> {
    let divisors = divisors(n);
    let mut search = Search { divisors: &divisors, chosen: Vec::new(), best: None };
    search.extend(n, parts);
    search.best.expect("n itself, and ones, is an answer")
}

fn divisors(n: i64) -> Vec<i64> {
    let small: Vec<i64> = (1..).take_while(|d| d * d <= n).filter(|d| n % d == 0).collect();
    let large = small.iter().rev().map(|d| n / d).filter(|d| d * d > n);
    small.iter().copied().chain(large).collect()
}

struct Search<'a> {
    divisors: &'a [i64],
    chosen: Vec<i64>,
    best: Option<Vec<i64>>,
}

impl Search<'_> {
    /// Tries all factors for the next place, none larger than the one before.
    fn extend(&mut self, rest: i64, parts: usize) {
        if parts == 1 {
            self.finish(rest);
            return;
        }
        let most = self.chosen.last().copied().unwrap_or(rest);
        for &factor in self.divisors.iter().filter(|&&d| d <= most && rest % d == 0) {
            if self.can_win(factor, rest, parts) {
                self.chosen.push(factor);
                self.extend(rest / factor, parts - 1);
                self.chosen.pop();
            }
        }
    }

    /// Whether `factor` is large enough for the rest, and the spread may still beat the best known.
    fn can_win(&self, factor: i64, rest: i64, parts: usize) -> bool {
        let enough = factor.checked_pow(parts as u32).is_none_or(|all| all >= rest);
        let first = self.chosen.first().copied().unwrap_or(factor);
        // The last factor is at most the geometric mean of those that are left.
        let mean = (rest as f64 / factor as f64).powf(1.0 / (parts - 1) as f64) + 1e-9;
        let least = first as f64 - mean.min(factor as f64);
        enough && self.best.as_ref().is_none_or(|b| least <= (b[0] - b[b.len() - 1]) as f64)
    }

    fn finish(&mut self, last: i64) {
        if self.chosen.last().is_some_and(|&before| last > before) {
            return;
        }
        let mut found = self.chosen.clone();
        found.push(last);
        let rank = |v: &Vec<i64>| (v[0] - v[v.len() - 1], v.iter().rev().map(|f| -f).collect::<Vec<_>>());
        if self.best.as_ref().is_none_or(|best| rank(&found) < rank(best)) {
            self.best = Some(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_beyond_64_bits_is_an_error() {
        assert!(dims_create(4, 4, &mut [65536; 4]).is_err());
        assert!(dims_create(4, 5, &mut [65536, 65536, 65536, 65536, 0]).is_err());
    }

    fn brute(n: i64, parts: usize, most: i64) -> Vec<Vec<i64>> {
        if parts == 0 {
            return if n == 1 { vec![Vec::new()] } else { Vec::new() };
        }
        let factors = (1..=most.min(n)).filter(|d| n % d == 0);
        let extend = |d: i64| brute(n / d, parts - 1, d).into_iter().map(move |rest| [vec![d], rest].concat());
        factors.flat_map(extend).collect()
    }

    #[test]
    fn no_arrangement_is_better_balanced() {
        for n in 1..=200 {
            for parts in 1..=4 {
                let best = brute(n, parts, n)
                    .into_iter()
                    .min_by_key(|v| (v[0] - v[parts - 1], v.iter().rev().map(|f| -f).collect::<Vec<_>>()))
                    .unwrap();
                assert_eq!(balanced(n, parts), best, "{n} in {parts}");
            }
        }
    }

    #[test]
    fn given_dimensions_stay() {
        let create = |n: i32, mut dims: Vec<i32>| dims_create(n, dims.len() as i32, &mut dims).map(|()| dims);
        assert_eq!(create(6, vec![0, 0]).unwrap(), [3, 2]);
        assert_eq!(create(7, vec![0, 0]).unwrap(), [7, 1]);
        assert_eq!(create(5040, vec![0, 0, 0]).unwrap(), [21, 16, 15]);
        assert_eq!(create(98_784, vec![0; 5]).unwrap(), [14, 14, 9, 8, 7]);
        assert_eq!(create(6, vec![0, 3, 0]).unwrap(), [2, 3, 1]);
        assert!(create(7, vec![0, 3, 0]).is_err() && create(6, vec![-1, 0]).is_err() && create(6, vec![2, 2]).is_err());
        assert_eq!(create(1 << 20, vec![0; 8]).unwrap().iter().product::<i32>(), 1 << 20);
        assert_eq!(create(720_720, vec![0; 6]).unwrap().iter().product::<i32>(), 720_720);
    }
}
