#include "judge/device_pool.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/cache_folder.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

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

DevicePool::DevicePool(std::string runner_program, FaceLink& face)
    : runner_program_(std::move(runner_program)), face_(face) {}

std::unique_ptr<RunnerProcess> DevicePool::start(const Driver& driver,
                                                 const NamedList<std::string>& environment) {
    RunnerOptions options{runner_program_, {}};
    options.environment.push_back({"POCL_CACHE_DIR", (cache_folder() / "pocl").string()});
    if (!driver.file.empty()) options.environment.push_back({"OCL_ICD_VENDORS", driver.file.string()});
    options.environment.insert(options.environment.end(), environment.begin(), environment.end());
    return std::make_unique<RunnerProcess>(options, face_);
}

const DeviceList& DevicePool::probe() {
    drivers_.clear();
    entries_.clear();
    list_ = {};
    for (const fs::path& file : find_driver_files(std::getenv("OCL_ICD_VENDORS")))
        drivers_.push_back({file, {}});
    if (drivers_.empty()) drivers_.push_back({});
    for (Driver& driver : drivers_) {
        driver.runner = start(driver);
        driver.runner->post(to_json(DevicesRequest{}), kProbeTimeoutMs);
    }
    for (std::size_t i = 0; i < drivers_.size(); ++i) collect(i);
    return list_;
}

void DevicePool::collect(std::size_t number) {
    Driver& driver = drivers_[number];
    const std::string file = driver.file.empty() ? "the ICD loader" : driver.file.string();
    const Answer<RunnerReply> answer = driver.runner->receive(kProbeTimeoutMs);
    const auto* reply = std::get_if<RunnerReply>(&answer);
    const auto* found = reply != nullptr ? std::get_if<DeviceList>(reply) : nullptr;
    if (found == nullptr) {
        std::string reason = "it could not list its devices";
        if (const auto* loss = std::get_if<Loss>(&answer)) reason = loss->reason;
        if (reply != nullptr)
            if (const auto* failed = std::get_if<FailedReply>(reply)) reason = failed->describe();
        list_.failures.push_back({file, reason + "; reinstall or remove this driver"});
        driver.runner.reset();
        return;
    }
    if (found->devices.empty() && !driver.file.empty()) {
        list_.failures.push_back(
            {file, "it names " + library_in(driver.file) +
                       ", which cannot be loaded or offers no device; nothing is wrong if its "
                       "hardware is not in this machine, else reinstall the driver"});
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

std::unique_ptr<RunnerProcess> DevicePool::take_runner(const std::string& id, const Domain& domain,
                                                       const NamedList<std::string>& environment) {
    Driver& driver = drivers_[entry(id).driver];
    const bool fits = environment.empty() && domain == Domain{};
    if (fits && driver.runner && driver.runner->alive()) return std::move(driver.runner);
    return start(driver, environment);
}

std::uint32_t DevicePool::index_of(const std::string& id) const {
    return entry(id).index;
}

}  // namespace kwb
