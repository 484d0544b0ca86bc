! SPDX-License-Identifier: MIT OR Apache-2.0
! By `use mpi_f08`, whose library is Open MPI's own and calls ours: handle types, MPI_Status, error codes left out, callbacks.
module adding
  use mpi_f08
  implicit none
contains
  subroutine add(in, inout, n, type)
    use, intrinsic :: iso_c_binding
    type(c_ptr), value :: in, inout
    integer :: n
    type(MPI_Datatype) :: type
    integer, pointer :: a(:), b(:)
    call c_f_pointer(in, a, [n])
    call c_f_pointer(inout, b, [n])
    if (type == MPI_INTEGER) b = b + a
  end subroutine
end module

program f08
  use adding
  implicit none
  integer :: rank, size, wrong, n, length, all
  integer(MPI_ADDRESS_KIND) :: value
  type(MPI_Status) :: status
  type(MPI_Request) :: requests(2)
  type(MPI_Comm) :: comm
  type(MPI_Op) :: op
  type(MPI_Info) :: info
  integer, asynchronous :: in, out
  character(MPI_MAX_OBJECT_NAME) :: text
  logical :: flag
  wrong = 0
  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_size(MPI_COMM_WORLD, size)
  n = rank + 1
  call mpi_allreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (n /= size*(size + 1)/2) wrong = wrong + 1
  out = rank
  call mpi_isend(out, 1, MPI_INTEGER, mod(rank + 1, size), 3, MPI_COMM_WORLD, requests(1))
  call mpi_irecv(in, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests(2))
  call mpi_wait(requests(2), status)
  call mpi_waitall(1, requests, MPI_STATUSES_IGNORE)
  if (in /= mod(rank + size - 1, size) .or. status%MPI_SOURCE /= in .or. status%MPI_TAG /= 3) wrong = wrong + 10
  if (requests(2) /= MPI_REQUEST_NULL) wrong = wrong + 100
  call mpi_comm_dup(MPI_COMM_WORLD, comm)
  call mpi_comm_set_name(comm, 'mine')
  call mpi_comm_get_name(comm, text, length)
  if (text /= 'mine' .or. length /= 4) wrong = wrong + 1000
  call mpi_comm_get_attr(comm, MPI_TAG_UB, value, flag)
  if (.not. flag .or. value < 32767) wrong = wrong + 10000
  call mpi_comm_free(comm)
  call mpi_op_create(add, .true., op)
  call mpi_allreduce(rank, all, 1, MPI_INTEGER, op, MPI_COMM_WORLD)
  if (size > 1 .and. all /= size*(size - 1)/2) wrong = wrong + 100000
  call mpi_op_free(op)
  call mpi_info_create(info)
  call mpi_info_set(info, 'key', 'a value')
  call mpi_info_get(info, 'key', 20, text, flag)
  if (.not. flag .or. text /= 'a value') wrong = wrong + 1000000
  call mpi_info_free(info)
  call mpi_allreduce(wrong, all, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
  call mpi_finalize()
  if (rank == 0 .and. all == 0) print '(a)', 'OK'
  if (wrong > 0) print '(a,i0)', 'wrong: ', wrong
end program
