// SPDX-License-Identifier: MIT OR Apache-2.0
//! User-level failure mitigation, `MPIX_` in Open MPI 5.

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_fault {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Comm_ack_failed(comm: Comm, num_to_ack: Int, num_acked: OutInt) => absent;
        Comm_agree(comm: Comm, flag: InOutInt) => absent;
        Comm_failure_ack(comm: Comm) => absent;
        Comm_failure_get_acked(comm: Comm, failedgrp: OutGroup) => absent;
        Comm_get_failed(comm: Comm, failedgrp: OutGroup) => absent;
        Comm_iagree(comm: Comm, flag: InOutInt, request: OutRequest) => absent;
        Comm_is_revoked(comm: Comm, flag: OutFlag) => absent;
        Comm_revoke(comm: Comm) => absent;
        Comm_shrink(comm: Comm, newcomm: OutComm) => absent;
    } };
}
