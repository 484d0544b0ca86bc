// SPDX-License-Identifier: MIT OR Apache-2.0
//! Info objects (MPI 5.0, chapter 10).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_info {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Info_create(info: OutInfo) => absent, anytime;
        Info_create_env(argc: Int, argv: RawArgv, info: OutInfo) => absent, anytime;
        Info_delete(info: Info, key: Text) => absent, anytime;
        Info_dup(info: Info, newinfo: OutInfo) => absent, anytime;
        Info_free(info: InOutInfo) => absent, anytime;
        Info_get(info: Info, key: Text, valuelen: Int, value: OutText[valuelen], flag: OutFlag) => absent, anytime;
        Info_get_nkeys(info: Info, nkeys: OutInt) => absent, anytime;
        Info_get_nthkey(info: Info, n: Int, key: OutInfoKey) => absent, anytime;
        Info_get_string(info: Info, key: Text, buflen: InOutInt, value: OutBytes[&buflen], flag: OutFlag) => absent, anytime;
        Info_get_valuelen(info: Info, key: Text, valuelen: OutInt, flag: OutFlag) => absent, anytime;
        Info_set(info: Info, key: Text, value: Text) => absent, anytime;
    } };
}
