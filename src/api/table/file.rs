// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files (MPI 5.0, chapter 14).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_file {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        File_call_errhandler(fh: File, errorcode: ErrorCode) => object::errhandler::file_call_errhandler;
        File_close(fh: InOutFile) => absent;
        File_create_errhandler(file_errhandler_fn: FileHandlerFn, errhandler: OutErrhandler) => object::errhandler::file_create_errhandler, anytime;
        File_delete(filename: Text, info: Info) => absent;
        File_get_amode(fh: File, amode: OutFileMode) => absent;
        File_get_atomicity(fh: File, flag: OutFlag) => absent;
        File_get_byte_offset(fh: File, offset: Offset, disp: OutOffset) => absent;
        File_get_errhandler(file: File, errhandler: OutErrhandler) => object::errhandler::file_get_errhandler;
        File_get_group(fh: File, group: OutGroup) => absent;
        File_get_info(fh: File, info_used: OutInfo) => absent;
        File_get_position(fh: File, offset: OutOffset) => absent;
        File_get_position_shared(fh: File, offset: OutOffset) => absent;
        File_get_size(fh: File, size: OutOffset) => absent;
        File_get_type_extent(fh: File, datatype: Datatype, extent: OutAintCount) => absent, large;
        File_get_view(fh: File, disp: OutOffset, etype: OutDatatype, filetype: OutDatatype, datarep: OutDataRep) => absent;
        File_iread(fh: File, buf: OutBuf, count: Count, datatype: Datatype, request: OutRequest) => absent, large;
        File_iread_all(fh: File, buf: OutBuf, count: Count, datatype: Datatype, request: OutRequest) => absent, large;
        File_iread_at(fh: File, offset: Offset, buf: OutBuf, count: Count, datatype: Datatype, request: OutRequest) => absent, large;
        File_iread_at_all(fh: File, offset: Offset, buf: OutBuf, count: Count, datatype: Datatype, request: OutRequest) => absent, large;
        File_iread_shared(fh: File, buf: OutBuf, count: Count, datatype: Datatype, request: OutRequest) => absent, large;
        File_iwrite(fh: File, buf: Buf, count: Count, datatype: Datatype, request: OutRequest) => absent, large;
        File_iwrite_all(fh: File, buf: Buf, count: Count, datatype: Datatype, request: OutRequest) => absent, large;
        File_iwrite_at(fh: File, offset: Offset, buf: Buf, count: Count, datatype: Datatype, request: OutRequest) => absent, large;
        File_iwrite_at_all(fh: File, offset: Offset, buf: Buf, count: Count, datatype: Datatype, request: OutRequest) => absent, large;
        File_iwrite_shared(fh: File, buf: Buf, count: Count, datatype: Datatype, request: OutRequest) => absent, large;
        File_open(comm: Comm, filename: Text, amode: FileMode, info: Info, fh: OutFile) => absent;
        File_preallocate(fh: File, size: Offset) => absent;
        File_read(fh: File, buf: OutBuf, count: Count, datatype: Datatype, status: OutStatus) => absent, large;
        File_read_all(fh: File, buf: OutBuf, count: Count, datatype: Datatype, status: OutStatus) => absent, large;
        File_read_all_begin(fh: File, buf: OutBuf, count: Count, datatype: Datatype) => absent, large;
        File_read_all_end(fh: File, buf: OutBuf, status: OutStatus) => absent;
        File_read_at(fh: File, offset: Offset, buf: OutBuf, count: Count, datatype: Datatype, status: OutStatus) => absent, large;
        File_read_at_all(fh: File, offset: Offset, buf: OutBuf, count: Count, datatype: Datatype, status: OutStatus) => absent, large;
        File_read_at_all_begin(fh: File, offset: Offset, buf: OutBuf, count: Count, datatype: Datatype) => absent, large;
        File_read_at_all_end(fh: File, buf: OutBuf, status: OutStatus) => absent;
        File_read_ordered(fh: File, buf: OutBuf, count: Count, datatype: Datatype, status: OutStatus) => absent, large;
        File_read_ordered_begin(fh: File, buf: OutBuf, count: Count, datatype: Datatype) => absent, large;
        File_read_ordered_end(fh: File, buf: OutBuf, status: OutStatus) => absent;
        File_read_shared(fh: File, buf: OutBuf, count: Count, datatype: Datatype, status: OutStatus) => absent, large;
        File_seek(fh: File, offset: Offset, whence: Whence) => absent;
        File_seek_shared(fh: File, offset: Offset, whence: Whence) => absent;
        File_set_atomicity(fh: File, flag: Flag) => absent;
        File_set_errhandler(file: File, errhandler: Errhandler) => object::errhandler::file_set_errhandler;
        File_set_info(fh: File, info: Info) => absent;
        File_set_size(fh: File, size: Offset) => absent;
        File_set_view(fh: File, disp: Offset, etype: Datatype, filetype: Datatype, datarep: Text, info: Info) => absent;
        File_sync(fh: File) => absent;
        File_write(fh: File, buf: Buf, count: Count, datatype: Datatype, status: OutStatus) => absent, large;
        File_write_all(fh: File, buf: Buf, count: Count, datatype: Datatype, status: OutStatus) => absent, large;
        File_write_all_begin(fh: File, buf: Buf, count: Count, datatype: Datatype) => absent, large;
        File_write_all_end(fh: File, buf: Buf, status: OutStatus) => absent;
        File_write_at(fh: File, offset: Offset, buf: Buf, count: Count, datatype: Datatype, status: OutStatus) => absent, large;
        File_write_at_all(fh: File, offset: Offset, buf: Buf, count: Count, datatype: Datatype, status: OutStatus) => absent, large;
        File_write_at_all_begin(fh: File, offset: Offset, buf: Buf, count: Count, datatype: Datatype) => absent, large;
        File_write_at_all_end(fh: File, buf: Buf, status: OutStatus) => absent;
        File_write_ordered(fh: File, buf: Buf, count: Count, datatype: Datatype, status: OutStatus) => absent, large;
        File_write_ordered_begin(fh: File, buf: Buf, count: Count, datatype: Datatype) => absent, large;
        File_write_ordered_end(fh: File, buf: Buf, status: OutStatus) => absent;
        File_write_shared(fh: File, buf: Buf, count: Count, datatype: Datatype, status: OutStatus) => absent, large;
        Register_datarep(datarep: Text, read_conversion_fn: ConversionFn, write_conversion_fn: ConversionFn, dtype_file_extent_fn: ExtentFn, extra_state: Pointer) => absent;
    } };
}
