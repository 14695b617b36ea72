#include "ipc/judge_messages.hpp"

#include <cmath>

#include "base/error.hpp"
#include "model/error_map.hpp"
#include "model/json.hpp"

namespace kwb {
namespace {

Json with_type(const char* type, const Json& body) {
    Json json = {{"type", type}};
    json.update(body);
    return json;
}

struct Writer {
    Outgoing operator()(const DeviceList& list) const { return {with_type("devices", to_json(list)), ""}; }
    Outgoing operator()(const Progress& progress) const {
        return {with_type("progress", to_json(progress)), ""};
    }
    Outgoing operator()(const ResultEvent& event) const {
        return {{{"type", "result"},
                 {"index", event.index},
                 {"final", event.is_final},
                 {"judged", event.result.judged},
                 {"samples_before", event.samples_before},
                 {"result", to_json(event.result)}},
                event.result.error_map ? cell_bytes(*event.result.error_map) : ""};
    }
    Outgoing operator()(const OutputEvent& event) const {
        return {{{"type", "output"}, {"index", event.index}, {"buffer", to_json(event.buffer)}},
                *event.content};
    }
    Outgoing operator()(const DoneEvent& event) const {
        return {{{"type", "done"}, {"environment", to_json(event.environment)}, {"stopped", event.stopped}},
                ""};
    }
    Outgoing operator()(const ErrorEvent& event) const {
        return {{{"type", "error"}, {"message", event.message}}, ""};
    }
};

}  // namespace

Json to_json(const JudgeRequest& request) {
    if (const auto* run = std::get_if<RunRequest>(&request))
        return {{"type", "run"}, {"request", to_json(*run)}};
    return {{"type", std::holds_alternative<StopRun>(request) ? "stop" : "devices"}};
}

std::string contents_of(const JudgeRequest& request) {
    const auto* run = std::get_if<RunRequest>(&request);
    return run != nullptr && run->declared ? join_contents(*run->declared) : "";
}

JudgeRequest judge_request_from(const Message& message) {
    if (message.type == "devices") return ListDevices{};
    if (message.type == "stop") return StopRun{};
    if (message.type == "run") {
        RunRequest request = request_from_json(JsonReader(message.json).object("request"));
        if (!request.declared) return request;
        auto declared = std::make_shared<DeclaredInstance>(*request.declared);
        put_contents(*declared, message.attachment);
        request.declared = std::move(declared);
        return request;
    }
    throw ProtocolError("unknown request '" + message.type + "'");
}

Outgoing to_outgoing(const JudgeEvent& event) {
    return std::visit(Writer{}, event);
}

JudgeEvent judge_event_from(const Message& message) {
    const JsonReader reader(message.json);
    if (message.type == "devices") return device_list_from_json(message.json);
    if (message.type == "progress") return progress_from_json(message.json);
    if (message.type == "result") {
        ResultEvent event{static_cast<std::uint32_t>(reader.unsigned_integer("index", UINT32_MAX)),
                          result_from_json(reader.object("result")), reader.boolean("final"),
                          reader.unsigned_integer("samples_before")};
        event.result.judged = reader.boolean("judged");
        if (event.is_final && !event.result.judged) throw ProtocolError("a final result without a verdict");
        for (const double sample_ms : event.result.samples_ms)
            if (!event.is_final && (!std::isfinite(sample_ms) || sample_ms < 0))
                throw ProtocolError("a sample that is no duration");
        if (event.result.error_map) put_cell_bytes(*event.result.error_map, message.attachment);
        return event;
    }
    if (message.type == "output") {
        OutputEvent event{static_cast<std::uint32_t>(reader.unsigned_integer("index", UINT32_MAX)),
                          buffer_from_json(reader.object("buffer")),
                          std::make_shared<const std::string>(message.attachment)};
        if (event.content->size() != event.buffer.bytes()) throw ProtocolError("an output of the wrong size");
        return event;
    }
    if (message.type == "done")
        return DoneEvent{environment_from_json(reader.object("environment")), reader.boolean("stopped")};
    if (message.type == "error") return ErrorEvent{reader.text("message")};
    throw ProtocolError("unknown event '" + message.type + "'");
}

}  // namespace kwb
