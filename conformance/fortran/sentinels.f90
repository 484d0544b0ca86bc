! SPDX-License-Identifier: MIT OR Apache-2.0
! MPI_IN_PLACE and MPI_BOTTOM are addresses in Fortran, each ABI's own: known by `use mpi` here, and by mpif.h in `by_header`.
program sentinels
  use mpi
  implicit none
  integer :: rank, size, failures, error, i, n
  integer, allocatable :: v(:), w(:)
  call start
  allocate (v(0:2*size - 1), w(0:2*size - 1))

  n = rank + 1
  call mpi_allreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call same(n, size*(size + 1)/2, 'allreduce in place')
  n = rank + 1
  if (rank == 0) then
    call mpi_reduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, error)
    call same(n, size, 'reduce in place')
  else
    call mpi_reduce(n, MPI_BOTTOM, 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, error)
  end if
  v = -1
  v(2*rank:2*rank + 1) = [rank, 10*rank]
  call mpi_allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, v, 2, MPI_INTEGER, MPI_COMM_WORLD, error)
  call check(all(v(0::2) == [(i, i=0, size - 1)]) .and. all(v(1::2) == [(10*i, i=0, size - 1)]), 'allgather in place')
  v = [(100*rank + i, i=0, 2*size - 1)]
  call mpi_alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, v, 2, MPI_INTEGER, MPI_COMM_WORLD, error)
  call check(all(v(0::2) == [(100*i + 2*rank, i=0, size - 1)]), 'alltoall in place')
  v = -1
  v(0) = 7*rank
  if (rank == 0) then
    call mpi_gather(MPI_IN_PLACE, 1, MPI_INTEGER, v, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    call check(all(v(0:size - 1) == [(7*i, i=0, size - 1)]), 'gather in place')
    call mpi_scatter(v, 1, MPI_INTEGER, MPI_IN_PLACE, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  else
    call mpi_gather(v, 1, MPI_INTEGER, w, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    call mpi_scatter(w, 1, MPI_INTEGER, v, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  end if
  call same(v(0), 7*rank, 'scatter in place')
  n = rank + 1
  call mpi_scan(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call same(n, (rank + 1)*(rank + 2)/2, 'scan in place')
  call each_to_each
  call bottom
  call by_header(MPI_COMM_WORLD, rank, failures)
  call finish
contains
  ! MPI_IN_PLACE for arrays of handles, whose length nobody tells.
  subroutine each_to_each
    integer :: counts(size), displacements(size), types(size), request
    counts = 1
    displacements = [(4*i, i=0, size - 1)]
    types = MPI_INTEGER
    v(0:size - 1) = [(10*rank + i, i=0, size - 1)]
    call mpi_alltoallw(MPI_IN_PLACE, counts, displacements, types, v, counts, displacements, types, MPI_COMM_WORLD, error)
    call check(all(v(0:size - 1) == [(10*i + rank, i=0, size - 1)]), 'alltoallw in place')
    w(0:size - 1) = -1
    call mpi_ialltoallw(v, counts, displacements, types, w, counts, displacements, types, MPI_COMM_WORLD, request, error)
    call mpi_wait(request, MPI_STATUS_IGNORE, error)
    call check(all(w(0:size - 1) == [(10*rank + i, i=0, size - 1)]), 'ialltoallw')
  end subroutine

  ! A type of absolute addresses, sent from and received at MPI_BOTTOM.
  subroutine bottom
    integer(MPI_ADDRESS_KIND) :: places(2), null
    integer :: type
    integer, volatile :: a
    double precision, volatile :: b
    a = -1
    b = -1
    if (rank == 0) a = 42
    if (rank == 0) b = 0.5d0
    call mpi_get_address(MPI_BOTTOM, null, error)
    call check(null == 0, 'MPI_BOTTOM is where addresses begin')
    call mpi_get_address(a, places(1), error)
    call mpi_get_address(b, places(2), error)
    call mpi_type_create_struct(2, [1, 1], places, [MPI_INTEGER, MPI_DOUBLE_PRECISION], type, error)
    call mpi_type_commit(type, error)
    call mpi_bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD, error)
    call check(a == 42 .and. b == 0.5d0, 'bcast at MPI_BOTTOM')
    a = rank
    if (rank > 0) call mpi_send(MPI_BOTTOM, 1, type, rank - 1, 1, MPI_COMM_WORLD, error)
    if (rank < size - 1) call mpi_recv(MPI_BOTTOM, 1, type, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call same(a, min(rank + 1, size - 1), 'message at MPI_BOTTOM')
    call mpi_type_free(type, error)
    call same(type, MPI_DATATYPE_NULL, 'type')
  end subroutine
  include 'check.h'
end program

! The same by the header, whose common blocks are other objects of the compiler.
subroutine by_header(comm, rank, failures)
  implicit none
  include 'mpif.h'
  integer :: comm, rank, failures, size, error, i, type
  integer, volatile :: n
  integer(MPI_ADDRESS_KIND) :: place(1)
  call mpi_comm_size(comm, size, error)
  n = rank + 1
  call mpi_allreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_PROD, comm, error)
  if (n /= product([(i, i=1, size)])) failures = failures + 1
  call mpi_get_address(n, place(1), error)
  call mpi_type_create_hindexed(1, [1], place, MPI_INTEGER, type, error)
  call mpi_type_commit(type, error)
  n = -1
  if (rank == 0) n = 99
  call mpi_bcast(MPI_BOTTOM, 1, type, 0, comm, error)
  call mpi_type_free(type, error)
  if (n /= 99) failures = failures + 1
end subroutine
