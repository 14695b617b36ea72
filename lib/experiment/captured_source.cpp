// SPDX-License-Identifier: Apache-2.0
#include "experiment/captured_source.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/file.hpp"
#include "base/text.hpp"
#include "capture/recording.hpp"
#include "catalog/edited_texts.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostHeaders = 64;
constexpr std::uintmax_t kMostHeaderFileBytes = 4u << 20;

/// What build options mean for #include.
struct IncludeOptions {
    std::vector<fs::path> folders;
    NamedList<std::string> macros;
    std::string others;  ///< all options but the folders
};

std::string without_quotes(const std::string& text) {
    const bool is_quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'');
    return is_quoted ? text.substr(1, text.size() - 2) : text;
}

IncludeOptions split_options(const std::string& options, const fs::path& working) {
    IncludeOptions found;
    std::vector<std::string> kept;
    const std::vector<std::string> words = split(options, ' ');
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word.empty() || word == "-cl-kernel-arg-info") continue;
        if (word.starts_with("-I")) {
            found.folders.push_back(working / without_quotes(word.size() == 2 && i + 1 < words.size()
                                                                 ? words[++i]
                                                                 : word.substr(2)));
            continue;
        }
        kept.push_back(word);
        if (!word.starts_with("-D")) continue;
        const bool is_apart = word.size() == 2 && i + 1 < words.size();
        if (is_apart) kept.push_back(words[++i]);
        const std::string macro = is_apart ? words[i] : word.substr(2);
        if (const std::size_t equals = macro.find('='); equals != std::string::npos)
            found.macros.push_back({macro.substr(0, equals), without_quotes(macro.substr(equals + 1))});
    }
    found.folders.push_back(working);
    found.others = join(kept, " ");
    return found;
}

/// Collects the files that a source includes, and lets it name them in quotes, as files next to it.
class HeaderFinder {
public:
    /// @param is_foreign  read nothing outside the first folder
    HeaderFinder(IncludeOptions options, bool is_foreign)
        : options_(std::move(options)), is_foreign_(is_foreign) {}

    /// @param folder  of the file with this text; empty: none
    /// @param inside  that folder, relative to where the headers are kept
    std::string with_headers(const std::string& source, const fs::path& folder, const fs::path& inside) {
        std::string text;
        for (const std::string& line : split_lines(source)) text += with_header(line, folder, inside) + "\n";
        return text;
    }

    std::vector<std::string> missing;
    NamedList<std::string> headers;

private:
    std::string with_header(const std::string& line, const fs::path& folder, const fs::path& inside) {
        std::string_view rest = trim(line);
        if (!rest.starts_with('#')) return line;
        rest = trim(rest.substr(1));
        if (!rest.starts_with("include")) return line;
        rest = trim(rest.substr(7));
        const std::string name = name_in(rest);
        if (name.empty()) return line;
        const std::optional<fs::path> found = find(name, folder, inside);
        if (!found) return line;
        const fs::path from_here = inside.empty() ? *found : found->lexically_relative(inside);
        return "#include \"" + (*from_here.begin() == ".." ? *found : from_here).string() + "\"";
    }

    std::string name_in(std::string_view written) const {
        if (written.empty()) return "";
        if (written.front() != '"' && written.front() != '<') return expanded(written);
        const std::size_t end = written.find(written.front() == '"' ? '"' : '>', 1);
        return end == std::string_view::npos ? "" : std::string(written.substr(1, end - 1));
    }

    /// The name in QUOTED(FOLDER/name.h), with macros of the build options; a wrong guess names no file.
    std::string expanded(std::string_view written) const {
        const std::size_t open = written.find('('), close = written.rfind(')');
        if (open != std::string_view::npos && close != std::string_view::npos && close > open)
            written = written.substr(open + 1, close - open - 1);
        std::string name;
        for (std::size_t i = 0; i < written.size();) {
            const auto is_letter = [&](std::size_t at) {
                return std::isalnum(static_cast<unsigned char>(written[at])) != 0 || written[at] == '_';
            };
            std::size_t end = i;
            while (end < written.size() && is_letter(end)) ++end;
            if (end == i) end = i + 1;
            const std::string word(written.substr(i, end - i));
            const std::string* const macro = find_named(options_.macros, word);
            name += macro != nullptr ? *macro : word;
            i = end;
        }
        return std::string(trim(without_quotes(name)));
    }

    /// @return  where the header is kept; nullopt: there is none
    std::optional<fs::path> find(const std::string& name, const fs::path& folder, const fs::path& inside) {
        std::vector<std::pair<fs::path, fs::path>> candidates;  // file, where it is kept
        const fs::path path(name);
        if (path.is_absolute()) {
            candidates.emplace_back(path, path.filename());
        } else {
            if (!folder.empty()) candidates.emplace_back(folder / path, inside / path);
            for (const fs::path& one : options_.folders) candidates.emplace_back(one / path, path);
        }
        for (const auto& [file, kept] : candidates) {
            const fs::path relative = kept.lexically_normal();
            std::error_code error;
            if (relative.empty() || *relative.begin() == ".." || !fs::is_regular_file(file, error)) continue;
            if (is_foreign_ && !lies_within(options_.folders.front(), file)) continue;
            if (!known_.insert(relative.string()).second) return relative;
            if (known_.size() > kMostHeaders) break;
            headers.push_back({relative.string(), with_headers(read_file(file, kMostHeaderFileBytes),
                                                               file.parent_path(), relative.parent_path())});
            return relative;
        }
        if (std::ranges::find(missing, name) == missing.end()) missing.push_back(name);
        return std::nullopt;
    }

    IncludeOptions options_;
    bool is_foreign_;
    std::set<std::string> known_;
};

std::string_view target_name(std::string_view type) {
    type = trim(type);
    while (type.ends_with('*')) type = trim(type.substr(0, type.size() - 1));
    return type;
}

}  // namespace

KernelPlan source_plan(const capture::RawLaunch& launch, std::vector<std::string>* missing) {
    IncludeOptions split = split_options(launch.options, launch.working_folder);
    if (launch.is_foreign) split.folders = {launch.working_folder};
    KernelPlan plan;
    plan.build_options = split.others;
    plan.source_text = read_file(launch.folder / capture::kLaunchSource);
    if (plan.source_text.find("include") == std::string::npos) return plan;
    HeaderFinder finder(std::move(split), launch.is_foreign);
    plan.source_text = finder.with_headers(plan.source_text, {}, {});
    plan.includes = std::move(finder.headers);
    if (missing != nullptr) *missing = std::move(finder.missing);
    return plan;
}

SourceTypes::SourceTypes(const KernelPlan& plan) : reading_(read_source(source_text_of(plan))) {}

std::optional<ElementType> SourceTypes::find(std::string_view name) const {
    if (const auto type = parse_element_type(name)) return type;
    if (!reading_.program) return std::nullopt;
    const auto known = reading_.program->typedefs.find(std::string(trim(name)));
    return known != reading_.program->typedefs.end() ? parse_element_type(known->second) : std::nullopt;
}

const source::Record* SourceTypes::find_record(std::string_view name) const {
    if (!reading_.program) return nullptr;
    for (const std::string& known : {std::string(trim(name)), "struct " + std::string(trim(name))})
        if (const auto record = reading_.program->records.find(known);
            record != reading_.program->records.end() && !record->second.numbers.empty())
            return &record->second;
    return nullptr;
}

std::optional<ElementType> SourceTypes::target_of(std::string_view type) const {
    return find(target_name(type));
}

std::uint64_t SourceTypes::target_bytes(std::string_view type) const {
    if (const auto target = target_of(type)) return target->bytes();
    const source::Record* const record = find_record(target_name(type));
    return record != nullptr ? std::max<std::uint64_t>(record->bytes, 1) : 1;
}

std::optional<std::vector<KernelParameter>> SourceTypes::parameters_of(std::string_view kernel) const {
    if (!reading_.program) return std::nullopt;
    for (SourceKernel& one : kernel_functions_of(*reading_.program))
        if (one.name == kernel) return std::move(one.parameters);
    return std::nullopt;
}

}  // namespace kwb
