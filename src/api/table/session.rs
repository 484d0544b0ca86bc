// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sessions (MPI 5.0, section 11.3).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_session {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Comm_create_from_group(group: Group, stringtag: Text, info: Info, errhandler: Errhandler, newcomm: OutComm) => object::comm::from_group::create;
        Group_from_session_pset(session: Session, pset_name: Text, newgroup: OutGroup) => object::session::sets::group_from_pset, anytime;
        Intercomm_create_from_groups(local_group: Group, local_leader: Rank, remote_group: Group, remote_leader: Rank, stringtag: Text, info: Info, errhandler: Errhandler, newintercomm: OutComm) => object::comm::from_group::create_inter;
        Session_call_errhandler(session: Session, errorcode: ErrorCode) => object::errhandler::session_call_errhandler, anytime;
        Session_create_errhandler(session_errhandler_fn: SessionHandlerFn, errhandler: OutErrhandler) => object::errhandler::session_create_errhandler, anytime;
        Session_finalize(session: InOutSession) => object::session::session_finalize, anytime;
        Session_get_errhandler(session: Session, errhandler: OutErrhandler) => object::errhandler::session_get_errhandler, anytime;
        Session_get_info(session: Session, info_used: OutInfo) => object::session::get_info, anytime;
        Session_get_nth_pset(session: Session, info: Info, n: Int, pset_len: InOutInt, pset_name: OutBytes[&pset_len]) => object::session::sets::get_nth_pset, anytime;
        Session_get_num_psets(session: Session, info: Info, npset_names: OutInt) => object::session::sets::get_num_psets, anytime;
        Session_get_pset_info(session: Session, pset_name: Text, info: OutInfo) => object::session::sets::get_pset_info, anytime;
        Session_init(info: Info, errhandler: Errhandler, session: OutSession) => object::session::session_init, anytime;
        Session_set_errhandler(session: Session, errhandler: Errhandler) => object::errhandler::session_set_errhandler, anytime;
    } };
}
