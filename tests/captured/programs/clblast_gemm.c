/* SPDX-License-Identifier: Apache-2.0 */
/* C = A B with CLBlast. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <clblast_c.h>
#include <stdio.h>

enum { N = 128 };
static float numbers[N * N];

int main(void) {
    cl_platform_id platform;
    cl_device_id device;
    for (int i = 0; i < N * N; ++i) numbers[i] = (float)(i % 13);
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_mem m[3];
    for (int i = 0; i < 3; ++i)
        m[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, NULL);
    const CLBlastStatusCode code =
        CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeYes, N, N, N, 1.5f, m[0], 0, N, m[1], 0,
                     N, 0.5f, m[2], 0, N, &queue, NULL) |
        CLBlastSaxpy(N * N, 2, m[0], 0, 1, m[1], 0, 1, &queue, NULL) |
        CLBlastSgemv(CLBlastLayoutRowMajor, CLBlastTransposeNo, N, N, 1, m[0], 0, N, m[1], 0, 1, 0, m[2], 0, 1, &queue,
                     NULL) |
        CLBlastSdot(N * N, m[2], 0, m[0], 0, 1, m[1], 0, 1, &queue, NULL);
    clFinish(queue);
    for (int i = 0; i < 3; ++i) clReleaseMemObject(m[i]);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    printf("%d\n", (int)code);
    return code != 0;
}
