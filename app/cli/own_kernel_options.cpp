#include "own_kernel_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "session/experiment.hpp"

namespace kwb::cli {
namespace {

constexpr const char* kGroup = "A file without front matter (kept by 'kwb adopt')";

void add_repeated(CLI::App& verb, const char* name, std::vector<std::string>& values, const char* type,
                  const char* help) {
    verb.add_option(name, values, help)
        ->type_name(type)
        ->group(kGroup)
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);  // a kernel name that follows is not a second value
}

std::vector<std::string> pieces(const std::string& option, const std::optional<std::string>& text) {
    return text ? split_list(option, *text) : std::vector<std::string>();
}

bool all_expressions(const std::vector<std::string>& texts) {
    try {
        for (const std::string& text : texts) option_expression("--local", text);
        return true;
    } catch (const BadInput&) {
        return false;
    }
}

}  // namespace

void add_own_kernel_options(CLI::App& verb, RawOwnOptions& raw) {
    verb.add_option(
            "--local", raw.local,
            "work-group dimensions, e.g. 16x16 or 256; auto lets the driver choose; for a file without "
            "front matter expressions too: TILE,TILE")
        ->type_name("16x16");
    verb.add_option("--problem", raw.problem, "the problem that the file solves, if it does not say so")
        ->type_name("P")
        ->group(kGroup);
    verb.add_option("--entry", raw.entry, "its kernel function, if it has several")
        ->type_name("NAME")
        ->group(kGroup);
    verb.add_option(
            "--args", raw.args,
            "values for its arguments: argument=value, or only the values in the order of the source: "
            "for all arguments, all buffers, all numbers, or for those whose names do not tell (__local ones "
            "never "
            "count)")
        ->type_name("C,A,B")
        ->group(kGroup);
    verb.add_option(
            "--global", raw.global,
            "its work-items in each dimension, over the problem's sizes; default: one an element of what "
            "is written")
        ->type_name("\"round_up(N,16),M\"")
        ->group(kGroup);
    add_repeated(verb, "-D", raw.defines, "NAME=VALUE",
                 "a macro: an expression over the sizes, e.g. M=M, or a type's name; may be repeated");
    add_repeated(verb, "--local-arg", raw.local_mem, "NAME=ELEMENTS",
                 "the size of a __local pointer, e.g. tile=TILE*TILE; may be repeated");
    add_repeated(verb, "--init", raw.init, "NAME=0",
                 "what a buffer holds before every run: a number, or input; may be repeated");
}

OwnOptions finish_own_kernel_options(const RawOwnOptions& raw) {
    OwnOptions own;
    own.problem = raw.problem;
    own.entry = raw.entry;
    own.args = pieces("--args", raw.args);
    own.global = pieces("--global", raw.global);
    if (raw.local) {
        own.local = pieces("--local", raw.local);
        PlanChoices choices;
        const bool is_negative = std::any_of(own.local.begin(), own.local.end(), [](const std::string& size) {
            return size.starts_with('-') && size.find_first_not_of("0123456789", 1) == std::string::npos;
        });
        if (own.has_plain_local() || is_negative ||
            !all_expressions(own.local))  // rejected here, for any kernel
            choose_local(choices, own.has_plain_local() ? join(own.local, "x") : *raw.local);
    }
    for (const std::string& extent : own.global) option_expression("--global", extent);
    for (const std::string& text : raw.defines) own.defines.push_back(split_setting("-D", text, "TILE=16"));
    for (const std::string& text : raw.local_mem) {
        own.local_mem.push_back(split_setting("--local-arg", text, "tile=TILE*TILE"));
        option_expression("--local-arg " + own.local_mem.back().name, own.local_mem.back().value);
    }
    for (const std::string& text : raw.init) own.init.push_back(split_setting("--init", text, "C=0"));
    return own;
}

}  // namespace kwb::cli
