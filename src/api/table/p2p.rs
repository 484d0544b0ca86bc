// SPDX-License-Identifier: MIT OR Apache-2.0
//! Point-to-point communication (MPI 5.0, chapters 3 and 4).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_p2p {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Bsend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) => absent, large;
        Bsend_init(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => absent, large;
        Buffer_attach(buffer: OutBuf, size: Count) => absent, large;
        Buffer_detach(buffer_addr: OutPointer, size: OutCount) => absent, large;
        Ibsend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => absent, large;
        Improbe(source: Rank, tag: Tag, comm: Comm, flag: OutFlag, message: OutMessage, status: OutStatus) => absent;
        Imrecv(buf: OutBuf, count: Count, datatype: Datatype, message: InOutMessage, request: OutRequest) => absent, large;
        Iprobe(source: Rank, tag: Tag, comm: Comm, flag: OutFlag, status: OutStatus) => absent;
        Irecv(buf: OutBuf, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, request: OutRequest) => absent, large;
        Irsend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => absent, large;
        Isend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => absent, large;
        Isendrecv(sendbuf: Buf, sendcount: Count, sendtype: Datatype, dest: Rank, sendtag: Tag, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, source: Rank, recvtag: Tag, comm: Comm, request: OutRequest) => absent, large;
        Isendrecv_replace(buf: OutBuf, count: Count, datatype: Datatype, dest: Rank, sendtag: Tag, source: Rank, recvtag: Tag, comm: Comm, request: OutRequest) => absent, large;
        Issend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => absent, large;
        Mprobe(source: Rank, tag: Tag, comm: Comm, message: OutMessage, status: OutStatus) => absent;
        Mrecv(buf: OutBuf, count: Count, datatype: Datatype, message: InOutMessage, status: OutStatus) => absent, large;
        Parrived(request: Request, partition: Int, flag: OutFlag) => absent;
        Pready(partition: Int, request: Request) => absent;
        Pready_list(length: Int, array_of_partitions: Ints[length], request: Request) => absent;
        Pready_range(partition_low: Int, partition_high: Int, request: Request) => absent;
        Precv_init(buf: OutBuf, partitions: Int, count: Count64, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, info: Info, request: OutRequest) => absent;
        Probe(source: Rank, tag: Tag, comm: Comm, status: OutStatus) => absent;
        Psend_init(buf: Buf, partitions: Int, count: Count64, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, info: Info, request: OutRequest) => absent;
        Recv(buf: OutBuf, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, status: OutStatus) => absent, large;
        Recv_init(buf: OutBuf, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, request: OutRequest) => absent, large;
        Rsend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) => absent, large;
        Rsend_init(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => absent, large;
        Send(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) => absent, large;
        Send_init(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => absent, large;
        Sendrecv(sendbuf: Buf, sendcount: Count, sendtype: Datatype, dest: Rank, sendtag: Tag, recvbuf: OutBuf, recvcount: Count, recvtype: Datatype, source: Rank, recvtag: Tag, comm: Comm, status: OutStatus) => absent, large;
        Sendrecv_replace(buf: OutBuf, count: Count, datatype: Datatype, dest: Rank, sendtag: Tag, source: Rank, recvtag: Tag, comm: Comm, status: OutStatus) => absent, large;
        Ssend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) => absent, large;
        Ssend_init(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => absent, large;
    } };
}
