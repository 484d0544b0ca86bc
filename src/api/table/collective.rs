// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collective communication, blocking and nonblocking (MPI 5.0, chapter 6).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_collective {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Allgather(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, comm: Comm) => coll::allgather::allgather, large;
        Allgatherv(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[peers(comm)], displs: Displs[peers(comm)], recvtype: Datatype, comm: Comm) => coll::allgather::allgatherv, large;
        Allreduce(sendbuf: Buf, recvbuf: OutBuf, count: Count, datatype: Datatype, op: Op, comm: Comm) => coll::allreduce::allreduce, large;
        Alltoall(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, comm: Comm) => coll::alltoall::alltoall, large;
        Alltoallv(sendbuf: Buf, sendcounts: Counts[sent(sendbuf, comm)], sdispls: Displs[sent(sendbuf, comm)], sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[peers(comm)], rdispls: Displs[peers(comm)], recvtype: Datatype, comm: Comm) => coll::alltoall::alltoallv, large;
        Alltoallw(sendbuf: Buf, sendcounts: Counts[sent(sendbuf, comm)], sdispls: Displs[sent(sendbuf, comm)], sendtypes: Datatypes[sent(sendbuf, comm)], recvbuf: OutBuf, recvcounts: Counts[peers(comm)], rdispls: Displs[peers(comm)], recvtypes: Datatypes[peers(comm)], comm: Comm) => coll::alltoall::alltoallw, large;
        Barrier(comm: Comm) => coll::barrier::barrier;
        Bcast(buffer: OutBuf, count: Count, datatype: Datatype, root: Rank, comm: Comm) => coll::bcast::bcast, large;
        Exscan(sendbuf: Buf, recvbuf: OutBuf, count: Count, datatype: Datatype, op: Op, comm: Comm) => coll::scan::exscan, large;
        Gather(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm) => coll::gather::gather, large;
        Gatherv(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[at_root(root, comm)], displs: Displs[at_root(root, comm)], recvtype: Datatype, root: Rank, comm: Comm) => coll::gather::gatherv, large;
        Iallgather(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, comm: Comm, request: OutRequest) => coll::allgather::iallgather, large;
        Iallgatherv(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[peers(comm)], displs: Displs[peers(comm)], recvtype: Datatype, comm: Comm, request: OutRequest) => coll::allgather::iallgatherv, large;
        Iallreduce(sendbuf: Buf, recvbuf: OutBuf, count: Count, datatype: Datatype, op: Op, comm: Comm, request: OutRequest) => coll::allreduce::iallreduce, large;
        Ialltoall(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, comm: Comm, request: OutRequest) => coll::alltoall::ialltoall, large;
        Ialltoallv(sendbuf: Buf, sendcounts: Counts[sent(sendbuf, comm)], sdispls: Displs[sent(sendbuf, comm)], sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[peers(comm)], rdispls: Displs[peers(comm)], recvtype: Datatype, comm: Comm, request: OutRequest) => coll::alltoall::ialltoallv, large;
        Ialltoallw(sendbuf: Buf, sendcounts: Counts[sent(sendbuf, comm)], sdispls: Displs[sent(sendbuf, comm)], sendtypes: Datatypes[sent(sendbuf, comm)], recvbuf: OutBuf, recvcounts: Counts[peers(comm)], rdispls: Displs[peers(comm)], recvtypes: Datatypes[peers(comm)], comm: Comm, request: OutRequest) => coll::alltoall::ialltoallw, large;
        Ibarrier(comm: Comm, request: OutRequest) => coll::barrier::ibarrier;
        Ibcast(buffer: OutBuf, count: Count, datatype: Datatype, root: Rank, comm: Comm, request: OutRequest) => coll::bcast::ibcast, large;
        Iexscan(sendbuf: Buf, recvbuf: OutBuf, count: Count, datatype: Datatype, op: Op, comm: Comm, request: OutRequest) => coll::scan::iexscan, large;
        Igather(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm, request: OutRequest) => coll::gather::igather, large;
        Igatherv(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcounts: Counts[at_root(root, comm)], displs: Displs[at_root(root, comm)], recvtype: Datatype, root: Rank, comm: Comm, request: OutRequest) => coll::gather::igatherv, large;
        Ireduce(sendbuf: Buf, recvbuf: OutBuf, count: Count, datatype: Datatype, op: Op, root: Rank, comm: Comm, request: OutRequest) => coll::reduce::ireduce, large;
        Ireduce_scatter(sendbuf: Buf, recvbuf: OutBuf, recvcounts: Counts[local(comm)], datatype: Datatype, op: Op, comm: Comm, request: OutRequest) => coll::reduce_scatter::ireduce_scatter, large;
        Ireduce_scatter_block(sendbuf: Buf, recvbuf: OutBuf, recvcount: Count, datatype: Datatype, op: Op, comm: Comm, request: OutRequest) => coll::reduce_scatter::ireduce_scatter_block, large;
        Iscan(sendbuf: Buf, recvbuf: OutBuf, count: Count, datatype: Datatype, op: Op, comm: Comm, request: OutRequest) => coll::scan::iscan, large;
        Iscatter(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm, request: OutRequest) => coll::scatter::iscatter, large;
        Iscatterv(sendbuf: Buf, sendcounts: Counts[at_root(root, comm)], displs: Displs[at_root(root, comm)], sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm, request: OutRequest) => coll::scatter::iscatterv, large;
        Reduce(sendbuf: Buf, recvbuf: OutBuf, count: Count, datatype: Datatype, op: Op, root: Rank, comm: Comm) => coll::reduce::reduce, large;
        Reduce_scatter(sendbuf: Buf, recvbuf: OutBuf, recvcounts: Counts[local(comm)], datatype: Datatype, op: Op, comm: Comm) => coll::reduce_scatter::reduce_scatter, large;
        Reduce_scatter_block(sendbuf: Buf, recvbuf: OutBuf, recvcount: Count, datatype: Datatype, op: Op, comm: Comm) => coll::reduce_scatter::reduce_scatter_block, large;
        Scan(sendbuf: Buf, recvbuf: OutBuf, count: Count, datatype: Datatype, op: Op, comm: Comm) => coll::scan::scan, large;
        Scatter(sendbuf: Buf, sendcount: Count, sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm) => coll::scatter::scatter, large;
        Scatterv(sendbuf: Buf, sendcounts: Counts[at_root(root, comm)], displs: Displs[at_root(root, comm)], sendtype: Datatype, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm) => coll::scatter::scatterv, large;
    } };
}
