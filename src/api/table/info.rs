// SPDX-License-Identifier: MIT OR Apache-2.0
//! Info objects (MPI 5.0, chapter 10).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_info {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Info_create(info: OutInfo) => object::info::create, anytime;
        Info_create_env(argc: Int, argv: RawArgv, info: OutInfo) => object::info::environment::create_env, anytime;
        Info_delete(info: Info, key: Text) => object::info::delete, anytime;
        Info_dup(info: Info, newinfo: OutInfo) => object::info::dup, anytime;
        Info_free(info: InOutInfo) => object::info::free, anytime;
        Info_get(info: Info, key: Text, valuelen: Int, value: OutText[valuelen], flag: OutFlag) => object::info::get, anytime;
        Info_get_nkeys(info: Info, nkeys: OutInt) => object::info::get_nkeys, anytime;
        Info_get_nthkey(info: Info, n: Int, key: OutInfoKey) => object::info::get_nthkey, anytime;
        Info_get_string(info: Info, key: Text, buflen: InOutInt, value: OutBytes[&buflen], flag: OutFlag) => object::info::get_string, anytime;
        Info_get_valuelen(info: Info, key: Text, valuelen: OutInt, flag: OutFlag) => object::info::get_valuelen, anytime;
        Info_set(info: Info, key: Text, value: Text) => object::info::set, anytime;
    } };
}
