// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communicators (MPI 5.0, chapter 7).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_comm {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Comm_compare(comm1: Comm, comm2: Comm, result: OutComparison) => absent;
        Comm_create(comm: Comm, group: Group, newcomm: OutComm) => absent;
        Comm_create_group(comm: Comm, group: Group, tag: Tag, newcomm: OutComm) => absent;
        Comm_dup(comm: Comm, newcomm: OutComm) => absent;
        Comm_dup_with_info(comm: Comm, info: Info, newcomm: OutComm) => absent;
        Comm_free(comm: InOutComm) => absent;
        Comm_get_info(comm: Comm, info_used: OutInfo) => absent;
        Comm_get_name(comm: Comm, comm_name: OutObjectName & resultlen) => absent;
        Comm_group(comm: Comm, group: OutGroup) => absent;
        Comm_idup(comm: Comm, newcomm: OutComm, request: OutRequest) => absent;
        Comm_idup_with_info(comm: Comm, info: Info, newcomm: OutComm, request: OutRequest) => absent;
        Comm_rank(comm: Comm, rank: OutRank) => absent;
        Comm_remote_group(comm: Comm, group: OutGroup) => absent;
        Comm_remote_size(comm: Comm, size: OutInt) => absent;
        Comm_set_info(comm: Comm, info: Info) => absent;
        Comm_set_name(comm: Comm, comm_name: Text) => absent;
        Comm_size(comm: Comm, size: OutInt) => absent;
        Comm_split(comm: Comm, color: Int, key: Int, newcomm: OutComm) => absent;
        Comm_split_type(comm: Comm, split_type: SplitType, key: Int, info: Info, newcomm: OutComm) => absent;
        Comm_test_inter(comm: Comm, flag: OutFlag) => absent;
        Intercomm_create(local_comm: Comm, local_leader: Rank, peer_comm: Comm, remote_leader: Rank, tag: Tag, newintercomm: OutComm) => absent;
        Intercomm_merge(intercomm: Comm, high: Flag, newintracomm: OutComm) => absent;
    } };
}
