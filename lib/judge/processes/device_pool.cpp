// SPDX-License-Identifier: Apache-2.0
#include "judge/processes/device_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/user_folders.hpp"
#include "ipc/child.hpp"
#include "sandbox/policies.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// A warm-up takes 1.3 s with PoCL 3.1 on a quiet machine. A request that needs the runner waits for the rest
/// of it, because it would do the same work, but no longer than this.
constexpr double kMostWarmUpMs = 15'000;
/// While no request waits, also on a busy machine; longer means that it hangs.
constexpr double kMostReadyMs = 60'000;
/// After this many deaths of unused runners, the device gets no more of them.
constexpr int kMostLostBlanks = 2;

/// Variables that would move the caches of other drivers to places where runners may not write.
bool is_cache_setting(std::string_view name) {
    static constexpr std::array<std::string_view, 6> kNames = {"CUDA_CACHE_PATH",     "NEO_CACHE_DIR",
                                                               "AMD_COMGR_CACHE_DIR", "MESA_SHADER_CACHE_DIR",
                                                               "MESA_GLSL_CACHE_DIR", "OCL_ICD_FILENAMES"};
    return std::ranges::find(kNames, name) != kNames.end();
}

std::string make_home(const fs::path& cache) {
    const fs::path home = cache / kHome;
    make_private_folder(home);
    return home.string();
}

/// Creates a folder with only this driver: ocl-icd also accepts a single file, but the Khronos loader needs a
/// folder.
std::string make_vendors(const fs::path& temporary, const fs::path& driver_file) {
    const fs::path vendors = temporary / "vendors";
    std::error_code error;
    fs::create_directory(vendors, error);
    // If the file is unreadable, no driver is found.
    fs::copy_file(driver_file, vendors / driver_file.filename(), error);
    return vendors.string();
}

fs::path kept_cache_of(const TrustDomain& domain) {
    const fs::path kept = cache_folder() / "pocl" / to_string(domain.trust);
    return domain.submission.empty() ? kept : kept / domain.submission;
}

}  // namespace

DevicePool::DevicePool(PoolOptions options, FaceLink& face) : options_(std::move(options)), face_(face) {}

JudgeFolder& DevicePool::folder() {
    if (!folder_) folder_ = std::make_unique<JudgeFolder>(cache_folder());
    return *folder_;
}

CompilerCache& DevicePool::cache(const TrustDomain& domain) {
    std::unique_ptr<CompilerCache>& cache = caches_[domain];
    if (cache) return *cache;
    using Life = CompilerCache::Life;
    if (domain.trust == Trust::Foreign) {
        cache = std::make_unique<CompilerCache>(folder().make_folder(), Life::Fleeting);
    } else {
        cache = std::make_unique<CompilerCache>(kept_cache_of(domain), Life::Kept);
    }
    return *cache;
}

void DevicePool::forget(const TrustDomain& domain) {
    if (domain.trust != Trust::Shipped) caches_.erase(domain);
}

std::string DevicePool::sandbox_advice() const {
    return options_.sandbox
               ? ", or see whether 'kwb doctor --no-sandbox' finds its device, in case the driver "
                 "does not work in the sandbox"
               : "";
}

std::unique_ptr<RunnerProcess> DevicePool::start(const Driver& driver, const TrustDomain& domain,
                                                 const NamedList<std::string>& environment) {
    reaper_.reap();
    RunnerOptions options = runner_options();
    const fs::path& compiled = cache(domain).path();
    if (domain.trust == Trust::Foreign) options.own_cache = compiled;
    return start(driver, std::move(options), compiled, environment);
}

RunnerOptions DevicePool::runner_options() {
    return {options_.runner_program, "kwb-runner", driver_environment(),
            std::make_unique<RunnerFolder>(folder())};
}

std::unique_ptr<RunnerProcess> DevicePool::start(const Driver& driver, RunnerOptions options,
                                                 const fs::path& compiled,
                                                 const NamedList<std::string>& environment) {
    const fs::path temporary = options.folder->path();
    const auto set = [&](const std::string& name, const std::string& value) {
        std::erase_if(options.environment, [&](const auto& entry) { return entry.name == name; });
        options.environment.push_back({name, value});
    };
    set("TMPDIR", temporary.string());
    set("POCL_CACHE_DIR", compiled.string());
    // Other drivers keep their caches in the home folder unless a variable overrides this.
    set("HOME", make_home(compiled));
    std::erase_if(options.environment, [](const auto& entry) { return is_cache_setting(entry.name); });
    if (!driver.file.empty()) set("OCL_ICD_VENDORS", make_vendors(temporary, driver.file));
    for (const auto& [name, value] : environment) set(name, value);
    std::erase_if(options.environment, [](const auto& entry) { return entry.name == "POCL_AFFINITY"; });
    auto runner = std::make_unique<RunnerProcess>(std::move(options), face_, reaper_);
    if (options_.sandbox)
        runner->post(ConfineRequest{make_policy(driver.file, compiled, temporary)}, start_timeout_ms_);
    return runner;
}

std::unique_ptr<RunnerProcess> DevicePool::start_helper(const std::string& id, const TrustDomain& domain) {
    const Entry& device = entry(id);
    const Driver& driver = drivers_[device.driver];
    if (driver.admits_one) return nullptr;
    auto runner = start(driver, domain, {{"POCL_MAX_PTHREAD_COUNT", "1"}});
    runner->post(OpenRequest{device.index}, start_timeout_ms_);
    return runner;
}

std::unique_ptr<RunnerProcess> DevicePool::start_xray(const std::string& compiler) {
    reaper_.reap();
    RunnerOptions options{options_.xray_program, kXrayProgram, driver_environment(),
                          std::make_unique<RunnerFolder>(folder())};
    const fs::path temporary = options.folder->path();
    for (const char* name : {"TMPDIR", "HOME"}) {
        std::erase_if(options.environment, [&](const auto& entry) { return entry.name == name; });
        options.environment.push_back({name, temporary.string()});
    }
    auto process = std::make_unique<RunnerProcess>(std::move(options), face_, reaper_);
    if (options_.sandbox) process->post(ConfineRequest{make_xray_policy(compiler, temporary)}, kXrayStartMs);
    return process;
}

std::optional<Failure> DevicePool::receive_confinement(RunnerProcess& runner, SandboxReport& sandbox) {
    if (!options_.sandbox) return std::nullopt;
    Answer<ConfinedReply> answer = runner.receive_as<ConfinedReply>(start_timeout_ms_);
    if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
    sandbox = std::move(std::get<ConfinedReply>(answer).report);
    return std::nullopt;
}

std::optional<Failure> DevicePool::finish_start(RunnerProcess& runner) {
    SandboxReport sandbox;
    if (auto failure = receive_confinement(runner, sandbox)) return failure;
    Answer<OpenedReply> opened = runner.receive_as<OpenedReply>(start_timeout_ms_);
    if (auto* failure = std::get_if<Failure>(&opened)) return std::move(*failure);
    return std::nullopt;
}

Answer<std::shared_ptr<RunnerProcess>> DevicePool::take_runner(const std::string& id,
                                                               const TrustDomain& domain,
                                                               const NamedList<std::string>& environment) {
    const Entry& device = entry(id);
    Driver& driver = drivers_[device.driver];
    if (driver.admits_one) release_contexts(device.driver);
    auto taken = open_runner(device, domain, environment);
    const auto* failure = std::get_if<Failure>(&taken);
    if (failure != nullptr && failure->is_refusal && release_contexts(device.driver)) {
        taken = open_runner(device, domain, environment);
        driver.admits_one = std::holds_alternative<std::shared_ptr<RunnerProcess>>(taken);
    }
    std::erase_if(lent_, [](const Lent& lent) { return lent.runner.expired(); });
    if (const auto* runner = std::get_if<std::shared_ptr<RunnerProcess>>(&taken))
        lent_.push_back({device.driver, *runner});
    return taken;
}

bool DevicePool::has_lent(std::size_t driver) const {
    return std::ranges::any_of(lent_, [&](const Lent& lent) {
        const auto runner = lent.runner.lock();
        return lent.driver == driver && runner && runner->alive();
    });
}

bool DevicePool::release_contexts(std::size_t driver) {
    // Wait until they have ended, because their contexts are released only then.
    bool any = std::erase_if(standbys_, [&](const Standby& standby) {
                   if (entry(standby.id).driver != driver) return false;
                   standby.runner->end();
                   return true;
               }) > 0;
    if (blank_ && entry(blank_->id).driver == driver) {
        blank_->runner->end();
        blank_.reset();
        any = true;
    }
    for (const Lent& lent : lent_)
        if (const auto runner = lent.runner.lock(); runner && lent.driver == driver && runner->alive()) {
            runner->end();
            any = true;
        }
    return any;
}

Answer<std::shared_ptr<RunnerProcess>> DevicePool::open_runner(const Entry& device, const TrustDomain& domain,
                                                               const NamedList<std::string>& environment) {
    Driver& driver = drivers_[device.driver];
    if (environment.empty()) {
        if (driver.runner && domain == probed_for_ && driver.runner->is_idle()) {
            std::shared_ptr<RunnerProcess> runner = std::move(driver.runner);
            Answer<OpenedReply> opened =
                runner->ask<OpenedReply>(OpenRequest{device.index}, start_timeout_ms_);
            if (auto* failure = std::get_if<Failure>(&opened)) return std::move(*failure);
            return runner;
        }
        if (auto runner = take_standby(device.id, domain))
            return std::shared_ptr<RunnerProcess>(std::move(runner));
        if (auto runner = take_blank(device.id, domain))
            return std::shared_ptr<RunnerProcess>(std::move(runner));
    }
    std::shared_ptr<RunnerProcess> runner = start(driver, domain, environment);
    runner->post(OpenRequest{device.index}, start_timeout_ms_);
    if (auto failure = finish_start(*runner)) {
        if (failure->verdict == Verdict::LaunchError) failure->reason += sandbox_advice();
        return std::move(*failure);
    }
    return runner;
}

void DevicePool::prepare(const std::string& id, const TrustDomain& domain) {
    if (domain.trust != Trust::Shipped || drivers_[entry(id).driver].admits_one) return;
    if (find_standby(id, domain) != standbys_.end()) return;
    Standby standby{id, domain, nullptr};
    if (start_standby(standby)) standbys_.push_back(std::move(standby));
}

std::vector<DevicePool::Standby>::iterator DevicePool::find_standby(const std::string& id,
                                                                    const TrustDomain& domain) {
    return std::ranges::find_if(
        standbys_, [&](const Standby& standby) { return standby.id == id && standby.domain == domain; });
}

bool DevicePool::start_standby(Standby& standby) {
    const Entry& device = entry(standby.id);
    standby.is_ready = false;
    try {
        standby.runner = start(drivers_[device.driver], standby.domain);
    } catch (const EnvironmentError&) {  // reported when a runner is needed
        return false;
    }
    standby.runner->post(OpenRequest{device.index}, start_timeout_ms_);
    return true;
}

std::optional<Failure> DevicePool::finish_standby(Standby& standby) {
    if (standby.is_ready) {
        if (standby.runner->is_idle()) return std::nullopt;
        return Failure{Verdict::LaunchError, "it ended while it waited", {}};
    }
    standby.is_ready = true;
    try {
        return finish_start(*standby.runner);
    } catch (const EnvironmentError& error) {
        return Failure{Verdict::LaunchError, error.what(), {}};
    }
}

void DevicePool::settle() {
    if (blank_) blank_->runner->hold();
    for (auto standby = standbys_.begin(); standby != standbys_.end();) {
        const auto failure = finish_standby(*standby);
        if (!failure) {
            ++standby;
            continue;
        }
        const std::size_t driver = entry(standby->id).driver;
        if (failure->is_refusal && has_lent(driver)) {
            drivers_[driver].admits_one = true;
        } else {
            const bool is_second = std::exchange(standby->is_second, true);
            if (!is_second && start_standby(*standby)) continue;
            if (is_second)
                warnings_.push_back("a standby runner died twice (" + failure->reason +
                                    "): the driver may be unreliable");
        }
        standby = standbys_.erase(standby);
    }
}

void DevicePool::expect_runs(const std::string& id) {
    expected_ = id;
}

bool DevicePool::keep_ready() {
    if (!expected_ || find(*expected_) == nullptr) return false;
    if (blank_ && blank_->id != *expected_) blank_.reset();
    try {
        if (!blank_ && !start_blank(*expected_)) return false;
        if (blank_->runner->go_on()) blank_->patience = deadline_after_ms(kMostReadyMs);
        while (blank_->runner->has_pending()) {
            auto answer = blank_->runner->receive_if_there(kMostWarmUpMs);
            if (!answer && Clock::now() < blank_->patience) return true;
            if (!answer) answer = Failure{Verdict::Timeout, "it did not get ready", {}};
            if (const auto failure = take_reply(*blank_, std::move(*answer))) {
                note_loss(blank_->id, *failure);
                blank_.reset();
                return true;  // for a second one, perhaps
            }
        }
    } catch (const EnvironmentError& error) {
        note_loss(*expected_, {Verdict::LaunchError, error.what(), {}});
        blank_.reset();
        return true;
    }
    return false;
}

bool DevicePool::start_blank(const std::string& id) {
    const Entry& device = entry(id);
    const Driver& driver = drivers_[device.driver];
    if (driver.admits_one || lost_blanks_[id] >= kMostLostBlanks) return false;
    RunnerOptions options = runner_options();
    const fs::path cache = options.folder->path() / "cache";
    make_private_folder(cache);
    blank_.emplace(
        Blank{id, cache, start(driver, std::move(options), cache, {}), deadline_after_ms(kMostReadyMs)});
    blank_->runner->post(OpenRequest{device.index}, start_timeout_ms_);
    blank_->runner->post(WarmUpRequest{}, kMostWarmUpMs);
    return true;
}

std::optional<Failure> DevicePool::take_reply(Blank& blank, Answer<RunnerReply> answer) {
    const auto failure_of = [&]<class Reply>(const Reply&) -> std::optional<Failure> {
        auto reply = blank.runner->as<Reply>(std::move(answer));
        if (auto* failure = std::get_if<Failure>(&reply)) return std::move(*failure);
        return std::nullopt;
    };
    if (options_.sandbox && !std::exchange(blank.is_confined, true)) return failure_of(ConfinedReply{});
    if (!std::exchange(blank.is_open, true)) return failure_of(OpenedReply{});
    return failure_of(WarmedUpReply{});
}

void DevicePool::note_loss(const std::string& id, const Failure& failure) {
    const std::size_t driver = entry(id).driver;
    if (failure.is_refusal && has_lent(driver))
        drivers_[driver].admits_one = true;
    else
        ++lost_blanks_[id];
}

std::optional<Failure> DevicePool::finish_blank(Blank& blank) {
    try {
        while (blank.runner->has_pending()) {
            const double most_ms = std::min(start_timeout_ms_, blank.is_open ? kMostWarmUpMs : kMostReadyMs);
            if (auto failure = take_reply(blank, blank.runner->receive(most_ms))) return failure;
        }
    } catch (const EnvironmentError& error) {
        return Failure{Verdict::LaunchError, error.what(), {}};
    }
    if (blank.runner->is_idle()) return std::nullopt;
    return Failure{Verdict::LaunchError, "it ended while it waited", {}};
}

std::unique_ptr<RunnerProcess> DevicePool::take_blank(const std::string& id, const TrustDomain& domain) {
    if (domain.trust != Trust::Own || !blank_ || blank_->id != id || caches_.contains(domain)) return nullptr;
    const fs::path kept = kept_cache_of(domain);
    std::error_code error;
    if (fs::exists(kept, error)) return nullptr;  // most likely its programs are there
    Blank blank = std::move(*blank_);
    blank_.reset();
    if (const auto failure = finish_blank(blank)) {
        note_loss(id, *failure);
        return nullptr;
    }
    auto adopted = CompilerCache::adopt(blank.cache, kept);
    if (!adopted) return nullptr;
    caches_[domain] = std::move(adopted);
    return std::move(blank.runner);
}

void DevicePool::pause_others(const RunnerProcess* at_turn) {
    for (const Lent& lent : lent_)
        if (const auto runner = lent.runner.lock(); runner && runner.get() != at_turn) runner->pause();
}

std::unique_ptr<RunnerProcess> DevicePool::take_standby(const std::string& id, const TrustDomain& domain) {
    const auto found = find_standby(id, domain);
    if (found == standbys_.end()) return nullptr;
    Standby standby = std::move(*found);
    standbys_.erase(found);
    const bool is_fit = !finish_standby(standby);
    prepare(id, domain);
    return is_fit ? std::move(standby.runner) : nullptr;
}

std::vector<std::string> DevicePool::take_warnings() {
    std::vector<std::string> warnings = reaper_.take_warnings();
    warnings.insert(warnings.end(), warnings_.begin(), warnings_.end());
    warnings_.clear();
    return warnings;
}

}  // namespace kwb
