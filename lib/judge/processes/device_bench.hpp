// A device made ready for a run, and made ready again after each death.
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

/// Says what state the runner should be in; brings it there before each request. What a runner loses by dying
/// (programs, buffers, contents) comes back with the next one. After StopRequested it is of no more use.
class DeviceBench {
public:
    /// @param environment  what its runners need besides, e.g. {"POCL_MAX_PTHREAD_COUNT", "1"}
    DeviceBench(DevicePool& pool, const DeviceInfo& device, Domain domain,
                NamedList<std::string> environment = {});

    /// Another bench for the same device and domain, with runners of its own; nothing is started yet.
    std::unique_ptr<DeviceBench> make_sibling(NamedList<std::string> environment) const;

    const DeviceInfo& device() const { return device_; }
    const Domain& domain() const { return domain_; }
    /// Wait until nothing starts up in the background: before anything is timed.
    /// @throws StopRequested, FaceGone
    void settle() { pool_.settle(); }
    /// To be called during long work on its data. @throws StopRequested, FaceGone
    void checkpoint() { pool_.checkpoint(); }
    double timeout_ms() const { return timeout_ms_; }
    void set_timeout_ms(double timeout_ms) { timeout_ms_ = timeout_ms; }

    /// Compile, or recall what came of it in this very runner.
    Answer<BuiltReply> build(const KernelPlan& plan);

    /// These buffers from now on. Also forgets the inputs.
    void use_layout(Layout layout);
    const Layout& layout() const { return layout_; }

    /// These inputs from now on; `data` must live until the next call.
    void use_inputs(const PassData& data);
    /// The device's inputs are no longer what they should be: upload them again before the next execution.
    void refresh_inputs() { loaded_ = false; }

    /// The runner has been tampered with: end it, and let another take its place.
    void distrust_runner();

    /// Have `plan` built, buffers made and inputs loaded; execute() does the same.
    /// @return  what stood in the way
    std::optional<Loss> prepare(const KernelPlan& plan);
    /// Whether all that is done already.
    bool is_prepared(const KernelPlan& plan) const;

    /// Processor time that the present runner has used so far.
    std::optional<double> cpu_ms() const { return runner_ ? runner_->cpu_ms() : std::nullopt; }

    /// Run launches of `plan`. The request's program number is filled in.
    Answer<ExecutedReply> execute(const KernelPlan& plan, ExecuteRequest request);

    /// A private copy of an allocation (guard, payload, guard) that the last execution downloaded. Can be had
    /// once: it is overwritten where the runner could read it.
    std::vector<std::byte> fetch(const Slot& slot);

    /// Of the last upload of all inputs.
    std::optional<double> upload_ms() const { return upload_ms_; }
    std::uint64_t guard_secret() const { return guard_secret_; }
    OutputCapture take_output();

private:
    std::optional<Loss> make_ready();
    std::optional<Loss> allocate();
    std::optional<Loss> upload();
    std::optional<Loss> upload_slots(bool inputs);
    void limit_runner();
    /// A kernel has run in the present runner, and may have broken what the driver keeps in it: a call that
    /// fails is worth another try in a new one, so that nobody pays for an earlier kernel.
    bool may_be_broken() const;
    std::optional<Loss> prepare_once(const KernelPlan& plan);
    Answer<BuiltReply> build_once(const KernelPlan& plan);
    Answer<ExecutedReply> execute_once(const KernelPlan& plan, ExecuteRequest request);
    /// Did the runner die in a way that damaged code in the compiler cache explains?
    template <class Reply>
    bool is_death_by_code(const Answer<Reply>& answer) const;
    /// Remove this program, and no other, from the compiler cache; an empty cache tells what it is called
    /// there.
    /// @return  true if it was there and the source compiles with an empty cache: worth another try
    bool forget_compiled(const KernelPlan& plan);

    struct Built {
        std::uint32_t program = 0;
        BuiltReply reply;
        CompilerCache::Time from;  ///< when it was built
        CompilerCache::Time to;
    };

    DevicePool& pool_;
    DeviceInfo device_;
    Domain domain_;
    NamedList<std::string> environment_;
    double timeout_ms_ = 30000;
    std::uint64_t guard_secret_;

    Layout layout_;
    const PassData* data_ = nullptr;
    std::optional<double> upload_ms_;

    // What the present runner holds.
    std::shared_ptr<RunnerProcess> runner_;
    bool allocated_ = false;
    bool loaded_ = false;
    std::map<std::string, Built> programs_;  ///< by everything that goes into a build
    CompilerCache::Time last_build_from_;
    OutputCapture output_of_dead_;
};

}  // namespace kwb
