// SPDX-License-Identifier: Apache-2.0
#include "runner/execute.hpp"

#include <algorithm>

#include "ipc/channel.hpp"
#include "ocl/errors.hpp"
#include "runner/code_sampler.hpp"

namespace kwb {
namespace {

FirstLaunches::value_type key(const Launch& launch) {
    return {launch.kernel, launch.global, launch.local};
}

}  // namespace

ExecutedReply download(const std::vector<Transfer>& transfers, const Execution& place) {
    ExecutedReply reply;
    reply.download_ms = place.memory.download(transfers, place.arena);
    return reply;
}

Runs::Runs(ExecuteRequest request, const Execution& place)
    : request_(std::move(request)),
      place_(place),
      launches_(place.program.program, place.program.functions, place.queue, request_.launches,
                [&](std::uint32_t id) -> const DeviceBuffer& { return place.memory.at(id); }) {}

template <class Work>
auto Runs::attributed(Work&& work) {
    try {
        return work();
    } catch (ClError& error) {
        error.failure.is_of_launch |= has_run_;
        throw;
    } catch (const cl::Error& error) {
        ClError explained = explain_status(error.what(), error.err());
        explained.failure.is_of_launch |= has_run_;
        throw explained;
    }
}

ExecutedReply Runs::execute() {
    enter(is_new(request_.launches.front()) ? kFirstLaunchStage : kLaunchStage);
    return attributed([&] {
        place_.memory.upload_payloads(request_.inputs, place_.arena);
        place_.memory.change(request_.before_first);
        place_.memory.change(request_.before_run);
        launches_.load_images();
        std::optional<CodeSampler> sampler;
        if (request_.is_sampled) sampler.emplace();
        ExecutedReply reply = run();
        if (sampler) reply.samples = sampler->take();
        launches_.store_images();
        reply.download_ms = place_.memory.download(request_.download, place_.arena);
        return reply;
    });
}

void Runs::prepare(const std::vector<Transfer>& inputs) {
    attributed([&] {
        place_.memory.upload_payloads(inputs, place_.arena);
        place_.memory.change(request_.before_run);
        launches_.load_images();
        place_.queue.finish();
    });
}

ExecutedReply Runs::launch() {
    return attributed([&] { return run(); });
}

void Runs::settle() {
    attributed([&] { launches_.store_images(); });
}

ExecutedReply Runs::run() {
    place_.memory.clear_trace();
    const Stopwatch watch;
    ExecutedReply reply;
    reply.run_ms = run_launches();
    reply.wall_ms = watch.ms();
    reply.launch_ms = launches_.launch_ms();
    has_run_ = true;
    return reply;
}

double Runs::run_launches() {
    if (std::ranges::none_of(request_.launches, [&](const Launch& launch) { return is_new(launch); }))
        return launches_.run();
    const CompileWatch watch{
        [&](const Launch& launch) { return place_.program.seen.insert(key(launch)).second; },
        [&] { change_to(kFirstLaunchStage); }, [&] { change_to(kLaunchStage); }};
    return launches_.run(&watch);
}

bool Runs::is_new(const Launch& launch) const {
    return !place_.program.seen.contains(key(launch));
}

void Runs::enter(const char* stage) {
    stage_ = stage;
    place_.announce(stage);
}

/// Reports a stage only when it changes.
void Runs::change_to(const char* stage) {
    if (stage_ != stage) enter(stage);
}

}  // namespace kwb
