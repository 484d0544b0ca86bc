! SPDX-License-Identifier: MIT OR Apache-2.0
! Operations of the program's own, and MPI's on Fortran's types.
module own
  use mpi
  implicit none
  integer :: types_seen = 0
contains
  ! A subroutine with Fortran's arguments.
  subroutine add(in, inout, n, type)
    integer :: n, type
    integer :: in(n), inout(n)
    if (type == MPI_INTEGER) types_seen = types_seen + 1
    inout = inout + in
  end subroutine

  ! The first of two: not commutative.
  subroutine first(in, inout, n, type)
    integer :: n, type
    double precision :: in(2, n), inout(2, n)
    if (type /= MPI_DATATYPE_NULL .and. n > 0) inout(1, :) = in(1, :)
  end subroutine
end module

program operations
  use own
  implicit none
  integer :: rank, size, failures, error, op, i, type
  integer :: v(4), w(4)
  double precision :: pair(2, 3), out(2, 3)
  logical :: commutes, truth, all_true
  complex(8) :: z, zs
  integer :: place(2), least(2)
  call start

  call mpi_op_create(add, .true., op, error)
  call mpi_op_commutative(op, commutes, error)
  call check(commutes, 'commutative')
  v = [1, 2, 3, 4] + rank
  call mpi_allreduce(v, w, 4, MPI_INTEGER, op, MPI_COMM_WORLD, error)
  call check(all(w == size*[1, 2, 3, 4] + size*(size - 1)/2), 'own sum')
  call mpi_reduce_local(v, w, 4, MPI_INTEGER, op, error)
  call check(types_seen > 0, 'the datatype is MPI_INTEGER')
  call check(all(w == size*[1, 2, 3, 4] + size*(size - 1)/2 + v), 'own sum of two')
  call mpi_op_free(op, error)
  call same(op, MPI_OP_NULL, 'operation')

  call mpi_op_create(first, .false., op, error)
  call mpi_op_commutative(op, commutes, error)
  call check(.not. commutes, 'not commutative')
  call mpi_type_contiguous(2, MPI_DOUBLE_PRECISION, type, error)
  call mpi_type_commit(type, error)
  pair(1, :) = rank
  pair(2, :) = 10*rank
  call mpi_allreduce(pair, out, 3, type, op, MPI_COMM_WORLD, error)
  call check(all(out(1, :) == 0), 'the first of all')
  call check(all(out(2, :) == 10*(size - 1)), 'the last of all')
  call mpi_type_free(type, error)
  call mpi_op_free(op, error)

  truth = rank == 0
  call mpi_allreduce(truth, all_true, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, error)
  call check(all_true .eqv. size == 1, 'logical and')
  call mpi_allreduce(truth, all_true, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, error)
  call check(all_true, 'logical or')
  z = cmplx(rank, 1, 8)
  call mpi_allreduce(z, zs, 1, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD, error)
  call check(zs == cmplx(size*(size - 1)/2, size, 8), 'complex sum')
  place = [10 - rank, rank]
  call mpi_allreduce(place, least, 1, MPI_2INTEGER, MPI_MINLOC, MPI_COMM_WORLD, error)
  call check(all(least == [10 - (size - 1), size - 1]), 'minloc')
  do i = 0, size - 1
    v(1) = rank
    call mpi_bcast(v, 1, MPI_INTEGER, i, MPI_COMM_WORLD, error)
    call same(v(1), i, 'bcast')
  end do
  call finish
contains
  include 'check.h'
end program
