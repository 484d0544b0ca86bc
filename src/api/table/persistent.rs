// SPDX-License-Identifier: MIT OR Apache-2.0
//! Persistent collectives (MPI 5.0, sections 6.13 and 8.9). Open MPI exports them a second time as `MPIX_`.

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_persistent {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Allgather_init(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, comm: Comm, info: Info, request: OutRequest) => coll::allgather::allgather_init, large;
        Allgatherv_init(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[peers(comm)], displs: Displs[peers(comm)], recvtype: Datatype, comm: Comm, info: Info, request: OutRequest) => coll::allgather::allgatherv_init, large;
        Allreduce_init(sendbuf: Buf, recvbuf: OutBuf, count: Count, datatype: Datatype, op: Op, comm: Comm, info: Info, request: OutRequest) => coll::allreduce::allreduce_init, large;
        Alltoall_init(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, comm: Comm, info: Info, request: OutRequest) => coll::alltoall::alltoall_init, large;
        Alltoallv_init(sendbuf: Buf, sendcounts: Counts[sent(sendbuf, comm)], sdispls: Displs[sent(sendbuf, comm)], sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[peers(comm)], rdispls: Displs[peers(comm)], recvtype: Datatype, comm: Comm, info: Info, request: OutRequest) => coll::alltoall::alltoallv_init, large;
        Alltoallw_init(sendbuf: Buf, sendcounts: Counts[sent(sendbuf, comm)], sdispls: Displs[sent(sendbuf, comm)], sendtypes: Datatypes[sent(sendbuf, comm)], recvbuf: OutBuf, recvcounts: Counts[peers(comm)], rdispls: Displs[peers(comm)], recvtypes: Datatypes[peers(comm)], comm: Comm, info: Info, request: OutRequest) => coll::alltoall::alltoallw_init, large;
        Barrier_init(comm: Comm, info: Info, request: OutRequest) => coll::barrier::barrier_init;
        Bcast_init(buffer: OutBuf, count: Count, datatype: Datatype, root: Rank, comm: Comm, info: Info, request: OutRequest) => coll::bcast::bcast_init, large;
        Exscan_init(sendbuf: Buf, recvbuf: OutBuf, count: Count, datatype: Datatype, op: Op, comm: Comm, info: Info, request: OutRequest) => coll::scan::exscan_init, large;
        Gather_init(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm, info: Info, request: OutRequest) => coll::gather::gather_init, large;
        Gatherv_init(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[at_root(root, comm)], displs: Displs[at_root(root, comm)], recvtype: Datatype, root: Rank, comm: Comm, info: Info, request: OutRequest) => coll::gather::gatherv_init, large;
        Reduce_init(sendbuf: Buf, recvbuf: OutBuf, count: Count, datatype: Datatype, op: Op, root: Rank, comm: Comm, info: Info, request: OutRequest) => coll::reduce::reduce_init, large;
        Reduce_scatter_block_init(sendbuf: Buf, recvbuf: OutBuf, recvcount: Count, datatype: Datatype, op: Op, comm: Comm, info: Info, request: OutRequest) => coll::reduce_scatter::reduce_scatter_block_init, large;
        Reduce_scatter_init(sendbuf: Buf, recvbuf: OutBuf, recvcounts: Counts[local(comm)], datatype: Datatype, op: Op, comm: Comm, info: Info, request: OutRequest) => coll::reduce_scatter::reduce_scatter_init, large;
        Scan_init(sendbuf: Buf, recvbuf: OutBuf, count: Count, datatype: Datatype, op: Op, comm: Comm, info: Info, request: OutRequest) => coll::scan::scan_init, large;
        Scatter_init(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm, info: Info, request: OutRequest) => coll::scatter::scatter_init, large;
        Scatterv_init(sendbuf: Buf, sendcounts: Counts[at_root(root, comm)], displs: Displs[at_root(root, comm)], sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm, info: Info, request: OutRequest) => coll::scatter::scatterv_init, large;
        Neighbor_allgather_init(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, comm: Comm, info: Info, request: OutRequest) => coll::neighbor::allgather_init, large;
        Neighbor_allgatherv_init(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[indegree(comm)], displs: Displs[indegree(comm)], recvtype: Datatype, comm: Comm, info: Info, request: OutRequest) => coll::neighbor::allgatherv_init, large;
        Neighbor_alltoall_init(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, comm: Comm, info: Info, request: OutRequest) => coll::neighbor::alltoall_init, large;
        Neighbor_alltoallv_init(sendbuf: Buf, sendcounts: Counts[outdegree(comm)], sdispls: Displs[outdegree(comm)], sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[indegree(comm)], rdispls: Displs[indegree(comm)], recvtype: Datatype, comm: Comm, info: Info, request: OutRequest) => coll::neighbor::alltoallv_init, large;
        Neighbor_alltoallw_init(sendbuf: Buf, sendcounts: Counts[outdegree(comm)], sdispls: Aints[outdegree(comm)], sendtypes: Datatypes[outdegree(comm)], recvbuf: OutBuf, recvcounts: Counts[indegree(comm)], rdispls: Aints[indegree(comm)], recvtypes: Datatypes[indegree(comm)], comm: Comm, info: Info, request: OutRequest) => coll::neighbor::alltoallw_init, large;
    } };
}
