#include "session/missing_macros.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostNames = 4;

struct MissingName {
    std::string name;
    bool is_type = false;
};

/// The name in 'quotes' behind `words`; empty if the message has other words.
std::string quoted_behind(std::string_view message, std::string_view words) {
    const std::size_t at = message.find(words);
    if (at == std::string_view::npos) return "";
    const std::string_view rest = message.substr(at + words.size());
    return std::string(leading_identifier(rest));
}

/// Names that `#ifndef NAME` and `defined(NAME)` ask about.
bool is_asked_about(const KernelFile& file, std::string_view name) {
    const auto search = [&](const std::string& text) {
        const std::string blanked = blank_comments(text);
        for (const Directive& line : find_directives(blanked)) {
            if (line.keyword != "ifndef" && line.keyword != "ifdef" && line.keyword != "if" &&
                line.keyword != "elif")
                continue;
            for (std::size_t at = line.rest.find(name); at != std::string_view::npos;
                 at = line.rest.find(name, at + 1))
                if ((at == 0 || leading_identifier(line.rest.substr(at - 1)).empty()) &&
                    leading_identifier(line.rest.substr(at)) == name)
                    return true;
        }
        return false;
    };
    return search(file.spec.source_text) || std::any_of(file.includes.begin(), file.includes.end(),
                                                        [&](const auto& i) { return search(i.value); });
}

std::vector<MissingName> find_missing(const KernelResult& result, const KernelFile& file) {
    std::vector<MissingName> missing;
    const auto add = [&](std::string name, bool is_type) {
        const bool known = std::any_of(missing.begin(), missing.end(),
                                       [&](const MissingName& other) { return other.name == name; });
        if (!name.empty() && !known && missing.size() < kMostNames)
            missing.push_back({std::move(name), is_type});
    };
    for (const Diagnostic& diagnostic : result.diagnostics) {
        if (diagnostic.severity != Severity::Error) continue;
        const std::string_view message = diagnostic.message;
        add(quoted_behind(message, "undeclared identifier '"), false);
        add(quoted_behind(message, "unknown type name '"), true);
        // An #error of the source: its words, of which some may be names that its conditions ask about.
        for (std::size_t at = 0; at < message.size(); ++at) {
            const std::string_view word = leading_identifier(message.substr(at));
            if (word.size() > 1 && is_asked_about(file, word)) add(std::string(word), false);
            if (!word.empty()) at += word.size();
        }
    }
    return missing;
}

}  // namespace

std::string advise_macros(const KernelResult& result, const KernelFile& file) {
    const bool is_bare = file.places.empty();
    if (result.verdict != Verdict::CompileError || (!is_bare && file.declared_in == file.spec.file))
        return "";
    std::vector<std::string> names, options, keys;
    for (const MissingName& missing : find_missing(result, file)) {
        names.push_back(missing.name);
        options.push_back(fmt::format("-D {}={}", missing.name, missing.is_type ? "float" : "…"));
        keys.push_back(fmt::format("{} = {}", missing.name, missing.is_type ? "\"'float'\"" : "…"));
    }
    if (names.empty()) return "";
    return fmt::format("if its host program defined {}, {}", enumerate(names),
                       is_bare ? "say " + join(options, " ")
                               : fmt::format("add {} to [defines] of {}", enumerate(keys), file.declared_in));
}

}  // namespace kwb
