// SPDX-License-Identifier: MIT OR Apache-2.0
// A random program from a seed (arguments: see each_seed): a tree of communicators (split, dup, create_group, cart, intercomm and merge), and on
// them messages of random derived types with wildcards, and random collectives, blocking and not, of random types. All ranks
// draw the same numbers, whatever the size of their communicator. Rank 0 prints a checksum of all contents, statuses and layouts:
// the output must be the same on all implementations.
#include "seeded.h"

static void note_number(long long number, uint64_t place) {
    note(&number, sizeof number, place);
}

// Base types by number; INT and DOUBLE may be reduced.
static MPI_Datatype base(int kind) {
    MPI_Datatype all[] = {MPI_INT, MPI_DOUBLE, MPI_SHORT, MPI_INT8_T, MPI_INT64_T};
    return all[kind];
}

// A type of elements of one base, no two of which overlap, none before its address. Draws the same whatever comes out.
static MPI_Datatype random_type(int kind, int depth) {
    int constructor = below(10), n = 1 + below(3), length = 1 + below(3), gap = below(3), back = below(2);
    MPI_Datatype inner, type;
    if (depth == 0 || constructor == 0) {
        DO(MPI_Type_dup(base(kind), &type));
        return type;
    }
    inner = random_type(kind, depth - 1);
    MPI_Aint lb, extent, places[3];
    int lengths[3], steps[3];
    DO(MPI_Type_get_extent(inner, &lb, &extent));
    for (int i = 0, at = 0; i < n; i++) {
        int slot = back ? n - 1 - i : i; // descending displacements too
        lengths[slot] = length, steps[slot] = at, places[slot] = at * extent;
        at += length + gap;
    }
    switch (constructor) {
    case 1: DO(MPI_Type_contiguous(n, inner, &type)); break;
    case 2: DO(MPI_Type_vector(n, length, length + gap, inner, &type)); break;
    case 3: DO(MPI_Type_create_hvector(n, length, (length + gap) * extent, inner, &type)); break;
    case 4: DO(MPI_Type_indexed(n, lengths, steps, inner, &type)); break;
    case 5: DO(MPI_Type_create_hindexed(n, lengths, places, inner, &type)); break;
    case 6: DO(MPI_Type_create_indexed_block(n, length, steps, inner, &type)); break;
    case 7: {
        MPI_Datatype all[3] = {inner, inner, inner};
        DO(MPI_Type_create_struct(n, lengths, places, all, &type));
        break;
    }
    case 8: {
        int sizes[2] = {n + gap, length + 1}, parts[2] = {n, length}, starts[2] = {back ? gap : 0, 1};
        DO(MPI_Type_create_subarray(2, sizes, parts, starts, back ? MPI_ORDER_C : MPI_ORDER_FORTRAN, inner, &type));
        break;
    }
    default: DO(MPI_Type_create_resized(inner, 0, extent + gap * 8, &type));
    }
    DO(MPI_Type_free(&inner));
    return type;
}

// Typed memory: `count` elements with room around, all bytes filled from `salt`.
struct data {
    MPI_Datatype type;
    int kind, count, elements; // elements of the base in all
    size_t bytes;
    unsigned char *memory;
};

static struct data random_data(uint64_t salt) {
    struct data d;
    MPI_Aint lb, extent, true_lb, true_extent;
    int size_of_type, size_of_base;
    d.kind = below(5);
    d.type = random_type(d.kind, below(4));
    d.count = below(4) ? 1 + below(6) : below(400); // draws differ only with what all ranks drew
    DO(MPI_Type_commit(&d.type));
    DO(MPI_Type_get_extent(d.type, &lb, &extent));
    DO(MPI_Type_get_true_extent(d.type, &true_lb, &true_extent));
    DO(MPI_Type_size(d.type, &size_of_type));
    DO(MPI_Type_size(base(d.kind), &size_of_base));
    note_number(lb * 31 + extent * 37 + true_lb * 41 + true_extent * 43 + size_of_type, 1);
    d.elements = d.count * size_of_type / size_of_base;
    d.bytes = true_lb + true_extent + (d.count ? d.count - 1 : 0) * extent + 64;
    d.memory = check_alloc(d.bytes);
    for (size_t i = 0; i < d.bytes; i++)
        d.memory[i] = (unsigned char)(mix(salt + i / 8) >> (i % 8 * 8));
    if (d.kind == 1) // no NaN, whose bits an operation may change
        for (size_t i = 0; i + 8 <= d.bytes; i += 8) {
            double x = (double)(mix(salt + i) % 1000);
            memcpy(d.memory + i, &x, 8);
        }
    return d;
}

static void drop(struct data *d) {
    DO(MPI_Type_free(&d->type));
    free(d->memory);
}

static void note_status(MPI_Status *status, MPI_Datatype type, uint64_t place) {
    int count, elements;
    DO(MPI_Get_count(status, type, &count));
    DO(MPI_Get_elements(status, type, &elements));
    note_number(count == MPI_UNDEFINED ? -1 : count, place);
    note_number(elements, place + 1);
    note_number(status->MPI_SOURCE * 1000003LL + status->MPI_TAG, place + 2);
}

static int serial; // each message has a tag of its own in the run

// One message from every rank to another: sent typed, received as elements of the base, or the other way round.
static void message(MPI_Comm comm, int me, int members) {
    int shift = below(7), typed = below(2), wild = below(4), mode = below(3), late = below(2), tag = ++serial;
    struct data d = random_data(1000 + tag + me * 7919);
    int to = (me + shift) % members, from = ((me - shift) % members + members) % members, size_of_base;
    int source = wild == 1 ? MPI_ANY_SOURCE : from;
    DO(MPI_Type_size(base(d.kind), &size_of_base));
    unsigned char *flat = check_alloc((size_t)d.elements * size_of_base + 8);
    memset(flat, 7, (size_t)d.elements * size_of_base + 8);
    MPI_Request requests[2];
    MPI_Status statuses[2];
    void *in = typed ? (void *)flat : d.memory, *out = typed ? d.memory : (void *)flat;
    int in_count = typed ? d.elements : d.count, out_count = typed ? d.count : d.elements;
    MPI_Datatype in_type = typed ? base(d.kind) : d.type, out_type = typed ? d.type : base(d.kind);
    for (int i = 0; !typed && i < d.elements * size_of_base; i++)
        flat[i] = (unsigned char)(i * 13 + me);
    if (!late)
        DO(MPI_Irecv(in, in_count, in_type, source, tag, comm, &requests[0]));
    DO((mode == 0 ? MPI_Issend : MPI_Isend)(out, out_count, out_type, to, tag, comm, &requests[1]));
    if (late && wild == 2) { // by probe
        MPI_Message found;
        DO(MPI_Mprobe(source, tag, comm, &found, &statuses[0]));
        note_status(&statuses[0], in_type, tag * 100 + 50);
        DO(MPI_Imrecv(in, in_count, in_type, &found, &requests[0]));
    } else if (late) {
        DO(MPI_Irecv(in, in_count, in_type, source, tag, comm, &requests[0]));
    }
    DO(MPI_Waitall(2, requests, statuses));
    note_status(&statuses[0], in_type, tag * 100);
    note(in, typed ? (size_t)d.elements * size_of_base : d.bytes, tag);
    free(flat);
    drop(&d);
}

// A short message into a long receive of a derived type: partial elements.
static void partial(MPI_Comm comm, int me, int members) {
    struct data d = random_data(me + 5);
    int part = below(1000), tag = ++serial;
    part = d.elements ? part % (d.elements + 1) : 0;
    unsigned char flat[8 * 1024];
    MPI_Status status;
    memset(flat, me + 1, sizeof flat);
    part = part > 1024 ? 1024 : part;
    DO(MPI_Sendrecv(flat, part, base(d.kind), (me + 1) % members, tag, d.memory, d.count, d.type, MPI_ANY_SOURCE, tag, comm, &status));
    note_status(&status, d.type, tag * 100);
    note(d.memory, d.bytes, tag);
    drop(&d);
}

static void packed(int me) {
    struct data d = random_data(me + 9);
    MPI_Aint bytes = 0, at = 0;
    DO(MPI_Pack_external_size("external32", d.count, d.type, &bytes));
    char *out = check_alloc(bytes + 8);
    DO(MPI_Pack_external("external32", d.memory, d.count, d.type, out, bytes, &at));
    note(out, at, 77);
    memset(d.memory, 0, d.bytes);
    at = 0;
    DO(MPI_Unpack_external("external32", out, bytes, &at, d.memory, d.count, d.type));
    note(d.memory, d.bytes, 78);
    free(out);
    drop(&d);
}

static int either(int nonblocking, int code, MPI_Request *request) {
    if (nonblocking && code == MPI_SUCCESS)
        return MPI_Wait(request, MPI_STATUS_IGNORE);
    return code;
}

// A blocking call or its nonblocking form with a wait.
#define EITHER_WAY(now, soon, ...)                                                                           \
    DO(either(later, later ? soon(__VA_ARGS__, &request) : now(__VA_ARGS__), &request))

static void moving(MPI_Comm comm, int me, int members) {
    int kind = below(7), later = below(2), root = below(1000) % members, tag = ++serial;
    struct data d = random_data(tag + me * 31);
    MPI_Request request;
    MPI_Aint lb, extent;
    DO(MPI_Type_get_extent(d.type, &lb, &extent));
    size_t each = (size_t)extent * d.count, all = each * members + d.bytes;
    unsigned char *out = check_alloc(all), *in = check_alloc(all);
    int counts[members], places[members], result = 1;
    memset(in, 0, all);
    for (size_t i = 0; i < all; i++)
        out[i] = (unsigned char)(i * 5 + me * 3);
    for (int r = 0, at = 0; r < members; r++)
        counts[r] = (r + d.count) % (d.count + 1), places[r] = at, at += counts[r];
    switch (kind) {
    case 0: EITHER_WAY(MPI_Bcast, MPI_Ibcast, out, d.count, d.type, root, comm); memcpy(in, out, all); result = 2; break;
    case 1: EITHER_WAY(MPI_Allgather, MPI_Iallgather, out, d.count, d.type, in, d.count, d.type, comm); break;
    case 2: EITHER_WAY(MPI_Alltoall, MPI_Ialltoall, out, d.count, d.type, in, d.count, d.type, comm); break;
    case 3: EITHER_WAY(MPI_Gather, MPI_Igather, out, d.count, d.type, in, d.count, d.type, root, comm); break;
    case 4: EITHER_WAY(MPI_Scatter, MPI_Iscatter, out, d.count, d.type, in, d.count, d.type, root, comm); break;
    case 5: EITHER_WAY(MPI_Allgatherv, MPI_Iallgatherv, out, counts[me], d.type, in, counts, places, d.type, comm); break;
    default: EITHER_WAY(MPI_Gatherv, MPI_Igatherv, out, counts[me], d.type, in, counts, places, d.type, root, comm);
    }
    note(in, all, tag * 10 + result);
    free(out);
    free(in);
    drop(&d);
}

static void reducing(MPI_Comm comm, int me, int members) {
    MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_BXOR, MPI_PROD, MPI_LAND};
    int kind = below(6), later = below(2), root = below(1000) % members, n = 1 + below(below(4) ? 20 : 9000), tag = ++serial;
    MPI_Op op = ops[below(6)];
    MPI_Request request;
    int *out = check_alloc(sizeof(int) * n * members), *in = check_alloc(sizeof(int) * n * members);
    memset(in, 0, sizeof(int) * n * members);
    for (int i = 0; i < n * members; i++)
        out[i] = (int)(mix(tag + i + me * 1000003u) % (op == MPI_PROD ? 3 : 1000));
    switch (kind) {
    case 0: EITHER_WAY(MPI_Allreduce, MPI_Iallreduce, out, in, n, MPI_INT, op, comm); break;
    case 1: EITHER_WAY(MPI_Reduce, MPI_Ireduce, out, in, n, MPI_INT, op, root, comm); break;
    case 2: EITHER_WAY(MPI_Scan, MPI_Iscan, out, in, n, MPI_INT, op, comm); break;
    case 3: EITHER_WAY(MPI_Exscan, MPI_Iexscan, out, in, n, MPI_INT, op, comm); if (me == 0) memset(in, 0, sizeof(int) * n); break;
    case 4: EITHER_WAY(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, out, in, n, MPI_INT, op, comm); break;
    default: EITHER_WAY(MPI_Allreduce, MPI_Iallreduce, MPI_IN_PLACE, out, n, MPI_INT, op, comm); memcpy(in, out, sizeof(int) * n);
    }
    note(in, sizeof(int) * n * members, tag);
    free(out);
    free(in);
}

static void work(MPI_Comm comm, int rounds) {
    int me, members;
    DO(MPI_Comm_rank(comm, &me));
    DO(MPI_Comm_size(comm, &members));
    note_number(me * 100 + members, 3);
    for (int i = 0; i < rounds; i++)
        switch (below(6)) {
        case 0:
        case 1: message(comm, me, members); break;
        case 2: partial(comm, me, members); break;
        case 3: packed(me); break;
        case 4: moving(comm, me, members); break;
        default: reducing(comm, me, members);
        }
}

static MPI_Comm child(MPI_Comm comm, int me, int members) {
    int how = below(6), key = below(1000), parts = 1 + below(3);
    int color = (int)(mix(key + me) % parts), turned = (me * 7 + key) % 11;
    MPI_Comm new = MPI_COMM_NULL, half, inter;
    MPI_Group all, some;
    switch (how) {
    case 0: DO(MPI_Comm_dup(comm, &new)); break;
    case 1: DO(MPI_Comm_split(comm, color, turned, &new)); break;
    case 2: { // the members of my colour, in reverse
        int ranks[members], n = 0;
        for (int r = members - 1; r >= 0; r--)
            if ((int)(mix(key + r) % parts) == color)
                ranks[n++] = r;
        DO(MPI_Comm_group(comm, &all));
        DO(MPI_Group_incl(all, n, ranks, &some));
        DO(MPI_Comm_create_group(comm, some, 5 + color, &new));
        DO(MPI_Group_free(&some));
        DO(MPI_Group_free(&all));
        break;
    }
    case 3: {
        int dims[2] = {0, 0}, periods[2] = {1, 0};
        DO(MPI_Dims_create(members, 2, dims));
        DO(MPI_Cart_create(comm, 2, dims, periods, 0, &new));
        break;
    }
    case 4: DO(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, turned, MPI_INFO_NULL, &new)); break;
    default: // two halves, and together again
        if (members == 1) {
            DO(MPI_Comm_dup(comm, &new));
            break;
        }
        DO(MPI_Comm_split(comm, me < members / 2, me, &half));
        DO(MPI_Intercomm_create(half, 0, comm, me < members / 2 ? members / 2 : 0, 9, &inter));
        DO(MPI_Intercomm_merge(inter, (me < members / 2) ^ (key % 2), &new));
        DO(MPI_Comm_free(&inter));
        DO(MPI_Comm_free(&half));
    }
    return new;
}

static void tree(MPI_Comm comm, int depth, int rounds) {
    int me, members, children = depth ? 1 + below(2) : 0;
    DO(MPI_Comm_rank(comm, &me));
    DO(MPI_Comm_size(comm, &members));
    work(comm, 1 + below(rounds));
    for (int i = 0; i < children; i++) {
        MPI_Comm new = child(comm, me, members);
        tree(new, depth - 1, rounds);
        DO(MPI_Comm_free(&new));
        work(comm, 1 + below(3));
    }
}

static void program(int seed, int rounds) {
    state = (uint64_t)seed * 0x2545f4914f6cdd1du;
    serial = 0;
    tree(MPI_COMM_WORLD, 3, rounds);
}

int main(int argc, char **argv) {
    return each_seed(argc, argv, 10, program);
}
