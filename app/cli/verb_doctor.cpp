// SPDX-License-Identifier: Apache-2.0
// kwb doctor: check the installation, and suggest remedies.
#include <fmt/format.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/user_folders.hpp"
#include "base/version.hpp"
#include "catalog/kernel_folders.hpp"
#include "conversation.hpp"
#include "experiment/opened_experiment.hpp"
#include "report/tables.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;

namespace {

struct MachineFinding {
    enum class State { Good, Note, Aside, Bad };  ///< Aside: not important
    State state = State::Good;
    std::string subject;
    std::string sentence;  ///< what was found; for Bad, also the remedy
};
using State = MachineFinding::State;

/// From linux/landlock.h, which exists in Debian 12 but not on older systems.
constexpr unsigned kLandlockCreateRulesetVersion = 1;

/// @return  the version of the ABI, or less than 1 if the kernel has no Landlock
long landlock_abi() {
#ifdef SYS_landlock_create_ruleset
    return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kLandlockCreateRulesetVersion);
#else
    return 0;
#endif
}

bool has_seccomp_filter() {
    unsigned action = SECCOMP_RET_ERRNO;
    return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

/// @param find  returns what was found, or throws what is wrong and its remedy
MachineFinding check(const char* subject, const std::function<std::string()>& find) {
    try {
        return {State::Good, subject, find()};
    } catch (const std::runtime_error& error) {
        return {State::Bad, subject, error.what()};
    }
}

std::string find_cache() {
    const fs::path folder = cache_folder();
    if (is_noexec(folder))
        throw EnvironmentError(folder.string() +
                               " is on a file system mounted noexec, which makes PoCL abort; set "
                               "KWB_CACHE_DIR to a folder on another file system");
    return folder.string();
}

/// PoCL ends the process if it finds no linker.
std::string find_linker() {
    const std::string linker = find_in_path("ld");
    if (linker.empty()) throw EnvironmentError("ld is not in PATH; PoCL needs it: apt-get install binutils");
    return linker + " (PoCL links kernels with it)";
}

/// Reports the sandbox features of the machine's own kernel. Which of them are in force is reported for each
/// device.
std::vector<MachineFinding> kernel_isolation() {
    const long abi = landlock_abi();
    const std::string landlock = abi < 1 ? "missing or switched off in this Linux kernel"
                                         : "available in this Linux kernel, ABI " + std::to_string(abi) +
                                               (abi >= 6   ? ": files, network and signals"
                                                : abi >= 4 ? ": files and network"
                                                           : ": files only");
    return {{State::Note, "Landlock", landlock},
            {State::Note, "seccomp filters",
             has_seccomp_filter() ? "available in this Linux kernel" : "not available in this Linux kernel"}};
}

std::string find_kernels(const Folders& folders) {
    const std::size_t count = open_catalogue(folders).entries().size();
    if (count == 0)
        throw EnvironmentError("none found next to this program; rebuild or reinstall the workbench");
    return fmt::format("{} in the catalogue", count);
}

/// The sandbox's restrictions for kernels on this device, as reported by the process that runs them.
MachineFinding isolation_in_force(const DeviceInfo& device) {
    const std::string subject = "isolation " + device.id;
    const std::string own = "kernels run in a separate process, so that a crash does no harm";
    if (device.sandbox_mechanisms.empty())
        return {State::Note, subject,
                own + "; but they can read, change and reach everything that you can: " +
                    (device.sandbox.empty() ? "no sandbox" : device.sandbox)};
    return {device.sandbox_gaps.empty() ? State::Good : State::Note, subject,
            own + "; in addition: " + device.sandbox};
}

/// Checks the judge, the runner and the drivers by starting them.
std::vector<MachineFinding> check_devices(const JudgeOptions& judge) {
    DeviceList list;
    Conversation conversation(judge);
    try {
        list = conversation.list_devices();
    } catch (const EnvironmentError& error) {
        return {{State::Bad, "judge and runner", error.what()}};
    }
    std::vector<MachineFinding> findings = {
        {State::Good, "judge and runner",
         "both answer" + (conversation.place().is_elsewhere() ? " at " + conversation.place().name : "") +
             ", version " + kwb_version()}};
    for (const DeviceInfo& device : list.devices) {
        findings.push_back({State::Good, "device " + device.id, device.name + ", " + device.driver_file});
        findings.push_back(isolation_in_force(device));
    }
    for (const DriverFailure& failure : list.failures)
        findings.push_back({list.devices.empty() ? State::Bad : State::Note, "driver",
                            failure.driver_file + ": " + failure.reason});
    for (const IdleDriver& driver : list.idle_drivers)
        findings.push_back({State::Aside, "driver", describe(driver)});
    if (list.devices.empty()) {
        try {
            choose_device({}, std::nullopt);
        } catch (const EnvironmentError& error) {
            findings.push_back({State::Bad, "devices", error.what()});
        }
    }
    return findings;
}

std::string render(const MachineFinding& finding, const TableOptions& options) {
    static constexpr std::pair<const char*, Tone> kLooks[] = {
        {"good", Tone::Good}, {"note", Tone::Faint}, {"note", Tone::Faint}, {"bad ", Tone::Bad}};
    const auto& [word, tone] = kLooks[static_cast<std::size_t>(finding.state)];
    constexpr std::size_t kIndent = 26;
    std::string text = paragraph(finding.sentence, options.width, kIndent);
    if (text.size() > kIndent) text.erase(0, kIndent);
    const std::string subject = pad_right(printable_line(finding.subject), kIndent - 6);
    if (finding.state == State::Aside && !text.empty())
        return paint(word + ("  " + subject) + text.substr(0, text.size() - 1), tone, options) + "\n";
    return paint(word, tone, options) + "  " + subject + text;
}

int examine_machine(const JudgeOptions& options, const Folders& folders) {
    std::vector<MachineFinding> findings = check_devices(options);
    findings.push_back(check("kernels", [&] { return find_kernels(folders); }));
    if (options.on.empty() || options.on.front() == kHere) {
        findings.push_back(check("compiler cache", find_cache));
        findings.push_back(check("linker", find_linker));
        for (MachineFinding& finding : kernel_isolation()) findings.push_back(std::move(finding));
    }

    const TableOptions table = table_options();
    std::string text;
    bool bad = false;
    for (const MachineFinding& finding : findings) {
        text += render(finding, table);
        bad = bad || finding.state == State::Bad;
    }
    text += bad ? "\n"
                  "Something is missing; each line marked bad names the remedy.\n"
                : "\nAll is well.\n";
    print(text);
    return bad ? kExitEnvironment : kExitGood;
}

}  // namespace

Verb add_doctor(CLI::App& kwb) {
    return add_verb<JudgeOptions>(
        kwb, {"doctor", "check the installation and the sandbox, and suggest remedies"}, examine_machine);
}

}  // namespace kwb::cli
