#include "judge/build/compile_ahead.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <variant>

#include "base/error.hpp"

namespace kwb {
namespace {

/// A helper takes about 150 ms to start, as long as three small kernels take to compile.
constexpr std::size_t kLeastContestants = 3;
constexpr std::size_t kMostHelpers = 7;

/// What is sent to a helper before it reads must fit into its socket, so that sending does not wait for it:
/// 200 KiB on Linux.
constexpr std::size_t kMostSourceBytes = 64 << 10;

/// How long helpers may take to complete their work before they are killed.
constexpr auto kPatience = std::chrono::seconds(2);

/// PoCL compiles different code for launches with fewer work-items than this in every dimension.
constexpr std::uint64_t kSmallGrid = 65536;

std::size_t source_bytes(const KernelPlan& plan) {
    std::size_t bytes = plan.source_text.size();
    for (const auto& [name, text] : plan.includes) bytes += text.size();
    return bytes;
}

/// As few work-groups as give the same code.
std::vector<Launch> shortest(std::vector<Launch> launches) {
    std::erase_if(launches,
                  [](const Launch& launch) { return launch.local.empty(); });  // PoCL chooses it by `global`
    for (Launch& launch : launches) {
        launch.repeat = 1;
        for (std::size_t i = 0; i < launch.global.size(); ++i) {
            const std::uint64_t local = launch.local[i];
            if (launch.global[i] < kSmallGrid)
                launch.global[i] = local;
            else
                launch.global[i] = (kSmallGrid + local - 1) / local * local;
        }
    }
    return launches;
}

}  // namespace

CompileAhead::CompileAhead(DeviceBench& bench, const std::vector<ContestantState*>& members) : bench_(bench) {
    if (!is_pocl_cpu(bench.device()) || bench.trust() == Trust::Foreign) return;
    std::vector<const ContestantState*> wanted;
    for (const ContestantState* member : members)
        if (member->in_race && !member->plan->refusal && !member->plan->launches.empty())
            wanted.push_back(member);
    if (wanted.size() < kLeastContestants) return;
    const std::size_t processors = std::max(std::thread::hardware_concurrency(), 1u);
    const std::size_t helpers = std::min({processors - 1, wanted.size() / 2, kMostHelpers});
    const std::size_t share = wanted.size() / (helpers + 1);
    std::ranges::reverse(wanted);
    for (std::size_t i = 0; i < helpers; ++i) {
        Helper helper;
        try {
            helper.runner = bench.start_helper();
        } catch (const EnvironmentError&) {  // if the bench cannot start one either, it says so
        }
        if (!helper.runner) return;
        std::size_t bytes = 0;
        for (std::size_t k = i * share; k < (i + 1) * share; ++k) {
            bytes += source_bytes(*wanted[k]->plan);
            if (bytes > kMostSourceBytes) break;
            helper.share.push_back(wanted[k]);
            helper.runner->post(
                make_build_request(static_cast<std::uint32_t>(wanted[k]->index), *wanted[k]->plan),
                bench.timeout_ms());
        }
        helpers_.push_back(std::move(helper));
    }
}

void CompileAhead::launch() {
    for (Helper& helper : helpers_) {
        const BuffersRequest buffers = bench_.buffers_request();
        helper.runner->expect_buffers(buffers);
        helper.runner->post(buffers, bench_.timeout_ms());
        for (const ContestantState* contestant : helper.share) {
            if (!contestant->in_race) continue;
            ExecuteRequest request;
            request.program = static_cast<std::uint32_t>(contestant->index);
            request.launches = shortest(contestant->launches);
            if (!request.launches.empty()) helper.runner->post(request, bench_.timeout_ms());
        }
    }
}

void CompileAhead::wait() {
    const Deadline deadline = Clock::now() + kPatience;
    for (Helper& helper : helpers_) {
        try {
            // has_answer_by() does not help: it returns at the note of a stage, whose reply may never come.
            while (helper.runner->has_pending())
                if (std::holds_alternative<Failure>(helper.runner->receive(poll_timeout_ms(deadline)))) break;
        } catch (const EnvironmentError&) {  // it did not greet
        }
    }
}

CompileAhead::~CompileAhead() {
    if (helpers_.empty()) return;
    helpers_.clear();
    bench_.forget_helpers();
}

}  // namespace kwb
