// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tool interface (MPI 5.0, chapter 15).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_tool {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        T_category_changed(update_number: OutInt) => absent, anytime;
        T_category_get_categories(cat_index: Int, len: Int, indices: OutInts[len]) => absent, anytime;
        T_category_get_cvars(cat_index: Int, len: Int, indices: OutInts[len]) => absent, anytime;
        T_category_get_index(name: Text, cat_index: OutInt) => absent, anytime;
        T_category_get_info(cat_index: Int, name: OutSized & name_len, desc: OutSized & desc_len, num_cvars: OutInt, num_pvars: OutInt, num_categories: OutInt) => absent, anytime;
        T_category_get_num(num_cat: OutInt) => absent, anytime;
        T_category_get_pvars(cat_index: Int, len: Int, indices: OutInts[len]) => absent, anytime;
        T_cvar_get_index(name: Text, cvar_index: OutInt) => absent, anytime;
        T_cvar_get_info(cvar_index: Int, name: OutSized & name_len, verbosity: OutVerbosity, datatype: OutDatatype, enumtype: OutToolEnum, desc: OutSized & desc_len, bind: OutBind, scope: OutScope) => absent, anytime;
        T_cvar_get_num(num_cvar: OutInt) => absent, anytime;
        T_cvar_handle_alloc(cvar_index: Int, obj_handle: Pointer, handle: InOutToolCvar, count: OutInt) => absent, anytime;
        T_cvar_handle_free(handle: InOutToolCvar) => absent, anytime;
        T_cvar_read(handle: ToolCvar, buf: Pointer) => absent, anytime;
        T_cvar_write(handle: ToolCvar, buf: Buf) => absent, anytime;
        T_enum_get_info(enumtype: ToolEnum, num: OutInt, name: OutSized & name_len) => absent, anytime;
        T_enum_get_item(enumtype: ToolEnum, index: Int, value: OutInt, name: OutSized & name_len) => absent, anytime;
        T_finalize() => absent, anytime;
        T_init_thread(required: Threading, provided: OutThreading) => absent, anytime;
        T_pvar_get_index(name: Text, var_class: PvarClass, pvar_index: OutInt) => absent, anytime;
        T_pvar_get_info(pvar_index: Int, name: OutSized & name_len, verbosity: OutVerbosity, var_class: OutPvarClass, datatype: OutDatatype, enumtype: OutToolEnum, desc: OutSized & desc_len, bind: OutBind, readonly: OutFlag, continuous: OutFlag, atomic: OutFlag) => absent, anytime;
        T_pvar_get_num(num_pvar: OutInt) => absent, anytime;
        T_pvar_handle_alloc(session: ToolSession, pvar_index: Int, obj_handle: Pointer, handle: InOutToolPvar, count: OutInt) => absent, anytime;
        T_pvar_handle_free(session: ToolSession, handle: InOutToolPvar) => absent, anytime;
        T_pvar_read(session: ToolSession, handle: ToolPvar, buf: Pointer) => absent, anytime;
        T_pvar_readreset(session: ToolSession, handle: ToolPvar, buf: Pointer) => absent, anytime;
        T_pvar_reset(session: ToolSession, handle: ToolPvar) => absent, anytime;
        T_pvar_session_create(session: InOutToolSession) => absent, anytime;
        T_pvar_session_free(session: InOutToolSession) => absent, anytime;
        T_pvar_start(session: ToolSession, handle: ToolPvar) => absent, anytime;
        T_pvar_stop(session: ToolSession, handle: ToolPvar) => absent, anytime;
        T_pvar_write(session: ToolSession, handle: ToolPvar, buf: Buf) => absent, anytime;
    } };
}
