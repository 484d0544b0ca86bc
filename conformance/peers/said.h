// SPDX-License-Identifier: MIT OR Apache-2.0
// What programs that say what calls return share: a report of each rank, which rank 0 prints, and the names of error classes.
#ifndef SAID_H
#define SAID_H

#include "../programs/check.h"

#define W MPI_COMM_WORLD

static char report[32768];

#define SAY(...) snprintf(report + strlen(report), sizeof report - strlen(report), __VA_ARGS__)
#define CLASS(call) SAY("  %s: %s\n", #call, class_name(call))

static const char *class_name(int code) {
    static const struct {
        int class;
        const char *name;
    } names[] = {
        {MPI_SUCCESS, "MPI_SUCCESS"},     {MPI_ERR_BUFFER, "MPI_ERR_BUFFER"},     {MPI_ERR_COUNT, "MPI_ERR_COUNT"},
        {MPI_ERR_TYPE, "MPI_ERR_TYPE"},   {MPI_ERR_TAG, "MPI_ERR_TAG"},           {MPI_ERR_COMM, "MPI_ERR_COMM"},
        {MPI_ERR_RANK, "MPI_ERR_RANK"},   {MPI_ERR_ROOT, "MPI_ERR_ROOT"},         {MPI_ERR_GROUP, "MPI_ERR_GROUP"},
        {MPI_ERR_OP, "MPI_ERR_OP"},       {MPI_ERR_TOPOLOGY, "MPI_ERR_TOPOLOGY"}, {MPI_ERR_DIMS, "MPI_ERR_DIMS"},
        {MPI_ERR_ARG, "MPI_ERR_ARG"},     {MPI_ERR_UNKNOWN, "MPI_ERR_UNKNOWN"},   {MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE"},
        {MPI_ERR_OTHER, "MPI_ERR_OTHER"}, {MPI_ERR_INTERN, "MPI_ERR_INTERN"},     {MPI_ERR_IN_STATUS, "MPI_ERR_IN_STATUS"},
        {MPI_ERR_PENDING, "MPI_ERR_PENDING"}, {MPI_ERR_KEYVAL, "MPI_ERR_KEYVAL"}, {MPI_ERR_INFO, "MPI_ERR_INFO"},
        {MPI_ERR_INFO_KEY, "MPI_ERR_INFO_KEY"}, {MPI_ERR_INFO_NOKEY, "MPI_ERR_INFO_NOKEY"}, {MPI_ERR_REQUEST, "MPI_ERR_REQUEST"},
        {MPI_ERR_INFO_VALUE, "MPI_ERR_INFO_VALUE"}, {MPI_ERR_NO_MEM, "MPI_ERR_NO_MEM"},
    };
    int class = check_class(code);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].class == class)
            return names[i].name;
    return "another class";
}

// Errors come back, also those that concern no communicator (in MPI 4 they are those of MPI_COMM_SELF).
static void say_start(int *argc, char ***argv) {
    check_start(argc, argv);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

static int say_finish(void) {
    for (int r = 0; r < size; r++) {
        if (r > 0 && rank == 0)
            MPI_Recv(report, sizeof report, MPI_CHAR, r, 500, W, MPI_STATUS_IGNORE);
        else if (r == rank && rank > 0)
            MPI_Send(report, (int)strlen(report) + 1, MPI_CHAR, 0, 500, W);
        if (rank == 0)
            printf("rank %d\n%s", r, report);
    }
    return check_finish();
}

#endif
