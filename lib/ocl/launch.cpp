#include "ocl/launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>

#include "ocl/errors.hpp"

namespace kwb {
namespace {

void check(int status, const char* call) {
    if (status != CL_SUCCESS) throw explain_status(call, status);
}

[[noreturn]] void refuse(const Launch& launch, const std::string& cause, const char* next_step) {
    throw ClError::refusal(fmt::format("{}: {}", launch.function.name, cause), next_step);
}

void check_dimensions(const Launch& launch) {
    constexpr const char* kNext = "check global and local in [launch]";
    if (launch.global.empty() || launch.global.size() > 3)
        refuse(launch, fmt::format("a launch has 1, 2 or 3 dimensions, not {}", launch.global.size()), kNext);
    if (!launch.local.empty() && launch.local.size() != launch.global.size())
        refuse(launch,
               fmt::format("local has {} dimensions, global {}", launch.local.size(), launch.global.size()),
               kNext);
    if (std::ranges::count(launch.global, 0u) > 0)
        refuse(launch, fmt::format("the global size [{}] has a 0", fmt::join(launch.global, ", ")), kNext);
    if (std::ranges::count(launch.local, 0u) > 0)
        refuse(launch, fmt::format("the local size [{}] has a 0", fmt::join(launch.local, ", ")), kNext);
    if (launch.repeat == 0) refuse(launch, "repeat is 0", "repeat a launch at least once");
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
std::string argument_name(const Launch& launch, std::size_t index) {
    const auto& parameters = launch.function.parameters;
    const std::string name = index < parameters.size() ? parameters[index].name : "";
    return fmt::format("argument {}{}", index + 1, name.empty() ? "" : " (" + name + ")");
}

/// Some drivers accept a scalar as a buffer handle, so compare arguments with the parameter list.
void check_kind(const Launch& launch, std::size_t index) {
    if (launch.function.parameters.size() != launch.arguments.size()) return;  // unknown
    const KernelParameter& parameter = launch.function.parameters[index];
    const LaunchArgument& argument = launch.arguments[index];
    const auto wanted = [&](bool holds, const char* what) {
        if (!holds)
            refuse(launch, fmt::format("{} must be {}", argument_name(launch, index), what),
                   "check the arguments against the kernel's parameter list");
    };
    switch (parameter.space) {
        case AddressSpace::Global:
        case AddressSpace::Constant:
            return wanted(std::holds_alternative<const DeviceBuffer*>(argument), "a buffer");
        case AddressSpace::Local:
            wanted(std::holds_alternative<LocalBytes>(argument), "an amount of local memory");
            return wanted(std::get<LocalBytes>(argument).bytes > 0, "at least one byte of local memory");
        case AddressSpace::Private:
            return wanted(std::holds_alternative<std::vector<std::uint8_t>>(argument), "a number");
        case AddressSpace::Image:
        case AddressSpace::Other:
            return wanted(false, "a buffer, a number or local memory: its type is not supported");
    }
}

/// PoCL terminates the process if a kernel needs more local memory than the device has.
void check_local_memory(const Launch& launch, const cl::Device& device) {
    const std::uint64_t most = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
    if (most == 0) return;  // not reported
    std::uint64_t needed = launch.function.info.local_mem_bytes;
    for (const LaunchArgument& argument : launch.arguments)
        if (const auto* local = std::get_if<LocalBytes>(&argument))
            needed =
                local->bytes > most ? std::numeric_limits<std::uint64_t>::max() / 2 : needed + local->bytes;
    if (needed > most)
        refuse(launch, fmt::format("the work-group needs more local memory than the device's {} bytes", most),
               "choose smaller tiles or another device");
}

struct ArgumentSetter {
    cl_kernel kernel;
    cl_uint index;

    int operator()(const DeviceBuffer* buffer) const {
        return ::clSetKernelArg(kernel, index, sizeof(cl_mem), &buffer->payload()());
    }
    int operator()(const std::vector<std::uint8_t>& bytes) const {
        return ::clSetKernelArg(kernel, index, bytes.size(), bytes.data());
    }
    int operator()(const LocalBytes& local) const {
        return ::clSetKernelArg(kernel, index, local.bytes, nullptr);
    }
};

std::vector<std::size_t> to_sizes(const std::vector<std::uint64_t>& values) {
    return {values.begin(), values.end()};
}

}  // namespace

LaunchSequence::LaunchSequence(const cl::Program& program, const cl::CommandQueue& queue,
                               std::vector<Launch> launches)
    : queue_(queue),
      device_(queue.getInfo<CL_QUEUE_DEVICE>()),
      launches_(launches.size()),
      launch_ms_(launches.size()) {
    if (launches.empty()) throw ClError::refusal("there is nothing to launch", "give at least one launch");
    std::uint64_t enqueued = 0;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        launches_[i].launch = std::move(launches[i]);
        prepare(launches_[i], program);
        enqueued += std::min(launches_[i].launch.repeat, kMostEnqueued + 1);
        if (enqueued > kMostEnqueued)
            throw ClError::refusal(fmt::format("a run of more than {} launches was asked for", kMostEnqueued),
                                   "repeat fewer times, or do more in one launch");
    }
    events_.reserve(enqueued);
}

void LaunchSequence::prepare(Prepared& prepared, const cl::Program& program) {
    const Launch& launch = prepared.launch;
    check_dimensions(launch);
    if (launch.arguments.size() != launch.function.argument_count) {
        if (launch.function.parameters.size() != launch.function.argument_count)
            refuse(
                launch,
                "this driver does not report the arguments of a kernel, and they could not be read from the "
                "source",
                "install the clang that PoCL depends on: clang-15 (Debian 12) or clang-18 (Debian 13)");
        refuse(launch,
               fmt::format("the kernel has {} arguments, {} were given", launch.function.argument_count,
                           launch.arguments.size()),
               "check the arguments against the kernel's parameter list");
    }
    prepared.global = to_sizes(launch.global);
    prepared.local = to_sizes(launch.local);
    // Each launch has its own kernel object, so that most arguments are set only once.
    prepared.kernel = cl::Kernel(program, launch.function.name.c_str());
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) check_kind(launch, i);
    check_local_memory(launch, device_);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const auto index = static_cast<cl_uint>(i);
        const int status = std::visit(ArgumentSetter{prepared.kernel(), index}, launch.arguments[i]);
        if (status != CL_SUCCESS) {
            const ClError why = explain_status("clSetKernelArg", status);
            throw ClError(
                why.call(), status,
                fmt::format("{}, {}: {}", launch.function.name, argument_name(launch, i), why.cause()),
                why.next_step());
        }
        if (const auto* buffer = std::get_if<const DeviceBuffer*>(&launch.arguments[i]))
            prepared.buffers.push_back({index, *buffer, *buffer});
    }
    if (launch.swap)
        for (const DeviceBuffer* buffer : {launch.swap->first, launch.swap->second})
            if (find_place(buffer) == nullptr) places_.push_back({buffer, buffer});
}

LaunchSequence::Place* LaunchSequence::find_place(const DeviceBuffer* asked) {
    const auto place = std::ranges::find(places_, asked, &Place::asked);
    return place == places_.end() ? nullptr : &*place;
}

void LaunchSequence::set_buffers(Prepared& prepared) {
    for (auto& [index, asked, set] : prepared.buffers) {
        const Place* place = find_place(asked);
        const DeviceBuffer* wanted = place != nullptr ? place->now : asked;
        if (set != wanted) check(ArgumentSetter{prepared.kernel(), index}(wanted), "clSetKernelArg");
        set = wanted;
    }
}

cl::Event LaunchSequence::enqueue_once(const Prepared& prepared, const cl::Event* after) {
    const Launch& launch = prepared.launch;
    cl_event event = nullptr;
    const int status = ::clEnqueueNDRangeKernel(
        queue_(), prepared.kernel(), static_cast<cl_uint>(prepared.global.size()), nullptr,
        prepared.global.data(), prepared.local.empty() ? nullptr : prepared.local.data(),
        after != nullptr ? 1 : 0, after != nullptr ? &(*after)() : nullptr, &event);
    if (status != CL_SUCCESS) {
        const ClError why = explain_status("clEnqueueNDRangeKernel", status);
        throw ClError(
            why.call(), status,
            fmt::format("{} with global [{}] and local [{}]: {}", launch.function.name,
                        fmt::join(launch.global, ", "),
                        launch.local.empty() ? "auto" : fmt::format("{}", fmt::join(launch.local, ", ")),
                        why.cause()),
            why.next_step());
    }
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

cl::Event LaunchSequence::run_watched(const Prepared& prepared, const CompileWatch& watch) {
    ::clFinish(queue_());
    watch.compiling();
    // The launch waits for this event, so that it cannot start before the callback is set.
    cl::UserEvent gate(queue_.getInfo<CL_QUEUE_CONTEXT>());
    const cl::Event event = enqueue_once(prepared, &gate);
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

void LaunchSequence::enqueue(Prepared& prepared, const CompileWatch* watch) {
    const Launch& launch = prepared.launch;
    for (std::uint64_t i = 0; i < launch.repeat; ++i) {
        if (!places_.empty()) set_buffers(prepared);
        const bool is_watched = i == 0 && watch != nullptr && watch->may_compile(launch);
        events_.push_back(is_watched ? run_watched(prepared, *watch) : enqueue_once(prepared, nullptr));
        if (is_watched) watch->running();  // for the repeats, and for drivers that do not call back
        if (launch.swap) std::swap(find_place(launch.swap->first)->now, find_place(launch.swap->second)->now);
    }
}

double LaunchSequence::run(const CompileWatch* watch) {
    events_.clear();
    for (Place& place : places_) place.now = place.asked;
    try {
        for (Prepared& prepared : launches_) enqueue(prepared, watch);
    } catch (const ClError&) {
        // Launches in flight use buffers that may be released now, so wait for them. If one of them failed,
        // the call that threw was only the first to report it.
        const int status = ::clFinish(queue_());
        if (status != CL_SUCCESS && !events_.empty())
            throw explain_status("clFinish", status).set_of_launch();
        throw;
    }
    try {
        const cl_event last = events_.back()();
        const int status = ::clWaitForEvents(1, &last);
        // A failed launch reports the reason itself.
        if (status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) check(status, "clWaitForEvents");
        return read_clock();
    } catch (ClError& error) {
        error.set_of_launch();
        throw;
    }
}

double LaunchSequence::read_clock() {
    cl_ulong first_start = std::numeric_limits<cl_ulong>::max();
    cl_ulong last_end = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < launches_.size(); ++i) {
        double sum_ms = 0;
        for (std::uint64_t k = 0; k < launches_[i].launch.repeat; ++k, ++next) {
            const cl_event event = events_[next]();
            cl_int state = CL_COMPLETE;
            check(::clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, nullptr),
                  "clGetEventInfo");
            if (state < 0) throw explain_status("the launch of " + launches_[i].launch.function.name, state);
            cl_ulong start = 0;
            cl_ulong end = 0;
            check(
                ::clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, nullptr),
                "clGetEventProfilingInfo");
            check(::clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, nullptr),
                  "clGetEventProfilingInfo");
            first_start = std::min(first_start, start);
            last_end = std::max(last_end, end);
            if (end > start) sum_ms += static_cast<double>(end - start) * 1e-6;
        }
        launch_ms_[i] = sum_ms;
    }
    return last_end > first_start ? static_cast<double>(last_end - first_start) * 1e-6 : 0;
}

}  // namespace kwb
