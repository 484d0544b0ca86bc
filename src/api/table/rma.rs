// SPDX-License-Identifier: MIT OR Apache-2.0
//! One-sided communication (MPI 5.0, chapter 12).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_rma {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Accumulate(origin_addr: Buf, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: Aint, target_count: Count, target_datatype: Datatype, op: Op, win: Win) => absent, large;
        Compare_and_swap(origin_addr: Buf, compare_addr: Buf, result_addr: OutBuf, datatype: Datatype, target_rank: Rank, target_disp: Aint, win: Win) => absent;
        Fetch_and_op(origin_addr: Buf, result_addr: OutBuf, datatype: Datatype, target_rank: Rank, target_disp: Aint, op: Op, win: Win) => absent;
        Get(origin_addr: OutBuf, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: Aint, target_count: Count, target_datatype: Datatype, win: Win) => absent, large;
        Get_accumulate(origin_addr: Buf, origin_count: Count, origin_datatype: Datatype, result_addr: OutBuf, result_count: Count, result_datatype: Datatype, target_rank: Rank, target_disp: Aint, target_count: Count, target_datatype: Datatype, op: Op, win: Win) => absent, large;
        Put(origin_addr: Buf, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: Aint, target_count: Count, target_datatype: Datatype, win: Win) => absent, large;
        Raccumulate(origin_addr: Buf, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: Aint, target_count: Count, target_datatype: Datatype, op: Op, win: Win, request: OutRequest) => absent, large;
        Rget(origin_addr: OutBuf, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: Aint, target_count: Count, target_datatype: Datatype, win: Win, request: OutRequest) => absent, large;
        Rget_accumulate(origin_addr: Buf, origin_count: Count, origin_datatype: Datatype, result_addr: OutBuf, result_count: Count, result_datatype: Datatype, target_rank: Rank, target_disp: Aint, target_count: Count, target_datatype: Datatype, op: Op, win: Win, request: OutRequest) => absent, large;
        Rput(origin_addr: Buf, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: Aint, target_count: Count, target_datatype: Datatype, win: Win, request: OutRequest) => absent, large;
        Win_allocate(size: Aint, disp_unit: IntAint, info: Info, comm: Comm, baseptr: OutPointer, win: OutWin) => absent, large;
        Win_allocate_shared(size: Aint, disp_unit: IntAint, info: Info, comm: Comm, baseptr: OutPointer, win: OutWin) => absent, large;
        Win_attach(win: Win, base: OutBuf, size: Aint) => absent;
        Win_complete(win: Win) => absent;
        Win_create(base: OutBuf, size: Aint, disp_unit: IntAint, info: Info, comm: Comm, win: OutWin) => absent, large;
        Win_create_dynamic(info: Info, comm: Comm, win: OutWin) => absent;
        Win_detach(win: Win, base: Buf) => absent;
        Win_fence(assert: WindowAssert, win: Win) => absent;
        Win_flush(rank: Rank, win: Win) => absent;
        Win_flush_all(win: Win) => absent;
        Win_flush_local(rank: Rank, win: Win) => absent;
        Win_flush_local_all(win: Win) => absent;
        Win_free(win: InOutWin) => absent;
        Win_get_group(win: Win, group: OutGroup) => absent;
        Win_get_info(win: Win, info_used: OutInfo) => absent;
        Win_get_name(win: Win, win_name: OutObjectName & resultlen) => absent;
        Win_lock(lock_type: LockType, rank: Rank, assert: WindowAssert, win: Win) => absent;
        Win_lock_all(assert: WindowAssert, win: Win) => absent;
        Win_post(group: Group, assert: WindowAssert, win: Win) => absent;
        Win_set_info(win: Win, info: Info) => absent;
        Win_set_name(win: Win, win_name: Text) => absent;
        Win_shared_query(win: Win, rank: Rank, size: OutAint, disp_unit: OutIntAint, baseptr: OutPointer) => absent, large;
        Win_start(group: Group, assert: WindowAssert, win: Win) => absent;
        Win_sync(win: Win) => absent;
        Win_test(win: Win, flag: OutFlag) => absent;
        Win_unlock(rank: Rank, win: Win) => absent;
        Win_unlock_all(win: Win) => absent;
        Win_wait(win: Win) => absent;
    } };
}
