/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Runs without MPI_Init: what may be called any time, and whether handles mean the same in the program and the library. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what) do { if (!(what)) { printf("line %d: %s does not hold\n", __LINE__, #what); exit(1); } } while (0)

/* A profiler's wrapper: takes MPI_Info_create, and is not called by PMPI_Info_create nor by anything inside the library. */
static int created;
int MPI_Info_create(MPI_Info *info)
{
    created++;
    return PMPI_Info_create(info);
}

/* A handle of a predefined object goes to Fortran's integer and comes back as the same address. */
#define ROUND(kind, handle) CHECK(MPI_##kind##_f2c(MPI_##kind##_c2f(handle)) == (handle))

static void handles(void)
{
    ROUND(Comm, MPI_COMM_WORLD); ROUND(Comm, MPI_COMM_SELF); ROUND(Comm, MPI_COMM_NULL);
    ROUND(Group, MPI_GROUP_EMPTY); ROUND(Group, MPI_GROUP_NULL);
    ROUND(Type, MPI_INT); ROUND(Type, MPI_DOUBLE); ROUND(Type, MPI_BYTE); ROUND(Type, MPI_PACKED); ROUND(Type, MPI_2INT);
    ROUND(Type, MPI_LOGICAL); ROUND(Type, MPI_DOUBLE_COMPLEX); ROUND(Type, MPI_C_DOUBLE_COMPLEX); ROUND(Type, MPI_CXX_BOOL);
    ROUND(Type, MPI_UINT64_T); ROUND(Type, MPI_AINT); ROUND(Type, MPI_DATATYPE_NULL);
    ROUND(Op, MPI_SUM); ROUND(Op, MPI_MAXLOC); ROUND(Op, MPI_REPLACE); ROUND(Op, MPI_OP_NULL);
    ROUND(Request, MPI_REQUEST_NULL); ROUND(Message, MPI_MESSAGE_NO_PROC); ROUND(Info, MPI_INFO_NULL); ROUND(Info, MPI_INFO_ENV);
    ROUND(Errhandler, MPI_ERRORS_RETURN); ROUND(Errhandler, MPI_ERRORS_ARE_FATAL); ROUND(Win, MPI_WIN_NULL); ROUND(File, MPI_FILE_NULL);
}

/* Open MPI's own integers, which Fortran programs were compiled with. */
static void integers(void)
{
    CHECK(MPI_Comm_c2f(MPI_COMM_WORLD) == 0);
    CHECK(MPI_Comm_c2f(MPI_COMM_SELF) == 1);
    CHECK(MPI_Type_c2f(MPI_INTEGER) == 7);
    CHECK(MPI_Type_c2f(MPI_DOUBLE_PRECISION) == 17);
    CHECK(MPI_Op_c2f(MPI_SUM) == 3);
    CHECK(MPI_Comm_f2c(2) == MPI_COMM_NULL);
    CHECK(MPI_Type_f2c(39) == MPI_INT);
}

static void statuses(void)
{
    MPI_Status in, out;
    MPI_Fint fortran[sizeof in / sizeof(MPI_Fint)];
    memset(&in, 7, sizeof in);
    memset(&out, 0, sizeof out);
    CHECK(MPI_Status_c2f(&in, fortran) == MPI_SUCCESS);
    CHECK(MPI_Status_f2c(fortran, &out) == MPI_SUCCESS);
    CHECK(memcmp(&in, &out, sizeof in) == 0);
    CHECK(MPI_Status_f2c(MPI_F_STATUS_IGNORE, &out) != MPI_SUCCESS);
}

/* Info objects may be made before MPI_Init (MPI 4.0): a dynamic handle, strings in and out. */
static void info(void)
{
    MPI_Info info = MPI_INFO_NULL;
    char value[16] = "untouched";
    int flag = 1, length = 0;
    CHECK(MPI_Info_create(&info) == MPI_SUCCESS && info != MPI_INFO_NULL);
    CHECK(MPI_Info_f2c(MPI_Info_c2f(info)) == info);
    CHECK(MPI_Info_set(info, "key", "a value") == MPI_SUCCESS);
    CHECK(MPI_Info_get(info, "none", 15, value, &flag) == MPI_SUCCESS && !flag && !strcmp(value, "untouched"));
    CHECK(MPI_Info_get(info, "key", 15, value, &flag) == MPI_SUCCESS && flag && !strcmp(value, "a value"));
    CHECK(MPI_Info_get(info, "key", 3, value, &flag) == MPI_SUCCESS && flag && !strcmp(value, "a v"));
    CHECK(MPI_Info_get_valuelen(info, "key", &length, &flag) == MPI_SUCCESS && flag && length == 7);
    CHECK(MPI_Info_free(&info) == MPI_SUCCESS && info == MPI_INFO_NULL);
    CHECK(created == 1);
    CHECK(PMPI_Info_create(&info) == MPI_SUCCESS && PMPI_Info_free(&info) == MPI_SUCCESS && created == 1);
}

int main(void)
{
    int flag = 1, version = 0, subversion = 0, length = 0, class = -1;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    CHECK(MPI_Initialized(&flag) == MPI_SUCCESS && !flag);
    CHECK(MPI_Finalized(&flag) == MPI_SUCCESS && !flag);
    CHECK(PMPI_Get_version(&version, &subversion) == MPI_SUCCESS && version >= 3);
    CHECK(MPI_Get_library_version(text, &length) == MPI_SUCCESS && length == (int)strlen(text));
    CHECK(MPI_Error_class(MPI_ERR_TRUNCATE, &class) == MPI_SUCCESS && class == MPI_ERR_TRUNCATE);
    CHECK(MPI_Error_class(MPI_ERR_WIN, &class) == MPI_SUCCESS && class == MPI_ERR_WIN);
    printf("%s\n", text);
    handles();
    integers();
    statuses();
    info();
    printf("handles agree\n");
    return 0;
}
