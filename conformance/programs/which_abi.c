// SPDX-License-Identifier: MIT OR Apache-2.0
// Which ABI a library says it has: MPI_Abi_get_version gives 1 on the standard's alone, where mpi4py and others tell by it which of
// their modules to load. Elsewhere it gives no version, or is not there.
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>

int main(int argc, char **argv) {
    int major = -9, minor = -9, (*version)(int *, int *);
    *(void **)&version = dlsym(RTLD_DEFAULT, "MPI_Abi_get_version");
    if (version != NULL) // may be called at any time
        DO(version(&major, &minor));
    check_start(&argc, &argv);
#ifdef MPI_ABI_VERSION
    CHECK_EQ(major, MPI_ABI_VERSION);
    CHECK_EQ(minor, MPI_ABI_SUBVERSION);
#else
    CHECK(version == NULL || major < 0);
#endif
    // The symbol by which Open MPI's ABI is known is on its face alone.
#ifdef OPEN_MPI
    CHECK(dlsym(RTLD_DEFAULT, "ompi_mpi_comm_self") != NULL);
#else
    CHECK(dlsym(RTLD_DEFAULT, "ompi_mpi_comm_self") == NULL);
#endif
    return check_finish();
}
