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
#include "model/recording.hpp"
#include "model/request.hpp"

namespace kwb {

struct ListDevices {
    static constexpr const char* kType = "devices";
};
/// A run of the user's own kernels on this device may follow soon: the judge prepares a runner for it between
/// requests. Without this request, it uses no CPU time between requests.
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

/// The state of one contestant. During a run, partial results are sent as they grow. Without a verdict
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
/// The observation. If there is none, one of the report's remarks gives the reason.
struct XrayEvent {
    static constexpr const char* kType = "xray";
    XrayReport report;
    std::optional<TargetReport> machine_code = {};  ///< the driver's compiled code, if requested
    std::optional<Recording> recording = {};        ///< if requested; its bytes are the attachment
    std::optional<WrongElement> wrong = {};         ///< with XrayRequest::find_wrong, if there is one
};
struct ErrorEvent {
    static constexpr const char* kType = "error";
    std::string message;  ///< for the user: the fault of this machine, and what to do
};
using JudgeEvent =
    std::variant<DeviceList, Progress, OutputEvent, ResultEvent, DoneEvent, XrayEvent, ErrorEvent>;

/// A message before it is framed.
struct Outgoing {
    Json json;
    std::string attachment;  ///< an error map (see model/error_map.hpp), the content of a buffer, a recording
};

Outgoing to_outgoing(const JudgeEvent& event);
/// @throws ProtocolError
JudgeEvent judge_event_from(const Message& message);

}  // namespace kwb
