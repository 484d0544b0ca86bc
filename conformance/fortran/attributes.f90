! SPDX-License-Identifier: MIT OR Apache-2.0
! Attributes: MPI's own are values, the program's are address-sized integers, or INTEGERs by the old names.
module functions
  use mpi
  implicit none
  integer :: copies = 0, deletes = 0
  integer(MPI_ADDRESS_KIND), parameter :: EXTRA = 987654321012345_MPI_ADDRESS_KIND
contains
  subroutine copy(comm, key, state, in, out, flag, error)
    integer :: comm, key, error
    integer(MPI_ADDRESS_KIND) :: state, in, out
    logical :: flag
    copies = copies + 1
    flag = state == EXTRA .and. comm /= MPI_COMM_NULL .and. key /= MPI_KEYVAL_INVALID
    out = in + 1
    error = MPI_SUCCESS
  end subroutine

  subroutine delete(comm, key, value, state, error)
    integer :: comm, key, error
    integer(MPI_ADDRESS_KIND) :: value, state
    if (state == EXTRA .and. value /= 0 .and. comm /= MPI_COMM_NULL .and. key /= MPI_KEYVAL_INVALID) deletes = deletes + 1
    error = MPI_SUCCESS
  end subroutine

  subroutine old_copy(comm, key, state, in, out, flag, error)
    integer :: comm, key, state, in, out, error
    logical :: flag
    if (state == -5 .and. comm /= MPI_COMM_NULL .and. key /= MPI_KEYVAL_INVALID) copies = copies + 1
    flag = .true.
    out = -in
    error = MPI_SUCCESS
  end subroutine

  subroutine old_delete(comm, key, value, state, error)
    integer :: comm, key, value, state, error
    if (state == -5 .and. value /= 0 .and. comm /= MPI_COMM_NULL .and. key /= MPI_KEYVAL_INVALID) deletes = deletes + 1
    error = MPI_SUCCESS
  end subroutine
end module

program attributes
  use functions
  implicit none
  integer :: rank, size, failures, error, key, other, third, comm, type, twin, number
  integer(MPI_ADDRESS_KIND) :: value, large = 5000000000_MPI_ADDRESS_KIND
  logical :: flag
  call start

  call mpi_comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, error)
  call check(flag .and. value >= 32767 .and. value <= huge(1), 'MPI_TAG_UB')
  call mpi_attr_get(MPI_COMM_WORLD, MPI_TAG_UB, number, flag, error)
  call check(flag .and. number == value, 'MPI_TAG_UB by the old name')
  call mpi_comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, value, flag, error)
  call check(flag .and. (value == 0 .or. value == 1), 'MPI_WTIME_IS_GLOBAL')
  call mpi_comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, value, flag, error)
  call check(.not. flag .or. value >= 1, 'MPI_UNIVERSE_SIZE')

  call mpi_comm_create_keyval(copy, delete, key, EXTRA, error)
  call mpi_comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, other, EXTRA, error)
  call mpi_comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, third, EXTRA, error)
  call mpi_comm_get_attr(MPI_COMM_WORLD, key, value, flag, error)
  call check(.not. flag, 'nothing yet')
  call mpi_comm_set_attr(MPI_COMM_WORLD, key, large, error)
  call mpi_comm_set_attr(MPI_COMM_WORLD, other, -large, error)
  call mpi_comm_set_attr(MPI_COMM_WORLD, third, large, error)
  call mpi_comm_dup(MPI_COMM_WORLD, comm, error)
  call same(copies, 1, 'copies')
  call mpi_comm_get_attr(comm, key, value, flag, error)
  call check(flag .and. value == large + 1, 'what the copy function made')
  call mpi_comm_get_attr(comm, other, value, flag, error)
  call check(flag .and. value == -large, 'MPI_COMM_DUP_FN')
  call mpi_comm_get_attr(comm, third, value, flag, error)
  call check(.not. flag, 'MPI_COMM_NULL_COPY_FN')
  call mpi_comm_free(comm, error)
  call same(deletes, 1, 'deletes')
  call mpi_comm_delete_attr(MPI_COMM_WORLD, key, error)
  call same(deletes, 2, 'deletes by hand')
  call mpi_comm_delete_attr(MPI_COMM_WORLD, other, error)
  call mpi_comm_delete_attr(MPI_COMM_WORLD, third, error)
  call mpi_comm_free_keyval(key, error)
  call mpi_comm_free_keyval(other, error)
  call mpi_comm_free_keyval(third, error)
  call same(key, MPI_KEYVAL_INVALID, 'key')

  copies = 0
  deletes = 0
  call mpi_keyval_create(old_copy, old_delete, key, -5, error)
  call mpi_keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, other, -5, error)
  call mpi_attr_put(MPI_COMM_WORLD, key, -31, error)
  call mpi_attr_put(MPI_COMM_WORLD, other, 5, error)
  call mpi_comm_dup(MPI_COMM_WORLD, comm, error)
  call mpi_attr_get(comm, key, number, flag, error)
  call check(flag .and. number == 31 .and. copies == 1, 'old copy function')
  call mpi_attr_get(comm, other, number, flag, error)
  call check(.not. flag, 'MPI_NULL_COPY_FN')
  call mpi_comm_get_attr(MPI_COMM_WORLD, key, value, flag, error)
  call check(flag .and. value == -31, 'an INTEGER by the new name')
  call mpi_attr_delete(comm, key, error)
  call same(deletes, 1, 'old delete function')
  call mpi_comm_free(comm, error)
  call mpi_attr_delete(MPI_COMM_WORLD, key, error)
  call mpi_attr_delete(MPI_COMM_WORLD, other, error)
  call mpi_keyval_free(key, error)
  call mpi_keyval_free(other, error)

  call mpi_type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, key, EXTRA, error)
  call mpi_type_contiguous(3, MPI_INTEGER, type, error)
  call mpi_type_set_attr(type, key, large, error)
  call mpi_type_dup(type, twin, error)
  call mpi_type_get_attr(twin, key, value, flag, error)
  call check(flag .and. value == large, 'attribute of a type')
  call mpi_type_free(type, error)
  call mpi_type_free(twin, error)
  call mpi_type_free_keyval(key, error)
  call finish
contains
  include 'check.h'
end program
