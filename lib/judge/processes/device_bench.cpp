// SPDX-License-Identifier: Apache-2.0
#include "judge/processes/device_bench.hpp"

#include <cstring>

#include "base/error.hpp"
#include "base/secret.hpp"
#include "judge/build/source_hints.hpp"
#include "judge/reference/large_arrays.hpp"
#include "judge/verify/stray_access.hpp"

namespace kwb {
namespace {

/// A runner with more programs than this is replaced.
constexpr std::size_t kMostPrograms = 512;

/// Everything that affects the result of a build.
std::string build_key(const KernelPlan& plan) {
    std::string key = plan.file + '\0' + build_options_of(plan) + '\0' + plan.source_text;
    for (const auto& [name, text] : plan.includes) key += '\0' + name + '\0' + text;
    return key;
}

const std::vector<std::byte>* input_of(const PassData& data, const Slot& slot) {
    return slot.role == Slot::Role::Scratch ? nullptr : find_named(data.inputs, slot.name);
}

}  // namespace

std::string build_options_of(const KernelPlan& plan) {
    std::string options = plan.build_options;
    for (const auto& [name, value] : plan.defines)
        options += (options.empty() ? "" : " ") + ("-D" + name + "=" + value);
    return options;
}

BuildRequest make_build_request(std::uint32_t number, const KernelPlan& plan) {
    return {number, plan.file, plan.source_text, plan.includes, build_options_of(plan)};
}

bool is_pocl_cpu(const DeviceInfo& device) {
    return device.kind == DeviceKind::Cpu && device.id.starts_with("pocl:");
}

DeviceBench::DeviceBench(DevicePool& pool, const DeviceInfo& device, TrustDomain domain,
                         NamedList<std::string> environment)
    : pool_(pool),
      device_(device),
      domain_(std::move(domain)),
      environment_(std::move(environment)),
      guard_secret_(draw_secret()) {}

std::unique_ptr<DeviceBench> DeviceBench::make_sibling(NamedList<std::string> environment) const {
    auto sibling = std::make_unique<DeviceBench>(pool_, device_, domain_, std::move(environment));
    sibling->timeout_ms_ = timeout_ms_;
    return sibling;
}

std::unique_ptr<RunnerProcess> DeviceBench::start_helper() {
    const auto now = CompilerCache::Time::clock::now();
    auto helper = pool_.start_helper(device_.id, domain_);
    if (!helper) return nullptr;
    helper->limit_memory(memory_needs());
    if (!helped_since_) helped_since_ = now;
    return helper;
}

void DeviceBench::forget_helpers() {
    helped_since_.reset();
    pool_.cache(domain_).sweep();
}

void DeviceBench::distrust_runner() {
    if (!runner_) return;
    output_of_dead_.append(runner_->take_output());
    runner_.reset();
    if (!helped_since_) pool_.cache(domain_).sweep();  // helpers may be compiling; forget_helpers() sweeps
}

std::optional<Failure> DeviceBench::make_ready() {
    if (runner_ && runner_->alive()) return std::nullopt;
    distrust_runner();
    allocated_ = loaded_ = false;
    begun_.reset();
    programs_.clear();
    auto taken = pool_.take_runner(device_.id, domain_, environment_);
    if (auto* failure = std::get_if<Failure>(&taken)) return std::move(*failure);
    runner_ = std::get<std::shared_ptr<RunnerProcess>>(std::move(taken));
    if (is_pocl_cpu(device_)) runner_->spread_workers();
    limit_runner();
    return std::nullopt;
}

/// Sets the runner's limits for the current layout.
void DeviceBench::limit_runner() {
    if (!runner_ || !runner_->alive()) return;
    if (layout_.arena_bytes > 0) runner_->arena().grow(layout_.arena_bytes);
    runner_->limit_memory(memory_needs());
}

MemoryNeeds DeviceBench::memory_needs() const {
    MemoryNeeds needs;
    needs.arena_bytes = layout_.arena_bytes;
    for (const Slot& slot : layout_.slots) needs.buffer_bytes += slot.whole_bytes();
    if (layout_.unreadable_pages) needs.unreadable_buffers = layout_.slots.size();
    needs.limit_address_space = is_pocl_cpu(device_);
    return needs;
}

bool DeviceBench::may_be_broken() const {
    return runner_ && runner_->alive() && runner_->has_launched();
}

Answer<BuiltReply> DeviceBench::build(const KernelPlan& plan) {
    const bool is_doubtful = may_be_broken();
    Answer<BuiltReply> answer = build_once(plan);
    const auto* failure = std::get_if<Failure>(&answer);
    if (is_doubtful && failure != nullptr && failure->is_refusal) answer = build_once(plan);
    const auto now = CompilerCache::Time::clock::now();
    // PoCL 3.1 updates the timestamp of a program only after it has read it, so may_have_given() misses one
    // that crashes while it is read. That happens at once; a compiler that crashes later has read the source.
    constexpr auto kAtOnce = std::chrono::seconds(1);
    failure = std::get_if<Failure>(&answer);
    const bool is_at_once = failure != nullptr && failure->verdict == Verdict::CompilerCrashed &&
                            failure->evidence.signal && now - last_build_from_ <= kAtOnce;
    if (is_death_by_code(answer) &&
        (is_at_once || pool_.cache(domain_).may_have_given(helped_since_.value_or(last_build_from_), now)) &&
        forget_compiled(plan))
        answer = build_once(plan);
    return answer;
}

bool DeviceBench::forget_compiled(const KernelPlan& plan) {
    if (domain_.trust == Trust::Foreign) return false;
    const TrustDomain empty{Trust::Foreign, "second opinion"};  // begins with an empty cache
    bool found = false;
    {
        auto taken = pool_.take_runner(device_.id, empty, environment_);
        if (auto* runner = std::get_if<std::shared_ptr<RunnerProcess>>(&taken)) {
            (*runner)->limit_memory({});
            const auto second = (*runner)->ask<BuiltReply>(make_build_request(0, plan), timeout_ms_);
            found = std::holds_alternative<BuiltReply>(second) &&
                    pool_.cache(domain_).forget_programs_of(pool_.cache(empty));
        }
    }
    pool_.forget(empty);
    return found;
}

void DeviceBench::begin_build(const KernelPlan& plan) {
    last_build_from_ = CompilerCache::Time::clock::now();
    Begun begun{build_key(plan), make_ready()};
    if (!begun.failure) {
        if (programs_.contains(begun.key) || programs_.size() >= kMostPrograms) return;
        runner_->post(make_build_request(static_cast<std::uint32_t>(programs_.size()), plan), timeout_ms_);
    }
    begun_ = std::move(begun);
}

Answer<BuiltReply> DeviceBench::build_once(const KernelPlan& plan) {
    const std::string key = build_key(plan);
    if (auto begun = std::exchange(begun_, std::nullopt)) {
        expects(begun->key == key, "DeviceBench: another build was begun");
        if (begun->failure) return std::move(*begun->failure);
        return keep_built(key, plan, runner_->receive_as<BuiltReply>(timeout_ms_));
    }
    last_build_from_ = CompilerCache::Time::clock::now();
    if (auto failure = make_ready()) return std::move(*failure);
    if (const auto found = programs_.find(key); found != programs_.end()) return found->second.reply;
    if (programs_.size() >= kMostPrograms) {
        distrust_runner();
        if (auto failure = make_ready()) return std::move(*failure);
    }
    const auto number = static_cast<std::uint32_t>(programs_.size());
    const BuildRequest request = make_build_request(number, plan);
    last_build_from_ = CompilerCache::Time::clock::now();
    return keep_built(key, plan, runner_->ask<BuiltReply>(request, timeout_ms_));
}

Answer<BuiltReply> DeviceBench::keep_built(const std::string& key, const KernelPlan& plan,
                                           Answer<BuiltReply> answer) {
    if (auto* reply = std::get_if<BuiltReply>(&answer)) {
        const auto number = static_cast<std::uint32_t>(programs_.size());
        const auto to = CompilerCache::Time::clock::now();
        add_untold(*reply, plan);
        programs_[key] = {number, *reply, helped_since_.value_or(last_build_from_), to};
    }
    return answer;
}

template <class Reply>
bool DeviceBench::is_death_by_code(const Answer<Reply>& answer) const {
    const auto* failure = std::get_if<Failure>(&answer);
    if (failure == nullptr || (runner_ && runner_->alive())) return false;
    // Compiled code causes neither of these, and a fault in a known buffer is the kernel's.
    if (failure->verdict == Verdict::Timeout || failure->verdict == Verdict::Skipped) return false;
    return !(failure->fault && failure->fault->buffer);
}

void DeviceBench::use_layout(Layout layout) {
    layout_ = std::move(layout);
    data_ = nullptr;
    allocated_ = loaded_ = false;
    limit_runner();
}

void DeviceBench::use_inputs(const PassData& data) {
    data_ = &data;
    loaded_ = false;
}

BuffersRequest DeviceBench::buffers_request() const {
    BuffersRequest request;
    request.unreadable_pages = layout_.unreadable_pages;
    request.trace = layout_.trace;
    for (const Slot& slot : layout_.slots)
        request.buffers.push_back(
            {slot.id, slot.front_bytes, slot.bytes(), slot.back_bytes, slot.repeated_bytes});
    return request;
}

std::optional<Failure> DeviceBench::allocate() {
    const BuffersRequest request = buffers_request();
    runner_->expect_buffers(request);
    Answer<AllocatedReply> answer = runner_->ask<AllocatedReply>(request, timeout_ms_);
    if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
    allocated_ = true;
    return std::nullopt;
}

std::optional<Failure> DeviceBench::upload_slots(bool inputs) {
    expects(data_ != nullptr, "DeviceBench: no inputs");
    UploadRequest request;
    for (const Slot& slot : layout_.slots) {
        const std::vector<std::byte>* content = input_of(*data_, slot);
        if ((content != nullptr) != inputs) continue;
        const auto allocation = runner_->arena().range(slot.offset, slot.whole_bytes());
        fill_guards(slot, guard_secret_, allocation);
        if (content != nullptr) copy_to(allocation.subspan(slot.front_bytes, content->size()), *content);
        request.transfers.push_back({slot.id, slot.offset});
    }
    Answer<UploadedReply> answer = runner_->ask<UploadedReply>(request, timeout_ms_);
    if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
    if (inputs) upload_ms_ = std::get<UploadedReply>(answer).upload_ms;
    return std::nullopt;
}

std::optional<Failure> DeviceBench::upload() {
    for (const bool inputs : {true, false})
        if (auto failure = upload_slots(inputs)) return failure;
    loaded_ = true;
    return std::nullopt;
}

std::optional<Failure> DeviceBench::prepare(const KernelPlan& plan) {
    const bool is_doubtful = may_be_broken();
    std::optional<Failure> failure = prepare_once(plan);
    if (is_doubtful && failure && failure->is_refusal) return prepare_once(plan);
    return failure;
}

std::optional<Failure> DeviceBench::prepare_once(const KernelPlan& plan) {
    Answer<BuiltReply> built = build(plan);
    if (auto* failure = std::get_if<Failure>(&built)) return std::move(*failure);
    if (const auto& reply = std::get<BuiltReply>(built); !reply.accepted)
        return Failure{Verdict::CompileError,
                       "the driver's compiler accepted this source before and rejects it now: " + reply.log,
                       {}};
    if (!allocated_)
        if (auto failure = allocate()) return failure;
    if (!loaded_) return upload();
    return std::nullopt;
}

bool DeviceBench::is_prepared(const KernelPlan& plan) const {
    return runner_ && runner_->alive() && allocated_ && loaded_ && programs_.contains(build_key(plan));
}

/// With checkpoints.
void DeviceBench::copy_to(std::span<std::byte> place, const std::vector<std::byte>& content) {
    expects(place.size() == content.size(), "DeviceBench::copy_to: size");
    in_steps(
        content.size(), [this] { checkpoint(); },
        [&](std::size_t first, std::size_t bytes) {
            std::memcpy(&place[first], content.data() + first, bytes);
        });
}

Answer<ExecutedReply> DeviceBench::execute(const KernelPlan& plan, const ExecuteRequest& request,
                                           const Contents* inputs) {
    Answer<ExecutedReply> answer = execute_once(plan, request, inputs);
    const auto built = programs_.find(build_key(plan));
    if (built == programs_.end()) return answer;
    // If cached code kills a runner, it may be damaged: retry with freshly compiled code.
    if (is_death_by_code(answer) &&
        pool_.cache(domain_).may_have_given(built->second.from, built->second.to) && forget_compiled(plan)) {
        output_of_dead_ = {};
        answer = execute_once(plan, request, inputs);
    }
    return answer;
}

Answer<ExecutedReply> DeviceBench::execute_once(const KernelPlan& plan, ExecuteRequest request,
                                                const Contents* inputs) {
    if (auto failure = prepare(plan)) return std::move(*failure);
    if (inputs != nullptr) request.inputs = stage_inputs(*inputs);
    request.program = last_program_ = programs_.at(build_key(plan)).program;
    return runner_->ask<ExecutedReply>(request, timeout_ms_);
}

std::vector<Transfer> DeviceBench::stage_inputs(const Contents& inputs) {
    std::vector<Transfer> transfers;
    for (const Slot& slot : layout_.slots) {
        if (slot.role != Slot::Role::Input && slot.role != Slot::Role::Pristine) continue;
        const std::uint64_t offset = slot.offset + slot.front_bytes;
        const auto payload = runner_->arena().range(offset, slot.bytes());
        copy_to(payload, *find_named(inputs, slot.name));
        transfers.push_back({slot.id, offset});
    }
    return transfers;
}

Answer<PreparedReply> DeviceBench::prepare_run(const Contents* inputs) {
    PrepareRequest request;
    if (inputs != nullptr) request.inputs = stage_inputs(*inputs);
    return runner_->ask<PreparedReply>(request, timeout_ms_);
}

Answer<ExecutedReply> DeviceBench::launch() {
    return runner_->ask<ExecutedReply>(LaunchRequest{}, timeout_ms_);
}

Answer<ExecutedReply> DeviceBench::download(std::vector<Transfer> transfers) {
    ExecuteRequest request;
    request.download = std::move(transfers);
    request.program = last_program_;
    return runner_->ask<ExecutedReply>(request, timeout_ms_);
}

std::vector<std::byte> DeviceBench::fetch(const Slot& slot) {
    const auto allocation = runner_->arena().range(slot.offset, slot.whole_bytes());
    const auto look = [this] { checkpoint(); };
    std::vector<std::byte> copy = copy_in_steps(std::span<const std::byte>(allocation), look);
    // The runner shares this memory; overwrite it so that no later kernel can find the correct output there.
    in_steps(allocation.size(), look,
             [&](std::size_t first, std::size_t bytes) { std::memset(&allocation[first], 0xA5, bytes); });
    return copy;
}

OutputCapture DeviceBench::take_output() {
    OutputCapture output = std::exchange(output_of_dead_, {});
    if (runner_) output.append(runner_->take_output());
    return output;
}

}  // namespace kwb
