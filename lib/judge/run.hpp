// One request from beginning to end: build, check, time, sum up.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "judge/entrant.hpp"
#include "judge/processes/device_bench.hpp"
#include "judge/reference/reference_cache.hpp"
#include "judge/verify/verification.hpp"
#include "model/request.hpp"

namespace kwb {

/// @return  the bench of the request's device for kernels of this domain; null if only cpu:blas takes part
using BenchFor = std::function<DeviceBench*(const Domain&)>;

class Run {
public:
    /// All references must outlive the run.
    Run(const RunRequest& request, const ProblemInstance& instance, const ReferenceSolver& solver,
        const BenchFor& bench_for, ReferenceCache& references, FaceLink& face);

    /// @throws StopRequested, FaceGone  in the middle of it; results() then tells what is known so far
    void perform();

    /// One a contestant, in the order of the request.
    /// @param failure  why the run could not go on, a sentence; empty if it could
    std::vector<KernelResult> results(bool stopped, const std::string& failure = {});

    /// What each contestant wrote, of those that were asked for; before results().
    std::vector<OutputEvent> take_outputs();

private:
    /// A domain of trust: contestants that share a bench.
    struct Group {
        DeviceBench* bench = nullptr;
        std::vector<Entrant*> members;
    };

    Group& group_for(const BenchFor& bench_for, std::size_t contestant);
    void refuse_what_does_not_fit();
    void build(Entrant& entrant);
    bool nobody_races() const;
    static bool nobody_races(const Group& group);
    void use_guarded_layouts();
    void verify_and_time();
    /// Runs against unreadable pages, on devices that can.
    void check_pages();
    void check_all(Pass pass);
    void time_all();
    void settle_changed_inputs(const Group& group, const PassData& data);
    void settle_times();
    void sum_up(Entrant& entrant, bool stopped, const std::string& failure);
    void compare(Entrant& entrant);
    /// A contestant is set to work, or, in stage "time", has taken a turn.
    void report(const std::string& stage, const Entrant& entrant, std::uint32_t rounds = 0);
    Progress progress_of(const std::string& stage, const Entrant& entrant, std::uint32_t rounds) const;
    /// Verdicts that were not told yet.
    std::vector<SettledResult> take_settled();
    /// The first time, every result is told what its truth leaves unchecked.
    const PassData& reference(Pass pass);
    /// One a contestant; null for those that run elsewhere.
    std::vector<const KernelPlan*> plans(const Group& group) const;
    /// @param arena_bytes  shared with the runner
    std::optional<Finding> find_host_constraint(std::uint64_t arena_bytes) const;

    const RunRequest& request_;
    const ProblemInstance& instance_;
    const ReferenceSolver& solver_;
    ReferenceCache& references_;
    FaceLink& face_;
    std::vector<Entrant> entrants_;
    std::vector<Group> groups_;
    std::optional<Verification> verification_;
    std::vector<TimedTurn> untold_turns_;  ///< since the last report
    Deadline next_report_ = Deadline::min();
    std::string reported_stage_;
    std::string reported_kernel_;
    std::vector<bool> told_verdicts_;  ///< one a contestant
    bool told_unchecked_ = false;
};

}  // namespace kwb
