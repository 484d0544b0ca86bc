// SPDX-License-Identifier: MIT OR Apache-2.0
//! Neighborhood collectives (MPI 5.0, sections 8.6 and 8.7).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_neighbor {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Ineighbor_allgather(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, comm: Comm, request: OutRequest) => coll::neighbor::iallgather, large;
        Ineighbor_allgatherv(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[indegree(comm)], displs: Displs[indegree(comm)], recvtype: Datatype, comm: Comm, request: OutRequest) => coll::neighbor::iallgatherv, large;
        Ineighbor_alltoall(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, comm: Comm, request: OutRequest) => coll::neighbor::ialltoall, large;
        Ineighbor_alltoallv(sendbuf: Buf, sendcounts: Counts[outdegree(comm)], sdispls: Displs[outdegree(comm)], sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[indegree(comm)], rdispls: Displs[indegree(comm)], recvtype: Datatype, comm: Comm, request: OutRequest) => coll::neighbor::ialltoallv, large;
        Ineighbor_alltoallw(sendbuf: Buf, sendcounts: Counts[outdegree(comm)], sdispls: Aints[outdegree(comm)], sendtypes: Datatypes[outdegree(comm)], recvbuf: OutBuf, recvcounts: Counts[indegree(comm)], rdispls: Aints[indegree(comm)], recvtypes: Datatypes[indegree(comm)], comm: Comm, request: OutRequest) => coll::neighbor::ialltoallw, large;
        Neighbor_allgather(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, comm: Comm) => coll::neighbor::allgather, large;
        Neighbor_allgatherv(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[indegree(comm)], displs: Displs[indegree(comm)], recvtype: Datatype, comm: Comm) => coll::neighbor::allgatherv, large;
        Neighbor_alltoall(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, comm: Comm) => coll::neighbor::alltoall, large;
        Neighbor_alltoallv(sendbuf: Buf, sendcounts: Counts[outdegree(comm)], sdispls: Displs[outdegree(comm)], sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[indegree(comm)], rdispls: Displs[indegree(comm)], recvtype: Datatype, comm: Comm) => coll::neighbor::alltoallv, large;
        Neighbor_alltoallw(sendbuf: Buf, sendcounts: Counts[outdegree(comm)], sdispls: Aints[outdegree(comm)], sendtypes: Datatypes[outdegree(comm)], recvbuf: OutBuf, recvcounts: Counts[indegree(comm)], rdispls: Aints[indegree(comm)], recvtypes: Datatypes[indegree(comm)], comm: Comm) => coll::neighbor::alltoallw, large;
    } };
}
