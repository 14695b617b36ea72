// SPDX-License-Identifier: Apache-2.0
#include "task/host_program.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "sandbox/confined_program.hpp"
#include "sandbox/policies.hpp"
#include "source/compiler.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

constexpr double kBuildMs = 60'000, kRunMs = 20'000;
constexpr std::size_t kMostFileBytes = std::size_t{256} << 20;
constexpr std::size_t kMostPrinted = std::size_t{1} << 20;
constexpr std::size_t kMostShownLines = 12;  ///< of the output of a compiler or program

constexpr const char* kKernel =
    "__kernel void add(__global const float* A, __global const float* B, __global float* C, const int N) {\n"
    "    const int i = get_global_id(0);\n"
    "    if (i < N) C[i] = A[i] + B[i];\n"
    "}\n";
constexpr const char* kUnknownName = "a_name_that_nothing_declares";

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string made = (fs::canonical(fs::temp_directory_path()) / "kwb-host-XXXXXX").string();
        if (::mkdtemp(made.data()) == nullptr) throw_errno("mkdtemp");
        path_ = made;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    fs::path operator/(const std::string& name) const { return path_ / name; }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

std::string bytes_of(const std::vector<float>& numbers) {
    std::string bytes(numbers.size() * sizeof(float), '\0');
    if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

/// The first lines of what was printed.
std::string beginning_of(std::string_view printed) {
    std::vector<std::string> lines = split_lines(to_utf8(trim(printed)));
    if (lines.size() > kMostShownLines) lines.resize(kMostShownLines);
    return join(lines, "\n");
}

/// From the first error on, with the person's own file in it instead of the copy.
std::string errors_of(const std::string& messages, const fs::path& copy, const fs::path& file) {
    std::size_t begin = messages.find("error:");
    begin = begin == std::string::npos ? 0 : messages.rfind('\n', begin) + 1;
    std::string errors = beginning_of(std::string_view(messages).substr(begin));
    const std::string from = copy.string(), to = file.string();
    for (std::size_t at = errors.find(from); at != std::string::npos; at = errors.find(from, at + to.size()))
        errors.replace(at, from.size(), to);
    return errors;
}

/// A C++ compiler: the system's, or else the clang that PoCL brings. Empty: there is none.
std::vector<std::string> compiler() {
    for (const char* name : {"c++", "g++", "clang++"})
        if (std::string found = find_in_path(name); !found.empty()) return {found};
    if (const auto clang = source::find_pocl_compiler()) return {*clang, "--driver-mode=g++"};
    return {};
}

class HostProgram {
public:
    HostProgram(const fs::path& file, const std::string& source, const std::stop_token& stop)
        : file_(file), stop_(stop) {
        write_file(folder_ / kSource, source);
    }

    /// @return  why it cannot be built here; empty, also if the program has errors: then `failed` says which
    std::string build(std::optional<std::string>& failed) {
        std::vector<std::string> command = compiler();
        if (command.empty()) return "this lesson needs a C++ compiler; install g++";
        for (const std::string& word :
             {std::string("-std=c++17"), (folder_ / kSource).string(), std::string("-o"),
              (folder_ / kProgram).string(), std::string("-lOpenCL")})
            command.push_back(word);
        ConfinedProgram build = confined(command, kBuildMs);
        const ProgramEnd end = run_confined(build, stop_);
        const auto says = [&](const char* words) { return end.messages.find(words) != std::string::npos; };
        if (says("fatal error") && (says("CL/opencl.hpp") || says("CL/cl.h")))
            return "this lesson needs the headers of OpenCL and of its C++ wrapper; install "
                   "opencl-clhpp-headers";
        if (says("cannot find -lOpenCL") || says("unable to find library -lOpenCL"))
            return "this lesson needs the ICD loader's library to link with; install ocl-icd-opencl-dev";
        if (end.how != ProgramEnd::How::Exited)
            failed = fmt::format("the compiler exceeded {:g} s", kBuildMs / 1000);
        else if (end.status.code != 0)
            failed = errors_of(end.messages, folder_ / kSource, file_);
        return "";
    }

    ProgramEnd run(std::int64_t count, const std::string& kernel) {
        std::vector<float> a(static_cast<std::size_t>(count)), b(a.size());
        sums_.resize(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] = static_cast<float>(i % 251);
            b[i] = static_cast<float>(i * 7 % 127);
            sums_[i] = a[i] + b[i];
        }
        write_file(folder_ / "A", bytes_of(a));
        write_file(folder_ / "B", bytes_of(b));
        write_file(folder_ / "add.cl", kernel);
        std::error_code ignored;
        fs::remove(folder_ / "C", ignored);
        return run_confined(
            confined({(folder_ / kProgram).string(), (folder_ / "A").string(), (folder_ / "B").string(),
                      (folder_ / "C").string(), (folder_ / "add.cl").string()},
                     kRunMs),
            stop_);
    }

    /// Checks C after the last run, which succeeded. @return the fault; empty: none
    std::string fault() const {
        std::string bytes;
        try {
            bytes = read_file(folder_ / "C", kMostFileBytes);
        } catch (const BadInput&) {
            return "the program did not write the file C";
        }
        if (bytes.size() != sums_.size() * sizeof(float))
            return fmt::format("the file C has {}, not 4 bytes for each of {} elements",
                               counted(bytes.size(), "byte"), sums_.size());
        std::vector<float> numbers(sums_.size());
        if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
        std::size_t wrong = 0, first = 0;
        for (std::size_t i = sums_.size(); i-- > 0;)
            if (!(numbers[i] == sums_[i])) {
                ++wrong;
                first = i;
            }
        if (wrong == 0) return "";
        return fmt::format("{} of {} elements: C[{}] is {:g}, expected {:g}", wrong, sums_.size(), first,
                           numbers[first], sums_[first]);
    }

private:
    static constexpr const char* kSource = "program.cpp";
    static constexpr const char* kProgram = "program";

    ConfinedProgram confined(std::vector<std::string> command, double milliseconds) const {
        ConfinedProgram program;
        program.command = std::move(command);
        program.policy = make_policy("", folder_.path(), folder_.path());
        // Drivers read /proc/self, which is the program's own only once it runs. Landlock keeps it from the
        // memory, the environment and the files of other processes (ptrace access).
        program.policy.readable.emplace_back("/proc");
        const std::string own = folder_.path().string();
        program.environment = {{"LC_ALL", "C"},
                               {"PATH", "/usr/local/bin:/usr/bin:/bin"},
                               {"HOME", own},
                               {"TMPDIR", own},
                               {"POCL_CACHE_DIR", own}};
        // The drivers that the person has chosen.
        for (const char* name : {"OCL_ICD_VENDORS", "POCL_DEVICES", "LD_LIBRARY_PATH"})
            if (const char* const value = std::getenv(name)) {
                program.environment.push_back({name, value});
                for (const std::string& path : split(value, ':'))
                    if (path.starts_with('/')) program.policy.readable.push_back(path);
            }
        program.milliseconds = milliseconds;
        program.output_bytes = program.message_bytes = kMostPrinted;
        program.file_bytes = kMostFileBytes;
        return program;
    }

    TemporaryFolder folder_;
    fs::path file_;
    std::stop_token stop_;
    std::vector<float> sums_;
};

/// The verdict and the reason of a run that failed.
std::optional<std::pair<Verdict, std::string>> failure_of(const ProgramEnd& end) {
    switch (end.how) {
        case ProgramEnd::How::Stopped:
            return std::pair(Verdict::Skipped, "the program was stopped before it ended");
        case ProgramEnd::How::TooSlow:
            return std::pair(Verdict::Timeout, fmt::format("the program exceeded {:g} s", kRunMs / 1000));
        case ProgramEnd::How::TooMuchOutput:
        case ProgramEnd::How::TooManyMessages:
            return std::pair(Verdict::LaunchError,
                             "the program printed more than " + format_bytes(kMostPrinted));
        case ProgramEnd::How::Exited:
            break;
    }
    if (end.status.code == 0) return std::nullopt;
    std::string reason = "the program ended with " + end.status.describe();
    if (const std::string said = beginning_of(end.messages); !said.empty()) reason += ":\n" + said;
    return std::pair(Verdict::LaunchError, std::move(reason));
}

/// "clFinish (-5)" in what was printed.
void find_failed_call(const std::string& printed, HostCheck& check) {
    static const std::regex failed(R"(\b(cl[A-Z]\w*) \((-\d{1,5})\))");
    if (std::smatch found; std::regex_search(printed, found, failed)) {
        check.failed_call = found[1];
        check.failed_code = std::stoi(found[2]);
    }
}

/// N of a line "kernel_ns=N".
std::optional<std::uint64_t> told_ns(const std::string& output) {
    constexpr std::string_view kName = "kernel_ns=";
    for (const std::string& line : split_lines(output)) {
        if (!line.starts_with(kName)) continue;
        std::uint64_t ns = 0;
        const char* const end = line.data() + line.size();
        if (std::from_chars(line.data() + kName.size(), end, ns).ptr == end) return ns;
    }
    return std::nullopt;
}

}  // namespace

HostCheck check_host_program(const fs::path& file, const std::string& source, const std::vector<Sizes>& sizes,
                             const std::stop_token& stop) {
    HostCheck check;
    try {
        HostProgram program(file, source, stop);
        const auto add = [&](Verdict verdict, std::string reason, const Sizes& size) {
            KernelResult result;
            result.verdict = verdict;
            result.reason = std::move(reason);
            result.size = size;
            check.results.push_back(std::move(result));
            return verdict == Verdict::Correct;
        };
        std::optional<std::string> failed;
        check.obstacle = program.build(failed);
        if (!check.obstacle.empty()) return check;
        if (failed) {
            add(Verdict::CompileError, *failed, sizes.front());
            return check;
        }
        for (const Sizes& size : sizes) {
            const auto begin = std::chrono::steady_clock::now();
            const ProgramEnd end = program.run(size.front().value, kKernel);
            check.run_ns = static_cast<std::uint64_t>(
                std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count());
            if (const auto failure = failure_of(end)) {
                add(failure->first, failure->second, size);
                find_failed_call(end.messages, check);
                return check;
            }
            const std::string fault = program.fault();
            if (!add(fault.empty() ? Verdict::Correct : Verdict::Wrong, fault, size)) return check;
            check.told_ns = told_ns(end.output);
        }
        const ProgramEnd broken = program.run(
            sizes.back().front().value, std::string("__kernel void add() { ") + kUnknownName + " = 1; }");
        check.broken_exit =
            broken.how == ProgramEnd::How::Exited && broken.status.code ? *broken.status.code : -1;
        check.broken_log = (broken.messages + broken.output).find(kUnknownName) != std::string::npos;
    } catch (const std::exception& error) {
        check.obstacle = error.what();
    }
    return check;
}

}  // namespace kwb
