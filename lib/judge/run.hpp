// SPDX-License-Identifier: Apache-2.0
// Performs one request from start to end: build, check, time, summarize.
#pragma once

#include <functional>
#include <list>
#include <optional>
#include <vector>

#include "judge/build/compile_ahead.hpp"
#include "judge/contestant_state.hpp"
#include "judge/processes/device_bench.hpp"
#include "judge/reference/reference.hpp"
#include "judge/verify/verification.hpp"
#include "judge/xray/xray_check.hpp"
#include "model/request.hpp"

namespace kwb {

/// @param role  distinguishes kernels of the same text that must not share a cache; empty: they may
TrustDomain domain_of(const KernelPlan& plan, const std::string& role);
/// The trust domain of a contestant with a kernel.
TrustDomain domain_of(const RunRequest& request, std::size_t contestant);

/// The bench of a device (DeviceInfo::id) for kernels of this domain.
using BenchFor = std::function<DeviceBench&(const std::string& device, const TrustDomain&)>;

class Run {
public:
    /// All references must outlive the run.
    Run(const RunRequest& request, const ProblemInstance& instance, const ReferenceSolver& solver,
        const BenchFor& bench_for, ReferenceCache& references, XrayRoom& xray, FaceLink& face);

    /// @throws StopRequested, FaceGone  at any point; results() then returns what is known so far
    void perform();

    /// One for each contestant, in the order of the request.
    /// @param failure  a sentence with the reason why the run could not continue; empty if it could
    std::vector<KernelResult> results(bool stopped, const std::string& failure = {});

    /// The outputs that the request asks to keep. Call this before results().
    std::vector<OutputEvent> take_outputs();

private:
    /// The contestants of one device and trust domain; they share a bench.
    struct Group {
        DeviceBench* bench = nullptr;
        std::vector<ContestantState*> members;
    };

    Group& group_for(const BenchFor& bench_for, std::size_t contestant);
    void refuse_what_does_not_fit();
    void build(ContestantState& contestant);
    bool nobody_races() const;
    static bool nobody_races(const Group& group);
    void use_guarded_layouts();
    void begin_first_build();
    void build_all();
    void verify_and_time();
    /// Runs the kernels with buffers next to unreadable pages, on devices that support it.
    void check_pages();
    void check_all(Pass pass);
    /// Adds what X-ray found to the verdicts.
    void conclude_xray();
    void find_hints(ContestantState& contestant);
    void time_all();
    void experiment();
    void reject_unbelievable_times();
    /// Called when a contestant starts a step or, in stage "time", has finished a turn.
    void report(const std::string& stage, const ContestantState& contestant, std::uint32_t rounds = 0);
    Progress progress_of(const std::string& stage, const ContestantState& contestant,
                         std::uint32_t rounds) const;
    /// The part of a contestant's result that was sent to the face.
    struct Sent {
        std::size_t samples = 0;
        bool verdict = false;
    };
    bool has_unsent_verdict() const;
    /// Sends what is new about each contestant. @return  the number of messages sent
    int send_partial_results();
    /// On first use, adds a warning to every result about what the reference does not check.
    const PassData& reference(Pass pass);
    /// One for each contestant; null for those outside the group.
    std::vector<const KernelPlan*> plans(const Group& group) const;
    /// @param arena_bytes  size of the memory shared with the runners
    std::optional<Finding> find_host_constraint(std::uint64_t arena_bytes) const;

    const RunRequest& request_;
    const ProblemInstance& instance_;
    const ReferenceSolver& solver_;
    ReferenceCache& references_;
    FaceLink& face_;
    std::vector<ContestantState> contestants_;
    std::vector<Group> groups_;
    std::list<CompileAhead> ahead_;  ///< one for each group, until all have run once
    std::optional<Verification> verification_;
    XrayCheck xray_;
    Deadline next_report_ = Deadline::min();
    std::string reported_stage_;
    std::string reported_kernel_;
    bool is_extended_ = false;  ///< see Progress
    std::vector<Sent> sent_;    ///< one for each contestant
    bool told_unchecked_ = false;
};

}  // namespace kwb
