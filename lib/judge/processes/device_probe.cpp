// SPDX-License-Identifier: Apache-2.0
// DevicePool: which drivers there are, and the devices that each lists.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "judge/processes/device_pool.hpp"
#include "sandbox/policies.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr const char* kSystemFolder = "/etc/OpenCL/vendors";
constexpr const char* kLoader = "the ICD loader";  // shown as the name of a driver without an .icd file

/// "pocl" from "pocl:0"
std::string short_name(const std::string& id) {
    return id.substr(0, id.find(':'));
}

using FailureKind = DriverFailure::Kind;

FailureKind kind_of(const Failure& failure) {
    return failure.verdict == Verdict::Timeout ? FailureKind::Hung : FailureKind::Crashed;
}

}  // namespace

double driver_wait_ms(const char* setting) {
    constexpr double kDefaultMs = 60'000;
    if (setting == nullptr || *setting == '\0') return kDefaultMs;
    constexpr double kMostSeconds = 3600;
    const std::string_view text(setting);
    double seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || end != text.data() + text.size() ||
        !(seconds >= 1 && seconds <= kMostSeconds))
        throw EnvironmentError("KWB_DRIVER_WAIT=" + to_utf8(text) +
                               ": give the seconds that a driver may take to start, 1 to " +
                               fmt::format("{:g}", kMostSeconds));
    return seconds * 1000;
}

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

std::string DevicePool::Driver::name() const {
    return file.empty() ? kLoader : file.string();
}

void DevicePool::begin_probe(const TrustDomain& domain) {
    if (std::ranges::any_of(drivers_, &Driver::is_starting)) return;
    abandon_probe();
    start_timeout_ms_ = driver_wait_ms(std::getenv("KWB_DRIVER_WAIT"));
    probed_for_ = domain;
    for (const fs::path& file : find_driver_files(std::getenv("OCL_ICD_VENDORS")))
        drivers_.emplace_back().file = file;
    if (drivers_.empty()) drivers_.emplace_back();
    for (Driver& driver : drivers_) {
        driver.runner = start(driver, domain);
        driver.asked_at = Clock::now();
        driver.runner->post(DevicesRequest{library_of(driver.file)}, start_timeout_ms_);
    }
}

void DevicePool::abandon_probe() {
    standbys_.clear();
    blank_.reset();
    drivers_.clear();
    entries_.clear();
    list_ = {};
}

double DevicePool::left_ms(const Driver& driver) const {
    const std::chrono::duration<double, std::milli> waited = Clock::now() - driver.asked_at;
    return std::max(0.0, start_timeout_ms_ - waited.count());
}

const DeviceList& DevicePool::collect_by(Deadline deadline) {
    // In the order of their files, so that devices get the same ids in every probe as long as all drivers
    // answer quickly.
    for (std::size_t i = 0; i < drivers_.size(); ++i)
        if (drivers_[i].is_starting && has_answered_by(drivers_[i], deadline)) collect(i);
    return list();
}

const DeviceList& DevicePool::list() {
    list_.starting.clear();
    for (const Driver& driver : drivers_)
        if (driver.is_starting)
            list_.starting.push_back({driver.name(), start_timeout_ms_ - left_ms(driver), start_timeout_ms_});
    list_.is_whole = list_.starting.empty();
    return list_;
}

bool DevicePool::has_answered_by(Driver& driver, Deadline deadline) {
    if (!driver.is_confined) {  // answered quickly, before the driver is loaded
        const auto failure = receive_confinement(*driver.runner, driver.sandbox);
        driver.is_confined = true;
        if (failure) driver.failure = failure->reason;
    }
    return driver.failure || driver.runner->has_answer_by(deadline) || left_ms(driver) == 0;
}

void DevicePool::collect(std::size_t number) {
    Driver& driver = drivers_[number];
    const std::string file = driver.name();
    Answer<RunnerReply> answer = RunnerReply{};
    if (!driver.failure) answer = driver.runner->receive(left_ms(driver));
    driver.is_starting = false;
    const auto* reply = std::get_if<RunnerReply>(&answer);
    const auto* found = reply != nullptr ? std::get_if<DeviceList>(reply) : nullptr;
    if (found == nullptr) {
        std::string remedy = ". Reinstall this driver, or remove it if its device is not in this machine";
        std::string reason = driver.failure.value_or("it could not list its devices");
        FailureKind kind = FailureKind::Refused;
        if (const auto* failure = std::get_if<Failure>(&answer)) {
            kind = kind_of(*failure);
            reason = failure->reason;
            if (kind == FailureKind::Hung) {  // --timeout does not apply here
                const double wait_s = start_timeout_ms_ / 1000;
                reason = fmt::format("it did not answer within {:g} s", wait_s);
                remedy =
                    fmt::format(". Set KWB_DRIVER_WAIT={:g} in the environment to wait longer", 2 * wait_s);
            }
        }
        if (reply != nullptr)
            if (const auto* failed = std::get_if<FailedReply>(reply)) reason = failed->describe();
        list_.failures.push_back({file, reason + remedy + sandbox_advice(), kind});
        driver.runner.reset();
        return;
    }
    collect_unusable(*found, driver.file);
    for (std::size_t i = 0; i < found->devices.size(); ++i) {
        DeviceInfo device = found->devices[i];
        const std::string platform = short_name(device.id);
        const auto same = std::ranges::count(list_.devices, platform,
                                             [](const DeviceInfo& other) { return short_name(other.id); });
        device.id = platform + ":" + std::to_string(same);
        device.driver_file = file;
        device.sandbox = driver.sandbox.describe();
        device.sandbox_mechanisms = driver.sandbox.mechanisms();
        device.sandbox_gaps = driver.sandbox.gaps;
        entries_.push_back({device.id, number, static_cast<std::uint32_t>(i)});
        list_.devices.push_back(std::move(device));
    }
}

void DevicePool::collect_unusable(const DeviceList& found, const fs::path& file) {
    const std::string library = library_of(file);
    const bool has_file = !file.empty();
    if (has_file && library.empty() && found.devices.empty()) {
        list_.failures.push_back({file.string(),
                                  "it names no library. Reinstall the driver's package, or remove the file",
                                  FailureKind::NotLoaded});
        return;
    }
    for (DriverFailure failure : found.failures) {
        failure.driver_file = has_file ? file.string() : kLoader;
        if (failure.kind == FailureKind::NotLoaded)
            failure.reason = "it names '" + library + "', but " + failure.reason +
                             ". Reinstall the driver's package, or remove the file if its hardware is gone" +
                             sandbox_advice();
        list_.failures.push_back(std::move(failure));
    }
    for (IdleDriver driver : found.idle_drivers) {
        driver.driver_file = has_file ? file.string() : kLoader;
        list_.idle_drivers.push_back(std::move(driver));
    }
    const bool said_nothing = found.devices.empty() && found.failures.empty() && found.idle_drivers.empty();
    if (said_nothing && has_file) list_.idle_drivers.push_back({file.string(), ""});
}

const DeviceInfo* DevicePool::find(const std::string& id) const {
    const auto found = std::ranges::find(list_.devices, id, &DeviceInfo::id);
    return found == list_.devices.end() ? nullptr : &*found;
}

const DevicePool::Entry& DevicePool::entry(const std::string& id) const {
    const auto found = std::ranges::find(entries_, id, &Entry::id);
    expects(found != entries_.end(), "DevicePool: unknown device");
    return *found;
}

}  // namespace kwb
