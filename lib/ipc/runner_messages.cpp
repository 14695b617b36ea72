#include "ipc/runner_messages.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "model/json.hpp"

namespace kwb {
namespace {

constexpr std::uint64_t kMostId = 1u << 20;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 46;

std::uint32_t id_from(const JsonReader& reader, const char* key) {
    return static_cast<std::uint32_t>(reader.unsigned_integer(key, kMostId));
}

/// A duration that a clock can have measured.
double time_from(const JsonReader& reader, const char* key) {
    const double time_ms = reader.number(key);
    if (!std::isfinite(time_ms) || time_ms < 0) reader.refuse(key, "a duration");
    return time_ms;
}

std::vector<double> times_from(const JsonReader& reader, const char* key) {
    const std::vector<double> times_ms = reader.numbers(key);
    for (const double time_ms : times_ms)
        if (!std::isfinite(time_ms) || time_ms < 0) reader.refuse(key, "a list of durations");
    return times_ms;
}

std::vector<std::uint8_t> bytes_from(const JsonReader& reader, const char* key) {
    std::vector<std::uint8_t> bytes;
    for (const std::uint64_t byte : reader.unsigned_integers(key)) {
        if (byte > 255) reader.refuse(key, "a list of bytes");
        bytes.push_back(static_cast<std::uint8_t>(byte));
    }
    return bytes;
}

Json to_json(const std::vector<Transfer>& transfers) {
    Json json = Json::array();
    for (const Transfer& transfer : transfers)
        json.push_back({{"buffer", transfer.buffer}, {"offset", transfer.offset}});
    return json;
}

std::vector<Transfer> transfers_from(const JsonReader& parent, const char* key) {
    std::vector<Transfer> transfers;
    for (const Json& item : parent.array(key)) {
        const JsonReader reader(item, key);
        transfers.push_back({id_from(reader, "buffer"), reader.unsigned_integer("offset", kMostBytes)});
    }
    return transfers;
}

Json to_json(const std::vector<BufferOperation>& operations) {
    Json json = Json::array();
    for (const BufferOperation& operation : operations)
        json.push_back({{"buffer", operation.buffer},
                        {"pattern", operation.pattern},
                        {"copy_from", operation.copy_from ? Json(*operation.copy_from) : Json(nullptr)}});
    return json;
}

std::vector<BufferOperation> operations_from(const JsonReader& parent, const char* key) {
    std::vector<BufferOperation> operations;
    for (const Json& item : parent.array(key)) {
        const JsonReader reader(item, key);
        BufferOperation operation{id_from(reader, "buffer"), bytes_from(reader, "pattern"), std::nullopt};
        if (reader.has("copy_from")) operation.copy_from = id_from(reader, "copy_from");
        const std::size_t n = operation.pattern.size();
        if (!operation.copy_from && n != 1 && n != 2 && n != 4 && n != 8)
            reader.refuse("pattern", "1, 2, 4 or 8 bytes");
        operations.push_back(operation);
    }
    return operations;
}

Json to_json(const std::vector<Variation>& variations) {
    Json json = Json::array();
    for (const Variation& variation : variations)
        json.push_back(
            {{"buffer", variation.buffer}, {"offset", variation.offset}, {"values", variation.values}});
    return json;
}

std::vector<Variation> variations_from(const JsonReader& parent, const char* key) {
    std::vector<Variation> variations;
    for (const Json& item : parent.array(key)) {
        const JsonReader reader(item, key);
        Variation variation{id_from(reader, "buffer"), reader.unsigned_integer("offset", kMostBytes), {}};
        for (const Json& value : reader.array("values")) {
            const Json named = {{"value", value}};
            variation.values.push_back(bytes_from(JsonReader(named, key), "value"));
        }
        if (variation.values.size() < 2) reader.refuse("values", "at least two values");
        for (const auto& value : variation.values)
            if (value.empty() || value.size() != variation.values.front().size())
                reader.refuse("values", "values of one length");
        variations.push_back(std::move(variation));
    }
    return variations;
}

Json to_json(const Argument& argument) {
    if (const auto* buffer = std::get_if<BufferArgument>(&argument)) return {{"buffer", buffer->buffer}};
    if (const auto* value = std::get_if<ValueArgument>(&argument)) return {{"value", value->bytes}};
    return {{"local_bytes", std::get<LocalArgument>(argument).bytes}};
}

Argument argument_from_json(const Json& json) {
    const JsonReader reader(json, "argument");
    if (reader.has("buffer")) return BufferArgument{id_from(reader, "buffer")};
    if (reader.has("value")) return ValueArgument{bytes_from(reader, "value")};
    return LocalArgument{reader.unsigned_integer("local_bytes", kMostBytes)};
}

Json to_json(const ExecuteLaunch& launch) {
    Json arguments = Json::array();
    for (const Argument& argument : launch.arguments) arguments.push_back(to_json(argument));
    return {{"kernel", launch.kernel},
            {"global", launch.global},
            {"local", launch.local},
            {"arguments", arguments},
            {"repeat", launch.repeat},
            {"swap", launch.swap ? Json::array({launch.swap->first, launch.swap->second}) : Json(nullptr)}};
}

ExecuteLaunch launch_from_json(const Json& json) {
    const JsonReader reader(json, "launch");
    ExecuteLaunch launch;
    launch.kernel = reader.text("kernel");
    launch.global = reader.unsigned_integers("global");
    launch.local = reader.unsigned_integers("local");
    for (const Json& argument : reader.array("arguments"))
        launch.arguments.push_back(argument_from_json(argument));
    launch.repeat = reader.unsigned_integer("repeat", kMostId);
    if (reader.has("swap")) {
        const auto ids = reader.unsigned_integers("swap");
        if (ids.size() != 2 || ids[0] > kMostId || ids[1] > kMostId) reader.refuse("swap", "two buffers");
        launch.swap = {static_cast<std::uint32_t>(ids[0]), static_cast<std::uint32_t>(ids[1])};
    }
    return launch;
}

Json to_json(const TurnRule& rule) {
    return {{"discard_ms", rule.discard_ms},   {"discard_runs", rule.discard_runs},
            {"long_ms", rule.long_ms},         {"record_ms", rule.record_ms},
            {"record_runs", rule.record_runs}, {"most_runs", rule.most_runs}};
}

TurnRule turn_from_json(const Json& json) {
    const JsonReader reader(json, "turn");
    TurnRule rule;
    rule.discard_ms = time_from(reader, "discard_ms");
    rule.discard_runs = id_from(reader, "discard_runs");
    rule.record_ms = time_from(reader, "record_ms");
    rule.record_runs = id_from(reader, "record_runs");
    rule.long_ms = time_from(reader, "long_ms");
    rule.most_runs = id_from(reader, "most_runs");
    return rule;
}

constexpr std::string_view kSpaces[] = {"private", "global", "constant", "local", "image", "other"};

Json to_json(const FunctionInfo& function) {
    Json arguments = Json::array();
    for (const KernelParameter& argument : function.arguments)
        arguments.push_back({{"name", argument.name},
                             {"type", argument.type_name},
                             {"space", std::string(kSpaces[static_cast<std::size_t>(argument.space)])},
                             {"const", argument.is_const}});
    return {{"name", function.name},
            {"arguments", arguments},
            {"work_group_size", function.info.work_group_size},
            {"preferred_multiple", function.info.preferred_multiple},
            {"local_mem_bytes", function.info.local_mem_bytes},
            {"private_mem_bytes", function.info.private_mem_bytes},
            {"required_local", function.required_local}};
}

FunctionInfo function_from_json(const Json& json) {
    const JsonReader reader(json, "function");
    FunctionInfo function;
    function.name = reader.text("name");
    for (const Json& item : reader.array("arguments")) {
        const JsonReader argument(item, "argument");
        KernelParameter info{argument.text("name"), argument.text("type"), AddressSpace::Other,
                             argument.boolean("const")};
        const std::string space = argument.text("space");
        const auto known = std::find(std::begin(kSpaces), std::end(kSpaces), space);
        if (known == std::end(kSpaces)) argument.refuse("space", "an address space");
        info.space = static_cast<AddressSpace>(known - std::begin(kSpaces));
        function.arguments.push_back(info);
    }
    function.info = {
        reader.unsigned_integer("work_group_size"), reader.unsigned_integer("preferred_multiple"),
        reader.unsigned_integer("local_mem_bytes"), reader.unsigned_integer("private_mem_bytes")};
    function.required_local = reader.unsigned_integers("required_local");
    return function;
}

constexpr std::string_view kAccesses[] = {"read", "write", "unknown"};

FaultNote fault_from(const JsonReader& reader) {
    FaultNote note;
    const std::string access = reader.text("access");
    const auto known = std::find(std::begin(kAccesses), std::end(kAccesses), access);
    if (known == std::end(kAccesses)) reader.refuse("access", "read, write or unknown");
    note.access = static_cast<FaultNote::Access>(known - std::begin(kAccesses));
    if (reader.has("buffer")) note.buffer = id_from(reader, "buffer");
    note.offset = reader.integer("offset", -std::int64_t{kMostBytes}, std::int64_t{kMostBytes});
    note.address_unknown = reader.boolean("address_unknown");
    note.address = reader.unsigned_integer("address");
    if (reader.has("work_item")) {
        note.work_item = reader.unsigned_integers("work_item");
        if (note.work_item->size() != 3) reader.refuse("work_item", "three ids");
    }
    return note;
}

}  // namespace

std::string FailedReply::describe() const {
    std::string sentence =
        call.empty() ? "" : call + " failed with " + code_name + " (" + std::to_string(code) + ")";
    if (!cause.empty()) sentence += (sentence.empty() ? "" : ": ") + cause;
    if (!next_step.empty()) sentence += "; " + next_step;
    return sentence;
}

Json to_json(const ConfineRequest& request) {
    return {{"type", "confine"},
            {"readable", request.policy.readable},
            {"writable", request.policy.writable},
            {"devices", request.policy.devices}};
}

Json to_json(const DevicesRequest& request) {
    return {{"type", "devices"}, {"library", request.library}};
}

Json to_json(const OpenRequest& request) {
    return {{"type", "open"}, {"index", request.index}};
}

Json to_json(const BuildRequest& request) {
    Json includes = Json::object();
    for (const auto& [name, text] : request.includes) includes[name] = text;
    return {{"type", "build"},
            {"program", request.program},
            {"file_name", request.file_name},
            {"source", request.source_text},
            {"includes", includes},
            {"options", request.options}};
}

Json to_json(const BuffersRequest& request) {
    Json buffers = Json::array();
    for (const auto& buffer : request.buffers)
        buffers.push_back({{"id", buffer.id},
                           {"front_bytes", buffer.front_bytes},
                           {"bytes", buffer.bytes},
                           {"back_bytes", buffer.back_bytes}});
    return {{"type", "buffers"},
            {"buffers", buffers},
            {"unreadable_pages", request.unreadable_pages},
            {"trace", request.trace}};
}

Json to_json(const UploadRequest& request) {
    return {{"type", "upload"}, {"transfers", to_json(request.transfers)}};
}

Json to_json(const ExecuteRequest& request) {
    Json launches = Json::array();
    for (const ExecuteLaunch& launch : request.launches) launches.push_back(to_json(launch));
    return {{"type", "execute"},
            {"program", request.program},
            {"launches", launches},
            {"before_first", to_json(request.before_first)},
            {"before_run", to_json(request.before_run)},
            {"turn", request.turn ? to_json(*request.turn) : Json(nullptr)},
            {"vary", to_json(request.vary)},
            {"own_inputs_last", request.own_inputs_last},
            {"download", to_json(request.download)}};
}

RunnerRequest runner_request_from_json(const Json& json) {
    const JsonReader reader(json, "request");
    const std::string type = reader.text("type");
    if (type == "confine")
        return ConfineRequest{{reader.texts("readable"), reader.texts("writable"), reader.texts("devices")}};
    if (type == "devices") return DevicesRequest{reader.text("library")};
    if (type == "open") return OpenRequest{id_from(reader, "index")};
    if (type == "build") {
        BuildRequest request{id_from(reader, "program"),
                             reader.text("file_name"),
                             reader.text("source"),
                             {},
                             reader.text("options")};
        const Json& includes = reader.object("includes");
        for (const auto& [name, text] : includes.items())
            request.includes.push_back({name, JsonReader(includes, "includes").text(name.c_str())});
        return request;
    }
    if (type == "buffers") {
        BuffersRequest request;
        for (const Json& item : reader.array("buffers")) {
            const JsonReader buffer(item, "buffer");
            request.buffers.push_back({id_from(buffer, "id"),
                                       buffer.unsigned_integer("front_bytes", kMostBytes),
                                       buffer.unsigned_integer("bytes", kMostBytes),
                                       buffer.unsigned_integer("back_bytes", kMostBytes)});
        }
        request.unreadable_pages = reader.boolean("unreadable_pages");
        request.trace = reader.boolean("trace");
        return request;
    }
    if (type == "upload") return UploadRequest{transfers_from(reader, "transfers")};
    if (type == "execute") {
        ExecuteRequest request;
        request.program = id_from(reader, "program");
        for (const Json& launch : reader.array("launches"))
            request.launches.push_back(launch_from_json(launch));
        request.before_first = operations_from(reader, "before_first");
        request.before_run = operations_from(reader, "before_run");
        if (reader.has("turn")) request.turn = turn_from_json(reader.object("turn"));
        request.vary = variations_from(reader, "vary");
        request.own_inputs_last = reader.boolean("own_inputs_last");
        request.download = transfers_from(reader, "download");
        return request;
    }
    throw ProtocolError("unknown request '" + type + "'");
}

Json to_json(const ConfinedReply& reply) {
    Json json = {{"type", "confined"}};
    json.update(to_json(reply.report));
    return json;
}

Json to_json(const OpenedReply&) {
    return {{"type", "opened"}};
}

Json to_json(const BuiltReply& reply) {
    Json functions = Json::array();
    for (const FunctionInfo& function : reply.functions) functions.push_back(to_json(function));
    return {{"type", "built"},
            {"accepted", reply.accepted},
            {"log", reply.log},
            {"build_ms", reply.build_ms},
            {"functions", functions}};
}

Json to_json(const AllocatedReply&) {
    return {{"type", "allocated"}};
}

Json to_json(const UploadedReply& reply) {
    return {{"type", "uploaded"}, {"upload_ms", reply.upload_ms}};
}

Json to_json(const ExecutedReply& reply) {
    return {{"type", "executed"},
            {"first_wall_ms", reply.first_wall_ms},
            {"samples_ms", reply.samples_ms},
            {"launch_ms", reply.launch_ms},
            {"download_ms", reply.download_ms},
            {"runs", reply.runs},
            {"all_runs_ms", reply.all_runs_ms}};
}

Json to_json(const StageNote& note) {
    return {{"type", "stage"}, {"stage", note.stage}};
}

Json to_json(const FaultNote& note) {
    return {{"type", "fault"},
            {"access", std::string(kAccesses[static_cast<std::size_t>(note.access)])},
            {"buffer", note.buffer ? Json(*note.buffer) : Json(nullptr)},
            {"offset", note.offset},
            {"address_unknown", note.address_unknown},
            {"address", note.address},
            {"work_item", note.work_item ? Json(*note.work_item) : Json(nullptr)}};
}

Json to_json(const FailedReply& reply) {
    return {{"type", "failed"},
            {"call", reply.call},
            {"code_name", reply.code_name},
            {"code", reply.code},
            {"cause", reply.cause},
            {"next_step", reply.next_step},
            {"is_of_launch", reply.is_of_launch}};
}

Json devices_reply_to_json(const DeviceList& list) {
    Json json = {{"type", "devices"}};
    json.update(to_json(list));
    return json;
}

RunnerReply runner_reply_from_json(const Json& json) {
    const JsonReader reader(json, "reply");
    const std::string type = reader.text("type");
    if (type == "stage") return StageNote{reader.text("stage")};
    if (type == "fault") return fault_from(reader);
    if (type == "confined") return ConfinedReply{sandbox_report_from_json(json)};
    if (type == "devices") return device_list_from_json(json);
    if (type == "opened") return OpenedReply{};
    if (type == "built") {
        BuiltReply reply{reader.boolean("accepted"), reader.text("log"), time_from(reader, "build_ms"), {}};
        for (const Json& function : reader.array("functions"))
            reply.functions.push_back(function_from_json(function));
        return reply;
    }
    if (type == "allocated") return AllocatedReply{};
    if (type == "uploaded") return UploadedReply{time_from(reader, "upload_ms")};
    if (type == "executed")
        return ExecutedReply{time_from(reader, "first_wall_ms"),
                             times_from(reader, "samples_ms"),
                             times_from(reader, "launch_ms"),
                             time_from(reader, "download_ms"),
                             id_from(reader, "runs"),
                             time_from(reader, "all_runs_ms")};
    if (type == "failed")
        return FailedReply{
            reader.text("call"),  reader.text("code_name"), reader.integer("code", INT32_MIN, INT32_MAX),
            reader.text("cause"), reader.text("next_step"), reader.boolean("is_of_launch")};
    throw ProtocolError("unknown reply '" + type + "'");
}

}  // namespace kwb
