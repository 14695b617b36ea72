// Simple kernels for several problems and any type of numbers, -D T=double.

__kernel void multiply(__global const T* A, __global const T* B, __global T* C, int M, int N, int K) {
    int column = get_global_id(0), row = get_global_id(1);
    T sum = (T)(0);
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}

__kernel void turn(__global const T* A, __global T* B, int M, int N) {
    int column = get_global_id(0), row = get_global_id(1);
    B[column * M + row] = A[row * N + column];
}

__kernel void convolve(__global const T* image, __global const T* filter, __global T* result, int W, int F) {
    int x = get_global_id(0), y = get_global_id(1);
    T sum = (T)(0);
    for (int i = 0; i < F; ++i)
        for (int j = 0; j < F; ++j) sum += image[(y + i) * (W + F - 1) + x + j] * filter[i * F + j];
    result[y * W + x] = sum;
}

__kernel void add(__global const T* A, __global const T* B, __global T* C) {
    int i = get_global_id(0);
    C[i] = A[i] + B[i];
}

__kernel void prefix(__global const T* X, __global T* Y, int N) {
    T sum = (T)(0);
    for (int i = 0; i < N; ++i) Y[i] = sum += X[i];
}

__kernel void largest(__global const T* X, __global T* R, int N) {
    T found = X[0];
    for (int i = 1; i < N; ++i) found = max(found, X[i]);
    R[0] = found;
}

__kernel void repeat(__global const T* X, __global const T* A, __global const T* B, __global T* Y, int S) {
    int i = get_global_id(0);
    T x = X[i];
    for (int step = 0; step < S; ++step) x = A[0] * x + B[0];
    Y[i] = x;
}
// SPDX-License-Identifier: Apache-2.0
