// SPDX-License-Identifier: Apache-2.0
#include "source/compiler.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/user_folders.hpp"
#include "sandbox/confined_program.hpp"
#include "source/directives.hpp"

namespace kwb::source {
namespace fs = std::filesystem;
namespace {

constexpr unsigned kOldestVersion = 14;  // the oldest version whose output nodes.cpp can parse

/// A fixed target, so that sizes do not depend on the machine. CL1.2 is the drivers' default without -cl-std.
/// Drivers define __OPENCL_VERSION__, clang itself does not. The layouts of structs are printed before the
/// tree.
constexpr const char* kArguments =
    "-x cl -cl-std=CL1.2 -D__OPENCL_VERSION__=300 -target spir64-unknown-unknown -fsyntax-only -w "
    "-fno-caret-diagnostics -fno-color-diagnostics -fno-crash-diagnostics -Xclang -fdeclare-opencl-builtins "
    "-Xclang -finclude-default-header -Xclang -fdump-record-layouts-complete -Xclang -ast-dump=json";

/// N in "clang-N" and "llvm-N"; 0 for other names.
unsigned version_of(const std::string& name, std::string_view prefix) {
    unsigned version = 0;
    if (!name.starts_with(prefix)) return 0;
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + prefix.size(), end, version);
    return error == std::errc{} && rest == end ? version : 0;
}

bool lies_inside(const fs::path& name) {
    return name.is_relative() && name.has_filename() &&
           std::none_of(name.begin(), name.end(), [](const fs::path& part) { return part == ".."; });
}

void write_file(const fs::path& file, const std::string& content) {
    fs::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    out << content;
    if (!out.flush()) throw EnvironmentError("cannot write " + file.string());
}

/// Creates an empty file for each missing include, so that the rest can be parsed.
void add_missing(const fs::path& root, std::string_view content) {
    const std::string blanked = blank_comments(content);
    for (const Directive& line : find_directives(blanked)) {
        if (line.keyword != "include" || !line.rest.starts_with('"')) continue;
        const fs::path name(line.rest.substr(1, line.rest.find('"', 1) - 1));
        if (lies_inside(name) && !fs::exists(root / name)) write_file(root / name, "");
    }
}

/// A temporary folder with the source and its included files.
class SourceFolder {
public:
    explicit SourceFolder(const SourceText& text) {
        std::error_code error;
        fs::path parent = fs::temp_directory_path(error);
        if (error) parent = "/tmp";
        std::string root = (fs::canonical(parent) / "kwb-source-XXXXXX").string();
        if (::mkdtemp(root.data()) == nullptr) throw_errno("mkdtemp");
        root_ = root;
        write_source(root_, text);
    }
    ~SourceFolder() {
        std::error_code ignored;
        if (!root_.empty()) fs::remove_all(root_, ignored);
    }
    SourceFolder(const SourceFolder&) = delete;
    SourceFolder& operator=(const SourceFolder&) = delete;

    const fs::path& root() const { return root_; }

private:
    fs::path root_;
};

/// Build options that clang knows; all others concern only the driver.
bool is_for_clang(const std::string& option) {
    constexpr std::array<std::string_view, 8> kKnown = {
        "-cl-fast-relaxed-math", "-cl-finite-math-only", "-cl-single-precision-constant",
        "-cl-mad-enable",        "-cl-no-signed-zeros",  "-cl-unsafe-math-optimizations",
        "-cl-denorms-are-zero",  "-cl-opt-disable"};
    return option.starts_with("-cl-std=") || std::ranges::find(kKnown, option) != kKnown.end();
}

SandboxPolicy policy_for(const std::string& compiler, const fs::path& folder) {
    const fs::path installation = fs::canonical(compiler).parent_path().parent_path();
    return {
        .readable = {"/usr", "/lib", "/lib64", "/etc/ld.so.cache", folder.string(), installation.string()},
        .writable = {},
        .devices = {"/dev/null"}};
}

/// True if a compiler ended by a signal, or with an exit code other than that for errors in the source: clang
/// crashes with 70.
bool has_crashed(const ProgramEnd& end) {
    return end.how == ProgramEnd::How::Exited && (!end.status.code || *end.status.code > 1);
}

/// ": error in backend: …", the first error that the compiler printed before it ended; empty if it printed
/// none.
std::string last_words(const ProgramEnd& end) {
    constexpr std::string_view kError = "error: ";
    for (const std::string& line : split_lines(end.messages))
        if (const std::size_t at = line.find(kError); at != std::string::npos)
            return ": " + line.substr(at + kError.size());
    return "";
}

/// @return  the reason for a missing answer; empty: there is one
std::string failure_of(const ProgramEnd& end, const ReadingLimits& limits) {
    switch (end.how) {
        case ProgramEnd::How::TooSlow:
            return fmt::format(
                "the compiler exceeded {:g} s. Unroll less, or retry when the machine is less busy",
                limits.milliseconds / 1000);
        case ProgramEnd::How::TooMuchOutput:
            return "the compiler's output exceeds " + format_bytes(limits.output_bytes);
        case ProgramEnd::How::TooManyMessages:
            return "the source has too many errors";
        case ProgramEnd::How::Stopped:
            return kStopped;
        case ProgramEnd::How::Exited:
            break;
    }
    if (has_crashed(end)) return "the compiler ended with " + end.status.describe() + last_words(end);
    return end.output.empty() && end.messages.empty() ? "the compiler printed nothing" : "";
}

void run(const std::vector<std::string>& command, const fs::path& folder, const ReadingLimits& limits,
         const std::stop_token& stop, CompilerAnswer& answer) {
    ConfinedProgram program;
    program.command = command;
    program.environment = {{"LC_ALL", "C"}};
    program.policy = policy_for(command.front(), folder);
    program.milliseconds = limits.milliseconds;
    program.output_bytes = limits.output_bytes;
    program.memory_bytes = limits.memory_bytes;
    ProgramEnd end = run_confined(program, stop);
    answer.failure = failure_of(end, limits);
    answer.is_rejected = end.status.code == 1;
    answer.has_crashed = has_crashed(end);
    answer.output = std::move(end.output);
    answer.messages = std::move(end.messages);
}

/// By version; cached: the folders contain many programs.
const std::map<unsigned, std::string>& installed_compilers() {
    static const std::map<unsigned, std::string> installed = [] {
        std::map<unsigned, std::string> found;
        const auto look_into = [&](const char* folder, std::string_view prefix, const char* program) {
            std::error_code error;
            for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
                const unsigned version = version_of(entry.path().filename().string(), prefix);
                const fs::path path = *program == '\0' ? entry.path() : entry.path() / program;
                if (version >= kOldestVersion && ::access(path.c_str(), X_OK) == 0)
                    found.try_emplace(version, path.string());
            }
        };
        look_into("/usr/bin", "clang-", "");
        look_into("/usr/lib", "llvm-", "bin/clang");
        return found;
    }();
    return installed;
}

/// The compiler that KWB_CLANG names, if it is set; the inner nullopt: no such file.
std::optional<std::optional<std::string>> chosen_compiler() {
    const fs::path chosen = path_from_environment("KWB_CLANG");
    if (chosen.empty()) return std::nullopt;
    return fs::exists(chosen) ? std::optional(chosen.string()) : std::nullopt;
}

/// Explains a missing compiler if KWB_CLANG is the reason; otherwise empty.
std::string explain_wrong_choice() {
    const auto chosen = chosen_compiler();
    if (!chosen || *chosen) return "";
    return "the compiler that KWB_CLANG names, " + path_from_environment("KWB_CLANG").string() +
           ", does not exist. Set KWB_CLANG to another one, or unset it to use clang-15 (Debian 12) or "
           "clang-18 (Debian 13)";
}

/// The version of LLVM that the installed libpocl.so was linked with; 0: there is none.
unsigned version_of_pocl() {
    constexpr std::string_view kNeeded = "libclang-cpp.so.";
    std::error_code error;
    for (const fs::directory_entry& folder : fs::directory_iterator("/usr/lib", error)) {
        std::error_code ignored;
        if (!fs::exists(folder.path() / "libpocl.so.2", ignored)) continue;
        std::ifstream file(folder.path() / "libpocl.so.2", std::ios::binary);
        const std::string content{std::istreambuf_iterator<char>(file), {}};
        const std::size_t at = content.find(kNeeded);
        if (at == std::string::npos) continue;
        const std::string needed = content.substr(at, kNeeded.size() + 3);
        return static_cast<unsigned>(std::strtoul(needed.c_str() + kNeeded.size(), nullptr, 10));
    }
    return 0;
}

}  // namespace

std::string explain_missing_pocl_compiler() {
    if (std::string wrong = explain_wrong_choice(); !wrong.empty()) return wrong;
    return "PoCL, or the version of clang that it was built with, is not installed. Install pocl-opencl-icd "
           "and clang-15 (Debian 12) or clang-18 (Debian 13)";
}

void write_source(const fs::path& root, const SourceText& text) {
    for (const auto& [name, content] : text.includes)
        if (lies_inside(name)) write_file(root / name, content);
    write_file(root / kMainName, text.text);
    add_missing(root, text.text);
    for (const auto& include : text.includes) add_missing(root, include.value);
}

std::optional<std::string> find_compiler() {
    if (auto chosen = chosen_compiler()) return *chosen;
    const auto& installed = installed_compilers();
    return installed.empty() ? std::nullopt : std::optional(installed.rbegin()->second);
}

std::optional<std::string> find_pocl_compiler() {
    if (auto chosen = chosen_compiler()) return *chosen;
    static const unsigned version = version_of_pocl();
    const auto found = installed_compilers().find(version);
    return found == installed_compilers().end() ? std::nullopt : std::optional(found->second);
}

std::string explain_missing_compiler() {
    if (std::string wrong = explain_wrong_choice(); !wrong.empty())
        return "OpenCL C cannot be read before it is built, because " + wrong;
    return "OpenCL C cannot be read before it is built, because no clang of version 14 or later is "
           "installed. Install the one that PoCL uses, clang-15 (Debian 12) or clang-18 (Debian 13)";
}

std::vector<std::string> clang_command(const std::string& compiler, const std::vector<std::string>& arguments,
                                       const SourceText& text, const fs::path& folder) {
    std::vector<std::string> command = {compiler};
    command.insert(command.end(), arguments.begin(), arguments.end());
    command.push_back("-I" + folder.string());
    std::istringstream words(text.options);
    for (std::string word; words >> word;)
        if (is_for_clang(word)) command.push_back(word);
    for (const auto& [name, value] : text.macros) command.push_back("-D" + name + "=" + value);
    command.push_back((folder / kMainName).string());
    return command;
}

CompilerAnswer run_compiler(const SourceText& text, const CommandFor& command_for,
                            const ReadingLimits& limits, const std::stop_token& stop) {
    CompilerAnswer answer;
    if (text.text.size() > limits.source_bytes) {
        answer.failure = "the source exceeds " + format_bytes(limits.source_bytes);
        return answer;
    }
    try {
        const SourceFolder folder(text);
        answer.folder = folder.root().string() + "/";
        run(command_for(folder.root()), folder.root(), limits, stop, answer);
    } catch (const std::exception& error) {
        answer.failure = error.what();
    }
    return answer;
}

CompilerAnswer read_syntax_tree(const std::string& compiler, const SourceText& text,
                                const ReadingLimits& limits, const std::stop_token& stop) {
    static const std::vector<std::string> arguments = split(kArguments, ' ');
    return run_compiler(
        text, [&](const fs::path& folder) { return clang_command(compiler, arguments, text, folder); },
        limits, stop);
}

}  // namespace kwb::source
