! SPDX-License-Identifier: MIT OR Apache-2.0
! Derived types, also by the names that MPI 3.0 removed (addresses as INTEGERs), packing, MPI_SIZEOF, what a type was made of.
program types
  use mpi
  implicit none
  integer :: rank, size, failures, error, type, n, i, position, bytes, integers(8), inner(2), numbers(4), combiner
  integer(MPI_ADDRESS_KIND) :: lower, extent, places(8), moved
  integer :: matrix(4, 6), row(6)
  double precision :: d(3)
  character(200) :: packed
  logical :: flag
  integer(1) :: i1
  call start

  ! A row of a matrix, which lies in columns.
  matrix = reshape([(i, i=1, 24)], [4, 6])
  call mpi_type_vector(6, 1, 4, MPI_INTEGER, type, error)
  call mpi_type_commit(type, error)
  call mpi_sendrecv(matrix(2, 1), 1, type, rank, 1, row, 6, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call check(all(row == matrix(2, :)), 'row of a matrix')
  call mpi_type_get_envelope(type, numbers(1), numbers(2), numbers(3), combiner, error)
  call check(all(numbers(:3) == [3, 0, 1]) .and. combiner == MPI_COMBINER_VECTOR, 'envelope')
  call mpi_type_get_contents(type, 3, 0, 1, integers, places, inner, error)
  call check(all(integers(:3) == [6, 1, 4]) .and. inner(1) == MPI_INTEGER, 'contents')
  call mpi_type_size(type, n, error)
  call same(n, 24, 'size')
  call mpi_type_get_extent(type, lower, extent, error)
  call check(lower == 0 .and. extent == 84, 'extent')
  call mpi_type_free(type, error)

  call mpi_type_create_subarray(2, [4, 6], [2, 3], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, type, error)
  call mpi_type_commit(type, error)
  call mpi_sendrecv(matrix, 1, type, rank, 1, row, 6, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call check(all(row == reshape(matrix(2:3, 3:5), [6])), 'part of a matrix')
  call mpi_type_free(type, error)

  call mpi_type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, 16_MPI_ADDRESS_KIND, type, error)
  call mpi_type_get_true_extent(type, lower, extent, error)
  call check(lower == 0 .and. extent == 4, 'true extent')
  call mpi_type_free(type, error)

  position = 0
  call mpi_pack_size(3, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, bytes, error)
  call check(bytes >= 24, 'pack_size')
  call mpi_pack(rank, 1, MPI_INTEGER, packed, 200, position, MPI_COMM_WORLD, error)
  call mpi_pack([1.5d0, 2.5d0, 3.5d0], 3, MPI_DOUBLE_PRECISION, packed, 200, position, MPI_COMM_WORLD, error)
  bytes = position
  position = 0
  call mpi_unpack(packed, bytes, position, n, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  call mpi_unpack(packed, bytes, position, d, 3, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, error)
  call check(n == rank .and. all(d == [1.5d0, 2.5d0, 3.5d0]) .and. position == bytes, 'pack and unpack')
  moved = 0
  call mpi_pack_external('external32', [1, 2], 2, MPI_INTEGER, packed, 200_MPI_ADDRESS_KIND, moved, error)
  call check(moved == 8 .and. ichar(packed(4:4)) == 1, 'external32')

  call mpi_sizeof(i1, n, error)
  call same(n, 1, 'size of INTEGER(1)')
  call mpi_sizeof(d, n, error)
  call same(n, 8, 'size of DOUBLE PRECISION')
  call mpi_sizeof(flag, n, error)
  call same(n, 4, 'size of LOGICAL')
  call mpi_type_match_size(MPI_TYPECLASS_REAL, 8, type, error)
  call mpi_type_size(type, n, error)
  call same(n, 8, 'match_size')
  call mpi_type_create_f90_real(15, MPI_UNDEFINED, type, error)
  call mpi_type_size(type, n, error)
  call same(n, 8, 'f90_real')
  call check(mpi_aint_diff(mpi_aint_add(100_MPI_ADDRESS_KIND, 20_MPI_ADDRESS_KIND), 50_MPI_ADDRESS_KIND) == 70, 'aint')
  call removed(MPI_COMM_SELF, n)
  call same(n, 0, 'removed names')
  call finish
contains
  include 'check.h'
end program

! The names that MPI 3.0 removed: addresses and distances are INTEGERs. No module declares them.
subroutine removed(comm, wrong)
  implicit none
  include 'mpif.h'
  integer :: comm, wrong, error, type, n, distances(2), lower, upper, in(3), out(3)
  wrong = 0
  distances = [0, 8]
  call mpi_type_struct(2, [1, 1], distances, [MPI_INTEGER, MPI_INTEGER], type, error)
  call mpi_type_commit(type, error)
  call mpi_type_extent(type, n, error)
  if (n /= 12) wrong = wrong + 1
  call mpi_type_lb(type, lower, error)
  call mpi_type_ub(type, upper, error)
  if (lower /= 0 .or. upper /= 12) wrong = wrong + 1
  in = [1, 2, 3]
  out = -1
  call mpi_sendrecv(in, 1, type, 0, 1, out, 1, type, 0, 1, comm, MPI_STATUS_IGNORE, error)
  if (any(out /= [1, -1, 3])) wrong = wrong + 1
  call mpi_type_free(type, error)
  call mpi_type_hvector(2, 1, 8, MPI_INTEGER, type, error)
  call mpi_type_extent(type, n, error)
  if (n /= 12) wrong = wrong + 1
  call mpi_type_free(type, error)
  call mpi_type_hindexed(2, [1, 1], distances, MPI_INTEGER, type, error)
  call mpi_type_extent(type, n, error)
  if (n /= 12) wrong = wrong + 1
  call mpi_type_free(type, error)
end subroutine
