// SPDX-License-Identifier: MIT OR Apache-2.0
//! Datatypes, packing, and the counts of statuses (MPI 5.0, chapter 5).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_datatype {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Get_address(location: Location, address: OutAint) => object::environment::get_address;
        Get_count(status: InStatus, datatype: Datatype, count: OutCount) => object::datatype::elements::get_count, large;
        Get_elements(status: InStatus, datatype: Datatype, count: OutCount) => object::datatype::elements::get_elements, large;
        Get_elements_x(status: InStatus, datatype: Datatype, count: OutCount64) => object::datatype::elements::get_elements;
        Pack(inbuf: Buf, incount: Count, datatype: Datatype, outbuf: OutBuf, outsize: Count, position: InOutCount, comm: Comm) => object::datatype::message::pack, large;
        Pack_external(datarep: Text, inbuf: Buf, incount: Count, datatype: Datatype, outbuf: OutBuf, outsize: AintCount, position: InOutAintCount) => object::datatype::external::pack_external, large;
        Pack_external_size(datarep: Text, incount: Count, datatype: Datatype, size: OutAintCount) => object::datatype::external::pack_external_size, large;
        Pack_size(incount: Count, datatype: Datatype, comm: Comm, size: OutCount) => object::datatype::message::pack_size, large;
        Status_set_elements(status: InOutStatus, datatype: Datatype, count: Count) => object::datatype::elements::status_set_elements, large;
        Status_set_elements_x(status: InOutStatus, datatype: Datatype, count: Count64) => object::datatype::elements::status_set_elements;
        Type_commit(datatype: InOutDatatype) => object::datatype::manage::commit;
        Type_contiguous(count: Count, oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::contiguous;
        Type_create_darray(size: Int, rank: Rank, ndims: Int, array_of_gsizes: Counts[ndims], array_of_distribs: Distributions[ndims], array_of_dargs: DistributionArguments[ndims], array_of_psizes: Ints[ndims], order: Order, oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::darray;
        Type_create_f90_complex(p: Int, r: Int, newtype: OutDatatype) => object::datatype::fortran::create_f90_complex;
        Type_create_f90_integer(r: Int, newtype: OutDatatype) => object::datatype::fortran::create_f90_integer;
        Type_create_f90_real(p: Int, r: Int, newtype: OutDatatype) => object::datatype::fortran::create_f90_real;
        Type_create_hindexed(count: Count, array_of_blocklengths: Counts[count], array_of_displacements: AintCounts[count], oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::hindexed;
        Type_create_hindexed_block(count: Count, blocklength: Count, array_of_displacements: AintCounts[count], oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::hindexed_block;
        Type_create_hvector(count: Count, blocklength: Count, stride: AintCount, oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::hvector;
        Type_create_indexed_block(count: Count, blocklength: Count, array_of_displacements: Counts[count], oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::indexed_block;
        Type_create_resized(oldtype: Datatype, lb: AintCount, extent: AintCount, newtype: OutDatatype) => object::datatype::construct::resized;
        Type_create_struct(count: Count, array_of_blocklengths: Counts[count], array_of_displacements: AintCounts[count], array_of_types: Datatypes[count], newtype: OutDatatype) => object::datatype::construct::structure;
        Type_create_subarray(ndims: Int, array_of_sizes: Counts[ndims], array_of_subsizes: Counts[ndims], array_of_starts: Counts[ndims], order: Order, oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::subarray;
        Type_dup(oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::dup;
        Type_free(datatype: InOutDatatype) => object::datatype::manage::free;
        Type_get_contents(datatype: Datatype, max_integers: Int, max_addresses: Int, max_datatypes: Int, array_of_integers: OutContents[max_integers], array_of_addresses: OutAints[max_addresses], array_of_datatypes: OutDatatypes[max_datatypes]) => api::contents::get_contents;
        Type_get_envelope(datatype: Datatype, num_integers: OutInt, num_addresses: OutInt, num_datatypes: OutInt, combiner: OutCombiner) => object::datatype::envelope::get_envelope;
        Type_get_extent(datatype: Datatype, lb: OutAintCount, extent: OutAintCount) => object::datatype::manage::get_extent, large;
        Type_get_extent_x(datatype: Datatype, lb: OutCount64, extent: OutCount64) => object::datatype::manage::get_extent;
        Type_get_name(datatype: Datatype, type_name: OutObjectName & resultlen) => object::datatype::manage::get_name;
        Type_get_true_extent(datatype: Datatype, true_lb: OutAintCount, true_extent: OutAintCount) => object::datatype::manage::get_true_extent, large;
        Type_get_true_extent_x(datatype: Datatype, true_lb: OutCount64, true_extent: OutCount64) => object::datatype::manage::get_true_extent;
        Type_indexed(count: Count, array_of_blocklengths: Counts[count], array_of_displacements: Counts[count], oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::indexed;
        Type_match_size(typeclass: TypeClass, size: Count, datatype: OutDatatype) => object::datatype::fortran::match_size;
        Type_set_name(datatype: Datatype, type_name: Text) => object::datatype::manage::set_name;
        Type_size(datatype: Datatype, size: OutCount) => object::datatype::manage::size, large, quick;
        Type_size_x(datatype: Datatype, size: OutCount64) => object::datatype::manage::size;
        Type_vector(count: Count, blocklength: Count, stride: Count, oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::vector;
        Unpack(inbuf: Buf, insize: Count, position: InOutCount, outbuf: OutBuf, outcount: Count, datatype: Datatype, comm: Comm) => object::datatype::message::unpack, large;
        Unpack_external(datarep: Text, inbuf: Buf, insize: AintCount, position: InOutAintCount, outbuf: OutBuf, outcount: Count, datatype: Datatype) => object::datatype::external::unpack_external, large;
    } };
}
