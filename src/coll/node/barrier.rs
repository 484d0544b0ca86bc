// SPDX-License-Identifier: MIT OR Apache-2.0
//! Barrier: everyone posts, everyone reads everyone. One line from each rank to each; a rank runs once.

use super::area::{Area, SLOTS};
use super::call::Call;
use super::mates::Mates;
use crate::coll::registry::Collective;
use crate::object::error::Result;

/// Waits until all ranks are here.
pub fn barrier<M: Mates>(area: &Area<M>) -> Result<()> {
    let call = Call::new(Collective::Barrier, 0);
    let sequence = area.begin(SLOTS);
    area.post(sequence, &call, 0, |_| ());
    area.ring_all();
    area.others().try_for_each(|rank| area.read(sequence, rank, &call).map(|_| ()))?;
    area.end_known(sequence);
    Ok(())
}
