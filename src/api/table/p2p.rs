// SPDX-License-Identifier: MIT OR Apache-2.0
//! Point-to-point communication (MPI 5.0, chapters 3 and 4).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_p2p {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Bsend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) => p2p::buffered::bsend, large;
        Bsend_init(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => p2p::persistent::bsend_init, large;
        Buffer_attach(buffer: OutBuf, size: Count) => p2p::buffered::attach, large;
        Buffer_detach(buffer_addr: OutBuffer, size: OutCount) => p2p::buffered::detach, large;
        Ibsend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => p2p::buffered::ibsend, large;
        Improbe(source: Rank, tag: Tag, comm: Comm, flag: OutFlag, message: OutMessage, status: OutStatus) => p2p::probe::improbe;
        Imrecv(buf: OutBuf, count: Count, datatype: Datatype, message: InOutMessage, request: OutRequest) => p2p::probe::imrecv, large;
        Iprobe(source: Rank, tag: Tag, comm: Comm, flag: OutFlag, status: OutStatus) => p2p::probe::iprobe;
        Irecv(buf: OutBuf, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, request: OutRequest) => p2p::receive::irecv, large;
        Irsend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => p2p::send::irsend, large;
        Isend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => p2p::send::isend, large;
        Isendrecv(sendbuf: Buf, sendcount: Count, sendtype: Datatype, dest: Rank, sendtag: Tag, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, source: Rank, recvtag: Tag, comm: Comm, request: OutRequest) => p2p::exchange::isendrecv, large;
        Isendrecv_replace(buf: OutBuf, count: Count, datatype: Datatype, dest: Rank, sendtag: Tag, source: Rank, recvtag: Tag, comm: Comm, request: OutRequest) => p2p::exchange::isendrecv_replace, large;
        Issend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => p2p::send::issend, large;
        Mprobe(source: Rank, tag: Tag, comm: Comm, message: OutMessage, status: OutStatus) => p2p::probe::mprobe;
        Mrecv(buf: OutBuf, count: Count, datatype: Datatype, message: InOutMessage, status: OutStatus) => p2p::probe::mrecv, large;
        Parrived(request: Request, partition: Int, flag: OutFlag) => p2p::partitioned::parrived;
        Pready(partition: Int, request: Request) => p2p::partitioned::pready;
        Pready_list(length: Int, array_of_partitions: Ints[length], request: Request) => p2p::partitioned::pready_list;
        Pready_range(partition_low: Int, partition_high: Int, request: Request) => p2p::partitioned::pready_range;
        Precv_init(buf: OutBuf, partitions: Int, count: Count64, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, info: Info, request: OutRequest) => p2p::partitioned::precv_init;
        Probe(source: Rank, tag: Tag, comm: Comm, status: OutStatus) => p2p::probe::probe;
        Psend_init(buf: Buf, partitions: Int, count: Count64, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, info: Info, request: OutRequest) => p2p::partitioned::psend_init;
        Recv(buf: OutBuf, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, status: OutStatus) => p2p::receive::recv, large;
        Recv_init(buf: OutBuf, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, request: OutRequest) => p2p::persistent::recv_init, large;
        Rsend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) => p2p::send::rsend, large;
        Rsend_init(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => p2p::persistent::rsend_init, large;
        Send(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) => p2p::send::send, large;
        Send_init(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => p2p::persistent::send_init, large;
        Sendrecv(sendbuf: Buf, sendcount: Count, sendtype: Datatype, dest: Rank, sendtag: Tag, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, source: Rank, recvtag: Tag, comm: Comm, status: OutStatus) => p2p::exchange::sendrecv, large;
        Sendrecv_replace(buf: OutBuf, count: Count, datatype: Datatype, dest: Rank, sendtag: Tag, source: Rank, recvtag: Tag, comm: Comm, status: OutStatus) => p2p::exchange::sendrecv_replace, large;
        Ssend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) => p2p::send::ssend, large;
        Ssend_init(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => p2p::persistent::ssend_init, large;
    } };
}
