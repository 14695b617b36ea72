// SPDX-License-Identifier: Apache-2.0
#include "experiment/side_car.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/toml_text.hpp"
#include "catalog/edited_texts.hpp"
#include "catalog/kernel_file.hpp"
#include "experiment/own_words.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// A whole number is written as such, anything else as a string.
std::string expression(const Written& written) {
    const std::string& text = written.text;
    const bool whole = !text.empty() && text.size() < 10 &&
                       text.find_first_not_of("0123456789") == std::string::npos &&
                       (text == "0" || text.front() != '0');
    return whole ? text : in_quotes(text);
}

std::string list(const std::vector<Written>& extents) {
    std::vector<std::string> texts;
    for (const Written& extent : extents) texts.push_back(expression(extent));
    return "[" + join(texts, ", ") + "]";
}

std::string table(const NamedList<Written>& entries) {
    std::vector<std::string> texts;
    for (const auto& [name, value] : entries) texts.push_back(name + " = " + expression(value));
    return "{" + join(texts, ", ") + "}";
}

std::string number(double value) {
    if (value == std::floor(value) && std::fabs(value) < 0x1p53)
        return fmt::format("{}", static_cast<std::int64_t>(value));
    return fmt::format("{}", value);
}

/// A file name made safe for a TOML comment: control characters become '?'.
std::string comment_text(std::string name) {
    for (char& c : name)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return to_utf8(name);
}

std::string launch_text(const LaunchSpec& launch, bool alone) {
    std::string text = alone ? "\n[launch]\n" : "\n[[launch]]\n";
    text += "kernel = " + in_quotes(launch.kernel) + '\n';
    text += "global = " + list(launch.global) + '\n';
    text += "local  = " + (launch.local ? list(*launch.local) : in_quotes("auto")) + '\n';
    if (!launch.args.empty()) text += "args   = " + table(launch.args) + '\n';
    if (!launch.local_mem.empty()) text += "local_mem = " + table(launch.local_mem) + '\n';
    return text;
}

std::string problem_of(const KernelFile& file, const OwnOptions& options) {
    if (options.problem) return *options.problem;
    return file.own_problem ? file.own_problem->file().string() : file.spec.problem;
}

}  // namespace

fs::path side_car_of(const fs::path& kernel) {
    return kernel.string() + ".toml";
}

std::string problem_in_side_car(const KernelFile& kernel) {
    if (!kernel.own_problem) return kernel.spec.problem;
    const auto real_folder = [](const fs::path& file) {
        return fs::weakly_canonical(fs::absolute(file).parent_path());
    };
    const fs::path& declared = kernel.own_problem->file();
    const fs::path folder = real_folder(kernel.spec.file);
    const fs::path name = (real_folder(declared) / declared.filename()).lexically_relative(folder);
    if (!lies_within(folder, name))
        throw BadInput(fmt::format(
            "{}: is outside the kernel's folder, and a side-car must not refer to files there. Copy it, and "
            "the files that it names, next to {}, and adopt it with --problem {}",
            declared.string(), kernel.spec.file,
            quote_for_shell((fs::path(kernel.spec.file).parent_path() / declared.filename()).string())));
    return name.string();
}

std::string side_car_text(const KernelSpec& spec) {
    const std::string file = std::filesystem::path(spec.file).filename().string();
    std::string text =
        "# How " + comment_text(file) + " is run. Written by 'kwb adopt'; edit it as needed.\n";
    text += "problem = " + in_quotes(spec.problem) + '\n';
    for (const LaunchSpec& launch : spec.launches) text += launch_text(launch, spec.launches.size() == 1);
    if (!spec.build_options.empty()) text += "\n[build]\noptions = " + in_quotes(spec.build_options) + '\n';
    if (!spec.defines.empty()) text += "\n[defines]\n";
    for (const auto& [name, value] : spec.defines) text += name + " = " + expression(value) + '\n';
    if (!spec.init.empty()) text += "\n[init]\n";
    for (const auto& [name, init] : spec.init)
        text += name + " = " + (init.to_input ? in_quotes("input") : number(init.value)) + '\n';
    return text;
}

std::string adopt_command(const KernelFile& file, const OwnOptions& options) {
    try {
        problem_in_side_car(file);
    } catch (const BadInput& error) {  // the problem is declared in another folder
        return error.what();
    }
    // A name that begins with a dash would be parsed as an option.
    const std::string& name = file.spec.file;
    const std::string problem = problem_of(file, options);
    return "kwb adopt " + quote_for_shell(name.starts_with('-') ? "./" + name : name) +
           (problem.empty() ? "" : " --problem " + quote_for_shell(problem)) + own_option_words(options);
}

bool is_same_file(const fs::path& a, const fs::path& b) {
    std::error_code missing;
    if (fs::exists(a, missing) && !fs::is_regular_file(a, missing)) return false;
    return fs::equivalent(a, b, missing) ||
           fs::weakly_canonical(fs::absolute(a), missing) == fs::weakly_canonical(fs::absolute(b), missing);
}

std::vector<fs::path> kept_files(const KernelFile& kernel) {
    std::vector<fs::path> files = files_of(kernel);
    if (!kernel.own_problem) return files;
    std::vector<fs::path> of_problem = kernel.own_problem->neighbours();
    of_problem.push_back(kernel.own_problem->file());
    for (const fs::path& file : of_problem) {
        if (file.extension() != ".cl") continue;
        files.push_back(side_car_of(file));
        try {
            for (const auto& include : collect_includes(file, read_file(file)))
                files.push_back(file.parent_path() / include.name);
        } catch (const BadInput&) {  // reported when the kernel is run
        }
    }
    return files;
}

void refuse_replacing(const std::string& named, const fs::path& output, const KernelFile& kernel) {
    for (const fs::path& file : kept_files(kernel))
        if (is_same_file(output, file))
            throw BadInput(
                fmt::format("{} would replace {}, which belongs to the kernel {}; give the output "
                            "another name or folder",
                            named, file.string(), kernel.spec.name));
}

}  // namespace kwb
