// SPDX-License-Identifier: MIT OR Apache-2.0
//! Extensions of MPICH (4.0 to 5.0) and of Intel MPI (`_notify`), `MPIX_`. Streams are integers.

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_mpich {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Allreduce_enqueue(sendbuf: Buf, recvbuf: OutBuf, count: Count, datatype: Datatype, op: Op, comm: Comm) => absent, large;
        Async_spawn(async_thing: Pointer, poll_fn: Pointer, extra_state: Pointer, stream: Int) => absent;
        Async_start(poll_fn: Pointer, extra_state: Pointer, stream: Int) => absent;
        Comm_create_errhandler_x(comm_errhandler_fn_x: Pointer, destructor_fn: Pointer, extra_state: Pointer, errhandler: OutErrhandler) => absent;
        Comm_get_stream(comm: Comm, idx: Int, stream: OutInt) => absent;
        Comm_test_threadcomm(comm: Comm, flag: OutFlag) => object::comm::query::is_of_threads;
        Delete_error_class(errorclass: ErrorCode) => object::error::registry::remove_error_class;
        Delete_error_code(errorcode: ErrorCode) => object::error::registry::remove_error_code;
        Delete_error_string(errorcode: ErrorCode) => object::error::registry::remove_error_string;
        File_create_errhandler_x(file_errhandler_fn_x: Pointer, destructor_fn: Pointer, extra_state: Pointer, errhandler: OutErrhandler) => absent;
        Get_notify(origin_addr: OutBuf, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: Aint, target_count: Count, target_datatype: Datatype, notification_idx: Int, win: Win) => absent, large;
        GPU_query_support(gpu_type: Int, is_supported: OutFlag) => object::environment::query_gpu, anytime;
        Grequest_class_allocate(greq_class: Int, extra_state: Pointer, request: OutRequest) => absent;
        Grequest_class_create(query_fn: QueryFn, free_fn: FreeFn, cancel_fn: CancelFn, poll_fn: Pointer, wait_fn: Pointer, greq_class: OutInt) => absent;
        Grequest_start(query_fn: QueryFn, free_fn: FreeFn, cancel_fn: CancelFn, poll_fn: Pointer, wait_fn: Pointer, extra_state: Pointer, request: OutRequest) => absent;
        Info_set_hex(info: Info, key: Text, value: Pointer, value_size: Int) => absent;
        Irecv_enqueue(buf: OutBuf, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, request: OutRequest) => absent, large;
        Isend_enqueue(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: OutRequest) => absent, large;
        Op_create_x(user_fn_x: Pointer, destructor_fn: Pointer, commute: Flag, extra_state: Pointer, op: OutOp) => absent;
        Put_notify(origin_addr: Buf, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: Aint, target_count: Count, target_datatype: Datatype, notification_idx: Int, win: Win) => absent, large;
        Recv_enqueue(buf: OutBuf, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, status: OutStatus) => absent, large;
        Send_enqueue(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) => absent, large;
        Session_create_errhandler_x(session_errhandler_fn_x: Pointer, destructor_fn: Pointer, extra_state: Pointer, errhandler: OutErrhandler) => absent;
        Start_progress_thread(stream: Int) => absent;
        Stop_progress_thread(stream: Int) => absent;
        Stream_comm_create(comm: Comm, stream: Int, newcomm: OutComm) => absent;
        Stream_comm_create_multiplex(comm: Comm, count: Int, array_of_streams: RawInts, newcomm: OutComm) => absent;
        Stream_create(info: Info, stream: OutInt) => absent;
        Stream_free(stream: OutInt) => absent;
        Stream_irecv(buf: OutBuf, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, source_stream_index: Int, dest_stream_index: Int, request: OutRequest) => absent, large;
        Stream_isend(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, source_stream_index: Int, dest_stream_index: Int, request: OutRequest) => absent, large;
        Stream_progress(stream: Int) => absent;
        Stream_recv(buf: OutBuf, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, source_stream_index: Int, dest_stream_index: Int, status: OutStatus) => absent, large;
        Stream_send(buf: Buf, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, source_stream_index: Int, dest_stream_index: Int) => absent, large;
        Threadcomm_finish(threadcomm: Comm) => absent;
        Threadcomm_free(threadcomm: InOutComm) => absent;
        Threadcomm_init(comm: Comm, num_threads: Int, newthreadcomm: OutComm) => absent;
        Threadcomm_start(threadcomm: Comm) => absent;
        Type_iov(datatype: Datatype, iov_offset: Count64, iov: Pointer, max_iov_len: Count64, actual_iov_len: OutCount64) => absent;
        Type_iov_len(datatype: Datatype, max_iov_bytes: Count64, iov_len: OutCount64, actual_iov_bytes: OutCount64) => absent;
        Wait_enqueue(request: InOutRequest, status: OutStatus) => absent;
        Waitall_enqueue(count: Int, array_of_requests: Pointer, array_of_statuses: Pointer) => absent;
        Win_create_errhandler_x(win_errhandler_fn_x: Pointer, destructor_fn: Pointer, extra_state: Pointer, errhandler: OutErrhandler) => absent;
        Win_create_notify(win: Win, notification_num: Int) => absent;
        Win_free_notify(win: Win) => absent;
        Win_get_notify(win: Win, notification_idx: Int, notification: OutCount64) => absent;
        Win_get_notify_request(win: Win, notification_idx: Int, expected_value: Count64, request: OutRequest) => absent;
        Win_set_notify(win: Win, notification_idx: Int, notification: Count64) => absent;
    } };
}
