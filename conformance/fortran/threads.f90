! SPDX-License-Identifier: MIT OR Apache-2.0
! MPI_INIT_THREAD and MPI_ALLOC_MEM.
program threads
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, size, failures, error, provided, again
  integer(MPI_ADDRESS_KIND) :: address
  integer, pointer :: memory(:)
  logical :: flag
  failures = 0
  call mpi_initialized(flag, error)
  if (flag) stop 2
  call mpi_init_thread(MPI_THREAD_FUNNELED, provided, error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, size, error)
  call check(provided >= MPI_THREAD_FUNNELED, 'provided')
  call mpi_query_thread(again, error)
  call same(again, provided, 'query_thread')
  call mpi_is_thread_main(flag, error)
  call check(flag, 'main thread')
  call mpi_alloc_mem(4000_MPI_ADDRESS_KIND, MPI_INFO_NULL, address, error)
  call c_f_pointer(transfer(address, c_null_ptr), memory, [1000])
  memory = rank
  call mpi_allreduce(MPI_IN_PLACE, memory, 1000, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call check(all(memory == size*(size - 1)/2), 'memory of MPI''s')
  call mpi_free_mem(memory, error)
  call finish
contains
  include 'check.h'
end program
