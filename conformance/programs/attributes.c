// SPDX-License-Identifier: MIT OR Apache-2.0
// Attributes on communicators and types: predefined ones, copy and delete callbacks with their arguments and results,
// deletion at free and at Finalize on MPI_COMM_SELF, freed keyvals, errors from callbacks.
#include "check.h"

#define W MPI_COMM_WORLD

static int copies, deletes, last_deleted;
static int extra = 77;

static int copy(MPI_Comm comm, int key, void *state, void *value, void *result, int *flag) {
    (void)comm, (void)key;
    CHECK(state == &extra);
    copies++;
    *(void **)result = (char *)value + 1;
    *flag = (intptr_t)value != 13; // this one is not copied
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int key, void *value, void *state) {
    (void)comm, (void)key;
    CHECK(state == &extra);
    deletes++;
    last_deleted = (int)(intptr_t)value;
    return MPI_SUCCESS;
}

static int refuse(MPI_Comm comm, int key, void *value, void *state) {
    (void)comm, (void)key, (void)value, (void)state;
    return MPI_ERR_OTHER;
}

static int type_copy(MPI_Datatype type, int key, void *state, void *value, void *result, int *flag) {
    (void)type, (void)key, (void)state;
    *(void **)result = value;
    *flag = 1;
    copies++;
    return MPI_SUCCESS;
}

static int type_delete(MPI_Datatype type, int key, void *value, void *state) {
    (void)type, (void)key, (void)value, (void)state;
    deletes++;
    return MPI_SUCCESS;
}

static void predefined(void) {
    int *value = NULL, flag = 0;
    DO(MPI_Comm_get_attr(W, MPI_TAG_UB, &value, &flag));
    CHECK(flag && *value >= 32767);
    DO(MPI_Comm_get_attr(W, MPI_HOST, &value, &flag));
    CHECK(flag && (*value == MPI_PROC_NULL || (*value >= 0 && *value < size)));
    DO(MPI_Comm_get_attr(W, MPI_IO, &value, &flag));
    CHECK(flag && *value == MPI_ANY_SOURCE);
    DO(MPI_Comm_get_attr(W, MPI_WTIME_IS_GLOBAL, &value, &flag));
    CHECK(!flag || *value == 0 || *value == 1);
    DO(MPI_Comm_get_attr(W, MPI_UNIVERSE_SIZE, &value, &flag));
    CHECK(!flag || *value > 0);
}

static int get(MPI_Comm comm, int key, int *found) {
    void *value = NULL;
    DO(MPI_Comm_get_attr(comm, key, &value, found));
    return (int)(intptr_t)value;
}

static void callbacks(void) {
    int key, other, flag = 1;
    MPI_Comm a, b;
    DO(MPI_Comm_create_keyval(copy, delete, &key, &extra));
    DO(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &other, NULL));
    DO(MPI_Comm_dup(W, &a));
    get(a, key, &flag);
    CHECK_EQ(flag, 0);
    copies = deletes = 0;
    DO(MPI_Comm_set_attr(a, key, (void *)5));
    DO(MPI_Comm_set_attr(a, other, (void *)6));
    CHECK_EQ(get(a, key, &flag), 5);
    CHECK_EQ(flag, 1);
    DO(MPI_Comm_set_attr(a, key, (void *)8)); // the old value is deleted
    CHECK_EQ(deletes, 1);
    CHECK_EQ(last_deleted, 5);
    DO(MPI_Comm_dup(a, &b));
    CHECK_EQ(copies, 1);
    CHECK_EQ(get(b, key, &flag), 9);
    get(b, other, &flag);
    CHECK_EQ(flag, 0);
    DO(MPI_Comm_delete_attr(a, key));
    CHECK_EQ(deletes, 2);
    CHECK_EQ(last_deleted, 8);
    get(a, key, &flag);
    CHECK_EQ(flag, 0);
    DO(MPI_Comm_set_attr(a, key, (void *)13));
    DO(MPI_Comm_free(&b));
    CHECK_EQ(deletes, 3);
    CHECK_EQ(last_deleted, 9);
    DO(MPI_Comm_dup(a, &b));
    get(b, key, &flag);
    CHECK_EQ(flag, 0);
    DO(MPI_Comm_free(&b));
    CHECK_EQ(deletes, 3);
    int freed = key;
    DO(MPI_Comm_free_keyval(&freed)); // the attribute lives on
    CHECK_EQ(freed, MPI_KEYVAL_INVALID);
    DO(MPI_Comm_free(&a));
    CHECK_EQ(deletes, 4);
    CHECK_EQ(last_deleted, 13);
    DO(MPI_Comm_free_keyval(&other));
}

// A split does not copy attributes, and the predefined dup function copies without a callback of ours.
static void dup_function(void) {
    int key, flag = 0;
    MPI_Comm a, b, c;
    DO(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    DO(MPI_Comm_dup(W, &a));
    DO(MPI_Comm_set_attr(a, key, &extra));
    DO(MPI_Comm_dup(a, &b));
    void *value = NULL;
    DO(MPI_Comm_get_attr(b, key, &value, &flag));
    CHECK(flag && value == &extra);
    DO(MPI_Comm_split(a, 0, rank, &c));
    get(c, key, &flag);
    CHECK_EQ(flag, 0);
    DO(MPI_Comm_free(&a));
    DO(MPI_Comm_free(&b));
    DO(MPI_Comm_free(&c));
    DO(MPI_Comm_free_keyval(&key));
}

static int refuse_copy(MPI_Comm comm, int key, void *state, void *value, void *copy, int *flag) {
    return MPI_ERR_INTERN;
}

// A copy function that refuses makes the call fail, also the nonblocking one; nothing is left to wait for.
static void refused_copy(void) {
    int key, class;
    MPI_Comm from, to = W;
    MPI_Request request = MPI_REQUEST_NULL;
    DO(MPI_Comm_create_keyval(refuse_copy, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    DO(MPI_Comm_dup(W, &from));
    MPI_Comm_set_errhandler(from, MPI_ERRORS_RETURN);
    DO(MPI_Comm_set_attr(from, key, &key));
    CHECK(MPI_Comm_dup(from, &to) != MPI_SUCCESS);
    CHECK(MPI_Error_class(MPI_Comm_idup(from, &to, &request), &class) == MPI_SUCCESS && class != MPI_SUCCESS);
    DO(MPI_Comm_delete_attr(from, key));
    DO(MPI_Comm_dup(from, &to));
    DO(MPI_Comm_free(&to));
    DO(MPI_Comm_free(&from));
    DO(MPI_Comm_free_keyval(&key));
}

static void refused(void) {
    int key, flag = 0;
    MPI_Comm comm;
    DO(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &key, NULL));
    DO(MPI_Comm_dup(W, &comm));
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    DO(MPI_Comm_set_attr(comm, key, (void *)1));
    CHECK(MPI_Comm_delete_attr(comm, key) != MPI_SUCCESS);
    get(comm, key, &flag);
    CHECK_EQ(flag, 1);
    CHECK(MPI_Comm_free(&comm) != MPI_SUCCESS); // and the communicator stays unfreed
}

static void on_types(void) {
    int key, flag = 0;
    void *value;
    MPI_Datatype a, b;
    copies = deletes = 0;
    DO(MPI_Type_create_keyval(type_copy, type_delete, &key, NULL));
    DO(MPI_Type_contiguous(3, MPI_INT, &a));
    DO(MPI_Type_set_attr(a, key, (void *)21));
    DO(MPI_Type_dup(a, &b));
    CHECK_EQ(copies, 1);
    DO(MPI_Type_get_attr(b, key, &value, &flag));
    CHECK(flag && (intptr_t)value == 21);
    DO(MPI_Type_free(&a));
    DO(MPI_Type_free(&b));
    CHECK_EQ(deletes, 2);
    DO(MPI_Type_free_keyval(&key));
}

// Attributes of MPI_COMM_SELF are deleted first of all in Finalize, the last set one first.
static int order[3], at_finalize;

static int in_finalize(MPI_Comm comm, int key, void *value, void *state) {
    (void)comm, (void)key, (void)state;
    int done = 1;
    MPI_Finalized(&done);
    if (done)
        CHECK_FAIL("the callback runs after MPI_Finalize");
    order[at_finalize++] = (int)(intptr_t)value;
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    predefined();
    callbacks();
    dup_function();
    refused();
    refused_copy();
    on_types();
    for (intptr_t i = 0; i < 3; i++) {
        int key;
        DO(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, in_finalize, &key, NULL));
        DO(MPI_Comm_set_attr(MPI_COMM_SELF, key, (void *)i));
    }
    DO(MPI_Finalize());
    CHECK_EQ(at_finalize, 3);
    CHECK(order[0] == 2 && order[1] == 1 && order[2] == 0);
    if (check_failures == 0 && rank == 0)
        puts("OK");
    return check_failures != 0;
}
