// SPDX-License-Identifier: MIT OR Apache-2.0
// Wide envelopes: types from _c constructors tell their counts as large counts, the others tell them as before; value-index
// pairs by their parts; what can be asked about the hardware; the fields of a status.
#include "check.h"

static void envelope(MPI_Datatype type, int integers, int addresses, int counts, int types, int combiner) {
    MPI_Count n[4] = {-1, -1, -1, -1};
    int found = -1;
    DO(MPI_Type_get_envelope_c(type, &n[0], &n[1], &n[2], &n[3], &found));
    CHECK_EQ(found, combiner);
    CHECK_EQ(n[0], integers);
    CHECK_EQ(n[1], addresses);
    CHECK_EQ(n[2], counts);
    CHECK_EQ(n[3], types);
}

static void contents(MPI_Datatype type, int integers, const int *wanted, int counts, const MPI_Count *large) {
    int found[32];
    MPI_Aint addresses[8];
    MPI_Count numbers[32];
    MPI_Datatype types[8];
    DO(MPI_Type_get_contents_c(type, integers, 0, counts, 1, found, addresses, numbers, types));
    for (int i = 0; i < integers; i++)
        CHECK_EQ(found[i], wanted[i]);
    for (int i = 0; i < counts; i++)
        CHECK_EQ(numbers[i], large[i]);
    CHECK(types[0] == MPI_INT);
}

int main(int argc, char **argv) {
    check_start(&argc, &argv);
    MPI_Count big = (MPI_Count)1 << 40, sizes[2] = {6, 8}, subsizes[2] = {2, 3}, starts[2] = {1, 2}, lengths[2] = {1, 2};
    MPI_Count places[2] = {0, 16};
    int distributions[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, 3}, grid[2] = {1, 1};
    MPI_Datatype type;

    DO(MPI_Type_contiguous_c(big, MPI_INT, &type));
    envelope(type, 0, 0, 1, 1, MPI_COMBINER_CONTIGUOUS);
    contents(type, 0, NULL, 1, &big);
    DO(MPI_Type_free(&type));
    DO(MPI_Type_contiguous(7, MPI_INT, &type));
    envelope(type, 1, 0, 0, 1, MPI_COMBINER_CONTIGUOUS);
    contents(type, 1, (int[]){7}, 0, NULL);
    DO(MPI_Type_free(&type));
    DO(MPI_Type_create_hvector_c(2, 3, big, MPI_INT, &type));
    envelope(type, 0, 0, 3, 1, MPI_COMBINER_HVECTOR);
    contents(type, 0, NULL, 3, (MPI_Count[]){2, 3, big});
    DO(MPI_Type_free(&type));
    DO(MPI_Type_create_hindexed_c(2, lengths, places, MPI_INT, &type));
    envelope(type, 0, 0, 5, 1, MPI_COMBINER_HINDEXED);
    contents(type, 0, NULL, 5, (MPI_Count[]){2, 1, 2, 0, 16});
    DO(MPI_Type_free(&type));
    DO(MPI_Type_create_resized_c(MPI_INT, -4, 64, &type));
    envelope(type, 0, 0, 2, 1, MPI_COMBINER_RESIZED);
    DO(MPI_Type_free(&type));
    DO(MPI_Type_create_subarray_c(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_INT, &type));
    envelope(type, 2, 0, 6, 1, MPI_COMBINER_SUBARRAY);
    contents(type, 2, (int[]){2, MPI_ORDER_FORTRAN}, 6, (MPI_Count[]){6, 8, 2, 3, 1, 2});
    DO(MPI_Type_free(&type));
    DO(MPI_Type_create_darray_c(1, 0, 2, sizes, distributions, arguments, grid, MPI_ORDER_C, MPI_INT, &type));
    envelope(type, 10, 0, 2, 1, MPI_COMBINER_DARRAY);
    contents(type, 10,
             (int[]){1, 0, 2, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, 3, 1, 1, MPI_ORDER_C}, 2,
             sizes);
    DO(MPI_Type_free(&type));
    envelope(MPI_INT, 0, 0, 0, 0, MPI_COMBINER_NAMED);

    DO(MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &type));
    CHECK(type == MPI_DOUBLE_INT);
    DO(MPI_Type_get_value_index(MPI_INT, MPI_INT, &type));
    CHECK(type == MPI_2INT);

    MPI_Info info = MPI_INFO_NULL;
    DO(MPI_Get_hw_resource_info(&info));
    DO(MPI_Info_free(&info));

    MPI_Status status;
    int value = -1;
    DO(MPI_Status_set_source(&status, 3));
    DO(MPI_Status_set_tag(&status, 4));
    DO(MPI_Status_set_error(&status, MPI_ERR_TAG));
    DO(MPI_Status_set_elements_c(&status, MPI_INT, 5));
    DO(MPI_Status_set_cancelled(&status, 0));
    CHECK_STATUS(&status, 3, 4, MPI_INT, 5);
    DO(MPI_Status_get_error(&status, &value));
    CHECK_EQ(value, MPI_ERR_TAG);
    return check_finish();
}
