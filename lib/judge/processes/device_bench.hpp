// A device made ready for a run, and again after each death of its runner.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ipc/output_capture.hpp"
#include "judge/processes/device_pool.hpp"
#include "judge/processes/runner_process.hpp"
#include "judge/reference/reference.hpp"
#include "judge/verify/layout.hpp"

namespace kwb {

/// Knows the state that the runner should be in and restores it before each request: the programs, buffers
/// and contents that a dying runner loses come back with the next one. Unusable after StopRequested.
class DeviceBench {
public:
    /// @param environment  further variables for its runners, e.g. {"POCL_MAX_PTHREAD_COUNT", "1"}
    DeviceBench(DevicePool& pool, const DeviceInfo& device, TrustDomain domain,
                NamedList<std::string> environment = {});

    /// Another bench for the same device and domain, with its own runners; starts nothing yet.
    std::unique_ptr<DeviceBench> make_sibling(NamedList<std::string> environment) const;

    const DeviceInfo& device() const { return device_; }
    const TrustDomain& domain() const { return domain_; }
    /// Before timing: wait until nothing starts up in the background.
    /// @throws StopRequested, FaceGone
    void settle() { pool_.settle(); }
    /// Call it during long work on its data. @throws StopRequested, FaceGone
    void checkpoint() { pool_.checkpoint(); }
    double timeout_ms() const { return timeout_ms_; }
    void set_timeout_ms(double timeout_ms) { timeout_ms_ = timeout_ms; }

    /// Compile, or return what this runner has compiled before.
    Answer<BuiltReply> build(const KernelPlan& plan);

    /// Use these buffers from now on. Also forgets the inputs.
    void use_layout(Layout layout);
    const Layout& layout() const { return layout_; }

    /// Use these inputs from now on; `data` must live until the next call.
    void use_inputs(const PassData& data);
    /// The inputs on the device are no longer intact: upload them again before the next execution.
    void refresh_inputs() { loaded_ = false; }

    /// The runner may have been tampered with: end it and use another.
    void distrust_runner();

    /// Build `plan`, allocate buffers and upload inputs; execute() does so too.
    /// @return  the failure, if any
    std::optional<Failure> prepare(const KernelPlan& plan);
    /// True if all of that is done.
    bool is_prepared(const KernelPlan& plan) const;

    /// Processor time that the present runner has used so far.
    std::optional<double> cpu_ms() const { return runner_ ? runner_->cpu_ms() : std::nullopt; }

    /// Run launches of `plan`; fills in the request's program number.
    Answer<ExecutedReply> execute(const KernelPlan& plan, ExecuteRequest request);

    /// A private copy of an allocation (guard, payload, guard) that the last execution downloaded. Available
    /// once, because the original is overwritten: the runner could read it.
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
    void limit_runner();
    /// True if a kernel has run in the present runner: it may have broken the driver's data, so retry a
    /// failed call in a new runner rather than blame the present kernel.
    bool may_be_broken() const;
    std::optional<Failure> prepare_once(const KernelPlan& plan);
    Answer<BuiltReply> build_once(const KernelPlan& plan);
    Answer<ExecutedReply> execute_once(const KernelPlan& plan, ExecuteRequest request);
    /// True if damaged code in the compiler cache would explain the runner's death.
    template <class Reply>
    bool is_death_by_code(const Answer<Reply>& answer) const;
    /// Remove only this program from the compiler cache; compiling it into an empty cache tells its file
    /// name.
    /// @return  true if it was there and the source compiles with an empty cache: worth a retry
    bool forget_compiled(const KernelPlan& plan);

    struct Built {
        std::uint32_t program = 0;
        BuiltReply reply;
        CompilerCache::Time from;  ///< when it was built
        CompilerCache::Time to;
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

    // State of the present runner.
    std::shared_ptr<RunnerProcess> runner_;
    bool allocated_ = false;
    bool loaded_ = false;
    std::map<std::string, Built> programs_;  ///< keyed by everything that goes into a build
    CompilerCache::Time last_build_from_;
    OutputCapture output_of_dead_;
};

}  // namespace kwb
