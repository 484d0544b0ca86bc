// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dynamic processes (MPI 5.0, chapter 11).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_process {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Close_port(port_name: Text) => absent;
        Comm_accept(port_name: Text, info: Info, root: Rank, comm: Comm, newcomm: OutComm) => absent;
        Comm_connect(port_name: Text, info: Info, root: Rank, comm: Comm, newcomm: OutComm) => absent;
        Comm_disconnect(comm: InOutComm) => object::comm::end::disconnect;
        Comm_get_parent(parent: OutComm) => object::comm::query::get_parent;
        Comm_join(fd: Int, intercomm: OutComm) => absent;
        Comm_spawn(command: Text, argv: RawArgv, maxprocs: Int, info: Info, root: Rank, comm: Comm, intercomm: OutComm, array_of_errcodes: RawInts) => absent;
        Comm_spawn_multiple(count: Int, array_of_commands: RawArgv, array_of_argv: RawArgvs, array_of_maxprocs: Ints[count], array_of_info: Infos[count], root: Rank, comm: Comm, intercomm: OutComm, array_of_errcodes: RawInts) => absent;
        Lookup_name(service_name: Text, info: Info, port_name: OutPortName) => absent;
        Open_port(info: Info, port_name: OutPortName) => absent;
        Publish_name(service_name: Text, info: Info, port_name: Text) => absent;
        Unpublish_name(service_name: Text, info: Info, port_name: Text) => absent;
    } };
}
