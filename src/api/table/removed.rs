// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names that MPI 3.0 removed and that Open MPI and MPICH still export, and one that only Open MPI has (`Session_set_info`).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_removed {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Address(location: Location, address: OutAint) => object::environment::get_address;
        Errhandler_create(function: HandlerFn, errhandler: OutErrhandler) => object::errhandler::comm_create_errhandler;
        Errhandler_get(comm: Comm, errhandler: OutErrhandler) => object::errhandler::comm_get_errhandler;
        Errhandler_set(comm: Comm, errhandler: Errhandler) => object::errhandler::comm_set_errhandler;
        Type_extent(datatype: Datatype, extent: OutAint) => object::datatype::manage::extent;
        Type_hindexed(count: Count, array_of_blocklengths: Counts[count], array_of_displacements: Aints[count], oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::hindexed;
        Type_hvector(count: Count, blocklength: Count, stride: Aint, oldtype: Datatype, newtype: OutDatatype) => object::datatype::construct::hvector;
        Type_lb(datatype: Datatype, lb: OutAint) => object::datatype::manage::lb;
        Type_struct(count: Count, array_of_blocklengths: Counts[count], array_of_displacements: Aints[count], array_of_types: Datatypes[count], newtype: OutDatatype) => object::datatype::construct::structure;
        Type_ub(datatype: Datatype, ub: OutAint) => object::datatype::manage::ub;
        Session_set_info(session: Session, info: Info) => absent, anytime;
    } };
}
