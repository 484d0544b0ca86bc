// SPDX-License-Identifier: MIT OR Apache-2.0
// Lesson 8: data-parallel training, the pattern of deep learning.
//
// Every rank holds the whole model and a part of the data. In each step it computes the gradient on its own part, the
// gradients are averaged over all ranks by MPI_Allreduce, and all apply the same update: the models stay equal without
// ever being sent again. Rank 0's initial weights are broadcast once at the start.
//
// The model is a small network with one hidden layer that learns y = sin(x1) * x2. Two things must hold, and are
// checked: the loss falls, and all ranks have bit for bit the same weights at the end (which proves that the all-reduce
// gave everybody the same sum).
//
// The number of samples does not depend on the number of ranks, so neither does the loss, but for rounding: a sum
// of floating-point numbers depends on the order of the additions. The printed figures are therefore rounded.
#include "check.h"
#include <math.h>
#include <string.h>

enum { INPUTS = 2, HIDDEN = 16, SAMPLES = 960, STEPS = 400, WEIGHTS = HIDDEN * (INPUTS + 2) + 1 };
static const double RATE = 0.2;

// A small generator, so that every machine has the same data (numbers in -1 ... 1).
static double random_number(unsigned long long *state) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*state >> 33) / (double)(1ull << 30) - 1.0;
}

// The layout of the weights: for each hidden unit its INPUTS weights, its bias and its output weight; the output's bias last.
static double *unit(double *weights, int h) { return weights + h * (INPUTS + 2); }

// Adds the gradient of one sample's squared error to `gradient`; returns the squared error.
static double learn(double *weights, double *gradient, const double x[INPUTS], double y) {
    double activation[HIDDEN], output = weights[WEIGHTS - 1];
    for (int h = 0; h < HIDDEN; h++) {
        const double *w = unit(weights, h);
        activation[h] = tanh(w[0] * x[0] + w[1] * x[1] + w[2]);
        output += w[3] * activation[h];
    }
    double error = output - y;
    gradient[WEIGHTS - 1] += error;
    for (int h = 0; h < HIDDEN; h++) {
        double *g = unit(gradient, h), back = error * unit(weights, h)[3] * (1 - activation[h] * activation[h]);
        g[0] += back * x[0];
        g[1] += back * x[1];
        g[2] += back;
        g[3] += error * activation[h];
    }
    return error * error;
}

// This rank's part of the samples: one pass, gradient and error summed.
static double pass(double *weights, double *gradient, int rank, int size) {
    unsigned long long state = 42;
    double loss = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        double x[INPUTS] = {2 * random_number(&state), random_number(&state)};
        if (sample % size == rank) loss += learn(weights, gradient, x, sin(x[0]) * x[1]);
    }
    return loss;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);

    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    double weights[WEIGHTS];
    unsigned long long seed = 1 + (unsigned long long)rank; // each rank would start elsewhere ...
    for (int i = 0; i < WEIGHTS; i++) weights[i] = random_number(&seed);
    MPI_Bcast(weights, WEIGHTS, MPI_DOUBLE, 0, MPI_COMM_WORLD); // ... so rank 0's weights count

    double first = 0, last = 0, previous = 0;
    for (int s = 0; s <= STEPS; s++) {
        // The loss rides along behind the gradient: one all-reduce a step.
        double sums[WEIGHTS + 1] = {0};
        sums[WEIGHTS] = pass(weights, sums, rank, size);
        MPI_Allreduce(MPI_IN_PLACE, sums, WEIGHTS + 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < WEIGHTS; i++) weights[i] -= RATE * sums[i] / SAMPLES;

        last = sums[WEIGHTS] / SAMPLES;
        CHECK(isfinite(last));
        if (s == 0) first = last;
        if (s % 100 == 0) {
            CHECK(s == 0 || last < previous);
            previous = last;
            if (rank == 0) printf("step %3d: loss %.4f\n", s, last);
        }
    }
    CHECK(last < first / 5);

    // All ranks must agree, to the last bit.
    double everybody[2][WEIGHTS + 1], mine[WEIGHTS + 1];
    memcpy(mine, weights, sizeof weights);
    mine[WEIGHTS] = last;
    MPI_Allreduce(mine, everybody[0], WEIGHTS + 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(mine, everybody[1], WEIGHTS + 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    CHECK(memcmp(mine, everybody[0], sizeof mine) == 0 && memcmp(mine, everybody[1], sizeof mine) == 0);
    if (rank == 0) printf("the loss fell, and all ranks have the same weights\n");

    MPI_Finalize();
    return 0;
}
