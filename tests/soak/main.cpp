// SPDX-License-Identifier: Apache-2.0
// kwb_soak [REQUESTS]: good, wrong, crashing and hanging kernels in turn on one judge.
//
// Prints the resources held by front end and judge after the first ten requests and later on. Exits with 1 if
// they have grown. There are no fixed delays: to ignore temporary resources (such as a standby runner that is
// starting), the footprint is taken after each of several good requests and the minimum is used.
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "catalog/kernel_file.hpp"
#include "experiment/opened_experiment.hpp"
#include "support/judge_client.hpp"
#include "support/process.hpp"

namespace kwb::soak {
namespace {

namespace fs = std::filesystem;

/// Resources held by a front end and its judge at one moment: memory, descriptors, processes, files.
struct Footprint {
    std::uint64_t face_bytes = 0;  ///< resident memory
    std::uint64_t judge_bytes = 0;
    std::uint64_t face_descriptors = 0;
    std::uint64_t judge_descriptors = 0;
    std::uint64_t processes = 0;  ///< the judge's children and theirs, zombies included
    std::uint64_t cache_files = 0;
    std::uint64_t cache_bytes = 0;
    std::uint64_t temporary_files = 0;  ///< folders included

    /// Component-wise minimum.
    Footprint least(const Footprint& other) const;
};

/// Source: proc_pid_status(5), VmRSS; 0 if the process is gone.
std::uint64_t resident_bytes(pid_t pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string word; status >> word;) {
        std::uint64_t kibibytes = 0;
        if (word == "VmRSS:" && status >> kibibytes) return kibibytes * 1024;
    }
    return 0;
}

/// Parent PID → child PIDs of all processes.
std::multimap<pid_t, pid_t> all_children() {
    std::multimap<pid_t, pid_t> children;
    for (const test::ListedProcess& process : test::list_processes())
        children.emplace(process.parent, process.pid);
    return children;
}

std::uint64_t count_descendants(pid_t pid) {
    const auto children = all_children();
    std::vector<pid_t> found = {pid};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto [begin, end] = children.equal_range(found[i]);
        for (auto child = begin; child != end; ++child) found.push_back(child->second);
    }
    return found.size() - 1;
}

/// Files that vanish during the walk (a runner may be starting) are not counted.
void count_files(const fs::path& folder, std::uint64_t& files, std::uint64_t& bytes) {
    std::error_code gone;
    for (fs::recursive_directory_iterator entry(folder, gone), end; !gone && entry != end;
         entry.increment(gone)) {
        ++files;
        std::error_code no_file;
        const std::uintmax_t size = fs::file_size(entry->path(), no_file);
        if (!no_file) bytes += size;
    }
}

Footprint Footprint::least(const Footprint& other) const {
    return {std::min(face_bytes, other.face_bytes),
            std::min(judge_bytes, other.judge_bytes),
            std::min(face_descriptors, other.face_descriptors),
            std::min(judge_descriptors, other.judge_descriptors),
            std::min(processes, other.processes),
            std::min(cache_files, other.cache_files),
            std::min(cache_bytes, other.cache_bytes),
            std::min(temporary_files, other.temporary_files)};
}

/// The front end is this process.
Footprint look(pid_t judge, const fs::path& cache, const fs::path& temporary) {
    Footprint footprint;
    footprint.face_bytes = resident_bytes(::getpid());
    footprint.judge_bytes = resident_bytes(judge);
    footprint.face_descriptors = test::open_descriptors(::getpid());
    footprint.judge_descriptors = test::open_descriptors(judge);
    footprint.processes = count_descendants(judge);
    count_files(cache, footprint.cache_files, footprint.cache_bytes);
    std::uint64_t unused = 0;
    count_files(temporary, footprint.temporary_files, unused);
    return footprint;
}

constexpr int kFirst = 10;
constexpr int kLooks = 8;
constexpr double kHangTimeoutMs = 200;
constexpr double kLongTimeoutMs = 120'000;  // only a hang takes as long
/// Allocators do not return all freed memory. Growth beyond this since the first ten requests counts as a
/// leak; 1,000 requests that lose 8 KiB each would exceed it.
constexpr std::uint64_t kSlackBytes = std::uint64_t{6} << 20;
/// Allowance for an entry of the compiler's cache that is being written, or was removed after a crash.
constexpr std::uint64_t kSlackCacheFiles = 8;
constexpr std::uint64_t kSlackCacheBytes = std::uint64_t{1} << 20;

/// A temporary folder, removed at the end.
class Scratch {
public:
    Scratch() {
        std::string name = (fs::temp_directory_path() / "kwb-soak-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder can be made");
        folder_ = name;
        fs::create_directory(cache());
        fs::create_directory(temporary());
    }
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    fs::path cache() const { return folder_ / "cache"; }
    fs::path temporary() const { return folder_ / "tmp"; }

private:
    fs::path folder_;
};

struct Turn {
    const char* fault;  ///< a value of FAULT in tests/device/kernels/faulty.cl
    std::vector<Verdict> verdicts;
    double timeout_ms;
};

/// The wild pointer hits an unmapped page, so the kernel fails with or without the detection of stray
/// accesses.
const std::array<Turn, 4> kTurns = {
    {{"none", {Verdict::Correct}, kLongTimeoutMs},
     {"wrong_sign", {Verdict::Wrong}, kLongTimeoutMs},
     {"wild_pointer", {Verdict::KernelCrashed, Verdict::OutOfBounds}, kLongTimeoutMs},
     {"endless", {Verdict::Timeout}, kHangTimeoutMs}}};

class Soak {
public:
    Soak() : judge_({KWB_JUDGE_PROGRAM, "", environment()}) {
        const test::JudgeAnswer answer = judge_.ask(ListDevices{});
        if (!answer.devices) throw std::runtime_error(answer.error.value_or("the judge lists no devices"));
        const DeviceInfo device = choose_device(*answer.devices, "cpu");
        for (const Turn& turn : kTurns) requests_.push_back(request_for(turn, device));
    }

    /// Send request `number`.
    /// @throws std::runtime_error  its verdict is not one that the turn allows
    void ask(int number) {
        const std::size_t i = static_cast<std::size_t>(number) % kTurns.size();
        const KernelResult result = judge_.result_of(requests_[i]);
        for (const Verdict verdict : kTurns[i].verdicts)
            if (result.verdict == verdict) return;
        throw std::runtime_error(fmt::format("request {} ({}): {}: {}", number, kTurns[i].fault,
                                             to_string(result.verdict), result.reason));
    }

    Footprint look() {
        Footprint least;
        for (int i = 0; i < kLooks; ++i) {
            ask(0);
            const Footprint now = soak::look(judge_.child.pid(), scratch_.cache(), scratch_.temporary());
            least = i == 0 ? now : least.least(now);
        }
        return least;
    }

private:
    NamedList<std::string> environment() const {
        return {{"KWB_CACHE_DIR", scratch_.cache().string()}, {"TMPDIR", scratch_.temporary().string()}};
    }

    static RunRequest request_for(const Turn& turn, const DeviceInfo& device) {
        OpenedExperiment experiment;
        experiment.contestants = {open_kernel_file(KWB_FAULTY_KERNEL, "faulty")};
        experiment.choices.params = {{"FAULT", turn.fault}};
        experiment.timeout_ms = turn.timeout_ms;
        experiment.rounds = 1;
        return make_request(experiment, get_problem("matmul"), {{"M", 17}, {"N", 19}, {"K", 67}}, device);
    }

    Scratch scratch_;
    test::JudgeClient judge_;
    std::vector<RunRequest> requests_;
};

struct Line {
    const char* what;
    std::uint64_t Footprint::*value;
    std::uint64_t slack;
    bool is_bytes;
};

constexpr std::array<Line, 8> kLines = {
    {{"resident memory of the face", &Footprint::face_bytes, kSlackBytes, true},
     {"resident memory of the judge", &Footprint::judge_bytes, kSlackBytes, true},
     {"descriptors of the face", &Footprint::face_descriptors, 0, false},
     {"descriptors of the judge", &Footprint::judge_descriptors, 0, false},
     {"processes below the judge", &Footprint::processes, 0, false},
     {"files in the compiler's cache", &Footprint::cache_files, kSlackCacheFiles, false},
     {"bytes in the compiler's cache", &Footprint::cache_bytes, kSlackCacheBytes, true},
     {"temporary files", &Footprint::temporary_files, 0, false}}};

std::string show(std::uint64_t value, bool is_bytes) {
    return is_bytes ? format_bytes(value) : std::to_string(value);
}

/// @return  false if the last footprint exceeds the first by more than the allowance
bool report(const std::vector<int>& after, const std::vector<Footprint>& footprints) {
    fmt::print("| held |");
    for (const int requests : after) fmt::print(" after {} |", requests);
    fmt::print(" may grow by | |\n|---|{}---|---|\n", [&] {
        std::string columns;
        for (std::size_t i = 0; i < after.size(); ++i) columns += "---|";
        return columns;
    }());
    bool all_well = true;
    for (const Line& line : kLines) {
        const std::uint64_t first = footprints.front().*line.value;
        const bool well = footprints.back().*line.value <= first + line.slack;
        fmt::print("| {} |", line.what);
        for (const Footprint& footprint : footprints)
            fmt::print(" {} |", show(footprint.*line.value, line.is_bytes));
        fmt::print(" {} | {} |\n", show(line.slack, line.is_bytes), well ? "well" : "GREW");
        all_well = all_well && well;
    }
    return all_well;
}

bool soak(int requests) {
    Soak soak;
    std::vector<int> after;
    std::vector<Footprint> footprints;
    for (int done = 0; done < requests;) {
        soak.ask(done);
        ++done;
        if (done == kFirst || done == 100 || done == 500 || done == requests) {
            after.push_back(done);
            footprints.push_back(soak.look());
        }
    }
    return report(after, footprints);
}

}  // namespace
}  // namespace kwb::soak

int main(int argc, char** argv) {
    int requests = 1000;
    const std::string_view text = argc == 2 ? argv[1] : "1000";
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), requests);
    if (argc > 2 || error != std::errc{} || end != text.data() + text.size() ||
        requests <= kwb::soak::kFirst) {
        std::fprintf(stderr, "usage: kwb_soak [REQUESTS], more than %d\n", kwb::soak::kFirst);
        return 2;
    }
    ::setenv("OCL_ICD_VENDORS", KWB_TEST_VENDORS, 1);
    try {
        return kwb::soak::soak(requests) ? 0 : 1;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "kwb_soak: %s\n", failure.what());
        return 1;
    }
}
