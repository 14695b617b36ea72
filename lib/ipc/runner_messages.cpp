// SPDX-License-Identifier: Apache-2.0
#include "ipc/runner_messages.hpp"

#include "base/record_json.hpp"
#include "model/device_fields.hpp"
#include "model/launch_fields.hpp"
#include "model/recording_fields.hpp"
#include "model/xray_fields.hpp"

namespace kwb {
namespace {

constexpr Limits kId = at_most(1u << 20);
constexpr Limits kBytes = at_most(std::uint64_t{1} << 46);

}  // namespace

void describe(auto& f, ConfineRequest& request) {
    f("readable", request.policy.readable);
    f("writable", request.policy.writable);
    f("devices", request.policy.devices);
}

void describe(auto& f, DevicesRequest& request) {
    f("library", request.library);
}

void describe(auto& f, OpenRequest& request) {
    f("index", request.index, kId);
}

void describe(auto&, WarmUpRequest&) {}

void describe(auto& f, BuildRequest& request) {
    f("program", request.program, kId);
    f("file_name", request.file_name);
    f("source", request.source_text);
    f("includes", request.includes);
    f("options", request.options);
}

void describe(auto& f, BuffersRequest::Buffer& buffer) {
    f("id", buffer.id, kId);
    f("front_bytes", buffer.front_bytes, kBytes);
    f("bytes", buffer.bytes, kBytes);
    f("back_bytes", buffer.back_bytes, kBytes);
    f("repeated_bytes", buffer.repeated_bytes, kBytes);
}

void describe(auto& f, BuffersRequest& request) {
    f("buffers", request.buffers);
    f("unreadable_pages", request.unreadable_pages);
    f("trace", request.trace);
}

void describe(auto& f, Transfer& transfer) {
    f("buffer", transfer.buffer, kId);
    f("offset", transfer.offset, kBytes);
}

void describe(auto& f, UploadRequest& request) {
    f("transfers", request.transfers);
}

void describe(auto& f, BufferOperation& operation) {
    f("buffer", operation.buffer, kId);
    f("pattern", operation.pattern);
    f("copy_from", operation.copy_from, kId);
}

static std::optional<Flaw> check(const BufferOperation& operation) {
    const std::size_t n = operation.pattern.size();
    if (!operation.copy_from && n != 1 && n != 2 && n != 4 && n != 8)
        return Flaw{"pattern", "1, 2, 4 or 8 bytes"};
    return std::nullopt;
}

void describe(auto& f, BufferArgument& argument) {
    f("buffer", argument.buffer, kId);
}

void describe(auto& f, ValueArgument& argument) {
    f("value", argument.bytes);
}

void describe(auto& f, LocalArgument& argument) {
    f("local_bytes", argument.bytes, kBytes);
}

void describe(auto& f, ImageArgument& argument) {
    f("image_of", argument.buffer, kId);
    f("pixel", argument.shape.pixel);
    f("normalized", argument.shape.is_normalized);
    f("width", argument.shape.width, kBytes);
    f("height", argument.shape.height, kBytes);
    f("written", argument.is_written);
}

void describe(auto& f, SamplerArgument& argument) {
    f("filter", argument.sampler.filter);
    f("addressing", argument.sampler.addressing);
    f("normalized", argument.sampler.is_normalized);
}

void describe(auto& f, Launch& launch) {
    f("kernel", launch.kernel);
    f("global", launch.global);
    f("local", launch.local);
    f("arguments", launch.arguments);
    f("repeat", launch.repeat, kId);
    f("swap", launch.swap, kId);
}

void describe(auto& f, ExecuteRequest& request) {
    f("program", request.program, kId);
    f("launches", request.launches);
    f("before_first", request.before_first);
    f("before_run", request.before_run);
    f("inputs", request.inputs);
    f("download", request.download);
    f("is_sampled", request.is_sampled);
}

void describe(auto& f, PrepareRequest& request) {
    f("inputs", request.inputs);
}

void describe(auto&, LaunchRequest&) {}

void describe(auto& f, ObserveRequest::Buffer& buffer) {
    f("name", buffer.name);
    f("type", buffer.type);
    f("extents", buffer.extents, kBytes.items(1, 3));
    f("offset", buffer.offset, kBytes);
}

void describe(auto& f, ObserveRequest& request) {
    f("compiler", request.compiler);
    f("folder", request.folder);
    f("file_name", request.file_name);
    f("source", request.source_text);
    f("includes", request.includes);
    f("options", request.options);
    f("functions", request.functions);
    f("launches", request.launches);
    f("buffers", request.buffers);
    f("before_run", request.before_run);
    f("download", request.download);
    f("xray", request.xray);
}

void describe(auto& f, ConfinedReply& reply) {
    SandboxReport& report = reply.report;
    f("enforced", report.enforced);
    f("landlock_abi", report.landlock_abi, between(0, 1000));
    f("network_closed", report.network_closed);
    f("signals_closed", report.signals_closed);
    f("gaps", report.gaps);
    f("question_fd", report.question_fd, between(-1, INT32_MAX));
}

void describe(auto&, OpenedReply&) {}

void describe(auto&, WarmedUpReply&) {}

void describe(auto& f, BuiltReply& reply) {
    f("accepted", reply.accepted);
    f("log", reply.log);
    f("build_ms", reply.build_ms, kDuration);
    f("functions", reply.functions);
}

void describe(auto&, AllocatedReply&) {}

void describe(auto& f, UploadedReply& reply) {
    f("upload_ms", reply.upload_ms, kDuration);
}

void describe(auto&, PreparedReply&) {}

void describe(auto& f, CodePlace& place) {
    f("library", place.library);
    f("offset", place.offset);
}

void describe(auto& f, ExecutedReply& reply) {
    f("run_ms", reply.run_ms, kDuration);
    f("launch_ms", reply.launch_ms, kDuration);
    f("wall_ms", reply.wall_ms, kDuration);
    f("download_ms", reply.download_ms, kDuration);
    f("samples", reply.samples);
}

void describe(auto& f, ObservedReply& reply) {
    f("report", reply.report);
    f("recording", reply.recording);
}

void describe(auto& f, StageNote& note) {
    f("stage", note.stage);
}

void describe(auto& f, FaultNote& note) {
    f("access", note.access);
    f("buffer", note.buffer, kId);
    f("offset", note.offset, between(-kBytes.most, kBytes.most));
    f("address_unknown", note.address_unknown);
    f("address", note.address);
    f("work_item", note.work_item, items(3, 3));
}

void describe(auto& f, FailedReply& reply) {
    f("call", reply.call);
    f("code_name", reply.code_name);
    f("code", reply.code, between(INT32_MIN, INT32_MAX));
    f("cause", reply.cause);
    f("next_step", reply.next_step);
    f("is_of_launch", reply.is_of_launch);
}

RunnerRequest runner_request_from_json(const Json& json) {
    return read_message<RunnerRequest>(json, "request");
}

RunnerReply runner_reply_from_json(const Json& json, std::string_view attachment) {
    auto reply = read_message<RunnerReply>(json, "reply");
    if (auto* observed = std::get_if<ObservedReply>(&reply); observed != nullptr && observed->recording)
        pass_recorded_bytes(*observed->recording, attachment);
    return reply;
}

template Json to_json(const ConfineRequest&);
template Json to_json(const ConfinedReply&);
template Json to_json(const DevicesRequest&);
template Json to_json(const OpenRequest&);
template Json to_json(const OpenedReply&);
template Json to_json(const WarmUpRequest&);
template Json to_json(const WarmedUpReply&);
template Json to_json(const BuildRequest&);
template Json to_json(const BuiltReply&);
template Json to_json(const BuffersRequest&);
template Json to_json(const AllocatedReply&);
template Json to_json(const UploadRequest&);
template Json to_json(const UploadedReply&);
template Json to_json(const ExecuteRequest&);
template Json to_json(const PrepareRequest&);
template Json to_json(const PreparedReply&);
template Json to_json(const LaunchRequest&);
template Json to_json(const ExecutedReply&);
template Json to_json(const ObserveRequest&);
template Json to_json(const ObservedReply&);
template Json to_json(const StageNote&);
template Json to_json(const FaultNote&);
template Json to_json(const FailedReply&);
template Json to_json(const RunnerRequest&);
template Json to_json(const RunnerReply&);

}  // namespace kwb
