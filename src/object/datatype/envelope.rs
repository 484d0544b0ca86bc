// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a type was made: what `MPI_Type_get_envelope` and `MPI_Type_get_contents` say (MPI 5.0, section 5.1.13).

use std::sync::Arc;

use super::Datatype;
use crate::object::constant::COMBINER_NAMED;

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
}

impl Envelope {
    /// A predefined type.
    pub fn named() -> Envelope {
        Envelope { combiner: COMBINER_NAMED, ..Envelope::default() }
    }
}
