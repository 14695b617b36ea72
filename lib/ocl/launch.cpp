// SPDX-License-Identifier: Apache-2.0
#include "ocl/launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>

#include "base/text.hpp"
#include "ocl/errors.hpp"

namespace kwb {
namespace {

static_assert(std::is_same_v<std::size_t, std::uint64_t>, "a launch's sizes are passed to OpenCL unchanged");

void check(int status, const char* call) {
    if (status != CL_SUCCESS) throw explain_status(call, status);
}

[[noreturn]] void refuse(const Launch& launch, const std::string& cause, const char* next_step) {
    throw ClError::refusal(fmt::format("{}: {}", launch.kernel, cause), next_step);
}

constexpr const char* kCheckArguments = "Check the arguments against the kernel's parameter list";

const FunctionInfo& find_function(const std::vector<FunctionInfo>& functions, const std::string& name) {
    const auto found = std::ranges::find(functions, name, &FunctionInfo::name);
    if (found != functions.end()) return *found;
    std::vector<std::string> names;
    for (const FunctionInfo& function : functions) names.push_back(function.name);
    const std::string hint = did_you_mean(name, names);
    throw ClError("clCreateKernel", CL_INVALID_KERNEL_NAME,
                  "the program has no kernel function '" + name + "'",
                  names.empty() ? "It defines none: is `kernel` missing before `void`?"
                                : "It defines " + enumerate(names) + (hint.empty() ? "" : "." + hint));
}

void check_dimensions(const Launch& launch) {
    constexpr const char* kNext = "Check global and local in [launch]";
    if (launch.global.empty() || launch.global.size() > 3)
        refuse(launch, fmt::format("a launch has 1, 2 or 3 dimensions, not {}", launch.global.size()), kNext);
    if (!launch.local.empty() && launch.local.size() != launch.global.size())
        refuse(launch,
               fmt::format("local has {} dimensions, but global has {}", launch.local.size(),
                           launch.global.size()),
               kNext);
    for (const auto& [name, sizes] : {std::pair("global", launch.global), std::pair("local", launch.local)})
        if (std::ranges::count(sizes, 0u) > 0)
            refuse(launch, fmt::format("the {} size [{}] contains a 0", name, fmt::join(sizes, ", ")), kNext);
    if (launch.repeat == 0) refuse(launch, "repeat is 0", "Repeat a launch at least once");
    // Drivers multiply these without an overflow check.
    constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
    std::uint64_t items = 1;
    for (const std::uint64_t size : launch.global) {
        if (size > kMost / items)
            refuse(launch, fmt::format("the global size [{}] is too large", fmt::join(launch.global, ", ")),
                   kNext);
        items *= size;
    }
}

/// "argument 3 (n)"
std::string argument_name(const FunctionInfo& function, std::size_t index) {
    const std::string name = index < function.arguments.size() ? function.arguments[index].name : "";
    return fmt::format("argument {}{}", index + 1, name.empty() ? "" : " (" + name + ")");
}

bool is_null(const Argument& argument) {
    const auto* value = std::get_if<ValueArgument>(&argument);
    return value != nullptr && value->bytes.empty();
}

/// Some drivers accept a scalar as a buffer handle, so compare arguments with the parameter list.
void check_kind(const Launch& launch, const FunctionInfo& function, std::size_t index) {
    const Argument& argument = launch.arguments[index];
    const auto wanted = [&](bool holds, const char* what) {
        if (!holds)
            refuse(launch, fmt::format("{} must be {}", argument_name(function, index), what),
                   kCheckArguments);
    };
    switch (function.arguments[index].space) {
        case AddressSpace::Global:
        case AddressSpace::Constant:
            return wanted(std::holds_alternative<BufferArgument>(argument) || is_null(argument), "a buffer");
        case AddressSpace::Local:
            wanted(std::holds_alternative<LocalArgument>(argument), "an amount of local memory");
            return wanted(std::get<LocalArgument>(argument).bytes > 0, "at least one byte of local memory");
        case AddressSpace::Private:
            return wanted(std::holds_alternative<ValueArgument>(argument) && !is_null(argument), "a number");
        case AddressSpace::Image:
            return wanted(std::holds_alternative<ImageArgument>(argument), "an image");
        case AddressSpace::Other:
            if (function.arguments[index].is_sampler())
                return wanted(std::holds_alternative<SamplerArgument>(argument), "a sampler");
            return wanted(false, "a buffer, a number or local memory, since its type is not supported");
    }
}

void check_arguments(const Launch& launch, const FunctionInfo& function, std::size_t count) {
    if (launch.arguments.size() != count) {
        if (function.arguments.size() != count)
            refuse(launch,
                   "this driver does not report a kernel's arguments, and the source could not be read to "
                   "find them",
                   "Install the clang that PoCL depends on: clang-15 (Debian 12) or clang-18 (Debian 13)");
        refuse(launch,
               fmt::format("the kernel has {} arguments, but the launch passes {}", count,
                           launch.arguments.size()),
               kCheckArguments);
    }
    if (function.arguments.size() != count) return;  // unknown
    for (std::size_t i = 0; i < count; ++i) check_kind(launch, function, i);
}

/// PoCL terminates the process if a kernel needs more local memory than the device has.
void check_local_memory(const Launch& launch, const FunctionInfo& function, const cl::Device& device) {
    const std::uint64_t most = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
    if (most == 0) return;  // not reported
    std::uint64_t needed = function.info.local_mem_bytes;
    for (const Argument& argument : launch.arguments)
        if (const auto* local = std::get_if<LocalArgument>(&argument))
            needed =
                local->bytes > most ? std::numeric_limits<std::uint64_t>::max() / 2 : needed + local->bytes;
    if (needed > most)
        refuse(launch, fmt::format("the work-group needs more local memory than the device's {} bytes", most),
               "Choose smaller tiles or another device");
}

cl::ImageFormat format_of(const ImageShape& shape) {
    const auto type = [&]() -> cl_channel_type {
        switch (shape.pixel.scalar) {
            case Scalar::Int8:
                return shape.is_normalized ? CL_SNORM_INT8 : CL_SIGNED_INT8;
            case Scalar::UInt8:
                return shape.is_normalized ? CL_UNORM_INT8 : CL_UNSIGNED_INT8;
            case Scalar::Int16:
                return shape.is_normalized ? CL_SNORM_INT16 : CL_SIGNED_INT16;
            case Scalar::UInt16:
                return shape.is_normalized ? CL_UNORM_INT16 : CL_UNSIGNED_INT16;
            case Scalar::Int32:
                return CL_SIGNED_INT32;
            case Scalar::UInt32:
                return CL_UNSIGNED_INT32;
            case Scalar::Float16:
                return CL_HALF_FLOAT;
            case Scalar::Float32:
                return CL_FLOAT;
            default:
                throw ClError::mistake("an image of 64-bit numbers");
        }
    }();
    const unsigned components = shape.pixel.width;
    return {components == 1   ? cl_channel_order{CL_R}
            : components == 2 ? cl_channel_order{CL_RG}
                              : CL_RGBA,
            type};
}

cl::Sampler make_sampler(const cl::Context& context, const Sampler& sampler) {
    constexpr cl_addressing_mode kModes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE,
                                             CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
    return {context, cl_bool{sampler.is_normalized}, kModes[static_cast<std::size_t>(sampler.addressing)],
            sampler.filter == SamplerFilter::Linear ? cl_filter_mode{CL_FILTER_LINEAR} : CL_FILTER_NEAREST};
}

int set_buffer(const cl::Kernel& kernel, cl_uint index, const DeviceBuffer& buffer) {
    return ::clSetKernelArg(kernel(), index, sizeof(cl_mem), &buffer.payload()());
}

}  // namespace

LaunchSequence::LaunchSequence(const cl::Program& program, const std::vector<FunctionInfo>& functions,
                               const cl::CommandQueue& queue, const std::vector<Launch>& launches,
                               const FindBuffer& find_buffer)
    : queue_(queue), launch_ms_(launches.size()) {
    if (launches.empty()) throw ClError::refusal("no launch is defined", "Give at least one launch");
    std::uint64_t enqueued = 0;
    for (const Launch& launch : launches) {
        const FunctionInfo& function = find_function(functions, launch.kernel);
        check_dimensions(launch);
        Step& step = steps_.emplace_back(Step{launch, cl::Kernel(program, launch.kernel.c_str()), {}, {}});
        check_arguments(launch, function, step.kernel.getInfo<CL_KERNEL_NUM_ARGS>());
        check_local_memory(launch, function, queue.getInfo<CL_QUEUE_DEVICE>());
        set_arguments(step, function, find_buffer);
        if (launch.swap)
            for (const std::uint32_t id : {launch.swap->first, launch.swap->second})
                unswapped_.emplace(id, &find_buffer(id));
        enqueued += std::min(launch.repeat, kMostEnqueued + 1);
        if (enqueued > kMostEnqueued)
            throw ClError::refusal(fmt::format("a run has more than {} launches", kMostEnqueued),
                                   "Repeat fewer times, or do more work per launch");
    }
    refuse_mixed_use();
    events_.reserve(enqueued);
}

void LaunchSequence::set_arguments(Step& step, const FunctionInfo& function, const FindBuffer& find_buffer) {
    const Launch& launch = step.launch;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const auto index = static_cast<cl_uint>(i);
        int status = CL_SUCCESS;
        if (const auto* value = std::get_if<ValueArgument>(&launch.arguments[i])) {
            status = value->bytes.empty()
                         ? ::clSetKernelArg(step.kernel(), index, sizeof(cl_mem), nullptr)
                         : ::clSetKernelArg(step.kernel(), index, value->bytes.size(), value->bytes.data());
        } else if (const auto* local = std::get_if<LocalArgument>(&launch.arguments[i])) {
            status = ::clSetKernelArg(step.kernel(), index, local->bytes, nullptr);
        } else if (const auto* image = std::get_if<ImageArgument>(&launch.arguments[i])) {
            status = set_image(step.kernel, index, *image, find_buffer);
        } else if (const auto* sampler = std::get_if<SamplerArgument>(&launch.arguments[i])) {
            step.samplers.push_back(make_sampler(queue_.getInfo<CL_QUEUE_CONTEXT>(), sampler->sampler));
            status = step.kernel.setArg(index, step.samplers.back());
        } else {
            const std::uint32_t id = std::get<BufferArgument>(launch.arguments[i]).buffer;
            step.buffers.push_back({index, id, &find_buffer(id)});
            status = set_buffer(step.kernel, index, *step.buffers.back().set);
        }
        if (status != CL_SUCCESS)
            throw explain_status("clSetKernelArg", status,
                                 fmt::format("{}, {}", launch.kernel, argument_name(function, i)));
    }
}

int LaunchSequence::set_image(const cl::Kernel& kernel, cl_uint index, const ImageArgument& argument,
                              const FindBuffer& find_buffer) {
    auto found = images_.find(argument.buffer);
    if (found == images_.end()) {
        const ImageShape& shape = argument.shape;
        const DeviceBuffer& content = find_buffer(argument.buffer);
        if (shape.width == 0 || shape.height == 0 ||
            content.payload_bytes() / shape.pixel.bytes() / shape.width != shape.height)
            throw ClError::mistake("an image and its buffer differ in size");
        cl::Image2D image(queue_.getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE, format_of(shape),
                          shape.width, shape.height);
        found = images_.emplace(argument.buffer, Image{&content, std::move(image), false}).first;
    }
    found->second.is_written |= argument.is_written;
    return ::clSetKernelArg(kernel(), index, sizeof(cl_mem), &found->second.image());
}

/// Content is copied before and after all launches of a run, not between them.
void LaunchSequence::refuse_mixed_use() const {
    for (const Step& step : steps_) {
        const auto is_image = [&](std::uint32_t id) { return images_.contains(id); };
        const bool is_swapped =
            step.launch.swap && (is_image(step.launch.swap->first) || is_image(step.launch.swap->second));
        if (is_swapped || std::ranges::any_of(step.buffers, is_image, &BufferSlot::id))
            refuse(step.launch, "a buffer is used as an image, and also swapped or used as a pointer",
                   "Use it the same way in all launches");
    }
}

void LaunchSequence::load_images() {
    for (const auto& [id, image] : images_) image.content->load(queue_, image.image);
}

void LaunchSequence::store_images() {
    for (const auto& [id, image] : images_)
        if (image.is_written) image.content->store(queue_, image.image);
    queue_.finish();
}

void LaunchSequence::set_swapped(Step& step) {
    for (auto& [index, id, set] : step.buffers) {
        const auto wanted = swapped_.find(id);
        if (wanted == swapped_.end() || set == wanted->second) continue;
        check(set_buffer(step.kernel, index, *wanted->second), "clSetKernelArg");
        set = wanted->second;
    }
}

cl::Event LaunchSequence::enqueue_once(const Step& step, const cl::Event* after) {
    const Launch& launch = step.launch;
    cl_event event = nullptr;
    const int status =
        ::clEnqueueNDRangeKernel(queue_(), step.kernel(), static_cast<cl_uint>(launch.global.size()), nullptr,
                                 launch.global.data(), launch.local.empty() ? nullptr : launch.local.data(),
                                 after != nullptr ? 1 : 0, after != nullptr ? &(*after)() : nullptr, &event);
    if (status != CL_SUCCESS)
        throw explain_status(
            "clEnqueueNDRangeKernel", status,
            fmt::format("{} with global [{}] and local [{}]", launch.kernel, fmt::join(launch.global, ", "),
                        launch.local.empty() ? "auto" : fmt::format("{}", fmt::join(launch.local, ", "))));
    return cl::Event(event);
}

namespace {

/// Forwards one call unless the launch has ended, because drivers may call late or never.
struct RunningCall {
    std::mutex mutex;
    std::function<void()> running;  ///< empty: the launch has ended
};

void CL_CALLBACK on_running(cl_event, cl_int, void* data) {
    const std::unique_ptr<std::shared_ptr<RunningCall>> call(
        static_cast<std::shared_ptr<RunningCall>*>(data));
    const std::lock_guard lock((*call)->mutex);
    if ((*call)->running) (*call)->running();
}

}  // namespace

cl::Event LaunchSequence::run_watched(const Step& step, const CompileWatch& watch) {
    ::clFinish(queue_());
    watch.compiling();
    // The launch waits for this event, so that it cannot start before the callback is set.
    cl::UserEvent gate(queue_.getInfo<CL_QUEUE_CONTEXT>());
    const cl::Event event = enqueue_once(step, &gate);
    const auto call = std::make_shared<RunningCall>();
    call->running = watch.running;
    auto kept = std::make_unique<std::shared_ptr<RunningCall>>(call);
    if (::clSetEventCallback(event(), CL_RUNNING, on_running, kept.get()) == CL_SUCCESS)
        kept.release();  // now the callback owns it; leaked if the driver never calls back
    gate.setStatus(CL_COMPLETE);
    const cl_event waited = event();
    ::clWaitForEvents(1, &waited);  // a failure is read from the event itself
    const std::lock_guard lock(call->mutex);
    call->running = nullptr;
    return event;
}

void LaunchSequence::enqueue(Step& step, const CompileWatch* watch) {
    const Launch& launch = step.launch;
    for (std::uint64_t i = 0; i < launch.repeat; ++i) {
        set_swapped(step);
        const bool is_watched = i == 0 && watch != nullptr && watch->may_compile(launch);
        events_.push_back(is_watched ? run_watched(step, *watch) : enqueue_once(step, nullptr));
        if (is_watched) watch->running();  // for the repeats, and for drivers that do not call back
        if (launch.swap) std::swap(swapped_[launch.swap->first], swapped_[launch.swap->second]);
    }
}

double LaunchSequence::run(const CompileWatch* watch) {
    events_.clear();
    swapped_ = unswapped_;
    try {
        for (Step& step : steps_) enqueue(step, watch);
    } catch (const ClError&) {
        // Launches in flight use buffers that may be released now, so wait for them. If one of them failed,
        // the call that threw was only the first to report it.
        const int status = ::clFinish(queue_());
        if (status == CL_SUCCESS || events_.empty()) throw;
        ClError error = explain_status("clFinish", status);
        error.failure.is_of_launch = true;
        throw error;
    }
    try {
        const cl_event last = events_.back()();
        const int status = ::clWaitForEvents(1, &last);
        // A failed launch reports the reason itself.
        if (status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) check(status, "clWaitForEvents");
        return read_clock();
    } catch (ClError& error) {
        error.failure.is_of_launch = true;
        throw;
    }
}

double LaunchSequence::read_clock() {
    cl_ulong first_start = std::numeric_limits<cl_ulong>::max();
    cl_ulong last_end = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Launch& launch = steps_[i].launch;
        launch_ms_[i] = 0;
        for (std::uint64_t k = 0; k < launch.repeat; ++k, ++next) {
            const cl_event event = events_[next]();
            cl_int state = CL_COMPLETE;
            check(::clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, nullptr),
                  "clGetEventInfo");
            if (state < 0) throw explain_status("the launch of " + launch.kernel, state);
            const auto read = [&](cl_profiling_info what) {
                cl_ulong time_ns = 0;
                check(::clGetEventProfilingInfo(event, what, sizeof(time_ns), &time_ns, nullptr),
                      "clGetEventProfilingInfo");
                return time_ns;
            };
            const cl_ulong start = read(CL_PROFILING_COMMAND_START);
            const cl_ulong end = read(CL_PROFILING_COMMAND_END);
            first_start = std::min(first_start, start);
            last_end = std::max(last_end, end);
            if (end > start) launch_ms_[i] += static_cast<double>(end - start) * 1e-6;
        }
    }
    return last_end > first_start ? static_cast<double>(last_end - first_start) * 1e-6 : 0;
}

}  // namespace kwb
