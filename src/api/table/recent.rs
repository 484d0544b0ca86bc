// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions that MPI 4.1 and 5.0 added (and MPI_T events); faces of older ABIs do not export them.

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_recent {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Abi_get_fortran_booleans(logical_size: Int, logical_true: Pointer, logical_false: Pointer, is_set: OutFlag) => object::abi::get_fortran_booleans, anytime;
        Abi_get_fortran_info(info: OutInfo) => object::abi::get_fortran_info, anytime;
        Abi_get_info(info: OutInfo) => object::abi::get_info, anytime;
        Abi_get_version(abi_major: OutInt, abi_minor: OutInt) => object::abi::get_version, anytime;
        Abi_set_fortran_booleans(logical_size: Int, logical_true: Pointer, logical_false: Pointer) => object::abi::set_fortran_booleans, anytime;
        Abi_set_fortran_info(info: Info) => object::abi::set_fortran_info, anytime;
        Buffer_flush() => p2p::buffered::flush;
        Buffer_iflush(request: OutRequest) => p2p::buffered::iflush;
        Comm_attach_buffer(comm: Comm, buffer: OutBuf, size: Count) => p2p::buffered::comm_attach, large;
        Comm_detach_buffer(comm: Comm, buffer_addr: OutBuffer, size: OutCount) => p2p::buffered::comm_detach, large;
        Comm_flush_buffer(comm: Comm) => p2p::buffered::comm_flush;
        Comm_iflush_buffer(comm: Comm, request: OutRequest) => p2p::buffered::comm_iflush;
        Get_hw_resource_info(hw_info: OutInfo) => object::environment::get_hw_resource_info, anytime;
        Remove_error_class(errorclass: ErrorCode) => object::error::registry::remove_error_class;
        Remove_error_code(errorcode: ErrorCode) => object::error::registry::remove_error_code;
        Remove_error_string(errorcode: ErrorCode) => object::error::registry::remove_error_string;
        Request_get_status_all(count: Length, array_of_requests: InRequests[count], flag: OutFlag, array_of_statuses: OutStatuses[count]) => object::request::complete::get_status_all;
        Request_get_status_any(count: Length, array_of_requests: InRequests[count], index: OutInt, flag: OutFlag, status: OutStatus) => object::request::complete::get_status_any;
        Request_get_status_some(incount: Length, array_of_requests: InRequests[incount], outcount: OutInt, array_of_indices: OutInts[incount], array_of_statuses: OutStatuses[incount]) => object::request::complete::get_status_some;
        Session_attach_buffer(session: Session, buffer: OutBuf, size: Count) => p2p::buffered::session_attach, large;
        Session_detach_buffer(session: Session, buffer_addr: OutBuffer, size: OutCount) => p2p::buffered::session_detach, large;
        Session_flush_buffer(session: Session) => p2p::buffered::session_flush, anytime;
        Session_iflush_buffer(session: Session, request: OutRequest) => p2p::buffered::session_iflush, anytime;
        Status_get_error(status: InStatus, error: OutErrorCode) => object::status::get_error;
        Status_get_source(status: InStatus, source: OutRank) => object::status::get_source;
        Status_get_tag(status: InStatus, tag: OutTag) => object::status::get_tag;
        Status_set_error(status: InOutStatus, error: ErrorCode) => object::status::set_error;
        Status_set_source(status: InOutStatus, source: Rank) => object::status::set_source;
        Status_set_tag(status: InOutStatus, tag: Tag) => object::status::set_tag;
        T_category_get_events(cat_index: Int, len: Int, indices: OutInts[len]) => api::tool::category::get_none, anytime;
        T_category_get_num_events(cat_index: Int, num_events: OutInt) => api::tool::category::get_num_events, anytime;
        T_event_callback_get_info(event_registration: EventRegistration, cb_safety: CallbackSafety, info_used: OutInfo) => api::tool::event::callback_get_info, anytime;
        T_event_callback_set_info(event_registration: EventRegistration, cb_safety: CallbackSafety, info: Info) => api::tool::event::callback_set_info, anytime;
        T_event_copy(event_instance: EventInstance, buffer: Pointer) => api::tool::event::copy, anytime;
        T_event_get_index(name: Text, event_index: OutInt) => api::tool::event::get_index, anytime;
        T_event_get_info(event_index: Int, name: OutSized & name_len, verbosity: MaybeVerbosity, array_of_datatypes: OutDatatypes[0], array_of_displacements: OutAints[0], num_elements: MaybeInt, enumtype: MaybeToolEnum, info: MaybeInfo, desc: OutSized & desc_len, bind: MaybeBind) => api::tool::event::get_info, anytime;
        T_event_get_num(num_events: OutInt) => api::tool::event::get_num, anytime;
        T_event_get_source(event_instance: EventInstance, source_index: OutInt) => api::tool::event::get_source, anytime;
        T_event_get_timestamp(event_instance: EventInstance, event_timestamp: OutCount64) => api::tool::event::get_timestamp, anytime;
        T_event_handle_alloc(event_index: Int, obj_handle: Pointer, info: Info, event_registration: OutEventRegistration) => api::tool::event::handle_alloc, anytime;
        T_event_handle_free(event_registration: EventRegistration, user_data: Pointer, free_cb_function: EventFreeFn) => api::tool::event::handle_free, anytime;
        T_event_handle_get_info(event_registration: EventRegistration, info_used: OutInfo) => api::tool::event::handle_get_info, anytime;
        T_event_handle_set_info(event_registration: EventRegistration, info: Info) => api::tool::event::handle_set_info, anytime;
        T_event_read(event_instance: EventInstance, element_index: Int, buffer: Pointer) => api::tool::event::read, anytime;
        T_event_register_callback(event_registration: EventRegistration, cb_safety: CallbackSafety, info: Info, user_data: Pointer, event_cb_function: EventFn) => api::tool::event::register_callback, anytime;
        T_event_set_dropped_handler(event_registration: EventRegistration, dropped_cb_function: EventDroppedFn) => api::tool::event::set_dropped_handler, anytime;
        T_source_get_info(source_index: Int, name: OutSized & name_len, desc: OutSized & desc_len, ordering: MaybeSourceOrder, ticks_per_second: MaybeCount64, max_ticks: MaybeCount64, info: MaybeInfo) => api::tool::event::source_get_info, anytime;
        T_source_get_num(num_sources: OutInt) => api::tool::event::get_num, anytime;
        T_source_get_timestamp(source_index: Int, timestamp: OutCount64) => api::tool::event::source_get_timestamp, anytime;
        Type_get_value_index(value_type: Datatype, index_type: Datatype, pair_type: OutDatatype) => object::datatype::fortran::get_value_index;
    } };
}
