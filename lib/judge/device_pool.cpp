#include "judge/device_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "base/cache_folder.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "ipc/child_environment.hpp"
#include "judge/confinement.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr const char* kSystemFolder = "/etc/OpenCL/vendors";
constexpr double kProbeTimeoutMs = 5000;

/// "pocl" of "pocl:0"
std::string short_name(const std::string& id) {
    return id.substr(0, id.find(':'));
}

/// What a driver's file names; quoted, for a sentence.
std::string library_in(const fs::path& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line.empty() ? "nothing" : "'" + to_utf8(line) + "'";
}

}  // namespace

std::vector<fs::path> find_driver_files(const char* setting) {
    const fs::path where =
        setting != nullptr && *setting != '\0' ? fs::path(setting) : fs::path(kSystemFolder);
    std::error_code error;
    if (fs::is_regular_file(where, error)) return {where};
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(where, error))
        if (entry.path().extension() == ".icd") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

DevicePool::DevicePool(PoolOptions options, FaceLink& face) : options_(std::move(options)), face_(face) {}

JudgeFolder& DevicePool::folder() {
    if (!folder_) folder_ = std::make_unique<JudgeFolder>(cache_folder());
    return *folder_;
}

CompilerCache& DevicePool::cache(const Domain& domain) {
    std::unique_ptr<CompilerCache>& cache = caches_[domain];
    if (cache) return *cache;
    using Life = CompilerCache::Life;
    if (domain.trust == Trust::Foreign)
        cache = std::make_unique<CompilerCache>(folder().make_folder(), Life::Fleeting);
    else
        cache = std::make_unique<CompilerCache>(
            cache_folder() / "pocl" / (domain.trust == Trust::Shipped ? "shipped" : "own"), Life::Kept);
    return *cache;
}

void DevicePool::forget(const Domain& domain) {
    if (domain.trust == Trust::Foreign) caches_.erase(domain);
}

std::string DevicePool::sandbox_advice() const {
    return options_.sandbox ? ", or try --no-sandbox, in case the driver cannot bear being confined" : "";
}

std::unique_ptr<RunnerProcess> DevicePool::start(const Driver& driver, const Domain& domain,
                                                 const NamedList<std::string>& environment) {
    graves_.reap();
    RunnerOptions options{options_.runner_program, driver_environment(),
                          std::make_unique<RunnerFolder>(folder())};
    const fs::path& compiled = cache(domain).path();
    const fs::path temporary = options.folder->path();
    const auto set = [&](const std::string& name, const std::string& value) {
        std::erase_if(options.environment, [&](const auto& entry) { return entry.name == name; });
        options.environment.push_back({name, value});
    };
    set("HOME", temporary.string());
    set("TMPDIR", temporary.string());
    set("POCL_CACHE_DIR", compiled.string());
    set("CUDA_CACHE_PATH", (compiled / "cuda").string());
    if (!driver.file.empty()) set("OCL_ICD_VENDORS", driver.file.string());
    for (const auto& [name, value] : environment) set(name, value);
    std::erase_if(options.environment, [](const auto& entry) { return entry.name == "POCL_AFFINITY"; });
    auto runner = std::make_unique<RunnerProcess>(std::move(options), face_, graves_);
    if (options_.sandbox)
        runner->post(ConfineRequest{make_policy(driver.file, compiled, temporary)}, kProbeTimeoutMs);
    return runner;
}

std::optional<Loss> DevicePool::receive_confinement(RunnerProcess& runner, double timeout_ms,
                                                    std::string& sandbox) {
    sandbox = "none (--no-sandbox)";
    if (!options_.sandbox) return std::nullopt;
    Answer<ConfinedReply> answer = runner.receive_as<ConfinedReply>(timeout_ms);
    if (auto* loss = std::get_if<Loss>(&answer)) return std::move(*loss);
    sandbox = std::get<ConfinedReply>(answer).report.describe();
    return std::nullopt;
}

const DeviceList& DevicePool::probe(const Domain& domain) {
    probed_for_ = domain;
    standbys_.clear();
    drivers_.clear();
    entries_.clear();
    list_ = {};
    for (const fs::path& file : find_driver_files(std::getenv("OCL_ICD_VENDORS")))
        drivers_.push_back({file, {}});
    if (drivers_.empty()) drivers_.push_back({});
    for (Driver& driver : drivers_) {
        driver.runner = start(driver, domain);
        driver.runner->post(DevicesRequest{}, kProbeTimeoutMs);
    }
    for (std::size_t i = 0; i < drivers_.size(); ++i) collect(i);
    return list_;
}

void DevicePool::collect(std::size_t number) {
    Driver& driver = drivers_[number];
    const std::string file = driver.file.empty() ? "the ICD loader" : driver.file.string();
    std::string sandbox;
    Answer<RunnerReply> answer = RunnerReply{};
    if (auto loss = receive_confinement(*driver.runner, kProbeTimeoutMs, sandbox))
        answer = std::move(*loss);
    else
        answer = driver.runner->receive(kProbeTimeoutMs);
    const auto* reply = std::get_if<RunnerReply>(&answer);
    const auto* found = reply != nullptr ? std::get_if<DeviceList>(reply) : nullptr;
    if (found == nullptr) {
        std::string reason = "it could not list its devices";
        if (const auto* loss = std::get_if<Loss>(&answer))
            reason = loss->verdict == Verdict::Timeout  // --timeout is not for this
                         ? fmt::format("it did not answer within {:g} s", kProbeTimeoutMs / 1000)
                         : loss->reason;
        if (reply != nullptr)
            if (const auto* failed = std::get_if<FailedReply>(reply)) reason = failed->describe();
        list_.failures.push_back({file, reason + "; reinstall or remove this driver" + sandbox_advice()});
        driver.runner.reset();
        return;
    }
    if (found->devices.empty() && !driver.file.empty()) {
        list_.failures.push_back(
            {file, "it names " + library_in(driver.file) +
                       ", which cannot be loaded or offers no device; nothing is wrong if its "
                       "hardware is not in this machine, else reinstall the driver" +
                       sandbox_advice()});
        return;
    }
    for (std::size_t i = 0; i < found->devices.size(); ++i) {
        DeviceInfo device = found->devices[i];
        const std::string platform = short_name(device.id);
        const auto same =
            std::count_if(list_.devices.begin(), list_.devices.end(),
                          [&](const DeviceInfo& other) { return short_name(other.id) == platform; });
        device.id = platform + ":" + std::to_string(same);
        device.driver_file = file;
        device.sandbox = sandbox;
        entries_.push_back({device.id, number, static_cast<std::uint32_t>(i)});
        list_.devices.push_back(std::move(device));
    }
    for (const DriverFailure& failure : found->failures)
        list_.failures.push_back({failure.driver_file.empty() ? file : failure.driver_file, failure.reason});
}

const DeviceInfo* DevicePool::find(const std::string& id) const {
    const auto found = std::find_if(list_.devices.begin(), list_.devices.end(),
                                    [&](const DeviceInfo& device) { return device.id == id; });
    return found == list_.devices.end() ? nullptr : &*found;
}

const DevicePool::Entry& DevicePool::entry(const std::string& id) const {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& item) { return item.id == id; });
    expects(found != entries_.end(), "DevicePool: unknown device");
    return *found;
}

std::optional<Loss> DevicePool::finish_start(RunnerProcess& runner, double timeout_ms) {
    std::string sandbox;
    if (auto loss = receive_confinement(runner, timeout_ms, sandbox)) return loss;
    Answer<OpenedReply> opened = runner.receive_as<OpenedReply>(timeout_ms);
    if (auto* loss = std::get_if<Loss>(&opened)) return std::move(*loss);
    return std::nullopt;
}

Answer<std::unique_ptr<RunnerProcess>> DevicePool::take_runner(const std::string& id, const Domain& domain,
                                                               double timeout_ms,
                                                               const NamedList<std::string>& environment) {
    const Entry& device = entry(id);
    Driver& driver = drivers_[device.driver];
    if (environment.empty()) {
        if (driver.runner && domain == probed_for_ && driver.runner->is_idle()) {
            std::unique_ptr<RunnerProcess> runner = std::move(driver.runner);
            Answer<OpenedReply> opened = runner->ask<OpenedReply>(OpenRequest{device.index}, timeout_ms);
            if (auto* loss = std::get_if<Loss>(&opened)) return std::move(*loss);
            return runner;
        }
        if (auto runner = take_standby(id, domain)) return runner;
    }
    std::unique_ptr<RunnerProcess> runner = start(driver, domain, environment);
    runner->post(OpenRequest{device.index}, timeout_ms);
    if (auto loss = finish_start(*runner, timeout_ms)) {
        if (loss->verdict == Verdict::LaunchError) loss->reason += sandbox_advice();
        return std::move(*loss);
    }
    return runner;
}

void DevicePool::prepare(const std::string& id, const Domain& domain) {
    if (domain.trust == Trust::Foreign) return;
    const auto same = [&](const Standby& standby) { return standby.id == id && standby.domain == domain; };
    if (std::any_of(standbys_.begin(), standbys_.end(), same)) return;
    Standby standby{id, domain, nullptr};
    if (start_standby(standby)) standbys_.push_back(std::move(standby));
}

bool DevicePool::start_standby(Standby& standby) {
    const Entry& device = entry(standby.id);
    standby.is_ready = false;
    try {
        standby.runner = start(drivers_[device.driver], standby.domain);
    } catch (const EnvironmentError&) {  // whoever needs a runner at once will say so
        return false;
    }
    standby.runner->post(OpenRequest{device.index}, kProbeTimeoutMs);
    return true;
}

std::optional<Loss> DevicePool::finish_standby(Standby& standby) {
    if (standby.is_ready) {
        if (standby.runner->is_idle()) return std::nullopt;
        return Loss{Verdict::LaunchError, "it ended while it waited", {}};
    }
    standby.is_ready = true;
    try {
        return finish_start(*standby.runner, kProbeTimeoutMs);
    } catch (const EnvironmentError& error) {
        return Loss{Verdict::LaunchError, error.what(), {}};
    }
}

void DevicePool::settle() {
    for (std::size_t i = 0; i < standbys_.size();) {
        Standby& standby = standbys_[i];
        const auto loss = finish_standby(standby);
        if (!loss) {
            ++i;
            continue;
        }
        const bool is_second = std::exchange(standby.is_second, true);
        if (!is_second && start_standby(standby)) continue;
        if (is_second)
            warnings_.push_back("a runner that stood by for the next death died twice by itself (" +
                                loss->reason + "): the driver may be unreliable");
        standbys_.erase(standbys_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

std::unique_ptr<RunnerProcess> DevicePool::take_standby(const std::string& id, const Domain& domain) {
    const auto found = std::find_if(standbys_.begin(), standbys_.end(), [&](const Standby& standby) {
        return standby.id == id && standby.domain == domain;
    });
    if (found == standbys_.end()) return nullptr;
    Standby standby = std::move(*found);
    standbys_.erase(found);
    const bool is_fit = !finish_standby(standby);
    prepare(id, domain);
    if (!is_fit) return nullptr;
    return std::move(standby.runner);
}

std::vector<std::string> DevicePool::take_warnings() {
    std::vector<std::string> warnings = graves_.take_warnings();
    warnings.insert(warnings.end(), warnings_.begin(), warnings_.end());
    warnings_.clear();
    return warnings;
}

}  // namespace kwb
