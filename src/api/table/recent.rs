// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions that MPI 4.1 and 5.0 added (and MPI_T events); faces of older ABIs do not export them.

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_recent {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Abi_get_fortran_booleans(logical_size: Int, logical_true: Pointer, logical_false: Pointer, is_set: OutFlag) => absent;
        Abi_get_fortran_info(info: OutInfo) => absent;
        Abi_get_info(info: OutInfo) => absent, anytime;
        Abi_get_version(abi_major: OutInt, abi_minor: OutInt) => object::environment::get_abi_version, anytime;
        Abi_set_fortran_booleans(logical_size: Int, logical_true: Pointer, logical_false: Pointer) => absent;
        Abi_set_fortran_info(info: Info) => absent;
        Buffer_flush() => p2p::buffered::flush;
        Buffer_iflush(request: OutRequest) => p2p::buffered::iflush;
        Comm_attach_buffer(comm: Comm, buffer: OutBuf, size: Count) => absent, large;
        Comm_detach_buffer(comm: Comm, buffer_addr: OutPointer, size: OutCount) => absent, large;
        Comm_flush_buffer(comm: Comm) => absent;
        Comm_iflush_buffer(comm: Comm, request: OutRequest) => absent;
        Get_hw_resource_info(hw_info: OutInfo) => absent;
        Remove_error_class(errorclass: ErrorCode) => object::error::registry::remove_error_class;
        Remove_error_code(errorcode: ErrorCode) => object::error::registry::remove_error_code;
        Remove_error_string(errorcode: ErrorCode) => object::error::registry::remove_error_string;
        Request_get_status_all(count: Length, array_of_requests: InRequests[count], flag: OutFlag, array_of_statuses: OutStatuses[count]) => object::request::complete::get_status_all;
        Request_get_status_any(count: Length, array_of_requests: InRequests[count], index: OutInt, flag: OutFlag, status: OutStatus) => object::request::complete::get_status_any;
        Request_get_status_some(incount: Length, array_of_requests: InRequests[incount], outcount: OutInt, array_of_indices: OutInts[incount], array_of_statuses: OutStatuses[incount]) => object::request::complete::get_status_some;
        Session_attach_buffer(session: Session, buffer: OutBuf, size: Count) => absent, large;
        Session_detach_buffer(session: Session, buffer_addr: OutPointer, size: OutCount) => absent, large;
        Session_flush_buffer(session: Session) => absent, anytime;
        Session_iflush_buffer(session: Session, request: OutRequest) => absent, anytime;
        Status_get_error(status: InStatus, error: OutErrorCode) => object::status::get_error;
        Status_get_source(status: InStatus, source: OutRank) => object::status::get_source;
        Status_get_tag(status: InStatus, tag: OutTag) => object::status::get_tag;
        Status_set_error(status: InOutStatus, error: ErrorCode) => object::status::set_error;
        Status_set_source(status: InOutStatus, source: Rank) => object::status::set_source;
        Status_set_tag(status: InOutStatus, tag: Tag) => object::status::set_tag;
        T_category_get_events(cat_index: Int, len: Int, indices: OutInts[len]) => absent, anytime;
        T_category_get_num_events(cat_index: Int, num_events: OutInt) => absent, anytime;
        T_event_callback_get_info(event_registration: EventRegistration, cb_safety: CallbackSafety, info_used: OutInfo) => absent, anytime;
        T_event_callback_set_info(event_registration: EventRegistration, cb_safety: CallbackSafety, info: Info) => absent, anytime;
        T_event_copy(event_instance: EventInstance, buffer: Pointer) => absent, anytime;
        T_event_get_index(name: Text, event_index: OutInt) => absent, anytime;
        T_event_get_info(event_index: Int, name: OutSized & name_len, verbosity: OutVerbosity, array_of_datatypes: OutDatatypes[0], array_of_displacements: OutAints[0], num_elements: OutInt, enumtype: OutToolEnum, info: OutInfo, desc: OutSized & desc_len, bind: OutBind) => absent, anytime;
        T_event_get_num(num_events: OutInt) => absent, anytime;
        T_event_get_source(event_instance: EventInstance, source_index: OutInt) => absent, anytime;
        T_event_get_timestamp(event_instance: EventInstance, event_timestamp: OutCount64) => absent, anytime;
        T_event_handle_alloc(event_index: Int, obj_handle: Pointer, info: Info, event_registration: OutEventRegistration) => absent, anytime;
        T_event_handle_free(event_registration: EventRegistration, user_data: Pointer, free_cb_function: EventFreeFn) => absent, anytime;
        T_event_handle_get_info(event_registration: EventRegistration, info_used: OutInfo) => absent, anytime;
        T_event_handle_set_info(event_registration: EventRegistration, info: Info) => absent, anytime;
        T_event_read(event_instance: EventInstance, element_index: Int, buffer: Pointer) => absent, anytime;
        T_event_register_callback(event_registration: EventRegistration, cb_safety: CallbackSafety, info: Info, user_data: Pointer, event_cb_function: EventFn) => absent, anytime;
        T_event_set_dropped_handler(event_registration: EventRegistration, dropped_cb_function: EventDroppedFn) => absent, anytime;
        T_source_get_info(source_index: Int, name: OutSized & name_len, desc: OutSized & desc_len, ordering: OutSourceOrder, ticks_per_second: OutCount64, max_ticks: OutCount64, info: OutInfo) => absent, anytime;
        T_source_get_num(num_sources: OutInt) => absent, anytime;
        T_source_get_timestamp(source_index: Int, timestamp: OutCount64) => absent, anytime;
        Type_get_value_index(value_type: Datatype, index_type: Datatype, pair_type: OutDatatype) => absent;
    } };
}
