! SPDX-License-Identifier: MIT OR Apache-2.0
! Completion of some of many requests: indices count from 1; MPI_UNDEFINED stays (MPICH adds 1 to it). Persistent requests, generalized requests.
program completion
  use mpi
  implicit none
  integer, parameter :: MANY = 6
  integer :: rank, size, failures, error, i, index, outcount, done
  integer :: requests(MANY), values(MANY), indices(MANY), statuses(MPI_STATUS_SIZE, MANY), status(MPI_STATUS_SIZE)
  logical :: flag, seen(MANY)
  integer :: freed
  call start

  ! To oneself, the last first: only what was sent is complete.
  call receive_all
  call mpi_send(40, 1, MPI_INTEGER, rank, 4, MPI_COMM_WORLD, error)
  call mpi_waitany(MANY, requests, index, status, error)
  call same(index, 4, 'waitany')
  call same(values(4), 40, 'its value')
  call same(status(MPI_TAG), 4, 'its tag')
  call same(requests(4), MPI_REQUEST_NULL, 'its request')
  call mpi_testany(MANY, requests, index, flag, status, error)
  call check(.not. flag, 'testany of none')
  call check(index < 0, 'its index')
  call mpi_send(10, 1, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, error)
  call until_any(1)
  call mpi_testsome(MANY, requests, outcount, indices, statuses, error)
  call same(outcount, 0, 'testsome of none')
  call mpi_send(20, 1, MPI_INTEGER, rank, 2, MPI_COMM_WORLD, error)
  call mpi_send(60, 1, MPI_INTEGER, rank, 6, MPI_COMM_WORLD, error)
  seen = .false.
  done = 0
  do while (done < 2)
    call mpi_waitsome(MANY, requests, outcount, indices, statuses, error)
    do i = 1, outcount
      seen(indices(i)) = .true.
      call same(statuses(MPI_TAG, i), indices(i), 'tag in waitsome')
    end do
    done = done + outcount
  end do
  call check(seen(2) .and. seen(6) .and. count(seen) == 2, 'waitsome')
  call mpi_testall(MANY, requests, flag, MPI_STATUSES_IGNORE, error)
  call check(.not. flag, 'testall')
  call mpi_send(30, 1, MPI_INTEGER, rank, 3, MPI_COMM_WORLD, error)
  call mpi_send(50, 1, MPI_INTEGER, rank, 5, MPI_COMM_WORLD, error)
  call mpi_waitall(MANY, requests, MPI_STATUSES_IGNORE, error)
  call check(all(values == [(10*i, i=1, MANY)]), 'values')
  call mpi_waitany(MANY, requests, index, MPI_STATUS_IGNORE, error)
  call check(index < 0, 'waitany of null requests')
  call mpi_waitsome(MANY, requests, outcount, indices, MPI_STATUSES_IGNORE, error)
  call same(outcount, MPI_UNDEFINED, 'waitsome of null requests')
  call persistent
  call generalized
  call cancelled
  call finish
contains
  subroutine receive_all
    do i = 1, MANY
      call mpi_irecv(values(i), 1, MPI_INTEGER, rank, i, MPI_COMM_WORLD, requests(i), error)
    end do
  end subroutine

  subroutine until_any(wanted)
    integer, intent(in) :: wanted
    flag = .false.
    do while (.not. flag)
      call mpi_testany(MANY, requests, index, flag, status, error)
    end do
    call same(index, wanted, 'testany')
    call same(status(MPI_SOURCE), rank, 'its source')
  end subroutine

  subroutine persistent
    integer :: pair(2), round
    integer, volatile :: out, in
    call mpi_send_init(out, 1, MPI_INTEGER, mod(rank + 1, size), 8, MPI_COMM_WORLD, pair(1), error)
    call mpi_recv_init(in, 1, MPI_INTEGER, mod(rank + size - 1, size), 8, MPI_COMM_WORLD, pair(2), error)
    do round = 1, 3
      out = 100*round + rank
      call mpi_startall(2, pair, error)
      call mpi_waitall(2, pair, MPI_STATUSES_IGNORE, error)
      call same(in, 100*round + mod(rank + size - 1, size), 'persistent')
    end do
    call mpi_request_free(pair(1), error)
    call mpi_request_free(pair(2), error)
    call check(all(pair == MPI_REQUEST_NULL), 'freed requests')
  end subroutine

  subroutine generalized
    integer :: request
    integer(MPI_ADDRESS_KIND), volatile :: extra
    freed = 0
    extra = 1234567890123_MPI_ADDRESS_KIND
    call mpi_grequest_start(query, release, cancel, extra, request, error)
    call mpi_test(request, flag, status, error)
    call check(.not. flag, 'not yet complete')
    call mpi_grequest_complete(request, error)
    call mpi_wait(request, status, error)
    call same(status(MPI_SOURCE), 17, 'source of the query function')
    call mpi_get_count(status, MPI_INTEGER, i, error)
    call same(i, 3, 'elements of the query function')
    call same(freed, 1, 'calls of the free function')
    call check(extra == 5, 'the free function changes the extra state itself')
  end subroutine

  subroutine query(extra, status, error)
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: status(MPI_STATUS_SIZE), error
    call check(extra == 1234567890123_MPI_ADDRESS_KIND, 'extra state')
    status(MPI_SOURCE) = 17
    status(MPI_TAG) = MPI_UNDEFINED
    call mpi_status_set_elements(status, MPI_INTEGER, 3, error)
    call mpi_status_set_cancelled(status, .false., error)
    error = MPI_SUCCESS
  end subroutine

  subroutine release(extra, error)
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: error
    if (extra == 1234567890123_MPI_ADDRESS_KIND) freed = freed + 1
    extra = 5
    error = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra, complete, error)
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: error
    logical :: complete
    call check(extra /= 0 .and. .not. complete, 'never called')
    error = MPI_SUCCESS
  end subroutine

  subroutine cancelled
    integer :: request
    call mpi_irecv(i, 1, MPI_INTEGER, rank, 55, MPI_COMM_WORLD, request, error)
    call mpi_cancel(request, error)
    call mpi_wait(request, status, error)
    call mpi_test_cancelled(status, flag, error)
    call check(flag, 'cancelled')
  end subroutine
  include 'check.h'
end program
