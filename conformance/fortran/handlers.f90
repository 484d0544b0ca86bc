! SPDX-License-Identifier: MIT OR Apache-2.0
! Error handlers of the program's own and MPI's, error classes and their texts.
module handler
  use mpi
  implicit none
  integer :: calls = 0, comm_seen = MPI_COMM_NULL, class_seen = -1
contains
  subroutine note(comm, code)
    integer :: comm, code, error
    calls = calls + 1
    comm_seen = comm
    call mpi_error_class(code, class_seen, error)
  end subroutine
end module

program handlers
  use handler
  implicit none
  integer :: rank, size, failures, error, own, before, comm, class, length, code, number
  character(MPI_MAX_ERROR_STRING) :: text
  call start

  call mpi_comm_create_errhandler(note, own, error)
  call mpi_comm_dup(MPI_COMM_WORLD, comm, error)
  call mpi_comm_set_errhandler(comm, own, error)
  call mpi_send(number, -1, MPI_INTEGER, 0, 0, comm, error)
  call same(calls, 1, 'calls')
  call same(comm_seen, comm, 'communicator')
  call same(class_seen, MPI_ERR_COUNT, 'class')
  call mpi_error_class(error, class, code)
  call same(class, MPI_ERR_COUNT, 'class of the code')
  call mpi_comm_get_errhandler(comm, before, error)
  call same(before, own, 'the handler')
  call mpi_errhandler_free(before, error)
  call mpi_comm_call_errhandler(comm, MPI_ERR_OTHER, error)
  call same(calls, 2, 'calls by hand')
  call mpi_comm_set_errhandler(comm, MPI_ERRORS_RETURN, error)
  call mpi_send(number, 1, MPI_INTEGER, size, 0, comm, error)
  call mpi_error_class(error, class, code)
  call same(class, MPI_ERR_RANK, 'class of a wrong rank')
  call same(calls, 2, 'no more calls')
  text = 'x'
  call mpi_error_string(error, text, length, code)
  call check(length > 0 .and. len_trim(text) == length, 'length of the text')
  call check(text(length + 1:) == ' ', 'blanks behind the text')
  call mpi_errhandler_free(own, error)
  call same(own, MPI_ERRHANDLER_NULL, 'freed handler')
  call mpi_comm_free(comm, error)

  call mpi_add_error_class(class, error)
  call mpi_add_error_code(class, code, error)
  call mpi_add_error_string(code, 'out of cheese   ', error)
  call mpi_error_string(code, text, length, error)
  call check(text == 'out of cheese', 'own text')
  call mpi_error_class(code, number, error)
  call same(number, class, 'own class')
  call finish
contains
  include 'check.h'
end program
