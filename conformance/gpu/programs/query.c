// SPDX-License-Identifier: MIT OR Apache-2.0
// What the library says of itself is what is so: MPIX_Query_cuda_support, and the info key mpi_memory_alloc_kinds of the
// world. Argument "no": the driver is there but of no use, and it must say so.
#include "cuda.h"

int main(int argc, char **argv) {
    bool no = check_option(argc, argv, "no");
    if (no)
        CHECK(dlopen("libcuda.so.1", RTLD_NOW) != NULL);
    if (no)
        check_start(&argc, &argv);
    else
        cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    int (*query)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support"), flag = 0;
    char kinds[MPI_MAX_INFO_VAL + 1] = "";
    MPI_Info info;
    CHECK(query != NULL);
    if (query != NULL)
        CHECK_EQ(query(), no ? 0 : 1);
    DO(MPI_Comm_get_info(MPI_COMM_WORLD, &info));
    DO(MPI_Info_get(info, "mpi_memory_alloc_kinds", MPI_MAX_INFO_VAL, kinds, &flag));
    CHECK(flag);
    CHECK(strstr(kinds, "system") != NULL);
    CHECK_EQ(strstr(kinds, "cuda") != NULL, !no);
    DO(MPI_Info_free(&info));
    return check_finish();
}
