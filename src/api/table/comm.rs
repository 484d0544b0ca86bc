// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communicators (MPI 5.0, chapter 7).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_comm {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Comm_compare(comm1: Comm, comm2: Comm, result: OutComparison) => object::comm::query::compare;
        Comm_create(comm: Comm, group: Group, newcomm: OutComm) => object::comm::create::create;
        Comm_create_group(comm: Comm, group: Group, tag: Tag, newcomm: OutComm) => object::comm::create::create_group;
        Comm_dup(comm: Comm, newcomm: OutComm) => object::comm::dup::dup;
        Comm_dup_with_info(comm: Comm, info: Info, newcomm: OutComm) => object::comm::dup::dup_with_info;
        Comm_free(comm: InOutComm) => object::comm::end::free;
        Comm_get_info(comm: Comm, info_used: OutInfo) => object::comm::hints::get_info;
        Comm_get_name(comm: Comm, comm_name: OutObjectName & resultlen) => object::comm::query::get_name;
        Comm_group(comm: Comm, group: OutGroup) => object::comm::query::comm_group;
        Comm_idup(comm: Comm, newcomm: OutComm, request: OutRequest) => object::comm::dup::idup;
        Comm_idup_with_info(comm: Comm, info: Info, newcomm: OutComm, request: OutRequest) => object::comm::dup::idup_with_info;
        Comm_rank(comm: Comm, rank: OutInt) => object::comm::query::rank, quick;
        Comm_remote_group(comm: Comm, group: OutGroup) => object::comm::query::comm_remote_group;
        Comm_remote_size(comm: Comm, size: OutInt) => object::comm::query::remote_size;
        Comm_set_info(comm: Comm, info: Info) => object::comm::hints::set_info;
        Comm_set_name(comm: Comm, comm_name: Text) => object::comm::query::set_name;
        Comm_size(comm: Comm, size: OutInt) => object::comm::query::size, quick;
        Comm_split(comm: Comm, color: Int, key: Int, newcomm: OutComm) => object::comm::split::split;
        Comm_split_type(comm: Comm, split_type: SplitType, key: Int, info: Info, newcomm: OutComm) => object::comm::split::split_type;
        Comm_test_inter(comm: Comm, flag: OutFlag) => object::comm::query::test_inter;
        Intercomm_create(local_comm: Comm, local_leader: Rank, peer_comm: Comm, remote_leader: Rank, tag: Tag, newintercomm: OutComm) => object::comm::inter::create;
        Intercomm_merge(intercomm: Comm, high: Flag, newintracomm: OutComm) => object::comm::inter::merge;
    } };
}
