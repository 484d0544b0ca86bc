// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reduction operations (MPI 5.0, section 6.9).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_op {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Op_commutative(op: Op, commute: OutFlag) => object::op::commutative;
        Op_create(user_fn: UserFn, commute: Flag, op: OutOp) => object::op::create;
        Op_free(op: InOutOp) => object::op::free;
        Reduce_local(inbuf: Buf, inoutbuf: OutBuf, count: Count, datatype: Datatype, op: Op) => object::op::reduce_local, large;
    } };
}
