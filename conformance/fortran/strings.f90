! SPDX-License-Identifier: MIT OR Apache-2.0
! Strings: blanks are taken away on the way in, and fill up what comes out.
program strings
  use mpi
  implicit none
  integer :: rank, size, failures, error, length, comm, type, info, twin, n, version, minor
  character(MPI_MAX_PROCESSOR_NAME) :: processor
  character(MPI_MAX_LIBRARY_VERSION_STRING) :: library
  character(MPI_MAX_OBJECT_NAME) :: name
  character(MPI_MAX_INFO_KEY) :: key
  character(12) :: short
  logical :: flag
  call start

  processor = repeat('x', MPI_MAX_PROCESSOR_NAME)
  call mpi_get_processor_name(processor, length, error)
  call check(length > 0 .and. processor(length + 1:) == ' ', 'processor name')
  call mpi_get_library_version(library, length, error)
  call check(length > 0 .and. library(length + 1:) == ' ', 'library version')
  call mpi_get_version(version, minor, error)
  call check(version >= 3 .and. minor >= 0, 'version')
  if (index(library(:length), 'Paceline') > 0) write (0, '(a)') 'on Paceline'

  call mpi_comm_get_name(MPI_COMM_WORLD, name, length, error)
  call check(name == 'MPI_COMM_WORLD' .and. length == 14, 'name of the world')
  call mpi_comm_dup(MPI_COMM_WORLD, comm, error)
  call mpi_comm_set_name(comm, 'a name of mine    ', error)
  name = repeat('y', MPI_MAX_OBJECT_NAME)
  call mpi_comm_get_name(comm, name, length, error)
  call check(name == 'a name of mine' .and. length == 14, 'own name')
  call mpi_comm_free(comm, error)
  call mpi_type_dup(MPI_REAL, type, error)
  call mpi_type_set_name(type, 'single', error)
  call mpi_type_get_name(type, name, length, error)
  call check(name == 'single' .and. length == 6, 'name of a type')
  call mpi_type_free(type, error)
  call mpi_type_get_name(MPI_DOUBLE_PRECISION, name, length, error)
  call check(name == 'MPI_DOUBLE_PRECISION', 'name of MPI''s type')

  call mpi_info_create(info, error)
  call mpi_info_set(info, ' colour ', '  dark blue  ', error)
  call mpi_info_set(info, 'shape', 'round', error)
  call mpi_info_get_nkeys(info, n, error)
  call same(n, 2, 'keys')
  call mpi_info_get_nthkey(info, 0, key, error)
  call check(key == 'colour' .or. key == 'shape', 'a key')
  short = 'untouched'
  call mpi_info_get(info, 'colour   ', len(short), short, flag, error)
  call check(flag .and. short == 'dark blue', 'value without its blanks')
  call mpi_info_get_valuelen(info, 'colour', length, flag, error)
  call check(flag .and. length == 9, 'length of the value')
  short = 'untouched'
  call mpi_info_get(info, 'size', len(short), short, flag, error)
  call check(.not. flag .and. short == 'untouched', 'no such key')
  call mpi_info_dup(info, twin, error)
  call mpi_info_delete(info, 'colour', error)
  call mpi_info_get_nkeys(info, n, error)
  call same(n, 1, 'keys that are left')
  call mpi_info_get(twin, 'colour', len(short), short, flag, error)
  call check(flag .and. short == 'dark blue', 'copy')
  call mpi_info_free(info, error)
  call mpi_info_free(twin, error)
  call same(info, MPI_INFO_NULL, 'info')
  call mpi_finalized(flag, error)
  call check(.not. flag, 'finalized')
  call mpi_initialized(flag, error)
  call check(flag, 'initialized')
  call check(mpi_wtime() >= 0 .and. mpi_wtick() > 0 .and. mpi_wtick() < 1, 'clock')
  call finish
contains
  include 'check.h'
end program
