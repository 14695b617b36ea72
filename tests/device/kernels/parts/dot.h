// SPDX-License-Identifier: Apache-2.0
#include "at.h"

float dot_product(__global const float* A, __global const float* B, int row, int column, int N, int K) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[AT(row, k, K)] * B[AT(k, column, N)];
    return sum;
}
