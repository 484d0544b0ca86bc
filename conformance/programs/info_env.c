// SPDX-License-Identifier: MIT OR Apache-2.0
// MPI_INFO_ENV says how the program was started, before MPI_Init too in MPI 4 (MPI 4.1, section 11.2.1): the keys that are there have
// the right values, and a copy is an object as any other. Argument: any, which must be in "argv".
#include "check.h"

#include <unistd.h>

static int has(MPI_Info info, const char *key, char *value) {
    int flag = 0;
    DO(MPI_Info_get(info, key, 1000, value, &flag));
    return flag;
}

int main(int argc, char **argv) {
    char value[1001], here[1001];
    int keys = -1;
    check_start(&argc, &argv);
    DO(MPI_Info_get_nkeys(MPI_INFO_ENV, &keys));
    CHECK(keys > 0);
    CHECK(has(MPI_INFO_ENV, "command", value));
    CHECK(strstr(value, "info_env") != NULL);
    if (has(MPI_INFO_ENV, "argv", value))
        CHECK(argc < 2 || strstr(value, argv[1]) != NULL);
    CHECK(has(MPI_INFO_ENV, "maxprocs", value));
    CHECK_EQ(atoi(value), size);
    CHECK(has(MPI_INFO_ENV, "wdir", value));
    CHECK(getcwd(here, sizeof here) != NULL);
    CHECK_STR(value, here);
    if (has(MPI_INFO_ENV, "arch", value))
        CHECK(value[0] != 0);
    CHECK(!has(MPI_INFO_ENV, "no such key", value));
    MPI_Info copy;
    int again = -1;
    DO(MPI_Info_dup(MPI_INFO_ENV, &copy));
    DO(MPI_Info_get_nkeys(copy, &again));
    CHECK_EQ(again, keys);
    DO(MPI_Info_set(copy, "wdir", "elsewhere"));
    CHECK(has(copy, "wdir", value));
    CHECK_STR(value, "elsewhere");
    CHECK(has(MPI_INFO_ENV, "wdir", value));
    CHECK_STR(value, here);
    DO(MPI_Info_free(&copy));
    return check_finish();
}
