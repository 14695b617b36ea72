// SPDX-License-Identifier: Apache-2.0
#include "task/judge_place.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/toml_record.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostName = 60;
constexpr std::size_t kMostPlaces = 64;

/// The settings that a user writes.
struct UserSettings {
    NamedList<std::string> places;
};

template <class Fields>
void describe(Fields& f, UserSettings& settings) {
    f("places", settings.places, items(0, kMostPlaces));
}

JudgePlace local_place() {
    return {{local_judge()}, ""};
}

/// @param owner  what the command belongs to, for messages
JudgePlace read_place(std::string_view command, std::string name, const std::string& owner) {
    if (name.size() > kMostName) name = to_utf8(name.substr(0, kMostName - 3)) + " …";
    try {
        return {split_command(command), std::move(name)};
    } catch (const BadInput& error) {
        throw BadInput(owner + ": " + error.what());
    }
}

}  // namespace

std::string local_judge() {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kwb-judge").string();
}

JudgeCommand split_command(std::string_view text) {
    JudgeCommand words;
    char quote = 0;
    bool in_word = false;
    for (const char c : text) {
        if (quote == 0 && (c == ' ' || c == '\t')) {
            in_word = false;
            continue;
        }
        if (!in_word) words.emplace_back();
        in_word = true;
        if (quote == 0 && (c == '"' || c == '\''))
            quote = c;
        else if (c == quote)
            quote = 0;
        else
            words.back() += c;
    }
    if (quote != 0) throw BadInput(fmt::format("the quote {} is not closed in: {}", quote, text));
    if (words.empty() || words.front().empty())
        throw BadInput("the command is empty; give one, as in \"ssh gpubox kwb-judge\"");
    return words;
}

JudgePlace usual_place() {
    if (const char* chosen = std::getenv("KWB_JUDGE"); chosen != nullptr && !trim(chosen).empty())
        return read_place(chosen, std::string(trim(chosen)), "KWB_JUDGE");
    return local_place();
}

NamedList<std::string> read_places(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::status(path, error).type() == std::filesystem::file_type::not_found) return {};
    UserSettings settings;
    std::vector<std::string> findings;
    try {
        const toml::table root = parse_toml(read_file(path));
        TomlRecordReader reader(root, findings);
        describe(reader, settings);
    } catch (const toml::parse_error& fault) {
        findings = {fmt::format("{}: invalid TOML: {}", fault.source().begin.line, fault.description())};
    }
    if (!findings.empty()) throw BadInput(path.string() + ":" + findings.front());
    return settings.places;
}

JudgePlace find_place(std::string_view on, const NamedList<std::string>& known, const std::string& file) {
    const std::string wanted(trim(on));
    if (wanted == kHere) return local_place();
    if (const std::string* command = find_named(known, wanted))
        return read_place(*command, wanted, fmt::format("{}: places.{}", file, wanted));
    if (wanted.empty() || wanted.find_first_of(" \t/") != std::string::npos ||
        wanted.starts_with(kSlurmScheme))
        return read_place(wanted, wanted, "--on");
    if (known.empty())
        throw BadInput(
            fmt::format("--on {}: no place has this name, and {} lists none. Give the launch command itself, "
                        "as in --on \"ssh gpubox kwb-judge\" or --on ./kwb-judge, or add one under [places] "
                        "in that file: {} = \"ssh gpubox kwb-judge\"",
                        wanted, file, wanted));
    std::vector<std::string> names = {kHere};
    for (const auto& [name, command] : known) names.push_back(name);
    throw BadInput(fmt::format("--on {}: no place has this name.{} The places are {}; see [places] in {}",
                               wanted, did_you_mean(wanted, names), enumerate(names), file));
}

}  // namespace kwb
