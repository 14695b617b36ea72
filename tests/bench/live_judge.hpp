// One judge for many requests, asked through the session that the faces use.
#pragma once

#include <condition_variable>
#include <mutex>

#include "session/experiment.hpp"
#include "session/session.hpp"
#include "setting.hpp"

namespace kwb::bench {

class LiveJudge {
public:
    /// @param options  for kwb-judge, e.g. {"--no-sandbox"}
    explicit LiveJudge(const Setting& setting, const std::vector<std::string>& options = {});

    /// The best device of this machine. @throws EnvironmentError  there is none
    const DeviceInfo& device();

    /// @param file  of one contestant, whose name does not matter
    RunRequest request_for(const std::filesystem::path& file, const Sizes& sizes);

    struct Answer {
        double wall_ms = 0;  ///< from the command to the snapshot that has its result
        KernelResult result;
        Environment environment;
    };
    /// @throws EnvironmentError  no result, or another verdict than correct
    Answer ask(RunRequest request);

private:
    std::shared_ptr<const Snapshot> wait_for(std::uint64_t command);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<DeviceList> devices_;
    Session session_;  ///< last: its thread uses the above
};

Sizes square(std::int64_t n);

}  // namespace kwb::bench
