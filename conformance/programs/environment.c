// SPDX-License-Identifier: MIT OR Apache-2.0
// What a program may ask before, between and after: versions, names, clocks, threads, Init and Finalize states, memory, info.
#include "check.h"

static void before(void) {
    int flag = 1, version = 0, subversion = -1, length = 0;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    DO(MPI_Initialized(&flag));
    CHECK_EQ(flag, 0);
    DO(MPI_Finalized(&flag));
    CHECK_EQ(flag, 0);
    DO(MPI_Get_version(&version, &subversion));
    CHECK(version >= 3 && subversion >= 0);
    DO(MPI_Get_library_version(text, &length));
    CHECK(length > 0 && (length == (int)strlen(text) || length == (int)strlen(text) + 1)); // Open MPI counts the end too
}

static void names_and_clocks(void) {
    char name[MPI_MAX_PROCESSOR_NAME];
    int length = -1;
    DO(MPI_Get_processor_name(name, &length));
    CHECK(length > 0 && (int)strlen(name) == length);
    double last = MPI_Wtime();
    CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 1);
    for (int i = 0; i < 1000; i++) {
        double now = MPI_Wtime();
        CHECK(now >= last);
        last = now;
    }
}

static void threads(int provided) {
    int level = -1, main_thread = 0;
    DO(MPI_Query_thread(&level));
    CHECK_EQ(level, provided);
    CHECK(level >= MPI_THREAD_SINGLE && level <= MPI_THREAD_MULTIPLE);
    DO(MPI_Is_thread_main(&main_thread));
    CHECK_EQ(main_thread, 1);
}

static void memory(void) {
    for (MPI_Aint bytes = 1; bytes <= 1 << 24; bytes *= 16) {
        unsigned char *p = NULL;
        DO(MPI_Alloc_mem(bytes, MPI_INFO_NULL, &p));
        CHECK(p != NULL);
        check_fill(p, bytes, 1);
        CHECK_FILLED(p, bytes, 1);
        DO(MPI_Free_mem(p));
    }
    MPI_Aint a, b;
    int array[10];
    DO(MPI_Get_address(&array[0], &a));
    DO(MPI_Get_address(&array[7], &b));
    CHECK_EQ(MPI_Aint_diff(b, a), 7 * sizeof(int));
    CHECK_EQ(MPI_Aint_add(a, 7 * sizeof(int)), b);
}

static void info(void) {
    MPI_Info a, b;
    int n = -1, flag = 0, length = 0;
    char value[100], key[MPI_MAX_INFO_KEY];
    DO(MPI_Info_create(&a));
    DO(MPI_Info_set(a, "colour", "blue"));
    DO(MPI_Info_set(a, "size", "7"));
    DO(MPI_Info_set(a, "colour", "dark red"));
    DO(MPI_Info_get_nkeys(a, &n));
    CHECK_EQ(n, 2);
    DO(MPI_Info_get(a, "colour", 99, value, &flag));
    CHECK(flag);
    CHECK_STR(value, "dark red");
    DO(MPI_Info_get_valuelen(a, "colour", &length, &flag));
    CHECK(flag && length == 8);
    DO(MPI_Info_get(a, "colour", 4, value, &flag)); // cut to four characters
    CHECK_STR(value, "dark");
    DO(MPI_Info_get(a, "nothing", 99, value, &flag));
    CHECK_EQ(flag, 0);
    DO(MPI_Info_get_nthkey(a, 0, key));
    CHECK_STR(key, "colour");
    DO(MPI_Info_get_nthkey(a, 1, key));
    CHECK_STR(key, "size");
    DO(MPI_Info_dup(a, &b));
    DO(MPI_Info_delete(a, "colour"));
    DO(MPI_Info_get(a, "colour", 99, value, &flag));
    CHECK_EQ(flag, 0);
    DO(MPI_Info_get(b, "colour", 99, value, &flag));
    CHECK_EQ(flag, 1);
    DO(MPI_Info_free(&a));
    DO(MPI_Info_free(&b));
    CHECK(a == MPI_INFO_NULL);
    DO(MPI_Info_get_nkeys(MPI_INFO_ENV, &n));
    CHECK(n >= 0);
}

static int counted;

static int count(MPI_Comm comm, int key, void *value, void *state) {
    (void)comm, (void)key, (void)value, (void)state;
    counted++;
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    int wanted = check_option(argc, argv, "single")       ? MPI_THREAD_SINGLE
                 : check_option(argc, argv, "funneled")   ? MPI_THREAD_FUNNELED
                 : check_option(argc, argv, "serialized") ? MPI_THREAD_SERIALIZED
                                                          : MPI_THREAD_MULTIPLE;
    int provided = -1, flag = 0, key;
    before();
    DO(MPI_Init_thread(&argc, &argv, wanted, &provided));
    check_ranks();
    CHECK(provided >= wanted);
    DO(MPI_Initialized(&flag));
    CHECK_EQ(flag, 1);
    names_and_clocks();
    threads(provided);
    memory();
    info();
    DO(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count, &key, NULL));
    DO(MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL));
    DO(MPI_Finalize());
    CHECK_EQ(counted, 1);
    DO(MPI_Finalized(&flag));
    CHECK_EQ(flag, 1);
    DO(MPI_Initialized(&flag));
    CHECK_EQ(flag, 1);
    int version, subversion;
    DO(MPI_Get_version(&version, &subversion));
    if (rank == 0 && check_failures == 0)
        puts("OK");
    return check_failures != 0;
}
