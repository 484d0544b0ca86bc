// SPDX-License-Identifier: MIT OR Apache-2.0
// Sessions: process sets, groups and communicators from them, alone and beside MPI_Init, one after the other and two at once,
// error handlers, intercommunicators from groups. Argument "world": with MPI_Init around; "twice": the job is entered again;
// "strict": a set that does not exist gives MPI_GROUP_NULL (MPICH 4.0.2 ends the program).
#include "check.h"

static int handled, check_strict;

static void handler(MPI_Session *session, int *code, ...) {
    (void)session;
    (void)code;
    handled++;
}

static void sets(MPI_Session session) {
    int count = 0, flag = 0, length;
    char name[MPI_MAX_PSET_NAME_LEN], value[64];
    MPI_Info info;
    DO(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
    CHECK(count >= 2);
    for (int i = 0; i < count; i++) {
        length = 0;
        DO(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL));
        CHECK(length > 6);
        DO(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name));
        CHECK_EQ(strlen(name), length - 1);
        DO(MPI_Session_get_pset_info(session, name, &info));
        DO(MPI_Info_get(info, "mpi_size", 63, value, &flag));
        CHECK(flag && atoi(value) >= 1);
        if (strcmp(name, "mpi://SELF") == 0)
            CHECK_STR(value, "1");
        DO(MPI_Info_free(&info));
    }
}

static MPI_Comm comm_of(MPI_Session session, const char *set, const char *tag) {
    MPI_Group group;
    MPI_Comm comm;
    DO(MPI_Group_from_session_pset(session, set, &group));
    DO(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    DO(MPI_Group_free(&group));
    return comm;
}

static void use(MPI_Comm comm) {
    int sum = 0, one = 1, value = -1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    DO(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_EQ(sum, size);
    DO(MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &value, 1, MPI_INT, (rank + size - 1) % size, 0, comm,
                    MPI_STATUS_IGNORE));
    CHECK_EQ(value, (rank + size - 1) % size);
    CHECK_ERROR(MPI_Send(&one, 1, MPI_INT, size, 0, comm), MPI_ERR_RANK);
}

// Even and odd ranks as two groups.
static void inter(MPI_Session session) {
    MPI_Group all, mine, theirs;
    MPI_Comm comm;
    int range[2][3] = {{0, size - 1, 2}, {1, size - 1, 2}}, odd = rank % 2, remote = 0, leader = -1;
    if (size < 2)
        return;
    DO(MPI_Group_from_session_pset(session, "mpi://WORLD", &all));
    DO(MPI_Group_range_incl(all, 1, &range[odd], &mine));
    DO(MPI_Group_range_incl(all, 1, &range[!odd], &theirs));
    DO(MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, "halves", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    DO(MPI_Comm_remote_size(comm, &remote));
    CHECK_EQ(remote, odd ? (size + 1) / 2 : size / 2);
    if (rank < 2) {
        DO(MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &leader, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE));
        CHECK_EQ(leader, !odd);
    }
    DO(MPI_Comm_free(&comm));
    DO(MPI_Group_free(&all));
    DO(MPI_Group_free(&mine));
    DO(MPI_Group_free(&theirs));
}

static void handlers(MPI_Session session) {
    MPI_Errhandler made, found;
    MPI_Group group;
    DO(MPI_Session_create_errhandler(handler, &made));
    DO(MPI_Session_set_errhandler(session, made));
    DO(MPI_Session_get_errhandler(session, &found));
    CHECK(found == made);
    DO(MPI_Errhandler_free(&found));
    DO(MPI_Errhandler_free(&made));
    DO(MPI_Session_call_errhandler(session, MPI_ERR_OTHER));
    CHECK_EQ(handled, 1);
    if (check_strict) {
        DO(MPI_Group_from_session_pset(session, "mpi://NOWHERE", &group));
        CHECK(group == MPI_GROUP_NULL);
    }
    handled = 0;
    DO(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
}

static void one(void) {
    MPI_Session session, other;
    MPI_Info info;
    int flag = 0;
    char level[64];
    DO(MPI_Info_create(&info));
    DO(MPI_Info_set(info, "thread_level", "MPI_THREAD_SINGLE"));
    DO(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
    DO(MPI_Info_free(&info));
    DO(MPI_Session_get_info(session, &info));
    DO(MPI_Info_get(info, "thread_level", 63, level, &flag));
    CHECK(flag && strncmp(level, "MPI_THREAD_", 11) == 0);
    DO(MPI_Info_free(&info));
    sets(session);
    MPI_Comm world = comm_of(session, "mpi://WORLD", "first");
    DO(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other));
    MPI_Comm again = comm_of(other, "mpi://WORLD", "second"), self = comm_of(other, "mpi://SELF", "self");
    use(self);
    CHECK_EQ(size, 1);
    use(again);
    use(world);
    inter(session);
    handlers(session);
    DO(MPI_Comm_free(&self));
    DO(MPI_Comm_free(&again));
    DO(MPI_Comm_free(&world));
    DO(MPI_Session_finalize(&other));
    DO(MPI_Session_finalize(&session));
    CHECK(session == MPI_SESSION_NULL && other == MPI_SESSION_NULL);
}

int main(int argc, char **argv) {
    int world = check_option(argc, argv, "world"), flag = -1, final;
    check_strict = check_option(argc, argv, "strict");
    if (world)
        check_start(&argc, &argv);
    one();
    if (check_option(argc, argv, "twice"))
        one();
    MPI_Initialized(&flag);
    CHECK_EQ(flag, world);
    if (world) {
        int sum = 0, mine = 1;
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        DO(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQ(sum, size);
        return check_finish();
    }
    final = check_failures;
    if (final == 0 && rank == 0)
        puts("OK");
    return final != 0;
}
