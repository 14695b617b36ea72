// SPDX-License-Identifier: Apache-2.0
#include "judge/build/compile_ahead.hpp"

#include <algorithm>
#include <optional>
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

/// How long a helper may take for what the bench needs next. A kernel that hangs must not cost its time limit
/// twice.
constexpr double kPatienceMs = 4000;

/// PoCL compiles different code for launches with fewer work-items than this in every dimension.
constexpr std::uint64_t kSmallGrid = 65536;

std::size_t source_bytes(const KernelPlan& plan) {
    std::size_t bytes = plan.source_text.size();
    for (const auto& [name, text] : plan.includes) bytes += text.size();
    return bytes;
}

}  // namespace

std::vector<Launch> shortest(std::vector<Launch> launches) {
    for (Launch& launch : launches) {
        launch.repeat = 1;
        for (std::size_t i = 0; i < launch.local.size(); ++i) {
            const std::uint64_t local = launch.local[i];
            if (launch.global[i] < kSmallGrid)
                launch.global[i] = local;
            else
                launch.global[i] = (kSmallGrid + local - 1) / local * local;
        }
    }
    return launches;
}

CompileAhead::CompileAhead(DeviceBench& bench, const std::vector<ContestantState*>& members) : bench_(bench) {
    if (!is_pocl_cpu(bench.device()) || bench.trust() == Trust::Foreign) return;
    std::vector<const ContestantState*> wanted;
    for (const ContestantState* member : members)
        if (member->in_race && !member->plan->refusal && !member->plan->launches.empty())
            wanted.push_back(member);
    if (wanted.size() < kLeastContestants) return;
    const std::size_t processors = std::max(std::thread::hardware_concurrency(), 1u);
    const std::size_t helpers = std::min({processors - 1, wanted.size() / 2, kMostHelpers});
    std::ranges::reverse(wanted);
    for (std::size_t i = 0; i < helpers; ++i) {
        Helper helper;
        try {
            helper.runner = bench.start_helper();
        } catch (const EnvironmentError&) {  // if the bench cannot start one either, it reports that
        }
        if (!helper.runner) return;
        has_helped_ = true;
        for (std::size_t k = i; k < wanted.size(); k += helpers) helper.contestants.push_back(wanted[k]);
        const std::size_t share = wanted.size() / (helpers + 1);
        while (helper.built < share && build_next(helper)) {
        }
        helpers_.push_back(std::move(helper));
    }
}

/// @return  false: no more are sent
bool CompileAhead::build_next(Helper& helper) {
    if (helper.built == helper.contestants.size()) return false;
    const ContestantState& contestant = *helper.contestants[helper.built];
    helper.sent_bytes += source_bytes(*contestant.plan);
    if (helper.sent_bytes > kMostSourceBytes) return false;
    post(helper, make_build_request(static_cast<std::uint32_t>(contestant.index), *contestant.plan));
    ++helper.built;
    return true;
}

template <class Request>
void CompileAhead::post(Helper& helper, const Request& request, const ContestantState* launched) {
    helper.runner->post(request, bench_.timeout_ms());
    helper.awaited.push_back(launched);
}

void CompileAhead::launch() {
    for (Helper& helper : helpers_) {
        const BuffersRequest buffers = bench_.buffers_request();
        helper.runner->expect_buffers(buffers);
        post(helper, buffers);
        for (std::size_t i = 0; i < helper.contestants.size(); ++i) {
            const ContestantState& contestant = *helper.contestants[i];
            if (i == helper.built && !build_next(helper)) break;
            if (!contestant.in_race) continue;
            ExecuteRequest request;
            request.program = static_cast<std::uint32_t>(contestant.index);
            request.launches = shortest(contestant.launches);
            // PoCL chooses the work-group of such a launch by `global`.
            std::erase_if(request.launches, [](const Launch& launch) { return launch.local.empty(); });
            if (!request.launches.empty()) post(helper, request, &contestant);
        }
    }
}

void CompileAhead::meet(const ContestantState& contestant) {
    std::erase_if(helpers_, [&](Helper& helper) { return has_met(helper, contestant); });
}

/// Whether there is nothing left that the helper could compile before the bench does.
bool CompileAhead::has_met(Helper& helper, const ContestantState& contestant) {
    try {
        for (;;) {
            const auto next =
                std::ranges::find_if(helper.awaited, [](const auto* one) { return one != nullptr; });
            if (next == helper.awaited.end() || (*next)->index < contestant.index) return true;
            std::optional<Answer<RunnerReply>> answer;
            if (*next == &contestant)
                answer = helper.runner->receive(std::min(kPatienceMs, bench_.timeout_ms()));
            else
                answer = helper.runner->receive_if_there(bench_.timeout_ms());
            if (!answer) return false;
            if (std::holds_alternative<Failure>(*answer) && !helper.runner->alive()) return true;
            helper.awaited.pop_front();
        }
    } catch (const EnvironmentError&) {  // it did not greet
        return true;
    }
}

CompileAhead::~CompileAhead() {
    helpers_.clear();
    if (has_helped_) bench_.forget_helpers();
}

}  // namespace kwb
