#include "session/adopt_command.hpp"

#include "base/error.hpp"
#include "base/shell.hpp"
#include "base/text.hpp"
#include "session/side_car.hpp"

namespace kwb {
namespace {

std::string problem_of(const KernelFile& file, const OwnOptions& options) {
    if (options.problem) return *options.problem;
    return file.own_problem ? file.own_problem->file().string() : file.spec.problem;
}

}  // namespace

std::string adopt_command(const KernelFile& file, const OwnOptions& options) {
    try {
        problem_in_side_car(file);
    } catch (const BadInput& error) {  // a declaration elsewhere
        return error.what();
    }
    // A name that begins with a dash would be an option.
    const std::string& name = file.spec.file;
    std::string command = "kwb adopt " + quote_for_shell(name.starts_with('-') ? "./" + name : name);
    const auto add = [&](const std::string& option, const std::string& value) {
        if (!value.empty()) command += " " + option + " " + quote_for_shell(value);
    };
    const auto add_settings = [&](const std::string& option, const NamedList<std::string>& settings) {
        for (const auto& setting : settings) add(option, setting.name + "=" + setting.value);
    };
    add("--problem", problem_of(file, options));
    add("--entry", options.entry.value_or(""));
    add("--args", join(options.args, ","));
    add("--global", join(options.global, ","));
    add("--local", join(options.local, options.has_plain_local() ? "x" : ","));
    add_settings("-D", options.defines);
    add_settings("--local-arg", options.local_mem);
    add_settings("--init", options.init);
    return command;
}

}  // namespace kwb
