// SPDX-License-Identifier: MIT OR Apache-2.0
// The events of the tool interface: as many as are told can be asked about, and none beyond; what is not there is not found.
#include "check.h"

#define NAME 256

static void events(void) {
    int count = -1, index = -1;
    MPI_T_event_registration registration;
    DO(MPI_T_event_get_num(&count));
    CHECK(count >= 0);
    for (int i = 0; i <= count; i++) {
        char name[NAME], text[NAME];
        int name_length = NAME, text_length = NAME, verbosity, elements = 0, bind;
        MPI_T_enum values;
        MPI_Info info = MPI_INFO_NULL;
        int code = MPI_T_event_get_info(i, name, &name_length, &verbosity, NULL, NULL, &elements, &values, &info, text, &text_length,
                                        &bind);
        CHECK_EQ(code, i < count ? MPI_SUCCESS : MPI_T_ERR_INVALID_INDEX);
        if (code != MPI_SUCCESS)
            continue;
        DO(MPI_T_event_get_index(name, &index));
        CHECK_EQ(index, i);
        if (info != MPI_INFO_NULL)
            DO(MPI_Info_free(&info));
    }
    CHECK_EQ(MPI_T_event_get_index("no such event", &index), MPI_T_ERR_INVALID_NAME);
    CHECK_EQ(MPI_T_event_handle_alloc(count, NULL, MPI_INFO_NULL, &registration), MPI_T_ERR_INVALID_INDEX);
}

static void sources(void) {
    int count = -1;
    MPI_Count stamp = -1;
    DO(MPI_T_source_get_num(&count));
    CHECK(count >= 0);
    for (int i = 0; i <= count; i++) {
        char name[NAME], text[NAME];
        int name_length = NAME, text_length = NAME;
        MPI_T_source_order ordering;
        MPI_Count ticks, most;
        MPI_Info info = MPI_INFO_NULL;
        int code = MPI_T_source_get_info(i, name, &name_length, text, &text_length, &ordering, &ticks, &most, &info);
        CHECK_EQ(code, i < count ? MPI_SUCCESS : MPI_T_ERR_INVALID_INDEX);
        if (code == MPI_SUCCESS && info != MPI_INFO_NULL)
            DO(MPI_Info_free(&info));
    }
    CHECK_EQ(MPI_T_source_get_timestamp(count, &stamp), MPI_T_ERR_INVALID_INDEX);
}

// Categories have no events that there are not.
static void categories(void) {
    int count = -1, all = -1;
    DO(MPI_T_category_get_num(&count));
    DO(MPI_T_event_get_num(&all));
    for (int i = 0; i < count; i++) {
        int events = -1;
        DO(MPI_T_category_get_num_events(i, &events));
        CHECK(events >= 0 && events <= all);
        int *members = check_alloc(events * sizeof *members);
        DO(MPI_T_category_get_events(i, events, members));
        for (int j = 0; j < events; j++)
            CHECK(members[j] >= 0 && members[j] < all);
        free(members);
    }
    CHECK_EQ(MPI_T_category_get_num_events(count, &all), MPI_T_ERR_INVALID_INDEX);
}

int main(int argc, char **argv) {
    int provided;
    DO(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    check_start(&argc, &argv);
    events();
    sources();
    categories();
    DO(MPI_T_finalize());
    return check_finish();
}
