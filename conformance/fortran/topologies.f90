! SPDX-License-Identifier: MIT OR Apache-2.0
! Grids and graphs: arrays of LOGICALs, MPI_UNWEIGHTED, neighborhood collectives with arrays of datatypes.
program topologies
  use mpi
  implicit none
  integer :: rank, size, failures, error, i, grid, line, source, dest, kind, dims(2), coords(2), there(2), me, degree, out
  logical :: periods(2), got(2), flag
  call start

  dims = 0
  call mpi_dims_create(size, 2, dims, error)
  call same(product(dims), size, 'dims')
  periods = [.true., .false.]
  call mpi_cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., grid, error)
  call mpi_topo_test(grid, kind, error)
  call same(kind, MPI_CART, 'topology')
  call mpi_cartdim_get(grid, i, error)
  call same(i, 2, 'dimensions')
  call mpi_cart_get(grid, 2, there, got, coords, error)
  call check(all(there == dims) .and. got(1) .and. .not. got(2), 'cart_get')
  call check(count(got) == 1 .and. all(got .eqv. periods), 'LOGICALs out')
  call mpi_cart_rank(grid, coords, me, error)
  call same(me, rank, 'cart_rank')
  call mpi_cart_coords(grid, rank, 2, there, error)
  call check(all(there == coords), 'cart_coords')
  call mpi_cart_shift(grid, 1, 1, source, dest, error)
  if (coords(2) == 0) call same(source, MPI_PROC_NULL, 'no neighbor before')
  if (coords(2) == dims(2) - 1) call same(dest, MPI_PROC_NULL, 'no neighbor behind')
  call mpi_cart_sub(grid, [.true., .false.], line, error)
  call mpi_comm_size(line, i, error)
  call same(i, dims(1), 'size of a line')
  call mpi_comm_free(line, error)
  call around
  call mpi_comm_free(grid, error)
  call graph
  call distributed
  call finish
contains
  ! Each to its four neighbors.
  subroutine around
    integer :: sent(4), came(4)
    sent = 10*rank + [1, 2, 3, 4]
    came = -1
    call mpi_neighbor_alltoall(sent, 1, MPI_INTEGER, came, 1, MPI_INTEGER, grid, error)
    call same(error, MPI_SUCCESS, 'neighbor_alltoall')
    if (dims(1) > 2) then
      call mpi_cart_shift(grid, 0, 1, source, dest, error)
      call check(came(1) == 10*source + 2 .and. came(2) == 10*dest + 1, 'from both sides')
    end if
    call check(coords(2) > 0 .or. came(3) == -1, 'from nobody')
  end subroutine

  subroutine graph
    integer :: comm, index(size), edges(2*size), n
    index = [(2*i, i=1, size)]
    edges = [(mod(i/2 + merge(1, size - 1, mod(i, 2) == 1), size), i=0, 2*size - 1)]
    call mpi_graph_create(MPI_COMM_WORLD, size, index, edges, .false., comm, error)
    call mpi_graph_neighbors_count(comm, rank, n, error)
    call same(n, 2, 'neighbors in a graph')
    call mpi_graph_neighbors(comm, rank, 2, there, error)
    call check(there(1) == mod(rank + size - 1, size) .and. there(2) == mod(rank + 1, size), 'who they are')
    call mpi_comm_free(comm, error)
  end subroutine

  subroutine distributed
    integer :: comm, from(1), to(1), weights(1), back(1)
    from = mod(rank + size - 1, size)
    to = mod(rank + 1, size)
    call mpi_dist_graph_create_adjacent(MPI_COMM_WORLD, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED, MPI_INFO_NULL, .false., &
      comm, error)
    call mpi_dist_graph_neighbors_count(comm, degree, out, flag, error)
    call check(degree == 1 .and. out == 1 .and. .not. flag, 'MPI_UNWEIGHTED')
    call mpi_dist_graph_neighbors(comm, 1, coords, MPI_UNWEIGHTED, 1, there, MPI_UNWEIGHTED, error)
    call check(coords(1) == from(1) .and. there(1) == to(1), 'neighbors')
    call mpi_neighbor_allgather(rank, 1, MPI_INTEGER, i, 1, MPI_INTEGER, comm, error)
    call same(i, from(1), 'neighbor_allgather')
    call mpi_neighbor_alltoallw(rank, [1], [0_MPI_ADDRESS_KIND], [MPI_INTEGER], i, [1], [0_MPI_ADDRESS_KIND], [MPI_INTEGER], comm, &
      error)
    call same(i, from(1), 'neighbor_alltoallw')
    call mpi_comm_free(comm, error)
    weights = 5
    back = 0
    call mpi_dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], to, weights, MPI_INFO_NULL, .false., comm, error)
    call mpi_dist_graph_neighbors_count(comm, degree, out, flag, error)
    call check(flag, 'weighted')
    call mpi_dist_graph_neighbors(comm, 1, coords, weights, 1, there, back, error)
    call check(back(1) == 5 .and. there(1) == to(1), 'weights')
    call mpi_comm_free(comm, error)
  end subroutine
  include 'check.h'
end program
