// SPDX-License-Identifier: Apache-2.0
// One kwb-xray process and the observations that are asked of it. Each kernel text has its own.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/processes/device_pool.hpp"
#include "judge/xray/observation.hpp"

namespace kwb {

/// An answer.
struct Observed {
    XrayReport report;                            ///< plausible: see require_plausible()
    std::vector<std::vector<std::byte>> outputs;  ///< in the order of ObserveRequest::download
    std::optional<Recording> recording = {};
};

class XrayBench {
public:
    /// @param compiler  path of clang
    XrayBench(DevicePool& pool, std::string compiler) : pool_(pool), compiler_(std::move(compiler)) {}

    /// Sends a job, and starts the process if it is not running. Does not wait for the answer.
    /// @throws StopRequested, FaceGone  this object is then unusable
    void post(XrayJob job);

    /// Waits for the answer to the oldest job. After a failure the process is replaced, and the other jobs
    /// are sent to the new one.
    /// @throws StopRequested, FaceGone  this object is then unusable
    Answer<Observed> receive();

    std::size_t pending() const { return jobs_.size(); }
    const std::string& compiler() const { return compiler_; }

private:
    struct Posted {
        XrayJob job;
        std::uint64_t base = 0;          ///< of its part of the arena
        std::optional<Failure> failure;  ///< it could not be sent
    };

    void send(Posted& posted);
    void send_all();
    Answer<Observed> read_answer(Posted& posted);

    DevicePool& pool_;
    std::string compiler_;
    std::unique_ptr<RunnerProcess> process_;
    bool is_confined_ = false;
    std::deque<Posted> jobs_;
    std::uint64_t used_bytes_ = 0;    ///< of the arena
    std::uint64_t buffer_bytes_ = 0;  ///< of all pending jobs
};

}  // namespace kwb
