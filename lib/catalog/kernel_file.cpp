// SPDX-License-Identifier: Apache-2.0
#include "catalog/kernel_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/edited_texts.hpp"
#include "catalog/front_matter.hpp"
#include "catalog/place.hpp"
#include "model/finding_words.hpp"
#include "model/problem_spec.hpp"
#include "problems/problem.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFiles = 64;
constexpr std::size_t kMostConditionals = 256;

/// The macros that are passed to the compiler as -DNAME=value.
std::vector<std::string> macro_names(const KernelSpec& spec) {
    std::vector<std::string> names = names_of(spec.params);
    const std::vector<std::string> defines = names_of(spec.defines);
    names.insert(names.end(), defines.begin(), defines.end());
    return names;
}

void require_text(const fs::path& path, std::string_view source) {
    if (trim(source).empty())
        throw BadInput(
            path.string() +
            ": the file is empty. Write a kernel into it ('kwb show matmul/naive' has an example)");
    // The magic number, in both byte orders. Source: The SPIR-V specification, 3.1.
    if (source.starts_with("\x03\x02\x23\x07") || source.starts_with("\x07\x23\x02\x03"))
        throw BadInput(path.string() + ": SPIR-V is not supported. Give the kernel's source in OpenCL C");
    if (source.find('\0') != std::string_view::npos)
        throw BadInput(path.string() +
                       ": not a text file, because it has bytes of value 0. Give the kernel's source file, "
                       "not a program");
}

/// A kernel's declarations, from its side-car or from the front matter in its text.
struct Declarations {
    std::string file;
    std::optional<std::string> toml;
};

Declarations find_declarations(const fs::path& path, std::string_view source, const EditedTexts& edited) {
    const fs::path side_car = path.string() + ".toml";
    std::optional<std::string> toml = extract_front_matter(path.string(), source);
    if (!edited.exists(side_car)) return {path.string(), std::move(toml)};
    if (toml)
        throw BadInput(path.string() + ": has a front matter, and " + side_car.string() +
                       " declares the kernel as well. Remove one of them");
    if (!lies_within(path.parent_path(), side_car.filename()))
        throw BadInput(side_car.string() +
                       ": is a link that leads out of its folder. Put the file itself here");
    return {side_car.string(), edited.read(side_car, kMostSourceBytes)};
}

std::shared_ptr<const DeclaredProblem> make_problem(const ProblemSpec& declared, const fs::path& path,
                                                    const std::string& declared_in,
                                                    const EditedTexts& edited) {
    auto spec = std::make_shared<ProblemSpec>(declared);
    if (spec->name.empty()) spec->name = path.stem().string();
    if (find_problem(spec->name) != nullptr)
        throw BadInput(declared_in + ": `" + spec->name +
                       "` is already a built-in problem. Give yours another name: name = \"my_" + spec->name +
                       "\" in [problem]");
    return std::make_shared<const DeclaredProblem>(std::move(spec), path, declared_in, edited);
}

/// An open #if … #endif, and which macro its branches know to be defined or undefined.
struct Conditional {
    std::string undefined;  ///< not defined in the first branch
    std::string defined;    ///< defined in the first branch, so undefined in a plain #else
    bool in_first_branch = true;
    bool in_else = false;
    bool has_elif = false;
};

/// NAME of `!defined(NAME)` or `! defined NAME`; further conditions may follow after `&&`. Empty for anything
/// else.
std::string negated_defined(std::string_view condition) {
    if (condition.find("||") != std::string_view::npos) return "";
    if (!condition.starts_with('!')) return "";
    condition = trim(condition.substr(1));
    constexpr std::string_view kDefined = "defined";
    if (leading_identifier(condition) != kDefined) return "";
    condition = trim(condition.substr(kDefined.size()));
    if (condition.starts_with('(')) condition = trim(condition.substr(1));
    return std::string(leading_identifier(condition));
}

bool guards(const std::vector<Conditional>& open, std::string_view name) {
    return std::any_of(open.begin(), open.end(), [&](const Conditional& conditional) {
        return (conditional.in_first_branch && conditional.undefined == name) ||
               (conditional.in_else && !conditional.has_elif && conditional.defined == name);
    });
}

/// An `#include "name"`.
struct IncludeLine {
    std::string name;
    std::size_t offset;
};

std::vector<IncludeLine> find_includes(std::string_view source) {
    std::vector<IncludeLine> found;
    const std::string blanked = blank_comments(source);
    for (const Directive& line : find_directives(blanked))
        if (line.keyword == "include" && line.rest.starts_with('"'))
            found.push_back({std::string(line.rest.substr(1, line.rest.find('"', 1) - 1)), line.offset});
    return found;
}

class Collector {
public:
    Collector(fs::path folder, const EditedTexts& edited)
        : folder_(folder.empty() ? fs::path(".") : std::move(folder)), edited_(edited) {}

    /// @param inside  the folder of the including file, relative to the kernel's folder
    void collect(const std::string& file, std::string_view source, const fs::path& inside) {
        std::set<std::string> named;
        for (const auto& [name, offset] : find_includes(source)) {
            if (!named.insert(name).second) continue;
            const Line line{file, source, offset};
            if (named.size() > kMostFiles) refuse_amount(line);
            if (fs::path(name).is_absolute())
                line.refuse(
                    fmt::format("\"{}\" is an absolute path, but a kernel may include only files in its own "
                                "folder. Write the file's name",
                                name));
            include(line, name, inside);
        }
    }

    NamedList<std::string> take() { return std::move(found_); }

private:
    /// A line of a file; its place is counted only where something is refused.
    struct Line {
        const std::string& file;
        std::string_view source;
        std::size_t offset;

        [[noreturn]] void refuse(const std::string& what) const {
            refuse_at(file, place_of(source, offset), what);
        }
    };

    [[noreturn]] static void refuse_amount(const Line& line) {
        line.refuse(fmt::format(
            "more than {} files or {} are included. Check whether an entire library is among them",
            kMostFiles, format_bytes(kMostSourceBytes)));
    }

    void include(const Line& line, std::string_view name, const fs::path& inside) {
        // The search order of a compiler: the folder of the including file first, then the kernel's folder.
        fs::path relative = (inside / name).lexically_normal();
        if (!leaves_folder(relative) && !edited_.exists(folder_ / relative) && !leaves_folder(name))
            relative = fs::path(name).lexically_normal();
        if (!lies_within(folder_, relative))
            line.refuse(
                fmt::format("\"{}\" is outside the kernel's folder, or a link that leads there. Copy the "
                            "file next to the kernel, and write #include \"{}\"",
                            name, fs::path(name).filename().string()));
        if (find_named(found_, relative.string())) return;

        std::string text;
        try {
            text = edited_.read(folder_ / relative, kMostSourceBytes);
        } catch (const BadInput& error) {
            line.refuse(
                fmt::format("{}. Put the file next to the kernel, or correct its name here", error.what()));
        }
        bytes_ += text.size();
        if (found_.size() == kMostFiles || bytes_ > kMostSourceBytes) refuse_amount(line);
        found_.push_back({relative.string(), text});
        collect((folder_ / relative).string(), text, relative.parent_path());
    }

    fs::path folder_;
    const EditedTexts& edited_;
    NamedList<std::string> found_;
    std::size_t bytes_ = 0;
};

/// Follows the collected includes without reading any file.
class SelfInclusion {
public:
    SelfInclusion(const fs::path& path, const NamedList<std::string>& includes)
        : folder_(path.parent_path()), includes_(includes), open_{path.filename().string()} {}

    /// @param name  path of `source`, relative to the kernel's folder
    std::optional<std::string> find(const std::string& name, std::string_view source) {
        for (const auto& [written, offset] : find_includes(source)) {
            std::string target = (fs::path(name).parent_path() / written).lexically_normal().string();
            const std::string* text = find_named(includes_, target);
            if (text == nullptr) {
                target = fs::path(written).lexically_normal().string();
                text = find_named(includes_, target);
            }
            if (text == nullptr) continue;
            if (std::find(open_.begin(), open_.end(), target) != open_.end())
                return fmt::format("{}:{}: includes {}. Remove this line, or guard the file with #ifndef",
                                   (folder_ / name).string(), place_of(source, offset).line,
                                   target == name ? "itself" : target + ", which includes this file again");
            if (!seen_.insert(target).second) continue;  // already searched
            open_.push_back(target);
            if (auto found = find(target, *text)) return found;
            open_.pop_back();
        }
        return std::nullopt;
    }

private:
    fs::path folder_;
    const NamedList<std::string>& includes_;
    std::vector<std::string> open_;  ///< the files on the current include path
    std::set<std::string> seen_;
};

}  // namespace

std::shared_ptr<const DeclaredProblem> open_problem(const fs::path& path, const EditedTexts& edited) {
    Declarations found{path.string(), std::nullopt};
    const std::string text = edited.read(path, kMostSourceBytes);
    if (path.extension() == ".toml")
        found.toml = text;
    else
        found = find_declarations(path, text, edited);
    std::shared_ptr<const ProblemSpec> declared;
    if (found.toml) declared = parse_front_matter(found.file, *found.toml).declares;
    if (!declared) throw BadInput(found.file + ": declares no problem. Add a [problem] table to it");
    return make_problem(*declared, path, found.file, edited);
}

bool names_problem_file(std::string_view problem) {
    return problem.ends_with(".cl") || problem.ends_with(".toml");
}

void choose_type(KernelFile& file) {
    if (file.spec.type.empty() || file.spec.problem.empty()) return;
    if (file.own_problem)
        refuse_key(
            file, "type",
            fmt::format("applies only to built-in problems; the types of {} are in its [problem.buffers]",
                        file.spec.problem));
    if (const auto type = split_typed_name(file.spec.problem).second; !type.empty())
        refuse_key(file, "type", fmt::format("`problem` already sets {}. Leave out one of them", type));
    try {
        file.spec.problem = typed_name(file.spec.problem, file.spec.type);
    } catch (const BadInput& error) {
        refuse_key(file, find_problem(file.spec.problem) ? "type" : "problem", error.what());
    }
}

namespace {

void find_own_problem(KernelFile& file, const fs::path& path, const EditedTexts& edited) {
    KernelSpec& spec = file.spec;
    if (spec.declares) {
        file.own_problem = make_problem(*spec.declares, path, file.declared_in, edited);
    } else if (names_problem_file(spec.problem)) {
        // Side-cars are restricted too, because they may have been downloaded with the kernel. The side-car
        // of the named file is checked because it is read as well.
        const fs::path folder = path.parent_path();
        if (!lies_within(folder, spec.problem) || !lies_within(folder, spec.problem + ".toml"))
            refuse_key(file, "problem",
                       "\"" + spec.problem +
                           "\" is outside this file's folder, or a link that leads there. Copy it next to "
                           "this file");
        try {
            file.own_problem = open_problem(folder / spec.problem, edited);
        } catch (const BadInput& error) {
            refuse_key(file, "problem", error.what());
        }
    }
    if (file.own_problem) spec.problem = file.own_problem->name();
    choose_type(file);
}

}  // namespace

KernelFile refused_kernel(const fs::path& path, const std::string& name, const BadInput& error) {
    KernelFile file;
    file.declared_in = file.spec.file = path.string();
    file.spec.name = name;
    file.refusal = finding_of(error);
    return file;
}

void refuse_key(const KernelFile& file, std::string_view key, const std::string& what) {
    const Place* place = find_named(file.places, key);
    if (place == nullptr) place = find_named(file.places, "");
    if (place == nullptr) throw BadInput(file.declared_in + ": " + what);
    refuse_at(file.declared_in, *place, what);
}

KernelFile read_kernel_file(const fs::path& path, const std::string& name, const EditedTexts& edited) {
    std::string source = edited.read(path, kMostSourceBytes);
    KernelFile file;
    file.declared_in = path.string();
    require_text(path, source);
    auto [declared_in, toml] = find_declarations(path, source, edited);
    const bool has_side_car = declared_in != file.declared_in;
    file.declared_in = std::move(declared_in);
    if (toml) {
        file.places.push_back({"", has_side_car ? Place{} : place_of(source, *find_first_comment(source))});
        file.spec = parse_front_matter(file.declared_in, *toml);
        for (auto& place : find_places(file.declared_in, std::move(*toml)))
            file.places.push_back(std::move(place));
    }
    find_own_problem(file, path, edited);
    check_param_guards(path.string(), source, macro_names(file.spec));
    file.spec.name = name;
    file.spec.file = path.string();
    file.spec.source_text = std::move(source);
    return file;
}

KernelFile open_kernel_file(const fs::path& path, const std::string& name, const EditedTexts& edited) {
    KernelFile file = read_kernel_file(path, name, edited);
    file.includes = collect_includes(path, file.spec.source_text, edited);
    for (const auto& include : file.includes)
        check_param_guards((path.parent_path() / include.name).string(), include.value,
                           macro_names(file.spec));
    return file;
}

std::vector<fs::path> files_of(const KernelFile& kernel) {
    const fs::path file = kernel.spec.file;
    std::vector<fs::path> files = {file, file.string() + ".toml"};
    for (const auto& [name, text] : kernel.includes) files.push_back(file.parent_path() / name);
    if (const auto& own = kernel.own_problem) {
        files.push_back(own->file());
        for (fs::path& neighbour : own->neighbours()) files.push_back(std::move(neighbour));
    }
    return files;
}

void check_param_guards(const std::string& file, std::string_view source,
                        const std::vector<std::string>& names) {
    if (names.empty()) return;
    const std::string blanked = blank_comments(source);
    std::vector<Conditional> open;
    for (const Directive& line : find_directives(blanked)) {
        if (line.keyword == "ifndef") {
            open.push_back({.undefined = std::string(leading_identifier(line.rest)), .defined = ""});
        } else if (line.keyword == "ifdef") {
            open.push_back({.undefined = "", .defined = std::string(leading_identifier(line.rest))});
        } else if (line.keyword == "if") {
            open.push_back({.undefined = negated_defined(line.rest), .defined = ""});
        } else if (!open.empty() && (line.keyword == "elif" || line.keyword == "else")) {
            open.back().in_first_branch = false;
            open.back().in_else = line.keyword == "else";
            open.back().has_elif |= line.keyword == "elif";
        } else if (!open.empty() && line.keyword == "endif") {
            open.pop_back();
        } else if (line.keyword == "define" || line.keyword == "undef") {
            if (open.size() > kMostConditionals)
                refuse_at(file, place_of(source, line.offset),
                          fmt::format("more than {} conditions (#if) are open here. End some with #endif",
                                      kMostConditionals));
            const std::string name(leading_identifier(line.rest));
            if (std::find(names.begin(), names.end(), name) == names.end() || guards(open, name)) continue;
            refuse_at(file, place_of(source, line.offset),
                      fmt::format("this #{} overrides the value chosen for {}. Put it between "
                                  "`#ifndef {}` and `#endif`",
                                  line.keyword, name, name));
        }
    }
}

std::optional<std::string> find_self_inclusion(const fs::path& path, std::string_view source,
                                               const NamedList<std::string>& includes) {
    return SelfInclusion(path, includes).find(path.filename().string(), source);
}

NamedList<std::string> collect_includes(const fs::path& path, std::string_view source,
                                        const EditedTexts& edited) {
    Collector collector(path.parent_path(), edited);
    collector.collect(path.string(), source, "");
    return collector.take();
}

}  // namespace kwb
