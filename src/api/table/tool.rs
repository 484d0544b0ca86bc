// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tool interface (MPI 5.0, chapter 15).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_tool {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        T_category_changed(update_number: OutInt) => api::tool::category::changed, anytime;
        T_category_get_categories(cat_index: Int, len: Int, indices: OutInts[len]) => api::tool::category::get_none, anytime;
        T_category_get_cvars(cat_index: Int, len: Int, indices: OutInts[len]) => api::tool::category::get_cvars, anytime;
        T_category_get_index(name: Text, cat_index: OutInt) => api::tool::category::get_index, anytime;
        T_category_get_info(cat_index: Int, name: OutSized & name_len, desc: OutSized & desc_len, num_cvars: MaybeInt, num_pvars: MaybeInt, num_categories: MaybeInt) => api::tool::category::get_info, anytime;
        T_category_get_num(num_cat: OutInt) => api::tool::category::get_num, anytime;
        T_category_get_pvars(cat_index: Int, len: Int, indices: OutInts[len]) => api::tool::category::get_pvars, anytime;
        T_cvar_get_index(name: Text, cvar_index: OutInt) => api::tool::cvar::cvar_get_index, anytime;
        T_cvar_get_info(cvar_index: Int, name: OutSized & name_len, verbosity: MaybeVerbosity, datatype: MaybeDatatype, enumtype: MaybeToolEnum, desc: OutSized & desc_len, bind: MaybeBind, scope: MaybeScope) => api::tool::cvar::cvar_get_info, anytime;
        T_cvar_get_num(num_cvar: OutInt) => api::tool::cvar::cvar_get_num, anytime;
        T_cvar_handle_alloc(cvar_index: Int, obj_handle: Pointer, handle: InOutToolCvar, count: OutInt) => api::tool::cvar::cvar_handle_alloc, anytime;
        T_cvar_handle_free(handle: InOutToolCvar) => api::tool::cvar::cvar_handle_free, anytime;
        T_cvar_read(handle: ToolCvar, buf: Pointer) => api::tool::cvar::cvar_read, anytime;
        T_cvar_write(handle: ToolCvar, buf: Buf) => api::tool::cvar::cvar_write, anytime;
        T_enum_get_info(enumtype: ToolEnum, num: MaybeInt, name: OutSized & name_len) => api::tool::enum_get_info, anytime;
        T_enum_get_item(enumtype: ToolEnum, index: Int, value: OutInt, name: OutSized & name_len) => api::tool::enum_get_item, anytime;
        T_finalize() => api::tool::finalize, anytime;
        T_init_thread(required: Threading, provided: OutThreading) => api::tool::init_thread, anytime;
        T_pvar_get_index(name: Text, var_class: PvarClass, pvar_index: OutInt) => api::tool::pvar::get_index, anytime;
        T_pvar_get_info(pvar_index: Int, name: OutSized & name_len, verbosity: MaybeVerbosity, var_class: MaybePvarClass, datatype: MaybeDatatype, enumtype: MaybeToolEnum, desc: OutSized & desc_len, bind: MaybeBind, readonly: MaybeFlag, continuous: MaybeFlag, atomic: MaybeFlag) => api::tool::pvar::get_info, anytime;
        T_pvar_get_num(num_pvar: OutInt) => api::tool::pvar::get_num, anytime;
        T_pvar_handle_alloc(session: ToolSession, pvar_index: Int, obj_handle: Pointer, handle: InOutToolPvar, count: OutInt) => api::tool::pvar::handle_alloc, anytime;
        T_pvar_handle_free(session: ToolSession, handle: InOutToolPvar) => api::tool::pvar::handle_free, anytime;
        T_pvar_read(session: ToolSession, handle: ToolPvar, buf: Pointer) => api::tool::pvar::read, anytime;
        T_pvar_readreset(session: ToolSession, handle: ToolPvar, buf: Pointer) => api::tool::pvar::read_and_reset, anytime;
        T_pvar_reset(session: ToolSession, handle: ToolPvar) => api::tool::pvar::reset, anytime;
        T_pvar_session_create(session: InOutToolSession) => api::tool::pvar::session_create, anytime;
        T_pvar_session_free(session: InOutToolSession) => api::tool::pvar::session_free, anytime;
        T_pvar_start(session: ToolSession, handle: ToolPvar) => api::tool::pvar::start_or_stop, anytime;
        T_pvar_stop(session: ToolSession, handle: ToolPvar) => api::tool::pvar::start_or_stop, anytime;
        T_pvar_write(session: ToolSession, handle: ToolPvar, buf: Buf) => api::tool::pvar::write, anytime;
    } };
}
