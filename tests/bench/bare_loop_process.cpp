// SPDX-License-Identifier: Apache-2.0
#include "bare_loop_process.hpp"

#include <poll.h>

#include "base/error.hpp"
#include "stats/interval.hpp"

namespace kwb::bench {
namespace {

Child start(const Setting& setting, const std::filesystem::path& file, const KernelPlan& plan, int n) {
    const LaunchPlan& launch = plan.launches.front();
    ChildOptions options;
    options.command = {setting.build / "tests" / "bench" / "bare_loop", file, launch.kernel,
                       std::to_string(n), std::to_string(launch.local.value().front())};
    for (const auto& [name, value] : plan.defines) options.command.push_back("-D" + name + "=" + value);
    // The compiler cache of the workbench's runners, and one pinned worker thread per processor, as in the
    // runners.
    options.environment = {{"POCL_CACHE_DIR", (setting.warm_cache() / "pocl").string()},
                           {"POCL_AFFINITY", "1"}};
    return Child::spawn(options);
}

}  // namespace

BareLoopProcess::BareLoopProcess(const Setting& setting, const std::filesystem::path& file,
                                 const KernelPlan& plan, int n)
    : child_(start(setting, file, plan, n)) {}

BareTurn BareLoopProcess::take_turn() {
    Channel& channel = child_.channel();
    channel.send({{"type", "turn"}});
    for (;;) {
        if (const std::optional<Message> answer = channel.take()) {
            const Json& turn = answer->json;  // trusted: from our own program
            return {stats::median(turn.at("samples_ms").get<std::vector<double>>()),
                    turn.at("wall_ms").get<double>(), turn.at("runs").get<unsigned>()};
        }
        if (channel.closed()) throw EnvironmentError("bare_loop ended; its reason is above");
        pollfd ready{channel.read_fd(), POLLIN, 0};
        ::poll(&ready, 1, -1);
        channel.read_available();
    }
}

}  // namespace kwb::bench
