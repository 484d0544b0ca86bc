// SPDX-License-Identifier: MIT OR Apache-2.0
//! Point-to-point communication (MPI 5.0, chapter 3).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_p2p {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Send(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) => absent, large;
        Recv(buf: OutBuf, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, status: OutStatus) => absent, large;
        Waitall(count: Count, array_of_requests: Requests[count], array_of_statuses: OutStatuses[count]) => absent;
    } };
}
