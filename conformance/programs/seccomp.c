// SPDX-License-Identifier: MIT OR Apache-2.0
// A seccomp filter on the last rank makes process_vm_readv, process_vm_writev, mbind and set_mempolicy fail with EPERM after
// MPI_Init, as a container may; large Bcast, Allreduce and Sendrecv stay right in both directions. Argument
// "used": only after large messages have passed.
#include "check.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BYTES (32 << 20)
#define INTS (BYTES / 4)

static void forbid(void) {
#define REFUSE(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        REFUSE(process_vm_readv),
        REFUSE(process_vm_writev),
        REFUSE(mbind),
        REFUSE(set_mempolicy),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("seccomp");
        exit(9);
    }
    CHECK(syscall(SYS_process_vm_readv, getpid(), NULL, 0, NULL, 0, 0) == -1 && errno == EPERM);
}

static void broadcasts(unsigned char *data) {
    for (int root = 0; root < size; root++) {
        if (rank == root)
            check_fill(data, BYTES, root);
        else
            memset(data, 0, BYTES);
        DO(MPI_Bcast(data, BYTES, MPI_BYTE, root, MPI_COMM_WORLD));
        CHECK_FILLED(data, BYTES, root);
    }
}

static void sums(int *in, int *out) {
    for (int i = 0; i < INTS; i++)
        in[i] = rank + i;
    DO(MPI_Allreduce(in, out, INTS, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < INTS; i++)
        if (out[i] != size * (size - 1) / 2 + size * i) {
            CHECK_FAIL("sum %d is %d", i, out[i]);
            break;
        }
}

static void ring(unsigned char *out, unsigned char *in) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    for (int round = 0; round < 3; round++) {
        check_fill(out, BYTES, rank + round);
        DO(MPI_Sendrecv(out, BYTES, MPI_BYTE, next, 1, in, BYTES, MPI_BYTE, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_FILLED(in, BYTES, previous + round);
    }
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    unsigned char *a = check_alloc(BYTES), *b = check_alloc(BYTES);
    if (check_option(argc, argv, "used")) // all ways have been used before they are forbidden
        ring(a, b);
    if (rank == size - 1)
        forbid();
    ring(a, b);
    broadcasts(a);
    sums((int *)a, (int *)b);
    free(a);
    free(b);
    return check_finish();
}
