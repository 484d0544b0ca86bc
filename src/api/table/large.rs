// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions whose wide form differs from the narrow one in more than its counts; faces without `_c` functions do not export them.

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_large {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Op_create_c(user_fn: LargeUserFn, commute: Flag, op: OutOp) => object::op::create_large;
        Register_datarep_c(datarep: Text, read_conversion_fn: LargeConversionFn, write_conversion_fn: LargeConversionFn, dtype_file_extent_fn: ExtentFn, extra_state: Pointer) => absent;
        Type_contiguous_c(count: Count64, oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::large::contiguous;
        Type_create_darray_c(size: Int, rank: Rank, ndims: Int, array_of_gsizes: Counts64[ndims], array_of_distribs: Distributions[ndims], array_of_dargs: DistributionArguments[ndims], array_of_psizes: Ints[ndims], order: Order, oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::large::darray;
        Type_create_hindexed_c(count: Count64, array_of_blocklengths: Counts64[count], array_of_displacements: Counts64[count], oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::large::hindexed;
        Type_create_hindexed_block_c(count: Count64, blocklength: Count64, array_of_displacements: Counts64[count], oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::large::hindexed_block;
        Type_create_hvector_c(count: Count64, blocklength: Count64, stride: Count64, oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::large::hvector;
        Type_create_indexed_block_c(count: Count64, blocklength: Count64, array_of_displacements: Counts64[count], oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::large::indexed_block;
        Type_create_resized_c(oldtype: Datatype, lb: Count64, extent: Count64, newtype: OutDatatype) => object::datatype::construct::large::resized;
        Type_create_struct_c(count: Count64, array_of_blocklengths: Counts64[count], array_of_displacements: Counts64[count], array_of_types: Datatypes[count], newtype: OutDatatype) => object::datatype::construct::large::structure;
        Type_create_subarray_c(ndims: Int, array_of_sizes: Counts64[ndims], array_of_subsizes: Counts64[ndims], array_of_starts: Counts64[ndims], order: Order, oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::large::subarray;
        Type_indexed_c(count: Count64, array_of_blocklengths: Counts64[count], array_of_displacements: Counts64[count], oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::large::indexed;
        Type_vector_c(count: Count64, blocklength: Count64, stride: Count64, oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::large::vector;
        Type_get_contents_c(datatype: Datatype, max_integers: Count64, max_addresses: Count64, max_large_counts: Count64, max_datatypes: Count64, array_of_integers: OutContents[max_integers], array_of_addresses: OutAints[max_addresses], array_of_large_counts: OutCounts[max_large_counts], array_of_datatypes: OutDatatypes[max_datatypes]) => api::contents::get_contents_large;
        Type_get_envelope_c(datatype: Datatype, num_integers: OutCount64, num_addresses: OutCount64, num_large_counts: OutCount64, num_datatypes: OutCount64, combiner: OutCombiner) => object::datatype::envelope::get_envelope_large;
    } };
}
