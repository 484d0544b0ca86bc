// SPDX-License-Identifier: MIT OR Apache-2.0
//! `MPI_Type_create_darray`: one process's part of a distributed array (MPI 5.0, section 5.1.4).

use super::super::get;
use super::super::shape::Shape;
use super::{fastest_first, finish, is_c_order};
use crate::err;
use crate::object::constant::{
    COMBINER_DARRAY, DISTRIBUTE_BLOCK, DISTRIBUTE_CYCLIC, DISTRIBUTE_DFLT_DARG, DISTRIBUTE_NONE, Handle,
};
use crate::object::error::Result;

/// One dimension of the array and of the process grid.
struct Dimension {
    number: usize,
    /// Elements, in all.
    size: i64,
    distribution: i32,
    /// The distribution's argument, or `MPI_DISTRIBUTE_DFLT_DARG`.
    argument: i32,
    /// Processes along it, and which one is meant.
    processes: i64,
    coordinate: i64,
}

/// `MPI_Type_create_darray`. The process grid is numbered in C order whatever `order` says.
#[allow(clippy::too_many_arguments)]
pub fn darray(
    size: i32,
    rank: i32,
    ndims: i32,
    gsizes: &[i64],
    distribs: &[i32],
    dargs: &[i32],
    psizes: &[i32],
    order: i32,
    oldtype: Handle,
    newtype: &mut Handle,
) -> Result<()> {
    let c_order = is_c_order(order)?;
    check(size, rank, ndims, gsizes, psizes)?;
    let old = get(oldtype)?;
    let coordinates = coordinates(rank, psizes);
    let (mut shape, mut stride) = (old.shape.clone(), old.extent);
    for d in fastest_first(gsizes.len(), c_order) {
        let dimension = Dimension {
            number: d,
            size: gsizes[d],
            distribution: distribs[d],
            argument: dargs[d],
            processes: psizes[d] as i64,
            coordinate: coordinates[d],
        };
        shape = dimension.distribute(&shape, stride)?;
        stride = stride.saturating_mul(gsizes[d]);
    }
    let widen = |all: &[i32]| all.iter().map(|&v| v as i64).collect::<Vec<_>>();
    let head = widen(&[size, rank, ndims]);
    let integers = [&head, gsizes, &widen(distribs), &widen(dargs), &widen(psizes), &[order as i64]].concat();
    *newtype = finish(shape.resized(0, stride), COMBINER_DARRAY, integers, vec![], vec![old.clone()]);
    Ok(())
}

fn check(size: i32, rank: i32, ndims: i32, gsizes: &[i64], psizes: &[i32]) -> Result<()> {
    if ndims < 1 {
        return Err(err!(Arg, "ndims is {ndims}, and must be positive"));
    }
    if rank < 0 || rank >= size {
        return Err(err!(Arg, "rank is {rank}, and must be from 0 to {}", size - 1));
    }
    if let Some(d) = gsizes.iter().position(|&g| g < 1) {
        return Err(err!(Arg, "array_of_gsizes[{d}] is {}, and must be positive", gsizes[d]));
    }
    if let Some(d) = psizes.iter().position(|&p| p < 1) {
        return Err(err!(Arg, "array_of_psizes[{d}] is {}, and must be positive", psizes[d]));
    }
    let grid = psizes.iter().fold(1i64, |all, &p| all.saturating_mul(p as i64));
    if grid != size as i64 {
        return Err(err!(Arg, "the process grid has {grid} places for size {size}"));
    }
    Ok(())
}

/// Place of a rank in the process grid.
fn coordinates(rank: i32, psizes: &[i32]) -> Vec<i64> {
    let mut rest = rank;
    let mut found = vec![0; psizes.len()];
    for (place, &p) in found.iter_mut().zip(psizes).rev() {
        *place = (rest % p) as i64;
        rest /= p;
    }
    found
}

impl Dimension {
    /// My part of this dimension, made of elements `inner`, `stride` bytes apart.
    fn distribute(&self, inner: &Shape, stride: i64) -> Result<Shape> {
        match self.distribution {
            DISTRIBUTE_NONE if self.processes == 1 => inner.repeat(self.size, stride),
            DISTRIBUTE_NONE => Err(self.wrong(&format!("is not distributed, but has {} processes", self.processes))),
            DISTRIBUTE_BLOCK => self.block(inner, stride),
            DISTRIBUTE_CYCLIC => self.cyclic(inner, stride),
            other => Err(self.wrong(&format!("has the unknown distribution {other}"))),
        }
    }

    fn block(&self, inner: &Shape, stride: i64) -> Result<Shape> {
        let length = self.argument_or((self.size + self.processes - 1) / self.processes)?;
        if length.saturating_mul(self.processes) < self.size {
            return Err(self.wrong(&format!("has {} blocks of {length}, too few for {}", self.processes, self.size)));
        }
        let start = (length * self.coordinate).min(self.size);
        Ok(inner.repeat(length.min(self.size - start), stride)?.shift(start * stride))
    }

    /// Blocks dealt out in turn: whole rounds, then what is left for me.
    fn cyclic(&self, inner: &Shape, stride: i64) -> Result<Shape> {
        let length = self.argument_or(1)?;
        let round = length.saturating_mul(self.processes);
        let first = length * self.coordinate;
        let whole = self.size / round;
        let rest = (self.size % round - first).clamp(0, length);
        let rounds = inner.repeat(length, stride)?.repeat(whole, round.saturating_mul(stride))?;
        let last = inner.repeat(rest, stride)?.shift(whole * round * stride);
        Ok(Shape::sequence(vec![rounds, last])?.shift(first * stride))
    }

    fn argument_or(&self, default: i64) -> Result<i64> {
        match self.argument {
            DISTRIBUTE_DFLT_DARG => Ok(default),
            darg if darg > 0 => Ok(darg as i64),
            darg => Err(self.wrong(&format!("has the distribution argument {darg}, which must be positive"))),
        }
    }

    fn wrong(&self, what: &str) -> crate::object::error::Error {
        err!(Arg, "dimension {} {what}", self.number)
    }
}
