// SPDX-License-Identifier: MIT OR Apache-2.0
// Ranks that disagree about a collective: an error on at least one rank that names the call, and the job ends; never success.
// "counts": 1142 ints on rank 1, 1088 on the others, in Allreduce; "calls": rank 1 in Bcast, the others in Allreduce;
// "large": the counts differ at 4 MiB; "bcast": in Bcast, 1 MiB at the root and 256 KiB at the others.
#include "../programs/check.h"

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    const char *what = argc > 1 ? argv[1] : "counts";
    int n = strcmp(what, "large") == 0 ? (1 << 20) + (rank == 1 ? 100 : 0) : rank == 1 ? 1142 : 1088;
    int *out = check_alloc(n * sizeof *out), *in = check_alloc(n * sizeof *in);
    memset(out, 0, n * sizeof *out);
    if (strcmp(what, "bcast") == 0) {
        n = rank == 0 ? 1 << 20 : 1 << 18;
        out = realloc(out, n);
        MPI_Bcast(out, n, MPI_BYTE, 0, MPI_COMM_WORLD);
    } else if (strcmp(what, "calls") == 0 && rank == 1)
        MPI_Bcast(out, 1088, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Allreduce(out, in, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    return check_finish();
}
