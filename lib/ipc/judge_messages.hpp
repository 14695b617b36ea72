// SPDX-License-Identifier: Apache-2.0
// The messages between a face (the user interface) and a judge.
//
//   face → judge   devices · run · xray · expect · stop
//   judge → face   hello · devices · progress · output · result · done · xray · error
//
// A face sends one request at a time; only `stop` may come before the answer. `devices` is answered by one or
// more `devices`, the last of them complete. `run` is answered by any number of `progress` and partial
// `result`, then an `output` for each buffer to be kept, one final `result` for each contestant (in the order
// of the request), and `done`. `xray` is answered by one `xray`. `error` replaces an answer that is not
// possible. `expect` has no answer. At end of file a judge ends its runners and exits.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "ipc/channel.hpp"
#include "model/machine_code.hpp"
#include "model/request.hpp"

namespace kwb {

struct ListDevices {
    static constexpr const char* kType = "devices";
};
/// A user may soon ask for a run of their own kernels on this device: between the requests, the judge
/// makes a runner ready for it. Without this it uses no CPU time between requests.
struct ExpectRuns {
    static constexpr const char* kType = "expect";
    std::string device;  ///< DeviceInfo::id
};
struct StopRun {
    static constexpr const char* kType = "stop";
};
using JudgeRequest = std::variant<ListDevices, RunRequest, XrayRequest, ExpectRuns, StopRun>;

/// to_json() of base/json.hpp accepts a JudgeRequest. The contents of a declared problem's buffers are sent
/// as its attachment.
std::string contents_of(const JudgeRequest& request);
/// @throws ProtocolError
JudgeRequest judge_request_from(const Message& message);

/// What is known about one contestant. During a run, partial results are sent as they grow. Without a verdict
/// (KernelResult::judged is false) they contain new samples; with a verdict they contain everything but the
/// error map and the speedup.
struct ResultEvent {
    static constexpr const char* kType = "result";
    std::uint32_t index = 0;  ///< of the contestant in the request
    KernelResult result;
    bool is_final = true;
    /// Number of the contestant's samples that were sent before and remain valid; `result.samples_ms` follows
    /// them.
    std::uint64_t samples_before = 0;
};
/// The content that a contestant wrote to a buffer.
struct OutputEvent {
    static constexpr const char* kType = "output";
    std::uint32_t index = 0;  ///< of the contestant in the request
    BufferSpec buffer;
    BufferContent content;
};
struct DoneEvent {
    static constexpr const char* kType = "done";
    Environment environment;
    bool stopped = false;  ///< `stop` arrived before the end
};
/// What was observed. Why there is nothing is one of the report's remarks.
struct XrayEvent {
    static constexpr const char* kType = "xray";
    XrayReport report;
    std::optional<TargetReport> machine_code = {};  ///< what the device's driver compiled, if asked for
};
struct ErrorEvent {
    static constexpr const char* kType = "error";
    std::string message;  ///< for the user: what is wrong with this machine, and what to do
};
using JudgeEvent =
    std::variant<DeviceList, Progress, OutputEvent, ResultEvent, DoneEvent, XrayEvent, ErrorEvent>;

/// A message before it is framed.
struct Outgoing {
    Json json;
    std::string attachment;  ///< an error map (see model/error_map.hpp) or the content of a buffer
};

Outgoing to_outgoing(const JudgeEvent& event);
/// @throws ProtocolError
JudgeEvent judge_event_from(const Message& message);

}  // namespace kwb
