// SPDX-License-Identifier: MIT OR Apache-2.0
// The tool interface: control and performance variables by index and by name, their handles, sessions, categories, errors.
#include "check.h"

#define NAME 256

static void cvars(void) {
    int count = -1;
    DO(MPI_T_cvar_get_num(&count));
    CHECK(count > 0);
    for (int i = 0; i < count; i++) {
        char name[NAME], text[NAME];
        int name_length = NAME, text_length = NAME, verbosity, bind, scope, index = -1;
        MPI_Datatype type;
        MPI_T_enum values;
        DO(MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, &values, text, &text_length, &bind, &scope));
        CHECK_EQ(name_length, strlen(name) + 1);
        DO(MPI_T_cvar_get_index(name, &index));
        CHECK_EQ(index, i);
        // What the caller does not want is NULL.
        memset(name, 0, NAME);
        name_length = NAME;
        DO(MPI_T_cvar_get_info(i, name, &name_length, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
        CHECK_EQ(name_length, strlen(name) + 1);
    }
    CHECK(MPI_T_cvar_get_index("no such variable", &count) == MPI_T_ERR_INVALID_NAME);
}

static void pvars(void) {
    int count = -1;
    MPI_T_pvar_session session;
    DO(MPI_T_pvar_get_num(&count));
    DO(MPI_T_pvar_session_create(&session));
    for (int i = 0; i < count; i++) {
        char name[NAME], text[NAME];
        int name_length = NAME, text_length = NAME, verbosity, class, bind, readonly, continuous, atomic, index = -1, elements = 0;
        MPI_Datatype type;
        MPI_T_enum values;
        MPI_T_pvar_handle handle;
        DO(MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &class, &type, &values, text, &text_length, &bind, &readonly,
                               &continuous, &atomic));
        DO(MPI_T_pvar_get_info(i, NULL, NULL, NULL, &class, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
        DO(MPI_T_pvar_get_index(name, class, &index));
        CHECK_EQ(index, i);
        if (bind != MPI_T_BIND_NO_OBJECT || type != MPI_UNSIGNED_LONG_LONG)
            continue;
        DO(MPI_T_pvar_handle_alloc(session, i, NULL, &handle, &elements));
        CHECK(elements >= 1);
        unsigned long long *data = check_alloc(elements * sizeof *data);
        if (continuous)
            CHECK_EQ(MPI_T_pvar_start(session, handle), MPI_T_ERR_PVAR_NO_STARTSTOP);
        else
            DO(MPI_T_pvar_start(session, handle));
        DO(MPI_T_pvar_read(session, handle, data));
        if (readonly)
            CHECK_EQ(MPI_T_pvar_write(session, handle, data), MPI_T_ERR_PVAR_NO_WRITE);
        free(data);
        DO(MPI_T_pvar_handle_free(session, &handle));
        CHECK(handle == MPI_T_PVAR_HANDLE_NULL);
    }
    DO(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
    DO(MPI_T_pvar_session_free(&session));
    CHECK(session == MPI_T_PVAR_SESSION_NULL);
}

static void categories(void) {
    int count = -1, before = -1, after = -2;
    DO(MPI_T_category_changed(&before));
    DO(MPI_T_category_get_num(&count));
    for (int i = 0; i < count; i++) {
        char name[NAME], text[NAME];
        int name_length = NAME, text_length = NAME, of[3], index = -1;
        DO(MPI_T_category_get_info(i, name, &name_length, text, &text_length, &of[0], &of[1], &of[2]));
        DO(MPI_T_category_get_index(name, &index));
        CHECK_EQ(index, i);
        int *members = check_alloc(of[0] * sizeof *members);
        DO(MPI_T_category_get_cvars(i, of[0], members));
        for (int j = 0; j < of[0]; j++)
            CHECK(members[j] >= 0);
        free(members);
    }
    DO(MPI_T_category_changed(&after));
    CHECK_EQ(before, after);
}

int main(int argc, char **argv) {
    int provided, count;
    CHECK_EQ(MPI_T_cvar_get_num(&count), MPI_T_ERR_NOT_INITIALIZED);
    DO(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    check_start(&argc, &argv);
    cvars();
    pvars();
    categories();
    DO(MPI_T_finalize());
    return check_finish();
}
