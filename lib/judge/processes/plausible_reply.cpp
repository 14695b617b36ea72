// SPDX-License-Identifier: Apache-2.0
#include "judge/processes/plausible_reply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <variant>
#include <vector>

#include "base/text.hpp"
#include "ipc/channel.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostLogBytes = 1u << 20;
constexpr std::size_t kMostFunctions = 1000;
constexpr std::size_t kMostArguments = 256;  // OpenCL guarantees only 1024 bytes of arguments
constexpr std::size_t kMostNameBytes = 4096;
constexpr std::size_t kMostDevices = 1000;
constexpr std::size_t kMostDeviceTextBytes = 64u << 10;

void require(bool holds, const char* finding) {
    if (!holds) throw ProtocolError(finding);
}

/// Truncates at the end of a line if there is one, and never within a character.
void cut_log(std::string& log) {
    if (log.size() <= kMostLogBytes) return;
    const std::size_t end = log.rfind('\n', kMostLogBytes);
    const std::size_t kept = end == std::string::npos ? kMostLogBytes : end;
    const std::size_t cut = log.size() - kept;
    log = to_utf8(log.substr(0, kept)) +
          fmt::format("\n[… {} more {} not kept]\n", cut,
                      cut == 1 ? "byte of the log was" : "bytes of the log were");
}

void check(FaultNote& note, const AllowedReplies& allowed) {
    require(allowed.may_fault, "a fault outside any launch");
    if (note.buffer) {
        require(!note.address_unknown, "a fault in a buffer at an unknown address");
        require(allowed.buffers.contains(*note.buffer), "a fault in a buffer that does not exist");
        // The allocation itself may be as large as the distance between its start and the unreadable pages
        // after it.
        constexpr auto kFar = static_cast<std::int64_t>(std::uint64_t{1} << 46);
        require(-kFar < note.offset && note.offset < kFar, "a fault at an address that no buffer is near");
    }
    if (!note.work_item) return;
    require(note.work_item->size() == 3, "a work-item without three numbers");
    for (std::size_t i = 0; i < 3; ++i)
        require((*note.work_item)[i] < std::max<std::uint64_t>(allowed.extent[i], 1),
                "a fault by a work-item that does not exist");
}

void check(BuiltReply& reply, const AllowedReplies&) {
    cut_log(reply.log);
    require(reply.functions.size() <= kMostFunctions, "more functions than any source has");
    for (const FunctionInfo& function : reply.functions) {
        require(!function.name.empty() && function.name.size() <= kMostNameBytes,
                "a function without a name");
        require(function.arguments.size() <= kMostArguments, "more arguments than any function has");
        require(function.required_local.size() <= 3, "a work-group of more than three dimensions");
        for (const KernelParameter& argument : function.arguments)
            require(argument.name.size() <= kMostNameBytes && argument.type_name.size() <= kMostNameBytes,
                    "an argument with an endless name");
    }
}

void check(DeviceList& list, const AllowedReplies&) {
    require(list.devices.size() <= kMostDevices && list.failures.size() <= kMostDevices &&
                list.idle_drivers.size() <= kMostDevices,
            "more devices than any machine has");
    for (const IdleDriver& driver : list.idle_drivers)
        require(driver.name.size() <= kMostDeviceTextBytes, "a driver with an endless name");
    for (const DriverFailure& failure : list.failures)
        require(failure.name.size() <= kMostDeviceTextBytes, "a driver with an endless name");
    for (const DeviceInfo& device : list.devices)
        for (const std::string* text :
             {&device.id, &device.name, &device.vendor, &device.platform, &device.platform_version,
              &device.device_version, &device.driver_version, &device.opencl_c, &device.extensions})
            require(text->size() <= kMostDeviceTextBytes, "a device with an endless description");
}

void check(FailedReply& reply, const AllowedReplies&) {
    for (std::string* text : {&reply.call, &reply.code_name, &reply.cause, &reply.next_step}) cut_log(*text);
}

void check(ExecutedReply& reply, const AllowedReplies&) {
    require(reply.samples.size() <= kMostCodePlaces, "more samples than a runner notes");
    for (const CodePlace& place : reply.samples)
        require(place.library.size() <= kMostNameBytes, "a library with an endless name");
}

void check(StageNote& note, const AllowedReplies& allowed) {
    require(allowed.stages.contains(note.stage), "a stage that this request does not have");
}

void check(ConfinedReply& reply, const AllowedReplies&) {
    require(reply.report.gaps.size() <= 100, "gaps without end");
    for (const std::string& gap : reply.report.gaps)
        require(gap.size() <= kMostNameBytes, "an endless description of a gap");
}

/// All values of the other replies were checked when they were parsed.
template <class Reply>
void check(Reply&, const AllowedReplies&) {}

}  // namespace

AllowedReplies allowed_replies(const BuildRequest&) {
    return {.stages = {kCompileStage}, .timeouts = 2};
}

AllowedReplies allowed_replies(const ObserveRequest&) {
    return {.stages = {kCompileStage, kLaunchStage}, .timeouts = 2};
}

AllowedReplies allowed_replies(const ExecuteRequest& request) {
    std::set<std::tuple<std::string, std::vector<std::uint64_t>, std::vector<std::uint64_t>>> compiled;
    for (const Launch& launch : request.launches)
        compiled.emplace(launch.kernel, launch.global, launch.local);
    AllowedReplies allowed{
        .stages = {kFirstLaunchStage, kLaunchStage},
        // Before the first stage; then each work-group size of a function may be compiled first.
        .timeouts = static_cast<unsigned>(1 + 2 * std::max<std::size_t>(compiled.size(), 1)),
        .may_fault = true,
        .is_execution = !request.launches.empty(),
        .leaves_nothing = true};  // a download, too: it looks at the runs before it
    for (const Launch& launch : request.launches)
        for (std::size_t i = 0; i < std::min<std::size_t>(launch.global.size(), 3); ++i)
            allowed.extent[i] = std::max(allowed.extent[i], launch.global[i]);
    return allowed;
}

void require_plausible(RunnerReply& reply, const AllowedReplies& allowed) {
    std::visit([&](auto& one) { check(one, allowed); }, reply);
}

}  // namespace kwb
