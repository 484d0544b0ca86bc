// SPDX-License-Identifier: MIT OR Apache-2.0
// Chapters that Paceline does not have yet give their clear error: windows and the handlers on them, files, spawning, name service.
// The class is MPI_ERR_UNSUPPORTED_OPERATION, its string says so, and the library works on. Argument "fatal": with the default
// handler the message names the call. (On the peers these calls work.)
#include "check.h"

#define W MPI_COMM_WORLD
#define LATER(call) CHECK_ERROR(call, MPI_ERR_UNSUPPORTED_OPERATION)

static void on_win(MPI_Win *win, int *code, ...) {
    (void)win, (void)code;
}

static void windows(void) {
    MPI_Win win = MPI_WIN_NULL;
    MPI_Errhandler mine, found;
    void *base;
    LATER(MPI_Win_create(&rank, sizeof rank, 1, MPI_INFO_NULL, W, &win));
    LATER(MPI_Win_allocate(64, 1, MPI_INFO_NULL, W, &base, &win));
    LATER(MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, W, &base, &win));
    LATER(MPI_Win_create_dynamic(MPI_INFO_NULL, W, &win));
    CHECK(win == MPI_WIN_NULL);
    // A handler can be made, as there is nothing wrong with it; there is no window to set it on.
    DO(MPI_Win_create_errhandler(on_win, &mine));
    LATER(MPI_Win_set_errhandler(MPI_WIN_NULL, mine));
    LATER(MPI_Win_get_errhandler(MPI_WIN_NULL, &found));
    LATER(MPI_Win_call_errhandler(MPI_WIN_NULL, MPI_ERR_OTHER));
    // It is for windows; MPI has a class for that since 4.1.
#ifdef MPI_ABI_VERSION
    CHECK_ERROR(MPI_Comm_set_errhandler(W, mine), MPI_ERR_ERRHANDLER);
#else
    CHECK_ERROR(MPI_Comm_set_errhandler(W, mine), MPI_ERR_ARG);
#endif
    DO(MPI_Errhandler_free(&mine));
}

static void files(void) {
    MPI_File file = MPI_FILE_NULL;
    LATER(MPI_File_open(MPI_COMM_SELF, "nothing", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    LATER(MPI_File_delete("nothing", MPI_INFO_NULL));
    CHECK(file == MPI_FILE_NULL);
}

static void processes(void) {
    MPI_Comm inter = MPI_COMM_NULL;
    char port[MPI_MAX_PORT_NAME] = "";
    LATER(MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE));
    LATER(MPI_Open_port(MPI_INFO_NULL, port));
    LATER(MPI_Lookup_name("nobody", MPI_INFO_NULL, port));
    CHECK(inter == MPI_COMM_NULL);
}

int main(int argc, char **argv) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0, sum = 0;
    check_start(&argc, &argv);
    if (check_option(argc, argv, "fatal")) {
        MPI_Win win;
        MPI_Win_create(&rank, sizeof rank, 1, MPI_INFO_NULL, W, &win);
        return 0;
    }
    DO(MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN));
    DO(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    windows();
    files();
    processes();
    DO(MPI_Error_string(MPI_ERR_UNSUPPORTED_OPERATION, text, &length));
    CHECK(strstr(text, "supported") != NULL);
    DO(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, W));
    CHECK_EQ(sum, size * (size - 1) / 2);
    return check_finish();
}
