/* SPDX-License-Identifier: Apache-2.0 */
/* course KERNELS.cl: a course's host program. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, COUNT = 1000 };

static void check(cl_int code, const char* call) {
    if (code == CL_SUCCESS) return;
    fprintf(stderr, "%s: %d\n", call, (int)code);
    exit(1);
}

int main(int argc, char** argv) {
    static float a[N * N], c[N * N], partial[16];
    static unsigned char values[COUNT];
    static cl_uint bins[256];
    static char source[10000];
    FILE* file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) return 2;
    const size_t length = fread(source, 1, sizeof source - 1, file);
    fclose(file);
    for (int i = 0; i < N * N; ++i) a[i] = (float)i / 7;
    for (int i = 0; i < COUNT; ++i) values[i] = (unsigned char)(i * i);

    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    const char* text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, &length, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram");
    const cl_mem_flags copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    cl_mem in = clCreateBuffer(context, copied, sizeof a, a, NULL);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof c, NULL, NULL);
    cl_mem sums = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof partial, NULL, NULL);
    cl_mem bytes = clCreateBuffer(context, copied, sizeof values, values, NULL);
    cl_mem counts = clCreateBuffer(context, copied, sizeof bins, bins, NULL);

    const cl_int n = N;
    const cl_uint count = COUNT;
    cl_kernel matmul = clCreateKernel(program, "matmul", &code);
    check(code, "clCreateKernel");
    clSetKernelArg(matmul, 0, sizeof in, &in);
    clSetKernelArg(matmul, 1, sizeof in, &in);
    clSetKernelArg(matmul, 2, sizeof out, &out);
    clSetKernelArg(matmul, 3, sizeof n, &n);
    const size_t square[2] = {N, N}, tile[2] = {8, 8};
    check(clEnqueueNDRangeKernel(queue, matmul, 2, NULL, square, tile, 0, NULL, NULL), "matmul");

    cl_kernel reduce = clCreateKernel(program, "reduce", &code);
    check(code, "clCreateKernel");
    const size_t items = 1024, group = 64;
    clSetKernelArg(reduce, 0, sizeof out, &out);
    clSetKernelArg(reduce, 1, sizeof sums, &sums);
    clSetKernelArg(reduce, 2, group * sizeof(float), NULL);
    clSetKernelArg(reduce, 3, sizeof count, &count);
    check(clEnqueueNDRangeKernel(queue, reduce, 1, NULL, &items, &group, 0, NULL, NULL), "reduce");

    cl_kernel histogram = clCreateKernel(program, "histogram", &code);
    check(code, "clCreateKernel");
    clSetKernelArg(histogram, 0, sizeof bytes, &bytes);
    clSetKernelArg(histogram, 1, sizeof counts, &counts);
    clSetKernelArg(histogram, 2, sizeof count, &count);
    check(clEnqueueNDRangeKernel(queue, histogram, 1, NULL, &items, &group, 0, NULL, NULL), "histogram");
    check(clEnqueueReadBuffer(queue, counts, CL_TRUE, 0, sizeof bins, bins, 0, NULL, NULL), "read");
    printf("%u\n", bins[0]);
    return 0;
}
