// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a type was made: what `MPI_Type_get_envelope` and `MPI_Type_get_contents` say (MPI 5.0, section 5.1.13).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Datatype, TABLE, get};
use crate::err;
use crate::object::constant::{COMBINER_DARRAY, COMBINER_NAMED, COMBINER_SUBARRAY, Handle};
use crate::object::error::Result;

/// The call that made a type, and its arguments in MPI's order.
#[derive(Default)]
pub struct Envelope {
    /// `MPI_COMBINER_…`.
    pub combiner: i32,
    /// Integer arguments; counts among them.
    pub integers: Vec<i64>,
    /// Address arguments.
    pub addresses: Vec<i64>,
    /// Datatype arguments: kept alive as long as the type.
    pub types: Vec<Arc<Datatype>>,
    /// Made by the `_c` form of its constructor.
    pub large: AtomicBool,
}

/// The arguments as the wide form sorts them.
pub struct Wide {
    /// Plain integers.
    pub integers: Vec<i64>,
    /// Addresses.
    pub addresses: Vec<i64>,
    /// Large counts.
    pub counts: Vec<i64>,
}

impl Envelope {
    /// A predefined type.
    pub fn named() -> Envelope {
        Envelope { combiner: COMBINER_NAMED, ..Envelope::default() }
    }

    /// Of a type from a `_c` constructor all counts and displacements are large counts.
    pub fn wide(&self) -> Wide {
        let (integers, addresses) = (self.integers.clone(), self.addresses.clone());
        if !self.large.load(Ordering::Relaxed) {
            return Wide { integers, addresses, counts: Vec::new() };
        }
        // Where the sizes of an array stand among the integers; all else there is small.
        let sizes = match self.combiner {
            COMBINER_SUBARRAY => 1..integers.len() - 1,
            COMBINER_DARRAY => 3..3 + integers[2] as usize,
            _ => return Wide { integers: Vec::new(), addresses: Vec::new(), counts: [integers, addresses].concat() },
        };
        let small = [&integers[..sizes.start], &integers[sizes.end..]].concat();
        Wide { integers: small, addresses, counts: integers[sizes].to_vec() }
    }
}

/// `MPI_Type_get_envelope`: how many arguments of each kind [`get_contents`] gives, and the constructor.
pub fn get_envelope(
    datatype: Handle,
    num_integers: &mut i32,
    num_addresses: &mut i32,
    num_datatypes: &mut i32,
    combiner: &mut i32,
) -> Result<()> {
    let envelope = &get(datatype)?.envelope;
    *num_integers = envelope.integers.len() as i32;
    *num_addresses = envelope.addresses.len() as i32;
    *num_datatypes = envelope.types.len() as i32;
    *combiner = envelope.combiner;
    Ok(())
}

/// `MPI_Type_get_contents`. The derived types among `datatypes` are new handles, which the caller frees. Sentinels among
/// the integers (order, distribution) have the standard ABI's values.
pub fn get_contents(
    datatype: Handle,
    max_integers: i32,
    max_addresses: i32,
    max_datatypes: i32,
    integers: &mut [i32],
    addresses: &mut [i64],
    datatypes: &mut [Handle],
) -> Result<()> {
    let found = get(datatype)?;
    let envelope = &found.envelope;
    if envelope.combiner == COMBINER_NAMED {
        return Err(err!(Type, "{} is predefined: it has no contents", found.label()));
    }
    room("max_integers", max_integers, envelope.integers.len())?;
    room("max_addresses", max_addresses, envelope.addresses.len())?;
    room("max_datatypes", max_datatypes, envelope.types.len())?;
    for (i, (to, &from)) in integers.iter_mut().zip(&envelope.integers).enumerate() {
        *to = i32::try_from(from).map_err(|_| err!(ValueTooLarge, "argument {i} of the constructor, {from}, exceeds an int"))?;
    }
    addresses.iter_mut().zip(&envelope.addresses).for_each(|(to, from)| *to = *from);
    datatypes.iter_mut().zip(&envelope.types).for_each(|(to, from)| *to = handle_of(from));
    Ok(())
}

/// `MPI_Type_get_envelope_c`.
pub fn get_envelope_large(
    datatype: Handle,
    num_integers: &mut i64,
    num_addresses: &mut i64,
    num_counts: &mut i64,
    num_datatypes: &mut i64,
    combiner: &mut i32,
) -> Result<()> {
    let envelope = &get(datatype)?.envelope;
    let wide = envelope.wide();
    *num_integers = wide.integers.len() as i64;
    *num_addresses = wide.addresses.len() as i64;
    *num_counts = wide.counts.len() as i64;
    *num_datatypes = envelope.types.len() as i64;
    *combiner = envelope.combiner;
    Ok(())
}

/// `MPI_Type_get_contents_c`: as [`get_contents`].
#[allow(clippy::too_many_arguments)]
pub fn get_contents_large(
    datatype: Handle,
    most: [i64; 4],
    integers: &mut [i32],
    addresses: &mut [i64],
    counts: &mut [i64],
    datatypes: &mut [Handle],
) -> Result<()> {
    let found = get(datatype)?;
    let envelope = &found.envelope;
    if envelope.combiner == COMBINER_NAMED {
        return Err(err!(Type, "{} is predefined: it has no contents", found.label()));
    }
    let wide = envelope.wide();
    room("max_integers", most[0], wide.integers.len())?;
    room("max_addresses", most[1], wide.addresses.len())?;
    room("max_large_counts", most[2], wide.counts.len())?;
    room("max_datatypes", most[3], envelope.types.len())?;
    integers.iter_mut().zip(&wide.integers).for_each(|(to, &from)| *to = from as i32);
    addresses.iter_mut().zip(&wide.addresses).for_each(|(to, from)| *to = *from);
    counts.iter_mut().zip(&wide.counts).for_each(|(to, from)| *to = *from);
    datatypes.iter_mut().zip(&envelope.types).for_each(|(to, from)| *to = handle_of(from));
    Ok(())
}

fn room(name: &str, max: impl Into<i64>, needed: usize) -> Result<()> {
    let max = max.into();
    if max < needed as i64 { Err(err!(Arg, "{name} is {max}, but there are {needed}")) } else { Ok(()) }
}

/// A handle for a type whose own handle may be gone: predefined types have theirs, derived ones get a new one.
fn handle_of(datatype: &Arc<Datatype>) -> Handle {
    if datatype.basic.is_some() {
        return datatype.handle;
    }
    let (shape, envelope) = (datatype.shape.clone(), datatype.envelope.clone());
    TABLE.insert_with(|handle| {
        let again = Datatype::new(handle, shape, envelope);
        if datatype.is_committed() {
            again.set_committed();
        }
        Arc::new(again)
    })
}
