// SPDX-License-Identifier: MIT OR Apache-2.0
//! User-level failure mitigation, `MPIX_` in Open MPI 5.

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_fault {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Comm_ack_failed(comm: Comm, num_to_ack: Int, num_acked: OutInt) => object::comm::fault::ack_failed;
        Comm_agree(comm: Comm, flag: InOutInt) => object::comm::fault::agree;
        Comm_failure_ack(comm: Comm) => object::comm::fault::failure_ack;
        Comm_failure_get_acked(comm: Comm, failedgrp: OutGroup) => object::comm::fault::failure_get_acked;
        Comm_get_failed(comm: Comm, failedgrp: OutGroup) => object::comm::fault::get_failed;
        Comm_iagree(comm: Comm, flag: RawInts, request: OutRequest) => object::comm::fault::iagree;
        Comm_is_revoked(comm: Comm, flag: OutFlag) => object::comm::fault::is_revoked;
        Comm_revoke(comm: Comm) => object::comm::fault::revoke;
        Comm_shrink(comm: Comm, newcomm: OutComm) => object::comm::fault::shrink;
    } };
}
