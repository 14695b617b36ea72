// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/toml_text.hpp"
#include "ci/suite.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

bool has_wildcards(const std::string& pattern) {
    return pattern.find_first_of("*?[") != std::string::npos;
}

/// fnmatch() has no "**": without FNM_PATHNAME its "*" matches "/", too.
bool matches(const std::string& pattern, const std::string& path) {
    const std::size_t any_folders = pattern.find("**/");
    if (any_folders == std::string::npos) return ::fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0;
    const std::string flat = pattern.substr(0, any_folders) + "*" + pattern.substr(any_folders + 3);
    return ::fnmatch(flat.c_str(), path.c_str(), 0) == 0;
}

std::vector<fs::path> matching_files(const fs::path& folder, const std::string& pattern) {
    std::vector<fs::path> files;
    std::error_code unreadable;
    constexpr auto kSkipping = fs::directory_options::skip_permission_denied;
    for (auto entry = fs::recursive_directory_iterator(folder, kSkipping, unreadable);
         entry != fs::recursive_directory_iterator(); entry.increment(unreadable)) {
        const bool is_hidden = entry->path().filename().string().starts_with('.');
        if (is_hidden) entry.disable_recursion_pending();
        if (is_hidden || !entry->is_regular_file(unreadable)) continue;
        if (matches(pattern, entry->path().lexically_relative(folder).string())) files.push_back(*entry);
    }
    std::ranges::sort(files);
    return files;
}

/// The pattern that only this name matches.
std::string literal_pattern(const std::string& name) {
    if (!has_wildcards(name)) return name;
    std::string pattern;
    for (const char c : name) {
        if (std::string_view("*?[\\").find(c) != std::string_view::npos) pattern += '\\';
        pattern += c;
    }
    return pattern;
}

}  // namespace

fs::path find_suite(const fs::path& folder) {
    std::error_code missing;
    for (fs::path at = fs::absolute(folder);; at = at.parent_path()) {
        if (fs::exists(at / kSuiteFile, missing)) return at / kSuiteFile;
        if (at == at.parent_path()) break;
    }
    throw BadInput(
        fmt::format("no {} in {} or above; 'kwb ci --init' writes one for the kernels in this folder",
                    kSuiteFile, fs::absolute(folder).string()));
}

std::vector<std::string> kernels_of(const CiCase& about, const CiSuite& suite) {
    std::vector<std::string> kernels;
    const auto add = [&](const std::string& kernel) {
        if (std::ranges::find(kernels, kernel) == kernels.end()) kernels.push_back(kernel);
    };
    for (const std::string& entry : about.kernels) {
        if (!has_wildcards(entry)) {
            add(entry.ends_with(".cl") ? (suite.folder() / entry).lexically_normal().string() : entry);
            continue;
        }
        const std::vector<fs::path> files = matching_files(suite.folder(), entry);
        if (files.empty())
            throw BadInput(fmt::format("{}: case \"{}\": kernels = \"{}\" matches no file",
                                       suite.file.string(), about.name, entry));
        for (const fs::path& file : files) add(file.string());
    }
    return kernels;
}

std::string suite_text(const std::vector<std::pair<std::string, std::string>>& kernels) {
    std::map<std::string, std::vector<std::string>> by_problem;
    std::vector<std::string> undeclared;
    for (const auto& [file, problem] : kernels)
        (problem.empty() ? undeclared : by_problem[problem]).push_back(file);
    std::string text =
        "# The kernels that `kwb ci` tests. docs/ci.md of Kernel Workbench explains every key.\n";
    for (const auto& [problem, files] : by_problem) {
        std::vector<std::string> quoted;
        for (const std::string& file : files) quoted.push_back(in_quotes(literal_pattern(file)));
        text +=
            fmt::format("\n[[case]]\nname = {}\nkernels = [{}]\n", in_quotes(problem), join(quoted, ", "));
    }
    if (!undeclared.empty())
        text +=
            "\n# Not tested yet, because these files do not declare what they compute ('kwb adopt' helps):\n";
    for (const std::string& file : undeclared) text += "#   " + printable_line(file) + "\n";
    return text;
}

}  // namespace kwb
