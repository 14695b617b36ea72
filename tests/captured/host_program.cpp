// SPDX-License-Identifier: Apache-2.0
// A program as people write them for OpenCL: host_program CASE. Most cases have one fault, at the line that a
// comment `here: CASE` marks; those that begin with right_ have none.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr const char* kSource = R"(
__kernel void scale(__global float* x, float factor, int n) {
    int i = get_global_id(0);
    if (i < n) x[i] *= factor;
}
__kernel void copy(__global const float* from, __global float* to) {
    int i = get_global_id(0);
    to[i] = from[i];
}
__kernel void sum(__global const float* x, __global float* sums, __local float* part) {
    int l = get_local_id(0);
    part[l] = x[get_global_id(0)];
    for (int width = get_local_size(0) / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < width) part[l] += part[l + width];
    }
    if (l == 0) sums[get_group_id(0)] = part[0];
}
typedef struct { float4 place; int kind; } Body;
__kernel void move(__global Body* bodies, float4 step, uchar kind) {
    int i = get_global_id(0);
    if (bodies[i].kind == kind) bodies[i].place += step;
}
)";

constexpr int kItems = 1024;
constexpr size_t kBytes = kItems * sizeof(float);
float numbers[kItems];

cl_device_id device;
cl_context context;
cl_command_queue queue, second_queue;
cl_program program;
cl_kernel scale, copy, sum;
cl_mem a, b;
size_t global = kItems, local = 64;

void require(cl_int code, const char* call) {
    if (code == CL_SUCCESS) return;
    fprintf(stderr, "%s failed: %d\n", call, code);
    exit(9);
}

cl_mem make_buffer(void* content) {
    cl_int code = 0;
    cl_mem buffer =
        clCreateBuffer(context, CL_MEM_READ_WRITE | (content != nullptr ? CL_MEM_COPY_HOST_PTR : 0u), kBytes,
                       content, &code);
    require(code, "clCreateBuffer");
    return buffer;
}

cl_command_queue make_queue(cl_command_queue_properties properties) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int code = 0;
    cl_command_queue made =
        clCreateCommandQueueWithProperties(context, device, properties != 0 ? list : nullptr, &code);
    require(code, "clCreateCommandQueueWithProperties");
    return made;
}

cl_kernel make_kernel(const char* name) {
    cl_int code = 0;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    require(code, "clCreateKernel");
    return kernel;
}

void set_scale(cl_mem buffer) {
    const float factor = 2;
    const int n = kItems;
    require(clSetKernelArg(scale, 0, sizeof(cl_mem), &buffer), "clSetKernelArg");
    require(clSetKernelArg(scale, 1, sizeof factor, &factor), "clSetKernelArg");
    require(clSetKernelArg(scale, 2, sizeof n, &n), "clSetKernelArg");
}

void launch(cl_command_queue on, cl_kernel kernel, cl_event* event = nullptr) {
    require(clEnqueueNDRangeKernel(on, kernel, 1, nullptr, &global, &local, 0, nullptr, event),
            "clEnqueueNDRangeKernel");
}

void read(cl_command_queue on, cl_mem buffer) {
    require(clEnqueueReadBuffer(on, buffer, CL_TRUE, 0, kBytes, numbers, 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
}

void set_up() {
    for (int i = 0; i < kItems; ++i) numbers[i] = static_cast<float>(i);
    cl_platform_id platform = nullptr;
    require(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    cl_int code = 0;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    require(code, "clCreateContext");
    queue = make_queue(0);
    const char* source = kSource;
    program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
    require(code, "clCreateProgramWithSource");
    require(clBuildProgram(program, 1, &device, "-DUNUSED=1", nullptr, nullptr), "clBuildProgram");
    scale = make_kernel("scale");
    copy = make_kernel("copy");
    sum = make_kernel("sum");
    a = make_buffer(numbers);
    b = make_buffer(numbers);
}

void tear_down() {
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    clReleaseKernel(scale);
    clReleaseKernel(copy);
    clReleaseKernel(sum);
    clReleaseProgram(program);
    if (second_queue != nullptr) clReleaseCommandQueue(second_queue);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

bool is_case(const char* name, const char* wanted) {
    return strcmp(name, wanted) == 0;
}

/// @return  false: no such case
bool run_right(const char* name) {
    if (is_case(name, "right_simple")) {
        set_scale(a);
        launch(queue, scale);
        read(queue, a);
        if (numbers[3] != 6) exit(8);
    } else if (is_case(name, "right_events")) {
        // Another queue goes on, after an event.
        second_queue = make_queue(0);
        set_scale(a);
        cl_event scaled = nullptr, done = nullptr;
        launch(queue, scale, &scaled);
        clFlush(queue);
        require(clEnqueueReadBuffer(second_queue, a, CL_FALSE, 0, kBytes, numbers, 1, &scaled, &done),
                "read");
        require(clWaitForEvents(1, &done), "clWaitForEvents");
        clReleaseEvent(scaled);
        clReleaseEvent(done);
    } else if (is_case(name, "right_finish")) {
        set_scale(a);
        launch(queue, scale);
        require(clEnqueueReadBuffer(queue, a, CL_FALSE, 0, kBytes, numbers, 0, nullptr, nullptr), "read");
        require(clFinish(queue), "clFinish");
    } else if (is_case(name, "right_map")) {
        cl_int code = 0;
        void* mapped =
            clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_WRITE, 0, kBytes, 0, nullptr, nullptr, &code);
        require(code, "clEnqueueMapBuffer");
        memset(mapped, 0, kBytes);
        require(clEnqueueUnmapMemObject(queue, a, mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
        set_scale(a);
        launch(queue, scale);
        read(queue, a);
    } else if (is_case(name, "right_probe")) {
        // Asks for what may not exist, and looks at the answer.
        cl_int code = 0;
        cl_kernel missing = clCreateKernel(program, "missing", &code);
        if (missing != nullptr || code != CL_INVALID_KERNEL_NAME) exit(8);
        cl_command_queue_properties properties = 0;
        clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr);
        if (properties != 0) exit(7);
    } else if (is_case(name, "right_out_of_order")) {
        second_queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        set_scale(a);
        launch(second_queue, scale);
        require(clEnqueueBarrierWithWaitList(second_queue, 0, nullptr, nullptr),
                "clEnqueueBarrierWithWaitList");
        read(second_queue, a);
    } else if (is_case(name, "right_local")) {
        require(clSetKernelArg(sum, 0, sizeof a, &a), "clSetKernelArg");
        require(clSetKernelArg(sum, 1, sizeof b, &b), "clSetKernelArg");
        require(clSetKernelArg(sum, 2, local * sizeof(float), nullptr), "clSetKernelArg");
        launch(queue, sum);
        read(queue, b);
    } else if (is_case(name, "right_struct")) {
        struct Body {
            cl_float4 place;
            cl_int kind;
        };
        static Body bodies[kItems];
        for (int i = 0; i < kItems; ++i) bodies[i].kind = i % 3;
        cl_mem buffer =
            clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof bodies, bodies, nullptr);
        cl_kernel move = make_kernel("move");
        const cl_float4 step = {{1, 2, 0.1f, -4}};
        const cl_uchar kind = 2;
        require(clSetKernelArg(move, 0, sizeof buffer, &buffer), "clSetKernelArg");
        require(clSetKernelArg(move, 1, sizeof step, &step), "clSetKernelArg");
        require(clSetKernelArg(move, 2, sizeof kind, &kind), "clSetKernelArg");
        launch(queue, move);
        require(clFinish(queue), "clFinish");
        clReleaseKernel(move);
        clReleaseMemObject(buffer);
    } else {
        return false;
    }
    return true;
}

bool run_wrong(const char* name) {
    cl_int code = 0;
    const int n = kItems;
    if (is_case(name, "read_not_awaited")) {
        set_scale(a);
        launch(queue, scale);
        // here: read_not_awaited
        clEnqueueReadBuffer(queue, a, CL_FALSE, 0, kBytes, numbers, 0, nullptr, nullptr);
        printf("%g\n", static_cast<double>(numbers[1]));
    } else if (is_case(name, "argument_never_set")) {
        clSetKernelArg(scale, 0, sizeof a, &a);
        clSetKernelArg(scale, 2, sizeof n, &n);
        // here: argument_never_set
        clEnqueueNDRangeKernel(queue, scale, 1, nullptr, &global, &local, 0, nullptr, nullptr);
        read(queue, a);
    } else if (is_case(name, "argument_size")) {
        set_scale(a);
        const double factor = 2;
        // here: argument_size
        clSetKernelArg(scale, 1, sizeof factor, &factor);
        launch(queue, scale);
        read(queue, a);
    } else if (is_case(name, "argument_space")) {
        clSetKernelArg(sum, 0, sizeof a, &a);
        clSetKernelArg(sum, 1, sizeof b, &b);
        // here: argument_space
        clSetKernelArg(sum, 2, sizeof b, &b);
        clEnqueueNDRangeKernel(queue, sum, 1, nullptr, &global, &local, 0, nullptr, nullptr);
    } else if (is_case(name, "argument_handle")) {
        // here: argument_handle
        clSetKernelArg(copy, 0, sizeof a, a);
        clSetKernelArg(copy, 1, sizeof b, &b);
    } else if (is_case(name, "argument_buffer_size")) {
        // here: argument_buffer_size
        clSetKernelArg(copy, 0, kBytes, &a);
        clSetKernelArg(copy, 1, sizeof b, &b);
    } else if (is_case(name, "argument_index")) {
        set_scale(a);
        // here: argument_index
        clSetKernelArg(scale, 3, sizeof n, &n);
        launch(queue, scale);
        read(queue, a);
    } else if (is_case(name, "error_ignored")) {
        // here: error_ignored
        cl_mem none = clCreateBuffer(context, CL_MEM_READ_ONLY, 0, nullptr, nullptr);
        clSetKernelArg(copy, 0, sizeof none, &none);
    } else if (is_case(name, "build_ignored")) {
        const char* source = "__kernel void broken(__global float* x) { x[0] = y; }";
        cl_program broken = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
        // here: build_ignored
        clBuildProgram(broken, 1, &device, "", nullptr, nullptr);
        clCreateKernel(broken, "broken", nullptr);
        clReleaseProgram(broken);
    } else if (is_case(name, "kernel_name")) {
        // here: kernel_name
        cl_kernel none = clCreateKernel(program, "scales", nullptr);
        clSetKernelArg(none, 0, sizeof a, &a);
    } else if (is_case(name, "work_group_size")) {
        set_scale(a);
        size_t odd = 1000;
        // here: work_group_size
        clEnqueueNDRangeKernel(queue, scale, 1, nullptr, &odd, &local, 0, nullptr, nullptr);
        read(queue, a);
    } else if (is_case(name, "read_too_long")) {
        static float more[2 * kItems];
        // here: read_too_long
        clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 2 * kBytes, more, 0, nullptr, nullptr);
        clFinish(queue);
    } else if (is_case(name, "host_pointer")) {
        // here: host_pointer
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, kBytes, nullptr, &code);
    } else if (is_case(name, "never_released")) {
        // here: never_released
        clCreateBuffer(context, CL_MEM_READ_WRITE, kBytes, nullptr, &code);
    } else if (is_case(name, "released_twice")) {
        cl_mem buffer = make_buffer(numbers);
        clReleaseMemObject(buffer);
        // here: released_twice
        clReleaseMemObject(buffer);
    } else if (is_case(name, "released_argument")) {
        cl_mem buffer = make_buffer(numbers);
        set_scale(buffer);
        clReleaseMemObject(buffer);
        // here: released_argument
        clEnqueueNDRangeKernel(queue, scale, 1, nullptr, &global, &local, 0, nullptr, nullptr);
        clFinish(queue);
    } else if (is_case(name, "unset_buffer_read")) {
        cl_mem buffer = make_buffer(nullptr);
        // here: unset_buffer_read
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, numbers, 0, nullptr, nullptr);
        clReleaseMemObject(buffer);
    } else if (is_case(name, "unset_argument_read")) {
        cl_mem buffer = make_buffer(nullptr);
        clSetKernelArg(copy, 0, sizeof buffer, &buffer);
        clSetKernelArg(copy, 1, sizeof b, &b);
        // here: unset_argument_read
        clEnqueueNDRangeKernel(queue, copy, 1, nullptr, &global, &local, 0, nullptr, nullptr);
        clFinish(queue);
        clReleaseMemObject(buffer);
    } else if (is_case(name, "mapped_argument")) {
        void* mapped =
            clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_WRITE, 0, kBytes, 0, nullptr, nullptr, &code);
        memset(mapped, 0, kBytes);
        set_scale(a);
        // here: mapped_argument
        clEnqueueNDRangeKernel(queue, scale, 1, nullptr, &global, &local, 0, nullptr, nullptr);
        clEnqueueUnmapMemObject(queue, a, mapped, 0, nullptr, nullptr);
        clFinish(queue);
    } else if (is_case(name, "unordered_queues")) {
        second_queue = make_queue(0);
        set_scale(a);
        launch(queue, scale);
        clFlush(queue);
        // here: unordered_queues
        clEnqueueReadBuffer(second_queue, a, CL_TRUE, 0, kBytes, numbers, 0, nullptr, nullptr);
        clFinish(queue);
    } else if (is_case(name, "unordered_commands")) {
        second_queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        set_scale(a);
        launch(second_queue, scale);
        // here: unordered_commands
        clEnqueueReadBuffer(second_queue, a, CL_TRUE, 0, kBytes, numbers, 0, nullptr, nullptr);
        clFinish(second_queue);
    } else {
        return false;
    }
    return true;
}

cl_program build_program(const char* source, const char* options) {
    cl_int code = 0;
    cl_program built = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
    require(code, "clCreateProgramWithSource");
    require(clBuildProgram(built, 1, &device, options, nullptr, nullptr), "clBuildProgram");
    return built;
}

/// Launches that are captured.
/// @param folder  with factor.h
bool run_captured(const char* name, const char* folder) {
    cl_int code = 0;
    if (is_case(name, "header")) {
        char options[4096];
        snprintf(options, sizeof options, "-DREAL=float -I %s", folder);
        cl_program with_header = build_program(
            "#include <factor.h>\n"
            "typedef REAL number;\n"
            "__kernel void grow(__global number* x) { x[get_global_id(0)] *= FACTOR; }\n",
            options);
        cl_kernel grow = clCreateKernel(with_header, "grow", &code);
        require(code, "clCreateKernel");
        require(clSetKernelArg(grow, 0, sizeof a, &a), "clSetKernelArg");
        launch(queue, grow);
        launch(queue, grow);
        read(queue, a);
        clReleaseKernel(grow);
        clReleaseProgram(with_header);
    } else if (is_case(name, "values") || is_case(name, "odd_value")) {
        cl_program with_values = build_program(
            "typedef struct { int shift; float weight; } Rule;\n"
            "__kernel void blend(__global float* x, char c, ulong u, float2 f, double d, Rule rule, __global "
            "float* none) {\n"
            "    int i = get_global_id(0);\n"
            "    if (none == 0) x[i] += c + u + f.x * f.y + d + rule.shift * rule.weight;\n"
            "}\n",
            "-DWORDS=\"a\"");
        cl_kernel blend = clCreateKernel(with_values, "blend", &code);
        require(code, "clCreateKernel");
        const struct {
            cl_int shift;
            cl_float weight;
        } rule = {-3, 0.7f};
        const cl_char c = -7;
        const cl_ulong u = 1ull << 40;
        const cl_float2 f = {{1.1920929e-07f, is_case(name, "odd_value") ? 3.4028235e38f : 16777217.0f}};
        const cl_double d = 1.0 / 3;
        require(clSetKernelArg(blend, 0, sizeof a, &a), "clSetKernelArg");
        require(clSetKernelArg(blend, 1, sizeof c, &c), "clSetKernelArg");
        require(clSetKernelArg(blend, 2, sizeof u, &u), "clSetKernelArg");
        require(clSetKernelArg(blend, 3, sizeof f, &f), "clSetKernelArg");
        require(clSetKernelArg(blend, 4, sizeof d, &d), "clSetKernelArg");
        require(clSetKernelArg(blend, 5, sizeof rule, &rule), "clSetKernelArg");
        require(clSetKernelArg(blend, 6, sizeof(cl_mem), nullptr), "clSetKernelArg");
        launch(queue, blend);
        read(queue, a);
        clReleaseKernel(blend);
        clReleaseProgram(with_values);
    } else if (is_case(name, "image")) {
        cl_program with_image = build_program(
            "__kernel void soften(read_only image2d_t from, write_only image2d_t to, sampler_t at_pixels) {\n"
            "    int2 here = (int2)(get_global_id(0), get_global_id(1));\n"
            "    write_imagef(to, here, (read_imagef(from, at_pixels, here) +\n"
            "                            read_imagef(from, at_pixels, here - (int2)(1, 0))) / 2);\n"
            "}\n",
            "");
        const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
        cl_image_desc shape{};
        shape.image_type = CL_MEM_OBJECT_IMAGE2D;
        shape.image_width = 20;
        shape.image_height = 10;
        static unsigned char pixels[20 * 10 * 4];
        for (size_t i = 0; i < sizeof pixels; ++i) pixels[i] = static_cast<unsigned char>(7 * i);
        cl_mem from =
            clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &shape, pixels, &code);
        require(code, "clCreateImage");
        cl_mem to = clCreateImage(context, CL_MEM_WRITE_ONLY, &format, &shape, nullptr, &code);
        require(code, "clCreateImage");
        cl_sampler sampler =
            clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &code);
        cl_kernel soften = clCreateKernel(with_image, "soften", &code);
        require(code, "clCreateKernel");
        require(clSetKernelArg(soften, 0, sizeof from, &from), "clSetKernelArg");
        require(clSetKernelArg(soften, 1, sizeof to, &to), "clSetKernelArg");
        require(clSetKernelArg(soften, 2, sizeof sampler, &sampler), "clSetKernelArg");
        const size_t extents[] = {20, 10};
        require(clEnqueueNDRangeKernel(queue, soften, 2, nullptr, extents, nullptr, 0, nullptr, nullptr),
                "clEnqueueNDRangeKernel");
        require(clFinish(queue), "clFinish");
        clReleaseKernel(soften);
        clReleaseSampler(sampler);
        clReleaseMemObject(from);
        clReleaseMemObject(to);
        clReleaseProgram(with_image);
    } else if (is_case(name, "offset")) {
        cl_program with_offset = build_program(
            "__kernel void mark(__global float* x) {\n"
            "    x[get_global_id(0)] = get_global_id(0) - get_global_offset(0) + get_global_linear_id();\n"
            "}\n",
            "-cl-std=CL2.0");
        cl_kernel mark = clCreateKernel(with_offset, "mark", &code);
        require(code, "clCreateKernel");
        require(clSetKernelArg(mark, 0, sizeof a, &a), "clSetKernelArg");
        const size_t offset = 100, count = 64;
        require(clEnqueueNDRangeKernel(queue, mark, 1, &offset, &count, nullptr, 0, nullptr, nullptr),
                "clEnqueueNDRangeKernel");
        read(queue, a);
        clReleaseKernel(mark);
        clReleaseProgram(with_offset);
    } else if (is_case(name, "parts") || is_case(name, "shared_parts")) {
        const size_t apart = is_case(name, "parts") ? kBytes / 2 : kBytes / 4;
        const cl_buffer_region first = {0, kBytes / 2}, second = {apart, kBytes / 2};
        cl_mem from = clCreateSubBuffer(a, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &first, &code);
        require(code, "clCreateSubBuffer");
        cl_mem to = clCreateSubBuffer(a, CL_MEM_WRITE_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &second, &code);
        require(code, "clCreateSubBuffer");
        require(clSetKernelArg(copy, 0, sizeof from, &from), "clSetKernelArg");
        require(clSetKernelArg(copy, 1, sizeof to, &to), "clSetKernelArg");
        const size_t half = kItems / 4;
        require(clEnqueueNDRangeKernel(queue, copy, 1, nullptr, &half, nullptr, 0, nullptr, nullptr),
                "clEnqueueNDRangeKernel");
        read(queue, a);
        clReleaseMemObject(from);
        clReleaseMemObject(to);
    } else if (is_case(name, "right_shared_memory") || is_case(name, "inside_shared_memory")) {
        auto* const shared = static_cast<float*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 2 * kBytes, 0));
        if (shared == nullptr) exit(9);
        require(clEnqueueSVMMemcpy(queue, CL_TRUE, shared, numbers, kBytes, 0, nullptr, nullptr),
                "clEnqueueSVMMemcpy");
        set_scale(a);
        require(
            clSetKernelArgSVMPointer(scale, 0, is_case(name, "right_shared_memory") ? shared : shared + 4),
            "clSetKernelArgSVMPointer");
        launch(queue, scale);
        require(clFinish(queue), "clFinish");
        clSVMFree(context, shared);
    } else if (is_case(name, "binary")) {
        size_t bytes = 0;
        require(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr), "sizes");
        auto* content = static_cast<unsigned char*>(malloc(bytes));
        require(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof content, &content, nullptr),
                "binaries");
        const unsigned char* binary = content;
        cl_program loaded = clCreateProgramWithBinary(context, 1, &device, &bytes, &binary, nullptr, &code);
        require(code, "clCreateProgramWithBinary");
        require(clBuildProgram(loaded, 1, &device, "", nullptr, nullptr), "clBuildProgram");
        clReleaseKernel(scale);
        scale = clCreateKernel(loaded, "scale", &code);
        require(code, "clCreateKernel");
        set_scale(a);
        launch(queue, scale);
        read(queue, a);
        clReleaseProgram(loaded);
        free(content);
    } else if (is_case(name, "overrun")) {
        cl_mem small = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 1000 * sizeof(float),
                                      numbers, &code);
        require(code, "clCreateBuffer");
        require(clSetKernelArg(copy, 0, sizeof small, &small), "clSetKernelArg");
        require(clSetKernelArg(copy, 1, sizeof b, &b), "clSetKernelArg");
        launch(queue, copy);
        read(queue, b);
        clReleaseMemObject(small);
    } else {
        return false;
    }
    return true;
}

/// How a process may end, and other surroundings.
bool run_odd(const char* name) {
    if (is_case(name, "ends_by_abort") || is_case(name, "ends_by_exit") || is_case(name, "ends_by_signal") ||
        is_case(name, "never_ends")) {
        set_scale(a);
        launch(queue, scale);
        read(queue, a);
        fflush(stdout);
        if (is_case(name, "ends_by_exit")) _exit(5);
        if (is_case(name, "ends_by_signal")) raise(SIGKILL);
        if (is_case(name, "never_ends")) {
            puts("running");
            fflush(stdout);
            for (;;) pause();
        }
        abort();
    }
    if (is_case(name, "many_launches")) {
        set_scale(a);
        for (int i = 0; i < 200000; ++i) launch(queue, scale);
        read(queue, a);
        return true;
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    const char* const name = argc > 1 ? argv[1] : "right_simple";
    if (is_case(name, "no_opencl")) return 4;
    if (is_case(name, "forks")) {
        // Both processes use OpenCL, each by itself.
        const pid_t child = fork();
        set_up();
        run_right("right_simple");
        tear_down();
        int status = 0;
        if (child != 0) waitpid(child, &status, 0);
        return WEXITSTATUS(status);
    }
    if (is_case(name, "executes")) {
        execl(argv[0], argv[0], "right_simple", static_cast<char*>(nullptr));
        return 9;
    }
    set_up();
    if (!run_right(name) && !run_wrong(name) && !run_odd(name) &&
        !run_captured(name, argc > 2 ? argv[2] : ".")) {
        fprintf(stderr, "there is no case %s\n", name);
        return 9;
    }
    tear_down();
    return 0;
}
