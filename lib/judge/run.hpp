// One request from beginning to end: build, check, time, sum up.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "judge/device_bench.hpp"
#include "judge/entrant.hpp"
#include "judge/reference_cache.hpp"
#include "judge/verification.hpp"
#include "model/request.hpp"

namespace kwb {

/// @return  the bench of the request's device for kernels of this domain; null if only cpu:blas takes part
using BenchFor = std::function<DeviceBench*(const Domain&)>;

class Run {
public:
    /// All references must outlive the run.
    Run(const RunRequest& request, const ProblemInstance& instance, const BenchFor& bench_for,
        ReferenceCache& references, FaceLink& face);

    /// @throws StopRequested, FaceGone  in the middle of it; results() then tells what is known so far
    void perform();

    /// One a contestant, in the order of the request.
    /// @param failure  why the run could not go on, a sentence; empty if it could
    std::vector<KernelResult> results(bool stopped, const std::string& failure = {});

private:
    void refuse_what_does_not_fit();
    void build(Entrant& entrant);
    bool nobody_races() const;
    void check_all(Pass pass);
    void time_all();
    void settle_changed_inputs(const PassData& data);
    void sum_up(Entrant& entrant, bool stopped, const std::string& failure);
    void compare(Entrant& entrant);
    void report(const std::string& stage, const Entrant& entrant, std::uint32_t rounds = 0);
    std::vector<const KernelPlan*> plans() const;
    /// @param arena_bytes  shared with the runner
    std::optional<std::string> find_host_constraint(std::uint64_t arena_bytes) const;

    const RunRequest& request_;
    const ProblemInstance& instance_;
    DeviceBench* bench_;
    ReferenceCache& references_;
    FaceLink& face_;
    std::vector<Entrant> entrants_;
    std::optional<Verification> verification_;
    Deadline next_report_ = Deadline::min();
    std::string reported_stage_;
};

}  // namespace kwb
