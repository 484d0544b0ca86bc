// SPDX-License-Identifier: MIT OR Apache-2.0
//! The predefined operations and the classes of types each is defined for (MPI 5.0, section 6.9.2).

use std::sync::{Arc, Once};

use super::kernel::{self, Kernel, Many};
use super::{Action, Op, TABLE};
use crate::object::constant::*;
use crate::object::datatype::element::{Class, ELEMENTS};

/// The predefined reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Code {
    Sum,
    Prod,
    Min,
    Max,
    Band,
    Bor,
    Bxor,
    Land,
    Lor,
    Lxor,
    Minloc,
    Maxloc,
}

/// (handle, name, code).
pub const ROWS: [(Handle, &str, Code); 12] = [
    (SUM, "MPI_SUM", Code::Sum),
    (PROD, "MPI_PROD", Code::Prod),
    (MIN, "MPI_MIN", Code::Min),
    (MAX, "MPI_MAX", Code::Max),
    (BAND, "MPI_BAND", Code::Band),
    (BOR, "MPI_BOR", Code::Bor),
    (BXOR, "MPI_BXOR", Code::Bxor),
    (LAND, "MPI_LAND", Code::Land),
    (LOR, "MPI_LOR", Code::Lor),
    (LXOR, "MPI_LXOR", Code::Lxor),
    (MINLOC, "MPI_MINLOC", Code::Minloc),
    (MAXLOC, "MPI_MAXLOC", Code::Maxloc),
];

impl Code {
    /// Whether the operation is defined for a class of types.
    #[inline]
    pub fn allows(self, class: Class) -> bool {
        let class = if class == Class::Byte { Class::Integer } else { class };
        match self {
            Code::Sum | Code::Prod => matches!(class, Class::Integer | Class::Float | Class::Complex),
            Code::Min | Code::Max => matches!(class, Class::Integer | Class::Float),
            Code::Band | Code::Bor | Code::Bxor => class == Class::Integer,
            Code::Land | Code::Lor | Code::Lxor => matches!(class, Class::Integer | Class::Logical),
            Code::Minloc | Code::Maxloc => class == Class::Pair,
        }
    }

    /// Whether the standard too defines it for bytes.
    pub fn is_bitwise(self) -> bool {
        matches!(self, Code::Band | Code::Bor | Code::Bxor)
    }
}

/// Puts the predefined operations at their constants. Called by init; safe to call again.
pub fn register_predefined() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for (handle, name, code) in ROWS {
            let mut kernels: Box<[Option<Kernel>; ELEMENTS]> = Box::new([None; ELEMENTS]);
            let mut many: Box<[Option<Many>; ELEMENTS]> = Box::new([None; ELEMENTS]);
            kernel::fill(code, &mut kernels, &mut many);
            set(handle, Action::Predefined { code, name, kernels, many });
        }
        set(REPLACE, Action::Replace);
        set(NO_OP, Action::Nothing);
    });
}

fn set(handle: Handle, action: Action) {
    let commutative = !matches!(action, Action::Replace);
    TABLE.set(handle, Arc::new(Op { handle, commutative, action }));
}
