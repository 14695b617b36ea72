// SPDX-License-Identifier: Apache-2.0
#include "judge/xray/observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/json.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "judge/build/binding.hpp"
#include "judge/build/constraints.hpp"
#include "judge/processes/device_bench.hpp"
#include "judge/verify/layout.hpp"
#include "model/device_fit.hpp"

namespace kwb {

// ipc describes its records for itself; in a unity build this file sees the template's definition, too.
extern template Json to_json(const ObserveRequest&);

namespace {

constexpr std::uint64_t kAlign = 4096;

/// At most three extents: the outer ones are combined.
std::vector<std::uint64_t> extents_of(const Slot& slot, const ProblemInstance& instance) {
    const BufferSpec* const spec =
        slot.role == Slot::Role::Scratch ? nullptr : instance.find_buffer(slot.name);
    if (spec == nullptr || spec->shape.empty()) return {slot.elements};
    std::vector<std::uint64_t> extents = spec->shape;
    while (extents.size() > 3) {
        extents[1] *= extents[0];
        extents.erase(extents.begin());
    }
    return extents;
}

bool has_content(const Slot& slot) {
    return slot.role == Slot::Role::Input || slot.role == Slot::Role::Pristine;
}

/// The same slots for the same plan and instance.
Layout layout_of(const XraySubject& subject) {
    return make_layout(subject.instance, {&subject.plan}, subject.device);
}

/// With the compiler, on which every answer depends.
std::string key_of(Json what, const std::string& compiler) {
    std::error_code error;
    // The file's time stands for its version, which would take a process to ask.
    const std::filesystem::path file = std::filesystem::canonical(compiler, error);
    what["compiler"] = file.string();
    what["changed"] = std::filesystem::last_write_time(file, error).time_since_epoch().count();
    return sha256_hex(dump_json(what));
}

}  // namespace

std::vector<std::uint64_t> choose_xray_local(const std::vector<std::uint64_t>& global) {
    std::uint64_t room = 64;
    std::vector<std::uint64_t> local;
    for (const std::uint64_t extent : global) {
        std::uint64_t divisor = std::min(room, std::max<std::uint64_t>(extent, 1));
        while (extent % divisor != 0) --divisor;
        local.push_back(divisor);
        room /= divisor;
    }
    return local;
}

std::string key_of_answer(const ObserveRequest& request) {
    ObserveRequest asked = request;
    asked.folder.clear();
    return key_of({{"request", to_json(asked)}, {"seed", kXraySeed}}, request.compiler);
}

std::string key_of_source(const KernelPlan& plan, const std::string& compiler) {
    ObserveRequest asked;
    asked.source_text = plan.source_text;
    asked.includes = plan.includes;
    asked.options = build_options_of(plan);
    for (const LaunchPlan& launch : plan.launches) asked.launches.emplace_back().kernel = launch.kernel;
    return key_of({{"source", to_json(asked)}}, compiler);
}

std::variant<XrayJob, std::string> make_xray_job(const XraySubject& subject,
                                                 const std::vector<FunctionInfo>& functions,
                                                 const XrayOptions& options, bool download) {
    const Layout layout = layout_of(subject);
    std::uint64_t bytes = 0;
    for (const Slot& slot : layout.slots) bytes = add_bytes(bytes, slot.bytes());
    if (bytes > kMostXrayBytes)
        return fmt::format("its buffers at {} take {}, and only {} are observed",
                           to_string(subject.instance.sizes), format_bytes(bytes),
                           format_bytes(kMostXrayBytes));

    auto bound = bind_launches(subject.plan, 0, functions, subject.instance, layout);
    if (const auto* failure = std::get_if<Failure>(&bound)) return failure->reason;
    auto init = bind_init(subject.plan, 0, layout);
    if (const auto* failure = std::get_if<Failure>(&init)) return failure->reason;

    XrayJob job;
    ObserveRequest& request = job.request;
    request.file_name = subject.plan.file;
    request.source_text = subject.plan.source_text;
    request.includes = subject.plan.includes;
    request.options = build_options_of(subject.plan);
    request.functions = functions;
    request.launches = std::get<std::vector<Launch>>(std::move(bound));
    request.xray = options;
    for (Launch& launch : request.launches) {
        if (!launch.local.empty()) continue;
        const auto function = std::ranges::find(functions, launch.kernel, &FunctionInfo::name);
        const bool is_fixed = function != functions.end() &&
                              function->required_local.size() >= launch.global.size() &&
                              !launch.global.empty();
        launch.local = is_fixed ? std::vector(function->required_local.begin(),
                                              function->required_local.begin() +
                                                  static_cast<std::ptrdiff_t>(launch.global.size()))
                                : choose_xray_local(launch.global);
    }
    if (auto conflict = find_shape_conflict(request.launches, functions)) return std::move(*conflict);
    for (const Slot& slot : layout.slots) {
        const std::string name = slot.role == Slot::Role::Pristine ? slot.name + " (initial)" : slot.name;
        ObserveRequest::Buffer& buffer = request.buffers.emplace_back(
            ObserveRequest::Buffer{name, slot.type, extents_of(slot, subject.instance), std::nullopt});
        const bool is_output = slot.role == Slot::Role::Output;
        if (has_content(slot)) buffer.offset = job.arena_bytes;
        if (is_output)
            if (const Slot* const pristine = layout.find_pristine(slot.name))
                request.before_run.push_back({slot.id, {}, pristine->id});
        if (is_output && download) request.download.push_back({slot.id, job.arena_bytes});
        if (has_content(slot) || is_output) job.arena_bytes += (slot.bytes() + kAlign - 1) / kAlign * kAlign;
    }
    auto& operations = std::get<std::vector<BufferOperation>>(init);
    request.before_run.insert(request.before_run.end(), operations.begin(), operations.end());
    return job;
}

void add_contents(XrayJob& job, const XraySubject& subject, const Contents& inputs) {
    for (const Slot& slot : layout_of(subject).slots)
        if (const auto* const content = has_content(slot) ? find_named(inputs, slot.name) : nullptr)
            job.contents.emplace_back(*job.request.buffers[slot.id].offset, *content);
}

}  // namespace kwb
