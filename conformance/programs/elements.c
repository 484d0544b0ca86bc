// SPDX-License-Identifier: MIT OR Apache-2.0
// Get_count and Get_elements for whole and partial items; Status_set_elements; types of size 0.
#include "check.h"

static MPI_Datatype pair, gapped, triple;

// A message of other items arrives in a receive of `count` items of `type`.
static void receive(MPI_Datatype send_type, int send_count, MPI_Datatype type, int count, int wanted_count,
                    int wanted_elements, int line) {
    char out[400] = {0}, in[400];
    int found_count = -7, found_elements = -7;
    MPI_Count found_x = -7;
    MPI_Status status;
    DO(MPI_Sendrecv(out, send_count, send_type, 0, 1, in, count, type, 0, 1, MPI_COMM_SELF, &status));
    DO(MPI_Get_count(&status, type, &found_count));
    DO(MPI_Get_elements(&status, type, &found_elements));
    DO(MPI_Get_elements_x(&status, type, &found_x));
    if (found_count != wanted_count || found_elements != wanted_elements || found_x != wanted_elements)
        CHECK_FAIL("line %d: count %d, elements %d (%lld); should be %d and %d", line, found_count, found_elements,
                   (long long)found_x, wanted_count, wanted_elements);
}

#define RECEIVE(...) receive(__VA_ARGS__, __LINE__)

static void partial_items(void) {
    // pair: an int and a char; a message may end inside an item, between basic elements
    RECEIVE(pair, 3, pair, 5, 3, 6);
    RECEIVE(pair, 0, pair, 5, 0, 0);
    RECEIVE(MPI_INT, 1, pair, 5, MPI_UNDEFINED, 1);
    RECEIVE(MPI_INT, 4, triple, 5, MPI_UNDEFINED, 4);
    RECEIVE(MPI_INT, 6, triple, 5, 2, 6);
    RECEIVE(MPI_INT, 5, gapped, 5, MPI_UNDEFINED, 5);
    RECEIVE(MPI_INT, 4, gapped, 5, 2, 4);
    RECEIVE(MPI_CHAR, 13, MPI_CHAR, 100, 13, 13);
}

static void other_type(void) {
    int out[3] = {1, 2, 3}, in[3], found = 0;
    MPI_Status status;
    DO(MPI_Sendrecv(out, 3, MPI_INT, 0, 1, in, 3, MPI_INT, 0, 1, MPI_COMM_SELF, &status));
    DO(MPI_Get_count(&status, MPI_BYTE, &found));
    CHECK_EQ(found, 12);
    DO(MPI_Get_count(&status, MPI_DOUBLE, &found));
    CHECK_EQ(found, MPI_UNDEFINED);
    DO(MPI_Get_count(&status, MPI_SHORT, &found));
    CHECK_EQ(found, 6);
}

static void empty_type(void) {
    MPI_Datatype nothing;
    char c = 0;
    int found = -7;
    MPI_Status status;
    DO(MPI_Type_contiguous(0, MPI_INT, &nothing));
    DO(MPI_Type_commit(&nothing));
    DO(MPI_Sendrecv(&c, 5, nothing, 0, 1, &c, 9, nothing, 0, 1, MPI_COMM_SELF, &status));
    DO(MPI_Get_count(&status, nothing, &found));
    CHECK_EQ(found, 0);
    DO(MPI_Get_elements(&status, nothing, &found));
    CHECK_EQ(found, 0);
    DO(MPI_Type_free(&nothing));
}

static void set_elements(void) {
    MPI_Status status;
    int found = 0, flag = 0;
    memset(&status, 0, sizeof status);
    DO(MPI_Status_set_elements(&status, MPI_INT, 10));
    DO(MPI_Get_count(&status, MPI_INT, &found));
    CHECK_EQ(found, 10);
    DO(MPI_Status_set_elements_x(&status, triple, 6));
    DO(MPI_Get_count(&status, triple, &found));
    CHECK_EQ(found, 2);
    DO(MPI_Status_set_cancelled(&status, 1));
    DO(MPI_Test_cancelled(&status, &flag));
    CHECK_EQ(flag, 1);
    DO(MPI_Status_set_cancelled(&status, 0));
    DO(MPI_Test_cancelled(&status, &flag));
    CHECK_EQ(flag, 0);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    MPI_Datatype inner;
    DO(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_INT, MPI_CHAR}, &pair));
    DO(MPI_Type_contiguous(3, MPI_INT, &triple));
    DO(MPI_Type_vector(2, 1, 2, MPI_INT, &inner));
    DO(MPI_Type_create_resized(inner, 0, 16, &gapped));
    DO(MPI_Type_free(&inner));
    DO(MPI_Type_commit(&pair));
    DO(MPI_Type_commit(&triple));
    DO(MPI_Type_commit(&gapped));
    partial_items();
    other_type();
    empty_type();
    set_elements();
    DO(MPI_Type_free(&pair));
    DO(MPI_Type_free(&triple));
    DO(MPI_Type_free(&gapped));
    return check_finish();
}
