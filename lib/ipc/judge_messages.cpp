// SPDX-License-Identifier: Apache-2.0
#include "ipc/judge_messages.hpp"

#include "base/error.hpp"
#include "model/device_fields.hpp"
#include "model/error_map.hpp"
#include "model/gpu_fields.hpp"
#include "model/recording_fields.hpp"
#include "model/request_fields.hpp"

namespace kwb {

void describe(auto&, ListDevices&) {}

void describe(auto& f, ExpectRuns& expected) {
    f("device", expected.device);
}

void describe(auto&, StopRun&) {}

void describe(auto& f, ResultEvent& event) {
    f("index", event.index);
    f("final", event.is_final);
    f("judged", event.result.judged);  // not a part of results that are saved
    f("samples_before", event.samples_before);
    f("result", event.result);
}

inline std::optional<Flaw> check(const ResultEvent& event) {
    if (event.is_final && !event.result.judged) return Flaw{"judged", "true in a final result"};
    return std::nullopt;
}

/// The content is sent as the attachment.
void describe(auto& f, OutputEvent& event) {
    f("index", event.index);
    f("buffer", event.buffer);
}

void describe(auto& f, DoneEvent& event) {
    f("environment", event.environment);
    f("stopped", event.stopped);
}

void describe(auto& f, XrayEvent& event) {
    f("report", event.report);
    f("machine_code", event.machine_code);
    f("recording", event.recording);
    f("wrong", event.wrong);
}

void describe(auto& f, ErrorEvent& event) {
    f("message", event.message);
}

std::string contents_of(const JudgeRequest& request) {
    if (const auto* run = std::get_if<RunRequest>(&request); run != nullptr && run->declared)
        return join_contents(*run->declared);
    if (const auto* xray = std::get_if<XrayRequest>(&request); xray != nullptr && xray->declared)
        return join_contents(*xray->declared);
    return "";
}

/// Adds what the declared problem's JSON leaves out.
static void complete(std::shared_ptr<const DeclaredInstance>& declared, const std::string& problem,
                     const Sizes& sizes, std::string_view contents) {
    if (!declared) return;
    auto whole = std::make_shared<DeclaredInstance>(*declared);
    whole->instance.problem = problem;
    whole->instance.sizes = sizes;
    put_contents(*whole, contents);
    declared = std::move(whole);
}

JudgeRequest judge_request_from(const Message& message) {
    auto request = read_message<JudgeRequest>(message.json, "request");
    if (auto* run = std::get_if<RunRequest>(&request)) {
        complete(run->declared, run->problem, run->sizes, message.attachment);
        for (Contestant& contestant : run->contestants)
            if (auto& small = contestant.xray_size) complete(small->declared, run->problem, small->sizes, "");
    }
    if (auto* xray = std::get_if<XrayRequest>(&request))
        complete(xray->declared, xray->problem, xray->sizes, message.attachment);
    return request;
}

Outgoing to_outgoing(const JudgeEvent& event) {
    Outgoing out{write_json(event), ""};
    if (const auto* result = std::get_if<ResultEvent>(&event); result != nullptr && result->result.error_map)
        out.attachment = cell_bytes(*result->result.error_map);
    if (const auto* output = std::get_if<OutputEvent>(&event)) out.attachment = *output->content;
    if (const auto* xray = std::get_if<XrayEvent>(&event); xray != nullptr && xray->recording)
        out.attachment = recorded_bytes(*xray->recording);
    return out;
}

JudgeEvent judge_event_from(const Message& message) {
    auto event = read_message<JudgeEvent>(message.json, "event");
    if (auto* result = std::get_if<ResultEvent>(&event); result != nullptr && result->result.error_map)
        put_cell_bytes(*result->result.error_map, message.attachment);
    if (auto* output = std::get_if<OutputEvent>(&event)) {
        output->content = std::make_shared<const std::string>(message.attachment);
        if (output->content->size() != output->buffer.bytes())
            throw ProtocolError("an output of the wrong size");
    }
    if (auto* xray = std::get_if<XrayEvent>(&event); xray != nullptr && xray->recording)
        put_recorded_bytes(*xray->recording, message.attachment);
    return event;
}

template Json to_json(const JudgeRequest&);

}  // namespace kwb
