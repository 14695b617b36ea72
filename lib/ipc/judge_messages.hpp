// What a face and a judge say to each other.
//
//   face → judge   devices · run · stop
//   judge → face   hello · devices · progress · output · result · done · error
//
// A face asks for one thing at a time; only `stop` may come in between. `devices` is answered by `devices`,
// `run` by any number of `progress`, an `output` for each buffer that is kept, one `result` a contestant (in
// the order of the request) and `done`.
// `error` replaces an answer that cannot be given. A judge that reads end of file ends its runners and
// itself.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "ipc/channel.hpp"
#include "model/request.hpp"

namespace kwb {

struct ListDevices {
    static constexpr const char* kType = "devices";
};
struct StopRun {
    static constexpr const char* kType = "stop";
};
using JudgeRequest = std::variant<ListDevices, RunRequest, StopRun>;

/// to_json() of base/json.hpp takes a JudgeRequest. Contents of a declared problem's buffers are its
/// attachment.
std::string contents_of(const JudgeRequest& request);
/// @throws ProtocolError
JudgeRequest judge_request_from(const Message& message);

struct ResultEvent {
    static constexpr const char* kType = "result";
    std::uint32_t index = 0;  ///< of the contestant in the request
    KernelResult result;
};
/// What a contestant wrote into a buffer.
struct OutputEvent {
    static constexpr const char* kType = "output";
    std::uint32_t index = 0;  ///< of the contestant in the request
    BufferSpec buffer;
    BufferContent content;
};
struct DoneEvent {
    static constexpr const char* kType = "done";
    Environment environment;
    bool stopped = false;  ///< `stop` came before the end
};
struct ErrorEvent {
    static constexpr const char* kType = "error";
    std::string message;  ///< for the person: what is wrong with this machine, and what to do
};
using JudgeEvent = std::variant<DeviceList, Progress, OutputEvent, ResultEvent, DoneEvent, ErrorEvent>;

/// A message before it is framed.
struct Outgoing {
    Json json;
    std::string attachment;  ///< an error map's cells, as in model/error_map.hpp; or a buffer's content
};

Outgoing to_outgoing(const JudgeEvent& event);
/// @throws ProtocolError
JudgeEvent judge_event_from(const Message& message);

}  // namespace kwb
