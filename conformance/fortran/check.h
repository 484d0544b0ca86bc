  ! SPDX-License-Identifier: MIT OR Apache-2.0
  ! What the programs share, included behind `contains`: they have integers `rank`, `size` and `failures`.
  subroutine start
    integer :: error
    failures = 0
    call mpi_init(error)
    call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
    call mpi_comm_size(MPI_COMM_WORLD, size, error)
  end subroutine

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    write (*, '(a,i0,2a)') 'rank ', rank, ': does not hold: ', what
  end subroutine

  subroutine same(found, wanted, what)
    integer, intent(in) :: found, wanted
    character(*), intent(in) :: what
    if (found == wanted) return
    failures = failures + 1
    write (*, '(a,i0,3a,i0,a,i0)') 'rank ', rank, ': ', what, ' is ', found, ', not ', wanted
  end subroutine

  subroutine finish
    integer :: all, error
    call mpi_reduce(failures, all, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
    call mpi_finalize(error)
    if (rank == 0 .and. all == 0) print '(a)', 'OK'
    if (failures > 0) stop 1
  end subroutine
