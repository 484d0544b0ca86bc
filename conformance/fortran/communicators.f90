! SPDX-License-Identifier: MIT OR Apache-2.0
! Communicators, groups, intercommunicators (LOGICALs in and out), attached buffers, memory of MPI's.
program communicators
  use mpi
  implicit none
  integer :: rank, size, failures, error, half, whole, between, merged, world, part, n, me, kind, ranks(2), request
  integer, allocatable :: all_ranks(:), theirs(:)
  character(4096) :: buffer
  logical :: flag, high
  call start
  allocate (all_ranks(size), theirs(size))

  call mpi_comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, error)
  call mpi_comm_size(half, n, error)
  call same(n, (size + 1 - mod(rank, 2))/2, 'size of a half')
  call mpi_comm_rank(half, me, error)
  call same(me, n - 1 - rank/2, 'rank in a half')
  call mpi_comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, part, error)
  call same(part, MPI_COMM_NULL, 'no communicator')
  call mpi_comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, kind, error)
  call same(kind, MPI_IDENT, 'the same')
  call mpi_comm_idup(MPI_COMM_WORLD, whole, request, error)
  call mpi_wait(request, MPI_STATUS_IGNORE, error)
  call mpi_comm_compare(MPI_COMM_WORLD, whole, kind, error)
  call same(kind, MPI_CONGRUENT, 'congruent')
  call mpi_comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, part, error)
  call mpi_comm_size(part, n, error)
  call same(n, size, 'one machine')
  call mpi_comm_free(part, error)

  call mpi_comm_group(MPI_COMM_WORLD, world, error)
  call mpi_group_range_incl(world, 1, reshape([size - 1, 0, -1], [3, 1]), part, error)
  call mpi_group_rank(part, me, error)
  call same(me, size - 1 - rank, 'the other way round')
  all_ranks = [(n, n=0, size - 1)]
  call mpi_group_translate_ranks(world, size, all_ranks, part, theirs, error)
  call check(all(theirs == [(n, n=size - 1, 0, -1)]), 'translated ranks')
  call mpi_group_free(part, error)
  call mpi_group_incl(world, 1, [0], part, error)
  call mpi_group_compare(world, part, kind, error)
  call same(kind, merge(MPI_IDENT, MPI_UNEQUAL, size == 1), 'groups')
  call mpi_group_free(part, error)
  call mpi_group_free(world, error)
  call same(world, MPI_GROUP_NULL, 'group')

  if (size > 1) then
    high = mod(rank, 2) == 1
    ! The leader of a half is its last, as the halves are the other way round: rank 0 or 1 of all.
    call mpi_comm_size(half, n, error)
    call mpi_intercomm_create(half, n - 1, MPI_COMM_WORLD, merge(0, 1, high), 12, between, error)
    call mpi_comm_test_inter(between, flag, error)
    call check(flag, 'intercommunicator')
    call mpi_comm_remote_size(between, n, error)
    call same(n, (size + mod(rank, 2))/2, 'remote size')
    call each_of_the_others(n)
    call mpi_intercomm_merge(between, high, merged, error)
    call mpi_comm_rank(merged, me, error)
    call check((me >= (size + 1)/2) .eqv. high, 'order of the merged')
    call mpi_comm_free(merged, error)
    call mpi_comm_free(between, error)
  end if
  call mpi_comm_test_inter(half, flag, error)
  call check(.not. flag, 'no intercommunicator')
  call mpi_comm_free(half, error)
  call mpi_comm_free(whole, error)

  call mpi_buffer_attach(buffer, 4096, error)
  call mpi_bsend(rank, 1, MPI_INTEGER, mod(rank + 1, size), 4, MPI_COMM_WORLD, error)
  call mpi_recv(n, 1, MPI_INTEGER, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call same(n, mod(rank + size - 1, size), 'buffered')
  call mpi_buffer_detach(buffer, n, error)
  call same(n, 4096, 'size of the buffer')
  call finish
contains
  ! Arrays of datatypes whose length is that of the other group.
  subroutine each_of_the_others(others)
    integer, intent(in) :: others
    integer :: counts(others), places(others), kinds(others), out(others), in(others), i
    counts = 1
    places = [(4*i, i=0, others - 1)]
    kinds = MPI_INTEGER
    out = rank
    in = -1
    call mpi_alltoallw(out, counts, places, kinds, in, counts, places, kinds, between, error)
    call check(all(mod(in, 2) /= mod(rank, 2)), 'from the others')
  end subroutine
  include 'check.h'
end program
