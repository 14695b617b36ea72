// SPDX-License-Identifier: Apache-2.0
// Keeps a device ready for a run, also after its runner has died.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ipc/captured_output.hpp"
#include "judge/processes/device_pool.hpp"
#include "judge/processes/runner_process.hpp"
#include "judge/reference/reference.hpp"
#include "judge/verify/layout.hpp"

namespace kwb {

/// All options of a build, with the macros of the plan.
std::string build_options_of(const KernelPlan& plan);

/// @param number  of the program in the runner
BuildRequest make_build_request(std::uint32_t number, const KernelPlan& plan);

/// PoCL on processors. Its times, memory and CPU time have been measured, so they can be judged.
bool is_pocl_cpu(const DeviceInfo& device);

/// Records the state that the runner should have and restores it before each request: the next runner gets
/// the programs, buffers and contents that were lost with the previous one. Unusable after StopRequested.
class DeviceBench {
public:
    /// @param environment  additional variables for its runners, e.g. {"POCL_MAX_PTHREAD_COUNT", "1"}
    DeviceBench(DevicePool& pool, const DeviceInfo& device, TrustDomain domain,
                NamedList<std::string> environment = {});

    /// Another bench for the same device and domain, with its own runners and the same timeout; does not
    /// start one yet.
    std::unique_ptr<DeviceBench> make_sibling(NamedList<std::string> environment) const;

    /// DevicePool::start_helper() for this device and domain, with the limits of the layout. What it compiles
    /// is as new as what this bench compiles.
    std::unique_ptr<RunnerProcess> start_helper();
    /// Call this once all helpers have ended. Removes what they left half-written.
    void forget_helpers();

    const DeviceInfo& device() const { return device_; }
    Trust trust() const { return domain_.trust; }
    double timeout_ms() const { return timeout_ms_; }
    /// Call before timing: waits until no process is starting in the background.
    /// @throws StopRequested, FaceGone
    void settle() { pool_.settle(); }
    /// For a turn on the host: stops all runners.
    void pause_all() {
        pool_.settle();
        pool_.pause_others(nullptr);
    }
    /// For a turn of this bench.
    void pause_others() { pool_.pause_others(runner_.get()); }
    /// Call this during long work on its data. @throws StopRequested, FaceGone
    void checkpoint() { pool_.checkpoint(); }
    void set_timeout_ms(double timeout_ms) { timeout_ms_ = timeout_ms; }

    /// Has the plan compiled, and does not wait. The next call must be build() of the same plan.
    /// @throws EnvironmentError  no runner can be started
    void begin_build(const KernelPlan& plan);

    /// Compiles the plan, or returns the result if the current runner has already compiled it.
    Answer<BuiltReply> build(const KernelPlan& plan);

    /// Uses these buffers from now on. Also discards the inputs.
    void use_layout(Layout layout);
    const Layout& layout() const { return layout_; }
    /// For the buffers of the layout.
    BuffersRequest buffers_request() const;

    /// Uses these inputs from now on; `data` must live until the next call.
    void use_inputs(const PassData& data);
    /// The inputs on the device are no longer intact: uploads them again before the next execution.
    void refresh_inputs() { loaded_ = false; }

    /// The runner may have been tampered with: ends it; the next request starts another.
    void distrust_runner();

    /// Builds `plan`, allocates buffers and uploads inputs; execute() does so too.
    /// @return  the failure, if any
    std::optional<Failure> prepare(const KernelPlan& plan);
    /// True if prepare() would have nothing to do.
    bool is_prepared(const KernelPlan& plan) const;

    /// Processor time that the current runner has used so far.
    std::optional<double> cpu_ms() const { return runner_ ? runner_->cpu_ms() : std::nullopt; }

    /// Runs launches of `plan`; sets the request's program number.
    /// @param inputs  of this run; nullptr: those of use_inputs()
    Answer<ExecutedReply> execute(const KernelPlan& plan, const ExecuteRequest& request,
                                  const Contents* inputs = nullptr);

    /// Another run of what was executed last: prepare_run(), then launch().
    /// @param inputs  nullptr: those of the last run
    Answer<PreparedReply> prepare_run(const Contents* inputs);
    Answer<ExecutedReply> launch();
    /// Reads back allocations after a run; fetch() returns them.
    Answer<ExecutedReply> download(std::vector<Transfer> transfers);

    /// A private copy of an allocation (guard, payload, guard) that the last execution downloaded. Can be
    /// called only once, because the original is overwritten: the runner could read it.
    std::vector<std::byte> fetch(const Slot& slot);

    /// Time of the last upload of all inputs.
    std::optional<double> upload_ms() const { return upload_ms_; }
    std::uint64_t guard_secret() const { return guard_secret_; }
    OutputCapture take_output();

private:
    std::optional<Failure> make_ready();
    std::optional<Failure> allocate();
    std::optional<Failure> upload();
    std::optional<Failure> upload_slots(bool inputs);
    void copy_to(std::span<std::byte> place, const std::vector<std::byte>& content);
    void limit_runner();
    MemoryNeeds memory_needs() const;
    /// True if a kernel has run in the current runner. It may have corrupted the driver's data, so a failed
    /// call is retried in a new runner before the current kernel is blamed.
    bool may_be_broken() const;
    std::optional<Failure> prepare_once(const KernelPlan& plan);
    Answer<BuiltReply> build_once(const KernelPlan& plan);
    Answer<BuiltReply> keep_built(const std::string& key, const KernelPlan& plan, Answer<BuiltReply> answer);
    Answer<ExecutedReply> execute_once(const KernelPlan& plan, ExecuteRequest request,
                                       const Contents* inputs);
    /// Writes the payloads of `inputs` to the arena. @return  the transfers to the device
    std::vector<Transfer> stage_inputs(const Contents& inputs);
    /// True if a damaged file in the compiler cache could explain the runner's death.
    template <class Reply>
    bool is_death_by_code(const Answer<Reply>& answer) const;
    /// Removes only this program from the compiler cache. To find its file name, compiles it into an empty
    /// cache.
    /// @return  true if it was there and the source compiles with an empty cache, so that a retry makes sense
    bool forget_compiled(const KernelPlan& plan);

    struct Built {
        std::uint32_t program = 0;
        BuiltReply reply;
        CompilerCache::Time from;  ///< when it was built, or its helpers were started
        CompilerCache::Time to;
    };

    /// What begin_build() has begun and build() has not received.
    struct Begun {
        std::string key;
        std::optional<Failure> failure;  ///< no runner was ready for it
    };

    DevicePool& pool_;
    DeviceInfo device_;
    TrustDomain domain_;
    NamedList<std::string> environment_;
    double timeout_ms_ = 30000;
    std::uint64_t guard_secret_;

    Layout layout_;
    const PassData* data_ = nullptr;
    std::optional<double> upload_ms_;

    // State of the current runner.
    std::shared_ptr<RunnerProcess> runner_;
    bool allocated_ = false;
    bool loaded_ = false;
    std::optional<Begun> begun_;
    std::map<std::string, Built> programs_;  ///< the key contains everything that affects a build
    std::uint32_t last_program_ = 0;         ///< executed last
    CompilerCache::Time last_build_from_;
    std::optional<CompilerCache::Time> helped_since_;  ///< when the first helper was started
    OutputCapture output_of_dead_;
};

}  // namespace kwb
