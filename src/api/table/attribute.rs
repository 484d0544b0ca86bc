// SPDX-License-Identifier: MIT OR Apache-2.0
//! Attributes, with the deprecated names (MPI 5.0, section 7.7 and chapter 16).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_attribute {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Attr_delete(comm: Comm, keyval: Keyval) => absent;
        Attr_get(comm: Comm, keyval: Keyval, attribute_val: OutPointer, flag: OutFlag) => absent;
        Attr_put(comm: Comm, keyval: Keyval, attribute_val: Pointer) => absent;
        Comm_create_keyval(comm_copy_attr_fn: CommCopyFn, comm_delete_attr_fn: CommDeleteFn, comm_keyval: OutKeyval, extra_state: Pointer) => absent;
        Comm_delete_attr(comm: Comm, comm_keyval: Keyval) => absent;
        Comm_free_keyval(comm_keyval: InOutKeyval) => absent;
        Comm_get_attr(comm: Comm, comm_keyval: Keyval, attribute_val: OutPointer, flag: OutFlag) => absent;
        Comm_set_attr(comm: Comm, comm_keyval: Keyval, attribute_val: Pointer) => absent;
        Keyval_create(copy_fn: CopyFn, delete_fn: DeleteFn, keyval: OutKeyval, extra_state: Pointer) => absent;
        Keyval_free(keyval: InOutKeyval) => absent;
        Type_create_keyval(type_copy_attr_fn: TypeCopyFn, type_delete_attr_fn: TypeDeleteFn, type_keyval: OutKeyval, extra_state: Pointer) => absent;
        Type_delete_attr(datatype: Datatype, type_keyval: Keyval) => absent;
        Type_free_keyval(type_keyval: InOutKeyval) => absent;
        Type_get_attr(datatype: Datatype, type_keyval: Keyval, attribute_val: OutPointer, flag: OutFlag) => absent;
        Type_set_attr(datatype: Datatype, type_keyval: Keyval, attribute_val: Pointer) => absent;
        Win_create_keyval(win_copy_attr_fn: WinCopyFn, win_delete_attr_fn: WinDeleteFn, win_keyval: OutKeyval, extra_state: Pointer) => absent;
        Win_delete_attr(win: Win, win_keyval: Keyval) => absent;
        Win_free_keyval(win_keyval: InOutKeyval) => absent;
        Win_get_attr(win: Win, win_keyval: Keyval, attribute_val: OutPointer, flag: OutFlag) => absent;
        Win_set_attr(win: Win, win_keyval: Keyval, attribute_val: Pointer) => absent;
    } };
}
