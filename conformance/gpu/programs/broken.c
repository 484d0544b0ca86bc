// SPDX-License-Identifier: MIT OR Apache-2.0
// The devices of rank 0 fail in the middle of a run, by an illegal access (the simulated driver is told to).
// Every call of rank 0 that needs them returns an error; a call that has to
// do with rank 0 ends on the other side, too, with an error where its data cannot come; messages in host memory still work. Devices that
// fail within a collective: middle.c.
#include "cuda.h"

#define SMALL 1000
#define LARGE (3 << 20)

static Memory near[2], far[3];
static MPI_Request requests[3];

static void broken(int code, const char *what) {
    if (code == MPI_SUCCESS)
        CHECK_FAIL("%s succeeded on a device that has failed", what);
    else
        CHECK_EQ(check_class(code), MPI_ERR_OTHER);
}
#define BROKEN(call) broken(call, #call)

// A kernel that writes where nothing is.
static const char *const strays = ".version 6.3\n.target sm_70\n.address_size 64\n"
                                  ".visible .entry stray()\n{\n.reg .b32 %r<2>;\n.reg .b64 %rd<2>;\n"
                                  "mov.u64 %rd1, 64;\nmov.u32 %r1, 1;\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

// The simulated driver is told to fail; a real one does from an illegal access on, in this process alone.
static void break_devices(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), *module, *function;
    void (*with)(int) = NULL;
    *(void **)&with = library == NULL ? NULL : dlsym(library, "simcudaBreak");
    if (with != NULL) {
        with(700);
        return;
    }
    CU(cuModuleLoadData(&module, strays));
    CU(cuModuleGetFunction(&function, module, "stray"));
    CU(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    if (cuStreamSynchronize(NULL) != 700) {
        fprintf(stderr, "an illegal access did not make the device fail\n");
        exit(9);
    }
}

// Begun while the devices work, and not complete when they fail: a receive that waits, sends that nobody has taken yet.
static void begin(void) {
    if (rank != 0)
        return;
    DO(MPI_Irecv(far[0].at, SMALL, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &requests[0]));
    DO(MPI_Irecv(far[1].at, LARGE, MPI_BYTE, 1, 2, MPI_COMM_WORLD, &requests[1]));
    DO(MPI_Isend(far[2].at, LARGE, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &requests[2]));
}

// A receive that fails has its sender succeed all the same; what a failed send does to its receiver depends on who reads.
static void finish(void) {
    if (rank == 0) {
        BROKEN(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        BROKEN(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
        MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
        CHECK(requests[2] == MPI_REQUEST_NULL);
    } else if (rank == 1) {
        CHECK(MPI_Send(near[0].at, SMALL, MPI_BYTE, 0, 1, MPI_COMM_WORLD) == MPI_SUCCESS);
        CHECK(MPI_Send(near[1].at, LARGE, MPI_BYTE, 0, 2, MPI_COMM_WORLD) == MPI_SUCCESS);
        MPI_Recv(near[1].at, LARGE, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

// Begun afterwards: nothing of it leaves rank 0.
static void after(void) {
    MPI_Request request;
    if (rank != 0)
        return;
    BROKEN(MPI_Send(far[0].at, SMALL, MPI_BYTE, 1, 4, MPI_COMM_WORLD));
    BROKEN(MPI_Send(far[1].at, LARGE, MPI_BYTE, 1, 4, MPI_COMM_WORLD));
    BROKEN(MPI_Bsend(far[0].at, SMALL, MPI_BYTE, 1, 4, MPI_COMM_WORLD));
    BROKEN(MPI_Isend(far[1].at, LARGE, MPI_BYTE, 1, 4, MPI_COMM_WORLD, &request));
    BROKEN(MPI_Sendrecv_replace(far[0].at, SMALL, MPI_BYTE, 0, 4, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    BROKEN(MPI_Reduce_local(far[0].at, far[1].at, SMALL / 4, MPI_INT, MPI_SUM));
    BROKEN(MPI_Reduce_local(near[0].at, far[1].at, SMALL / 4, MPI_INT, MPI_SUM));
}

// What rank 0 would contribute cannot come: every rank that needs it gets an error, in that call alone.
static void collective(void) {
    void *small = rank == 0 ? far[0].at : near[0].at, *large = rank == 0 ? far[1].at : near[1].at;
    BROKEN(MPI_Allreduce(MPI_IN_PLACE, small, SMALL / 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    BROKEN(MPI_Bcast(small, SMALL, MPI_BYTE, 0, MPI_COMM_WORLD));
    int code = MPI_Bcast(small, SMALL, MPI_BYTE, size - 1, MPI_COMM_WORLD);
    if (rank == 0)
        BROKEN(code);
    else
        CHECK(code == MPI_SUCCESS);
    code = MPI_Reduce(rank == 1 ? MPI_IN_PLACE : small, small, SMALL / 4, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
    if (rank < 2)
        BROKEN(code);
    BROKEN(MPI_Allreduce(MPI_IN_PLACE, large, LARGE / 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    BROKEN(MPI_Bcast(large, LARGE, MPI_BYTE, 0, MPI_COMM_WORLD));
}

// Host memory is served as ever, also memory that is neither in the heap nor on the stack.
static void host(void) {
    static int values[4];
    int one = 1, all = 0;
    CHECK(MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK_EQ(all, size);
    values[0] = rank == 0 ? 17 : 0;
    CHECK(MPI_Bcast(values, 4, MPI_INT, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK_EQ(values[0], 17);
}

int main(int argc, char **argv) {
    cuda_begin(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    near[0] = cuda_alloc(HOST, SMALL);
    near[1] = cuda_alloc(HOST, LARGE);
    for (int i = 0; i < 3; i++)
        far[i] = cuda_alloc(cuda_kind(rank), i == 0 ? SMALL : LARGE);
    static char room[2 * SMALL + 10000];
    MPI_Buffer_attach(room, sizeof room);
    begin();
    CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
    if (rank == 0)
        break_devices();
    CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
    finish();
    after();
    collective();
    host();
    return check_finish();
}
