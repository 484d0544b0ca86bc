// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions whose wide form differs from the narrow one in more than its counts; faces without `_c` functions do not export them.

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_large {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Op_create_c(user_fn: LargeUserFn, commute: Flag, op: OutOp) => object::op::create_large;
        Register_datarep_c(datarep: Text, read_conversion_fn: LargeConversionFn, write_conversion_fn: LargeConversionFn, dtype_file_extent_fn: ExtentFn, extra_state: Pointer) => absent;
        Type_get_contents_c(datatype: Datatype, max_integers: Count64, max_addresses: Count64, max_large_counts: Count64, max_datatypes: Count64, array_of_integers: OutInts[max_integers], array_of_addresses: OutAints[max_addresses], array_of_large_counts: OutCounts[max_large_counts], array_of_datatypes: OutDatatypes[max_datatypes]) => absent;
        Type_get_envelope_c(datatype: Datatype, num_integers: OutCount64, num_addresses: OutCount64, num_large_counts: OutCount64, num_datatypes: OutCount64, combiner: OutCombiner) => absent;
    } };
}
