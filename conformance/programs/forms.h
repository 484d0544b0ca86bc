// SPDX-License-Identifier: MIT OR Apache-2.0
// A collective in one of its three forms, as the argument of the program says: blocking, "nonblocking", or "persistent" (started
// three times). Open MPI 4 has the persistent ones under the names MPIX_.
#ifndef FORMS_H
#define FORMS_H

#include "check.h"

#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
#else
#define INIT(name) MPI_##name##_init
#endif

static int persistent CHECK_UNUSED; // set by check_form

#define FORM(Name, name, ...)                                                                                \
    do {                                                                                                     \
        if (persistent) {                                                                                    \
            MPI_Request form_ = MPI_REQUEST_NULL;                                                            \
            DO(INIT(Name)(__VA_ARGS__, MPI_INFO_NULL, &form_));                                              \
            for (int round_ = 0; round_ < 3; round_++) {                                                     \
                DO(MPI_Start(&form_));                                                                       \
                DO(MPI_Wait(&form_, MPI_STATUS_IGNORE));                                                     \
            }                                                                                                \
            CHECK(form_ != MPI_REQUEST_NULL);                                                                \
            DO(MPI_Request_free(&form_));                                                                    \
        } else {                                                                                             \
            EITHER(Name, name, __VA_ARGS__);                                                                 \
        }                                                                                                    \
    } while (0)

CHECK_UNUSED static void check_form(int argc, char **argv) { persistent = check_option(argc, argv, "persistent"); }

// Element i of what goes from one rank to another.
#define VALUE(from, to, i) (((from) * 100 + (to)) * 100 + (i))

#endif
