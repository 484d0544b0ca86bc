! SPDX-License-Identifier: MIT OR Apache-2.0
! Messages around a ring with statuses, wildcards, probes and MPI_PROC_NULL, by mpif.h.
program ring
  implicit none
  include 'mpif.h'
  integer :: rank, size, failures, error, left, right, count, request, there
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 3), requests(2)
  double precision :: mine(5), got(5)
  logical :: flag
  call start
  left = mod(rank + size - 1, size)
  right = mod(rank + 1, size)
  mine = rank + 0.25d0
  got = -1

  call mpi_sendrecv(mine, 5, MPI_DOUBLE_PRECISION, right, 7, got, 5, MPI_DOUBLE_PRECISION, left, 7, MPI_COMM_WORLD, status, error)
  call same(error, MPI_SUCCESS, 'error')
  call check(all(got == left + 0.25d0), 'what came')
  call same(status(MPI_SOURCE), left, 'source')
  call same(status(MPI_TAG), 7, 'tag')
  call mpi_get_count(status, MPI_DOUBLE_PRECISION, count, error)
  call same(count, 5, 'count')

  call mpi_isend(mine, 3, MPI_DOUBLE_PRECISION, right, 100 + rank, MPI_COMM_WORLD, request, error)
  call mpi_probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
  call same(status(MPI_SOURCE), left, 'probed source')
  call same(status(MPI_TAG), 100 + left, 'probed tag')
  call mpi_get_elements(status, MPI_DOUBLE_PRECISION, count, error)
  call same(count, 3, 'probed count')
  call mpi_iprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, error)
  call check(flag, 'iprobe')
  call mpi_recv(got, 5, MPI_DOUBLE_PRECISION, left, 100 + left, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call mpi_wait(request, MPI_STATUS_IGNORE, error)
  call same(request, MPI_REQUEST_NULL, 'request')
  call mpi_iprobe(MPI_ANY_SOURCE, 100 + left, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, error)
  call check(.not. flag, 'no more messages')

  call mpi_recv(got, 5, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 3, MPI_COMM_WORLD, status, error)
  call same(status(MPI_SOURCE), MPI_PROC_NULL, 'source of nothing')
  call same(status(MPI_TAG), MPI_ANY_TAG, 'tag of nothing')

  ! A status in the middle of an array lies as C would not put it.
  statuses = -77
  call mpi_irecv(there, 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, requests(1), error)
  call mpi_issend(rank, 1, MPI_INTEGER, right, 5, MPI_COMM_WORLD, requests(2), error)
  call mpi_waitall(2, requests, statuses(1, 2), error)
  call same(there, left, 'number')
  call same(statuses(MPI_SOURCE, 2), left, 'source in an array')
  call same(statuses(MPI_TAG, 2), 5, 'tag in an array')
  call check(all(statuses(:, 1) == -77), 'the status before stays')
  call check(all(requests == MPI_REQUEST_NULL), 'requests')
  call mpi_sendrecv_replace(there, 1, MPI_INTEGER, right, 6, left, 6, MPI_COMM_WORLD, statuses(1, 3), error)
  call same(statuses(MPI_TAG, 3), 6, 'tag of an exchange')
  call matched
  call finish
contains
  subroutine matched
    integer :: message
    call mpi_isend(rank, 1, MPI_INTEGER, right, 9, MPI_COMM_WORLD, request, error)
    call mpi_mprobe(left, 9, MPI_COMM_WORLD, message, status, error)
    call check(message /= MPI_MESSAGE_NULL, 'message')
    call mpi_mrecv(there, 1, MPI_INTEGER, message, status, error)
    call same(message, MPI_MESSAGE_NULL, 'message afterwards')
    call same(there, left, 'matched number')
    call mpi_wait(request, status, error)
    call mpi_test_cancelled(status, flag, error)
    call check(.not. flag, 'nothing is cancelled')
  end subroutine
  include 'check.h'
end program
