// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cartesian grids. Ranks run in row-major order; processes are not reordered.

use std::sync::Arc;

use super::neighbors::Neighbors;
use super::{Topology, first, intra};
use crate::err;
use crate::object::comm::birth::{self, Plan};
use crate::object::comm::{Comm, get};
use crate::object::constant::{COMM_NULL, Handle, PROC_NULL, UNDEFINED};
use crate::object::error::Result;
use crate::object::group::Group;

/// A grid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cart {
    /// Its extent in each dimension.
    pub dims: Vec<i32>,
    /// Whether it closes to a ring in each dimension.
    pub periods: Vec<bool>,
}

impl Cart {
    fn new(comm: &Comm, ndims: i32, dims: &[i32], periods: &[i32]) -> Result<Cart> {
        if ndims < 0 {
            return Err(err!(Arg, "the number of dimensions is {ndims}"));
        }
        if let Some(bad) = dims.iter().find(|&&d| d < 1) {
            return Err(err!(Dims, "a dimension is {bad}"));
        }
        let cells = dims.iter().fold(1i64, |product, &d| product.saturating_mul(i64::from(d)));
        if cells > i64::from(comm.size()) {
            return Err(err!(Arg, "the grid {dims:?} has {cells} places; the communicator has {} processes", comm.size()));
        }
        Ok(Cart { dims: dims.to_vec(), periods: periods.iter().map(|&p| p != 0).collect() })
    }

    /// How many places it has.
    pub fn cells(&self) -> usize {
        self.dims.iter().map(|&d| d as usize).product()
    }

    /// The coordinates of a rank.
    pub fn coords(&self, rank: i32) -> Vec<i32> {
        let mut rest = rank;
        let mut coords = vec![0; self.dims.len()];
        for (coord, &dim) in coords.iter_mut().zip(&self.dims).rev() {
            *coord = rest % dim;
            rest /= dim;
        }
        coords
    }

    /// The rank at coordinates, wrapped round where the grid is periodic; `None` outside.
    pub fn rank(&self, coords: &[i32]) -> Option<i32> {
        coords.iter().zip(&self.dims).zip(&self.periods).try_fold(0, |rank, ((&coord, &dim), &periodic)| {
            let inside = if periodic { coord.rem_euclid(dim) } else { coord };
            (0..dim).contains(&inside).then_some(rank * dim + inside)
        })
    }

    /// The rank `distance` steps away in one dimension, or `MPI_PROC_NULL`.
    pub fn step(&self, from: i32, dimension: usize, distance: i32) -> i32 {
        let mut coords = self.coords(from);
        let target = i64::from(coords[dimension]) + i64::from(distance);
        let dim = i64::from(self.dims[dimension]);
        let target = if self.periods[dimension] { target.rem_euclid(dim) } else { target };
        if !(0..dim).contains(&target) {
            return PROC_NULL;
        }
        coords[dimension] = target as i32;
        self.rank(&coords).unwrap_or(PROC_NULL)
    }

    /// The ranks beside a rank: in each dimension the one below, then the one above.
    pub fn neighbors(&self, rank: i32) -> Neighbors {
        let beside = |d: usize| [self.step(rank, d, -1), self.step(rank, d, 1)];
        let ranks: Vec<i32> = (0..self.dims.len()).flat_map(beside).collect();
        Neighbors { sources: ranks.clone(), destinations: ranks, crossed: true }
    }

    /// The dimensions that `kept` says, or those that it does not.
    fn some(&self, kept: &[i32], wanted: bool) -> Cart {
        let indices = || (0..self.dims.len()).filter(|&i| (kept[i] != 0) == wanted);
        Cart { dims: indices().map(|i| self.dims[i]).collect(), periods: indices().map(|i| self.periods[i]).collect() }
    }
}

/// The grid of a communicator.
pub fn of(comm: &Comm) -> Result<&Cart> {
    match comm.topology.as_deref() {
        Some(Topology::Cart(cart)) => Ok(cart),
        _ => Err(err!(Topology, "the communicator has no Cartesian topology")),
    }
}

/// `MPI_Cart_create`.
pub fn create(comm: Handle, ndims: i32, dims: &[i32], periods: &[i32], _reorder: bool, new: &mut Handle) -> Result<()> {
    *new = COMM_NULL; // What the caller sees when the arguments are wrong.
    let comm = intra(comm)?;
    let cart = Cart::new(comm, ndims, dims, periods)?;
    *new = first(comm, cart.cells(), Topology::Cart(cart))?;
    Ok(())
}

/// `MPI_Cart_map`: the rank that `create` would give this process. Open MPI and MPICH let a dimension of 0 pass here,
/// and programs that divide by more processes than they have rely on it.
pub fn map(comm: Handle, ndims: i32, dims: &[i32], periods: &[i32], newrank: &mut i32) -> Result<()> {
    let comm = intra(comm)?;
    let dims: Vec<i32> = dims.iter().map(|&d| if d == 0 { 1 } else { d }).collect();
    let cart = Cart::new(comm, ndims, &dims, periods)?;
    *newrank = if (comm.rank as usize) < cart.cells() { comm.rank } else { UNDEFINED };
    Ok(())
}

/// `MPI_Cartdim_get`.
pub fn dim_get(comm: Handle, ndims: &mut i32) -> Result<()> {
    *ndims = of(get(comm)?)?.dims.len() as i32;
    Ok(())
}

/// `MPI_Cart_get`: as many dimensions as the arrays have room for.
pub fn cart_get(comm: Handle, maxdims: i32, dims: &mut [i32], periods: &mut [i32], coords: &mut [i32]) -> Result<()> {
    let comm = get(comm)?;
    let (cart, mine) = (of(comm)?, of(comm)?.coords(comm.rank));
    check_room(maxdims, cart)?;
    for i in 0..cart.dims.len() {
        (dims[i], periods[i], coords[i]) = (cart.dims[i], i32::from(cart.periods[i]), mine[i]);
    }
    Ok(())
}

fn check_room(maxdims: i32, cart: &Cart) -> Result<()> {
    if (maxdims.max(0) as usize) < cart.dims.len() {
        return Err(err!(Arg, "the arrays have room for {maxdims} dimensions; the grid has {}", cart.dims.len()));
    }
    Ok(())
}

/// `MPI_Cart_rank`.
pub fn rank(comm: Handle, coords: &[i32], rank: &mut i32) -> Result<()> {
    let cart = of(get(comm)?)?;
    let found = cart.rank(&coords[..cart.dims.len()]);
    *rank = found.ok_or_else(|| err!(Arg, "the coordinates {coords:?} lie outside the grid {:?}", cart.dims))?;
    Ok(())
}

/// `MPI_Cart_coords`.
pub fn coords(comm: Handle, rank: i32, maxdims: i32, coords: &mut [i32]) -> Result<()> {
    let comm = get(comm)?;
    let cart = of(comm)?;
    comm.group.check_rank(rank)?;
    check_room(maxdims, cart)?;
    coords[..cart.dims.len()].copy_from_slice(&cart.coords(rank));
    Ok(())
}

/// `MPI_Cart_shift`.
pub fn shift(comm: Handle, direction: i32, disp: i32, source: &mut i32, dest: &mut i32) -> Result<()> {
    let comm = get(comm)?;
    let cart = of(comm)?;
    let dimension = usize::try_from(direction).ok().filter(|&d| d < cart.dims.len());
    let dimension = dimension.ok_or_else(|| err!(Dims, "direction {direction} is not one of {} dimensions", cart.dims.len()))?;
    let back = disp.checked_neg().ok_or_else(|| err!(Arg, "the displacement {disp} is too large"))?;
    (*source, *dest) = (cart.step(comm.rank, dimension, back), cart.step(comm.rank, dimension, disp));
    Ok(())
}

/// `MPI_Cart_sub`.
pub fn sub(comm: Handle, remain: &[i32], new: &mut Handle) -> Result<()> {
    let comm = get(comm)?;
    let cart = of(comm)?;
    let (kept, dropped) = (cart.some(remain, true), cart.some(remain, false));
    let cut = |rank: i32, wanted: bool| -> Vec<i32> {
        let coords = cart.coords(rank);
        (0..coords.len()).filter(|&i| (remain[i] != 0) == wanted).map(|i| coords[i]).collect()
    };
    let mine = dropped.rank(&cut(comm.rank, false));
    let mates = (0..comm.size()).filter(|&r| dropped.rank(&cut(r, false)) == mine);
    let members: Vec<u32> = mates.map(|r| comm.process(r)).collect();
    let group = Group::new(members);
    let rank = group.rank_of(comm.process_of_mine()).expect("I am one of my mates");
    let plan = Plan { topology: Some(Arc::new(Topology::Cart(kept))), ..Plan::child(comm, group, rank) };
    *new = birth::now(comm.everyone(), plan)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Cart {
        Cart { dims: vec![3, 2, 4], periods: vec![true, false, true] }
    }

    #[test]
    fn ranks_and_coordinates_are_inverse() {
        let grid = grid();
        assert_eq!(grid.cells(), 24);
        for rank in 0..24 {
            assert_eq!(grid.rank(&grid.coords(rank)), Some(rank));
        }
        assert_eq!(grid.coords(23), [2, 1, 3]);
        assert_eq!(grid.rank(&[-1, 1, 7]), Some(23));
        assert_eq!(grid.rank(&[0, 2, 0]), None);
        assert_eq!(Cart::default().rank(&[]), Some(0));
    }

    #[test]
    fn steps_wrap_only_where_periodic() {
        let grid = grid();
        assert_eq!(grid.step(0, 0, -1), grid.rank(&[2, 0, 0]).unwrap());
        assert_eq!(grid.step(0, 1, -1), PROC_NULL);
        assert_eq!(grid.step(0, 2, 9), 1);
    }

    #[test]
    fn parts_keep_their_dimensions() {
        assert_eq!(grid().some(&[1, 0, 1], true), Cart { dims: vec![3, 4], periods: vec![true, true] });
        assert_eq!(grid().some(&[1, 0, 1], false).dims, [2]);
    }
}
