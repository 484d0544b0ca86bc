// SPDX-License-Identifier: MIT OR Apache-2.0
//! Attributes, with the deprecated names (MPI 5.0, section 7.7 and chapter 16).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_attribute {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Attr_delete(comm: Comm, keyval: Keyval) => object::attribute::calls::comm_delete_attr;
        Attr_get(comm: Comm, keyval: Keyval, attribute_val: OutPointer, flag: OutFlag) => object::attribute::calls::comm_get_attr;
        Attr_put(comm: Comm, keyval: Keyval, attribute_val: Pointer) => object::attribute::calls::comm_set_attr;
        Comm_create_keyval(comm_copy_attr_fn: CommCopyFn, comm_delete_attr_fn: CommDeleteFn, comm_keyval: OutKeyval, extra_state: Pointer) => object::attribute::keyval::comm_create_keyval;
        Comm_delete_attr(comm: Comm, comm_keyval: Keyval) => object::attribute::calls::comm_delete_attr;
        Comm_free_keyval(comm_keyval: InOutKeyval) => object::attribute::keyval::comm_free_keyval;
        Comm_get_attr(comm: Comm, comm_keyval: Keyval, attribute_val: OutPointer, flag: OutFlag) => object::attribute::calls::comm_get_attr;
        Comm_set_attr(comm: Comm, comm_keyval: Keyval, attribute_val: Pointer) => object::attribute::calls::comm_set_attr;
        Keyval_create(copy_fn: CopyFn, delete_fn: DeleteFn, keyval: OutKeyval, extra_state: Pointer) => object::attribute::keyval::comm_create_keyval;
        Keyval_free(keyval: InOutKeyval) => object::attribute::keyval::comm_free_keyval;
        Type_create_keyval(type_copy_attr_fn: TypeCopyFn, type_delete_attr_fn: TypeDeleteFn, type_keyval: OutKeyval, extra_state: Pointer) => object::attribute::keyval::type_create_keyval;
        Type_delete_attr(datatype: Datatype, type_keyval: Keyval) => object::attribute::calls::type_delete_attr;
        Type_free_keyval(type_keyval: InOutKeyval) => object::attribute::keyval::type_free_keyval;
        Type_get_attr(datatype: Datatype, type_keyval: Keyval, attribute_val: OutPointer, flag: OutFlag) => object::attribute::calls::type_get_attr;
        Type_set_attr(datatype: Datatype, type_keyval: Keyval, attribute_val: Pointer) => object::attribute::calls::type_set_attr;
        Win_create_keyval(win_copy_attr_fn: WinCopyFn, win_delete_attr_fn: WinDeleteFn, win_keyval: OutKeyval, extra_state: Pointer) => object::attribute::keyval::win_create_keyval;
        Win_delete_attr(win: Win, win_keyval: Keyval) => absent;
        Win_free_keyval(win_keyval: InOutKeyval) => object::attribute::keyval::win_free_keyval;
        Win_get_attr(win: Win, win_keyval: Keyval, attribute_val: OutPointer, flag: OutFlag) => absent;
        Win_set_attr(win: Win, win_keyval: Keyval, attribute_val: Pointer) => absent;
    } };
}
