// SPDX-License-Identifier: Apache-2.0
// The requests that a front end sends to a judge, and the progress messages that it receives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/declared_instance.hpp"
#include "model/device_info.hpp"
#include "model/plan.hpp"
#include "model/result.hpp"
#include "model/xray.hpp"

namespace kwb {

/// Name of the host's BLAS as a contestant.
inline constexpr const char* kHostBlasName = "cpu:blas";

/// KernelResult::device for contestants that run in the judge itself.
inline constexpr const char* kHostDevice = "host";

/// A kernel at a size at which X-ray observes it, apart from that of the run.
struct XraySize {
    Sizes sizes;
    KernelPlan plan;  ///< without source_text and includes, which are those of the contestant
    /// As RunRequest::declared, at these sizes, and without contents from files.
    std::shared_ptr<const DeclaredInstance> declared = nullptr;
};

/// A participant in a comparison: a kernel, or the host's BLAS.
struct Contestant {
    std::optional<KernelPlan> kernel = {};   ///< nullopt: cpu:blas
    std::optional<XraySize> xray_size = {};  ///< a small, awkward size

    std::string name() const { return kernel ? kernel->name : kHostBlasName; }
};

struct RunRequest {
    static constexpr const char* kType = "run";
    enum class Mode {
        Run,     ///< verify, then time
        Check,   ///< verify only
        Explain  ///< verify, then only what-if experiments
    };
    Mode mode = Mode::Run;
    std::string device;  ///< DeviceInfo::id; contestants may have their own, see KernelPlan::device
    std::string problem;
    Sizes sizes;
    /// A user-defined problem at these sizes; null: `problem` names a shipped problem, which the judge knows.
    std::shared_ptr<const DeclaredInstance> declared = nullptr;
    std::optional<std::uint64_t> seed;  ///< of the inputs; nullopt: one that the judge draws and keeps secret
    std::vector<Contestant> contestants;   ///< at least one
    std::size_t baseline = 0;              ///< index of the contestant that speed-ups refer to
    std::optional<std::uint32_t> rounds;   ///< exact number; nullopt: until the interval is narrow enough or
                                           ///< the time budget is used up
    std::optional<double> time_budget_ms;  ///< per kernel; nullopt together with `rounds`: no limit
    /// Extended time budget: a kernel that can reach the minimum number of rounds for a confidence interval
    /// within this time continues past `time_budget_ms` until it has them. nullopt: `time_budget_ms` takes
    /// precedence over that minimum.
    std::optional<double> interval_budget_ms = {};
    /// While the interval of a ratio to the baseline is too wide for an answer, the rounds go on past the
    /// other budgets, for at most this long by the wall clock. nullopt: they do not.
    std::optional<double> answer_budget_ms = {};
    /// Stop timing contestants that are slower than the fastest: see Rounds.
    bool races = false;
    double timeout_ms = 30000;      ///< for each stage: a build, a launch
    bool unreadable_pages = false;  ///< also check with buffers next to unreadable pages; Check always does
    bool keep_outputs = false;      ///< also send the output buffers of each contestant
    bool send_maps = true;          ///< also send error maps, which are most of an answer's bytes
    bool xray = true;               ///< observe each kernel before it is timed
    bool what_if = false;  ///< after the rounds, also time what-if experiments: see KernelResult::effects
    /// Rates that no kernel reaches on `device`, by the problem's own cost; nullopt: unknown. They do not
    /// apply to contestants on other devices.
    std::optional<double> most_gflops = {};
    std::optional<double> most_gbytes_s = {};
    /// Of several requests about the same untrusted kernels, given one after another: their processes and
    /// caches are kept from one to the next. Empty: they end with this run.
    std::string submission = {};
};

/// The device that a kernel runs on.
inline const std::string& device_of(const RunRequest& request, const KernelPlan& plan) {
    return plan.device.empty() ? request.device : plan.device;
}

template <>
inline constexpr auto kEnumNames<RunRequest::Mode> = std::to_array<std::string_view>({"run", "check",
                                                                                      "explain"});

/// Observe a kernel, and return everything observed; see model/xray.hpp.
struct XrayRequest {
    static constexpr const char* kType = "xray";
    std::string device;  ///< DeviceInfo::id, of which the plan was made
    std::string problem;
    Sizes sizes;
    std::shared_ptr<const DeclaredInstance> declared = nullptr;  ///< as in RunRequest
    KernelPlan kernel;
    XrayOptions options;
    bool machine_code = false;  ///< also what the device's driver compiles; else nothing runs on the device
    /// With XrayAim::Record: the group that stores the first wrong element last.
    bool find_wrong = false;
};

/// A result with everything known before the build: names, sizes, launches. Verdict `skipped`, no reason.
KernelResult unmeasured_result(const RunRequest& request, const Contestant& contestant);

/// Defaults for the budgets of RunRequest; the last is for somebody who waits for an answer.
inline constexpr double kDefaultTimeBudgetMs = 1000;
inline constexpr double kDefaultIntervalBudgetMs = 20'000;
inline constexpr double kDefaultAnswerBudgetMs = 60'000;

/// Progress of a run. Sent at each step and between turns, at most ten times a second.
struct Progress {
    static constexpr const char* kType = "progress";
    std::string stage;   ///< "build", "check (exact inputs)", "check (real inputs)", "time", "what if", …
    std::string kernel;  ///< the current contestant
    std::uint32_t rounds = 0;  ///< completed rounds
    std::uint32_t runs = 0;    ///< timed runs of this kernel so far
    std::optional<double> median_ms;
    std::optional<Interval> ci95_ms;
    double elapsed_ms = 0;                ///< since `kernel` entered this stage; updated every second
    std::optional<double> limit_ms = {};  ///< timeout of the stage; nullopt: no timeout
    std::optional<std::uint32_t> contestant = {};  ///< index of the current one in the request
    bool is_extended = false;  ///< the rounds go on only because a ratio is too wide for an answer
};

}  // namespace kwb
