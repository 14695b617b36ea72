// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/own_words.hpp"
#include "experiment/side_car.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

Named<std::string> parse_param(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
        throw BadInput("--param " + text + ": give NAME=VALUE, e.g. --param TILE=8");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

std::function<std::uint64_t(const std::string&)> whole(const char* option, std::uint64_t least,
                                                       std::uint64_t most) {
    return [=](const std::string& text) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
            throw BadInput(option + (" " + text) + ": give a whole number from " + std::to_string(least) +
                           " to " + std::to_string(most));
        return value;
    };
}

std::function<double(const std::string&)> duration_ms(const char* option) {
    return [=](const std::string& text) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const std::string_view unit(end, text.data() + text.size());
        const double scale = unit == "ms"                  ? 1
                             : unit == "s" || unit.empty() ? 1000
                             : unit == "min"               ? 60'000
                             : unit == "h"                 ? 3'600'000
                                                           : 0;
        if (error != std::errc{} || scale == 0 || !(value > 0) || !std::isfinite(value))
            throw BadInput(option + (" " + text) +
                           ": give a time above 0, e.g. 500ms, 2s, 1min or 1h; a bare number is seconds");
        return value * scale;
    };
}

void add_device(CLI::App& verb, std::optional<std::string>& device, const char* help) {
    const auto take = [&device](const std::string& text) {
        if (trim(text).empty())
            throw BadInput(
                "--device is empty; 'kwb devices' lists the devices, and without the option the best one is "
                "used");
        device = text;
    };
    verb.add_option_function<std::string>("--device", take, help)->type_name("D");
}

void add_explain(CLI::App& verb, bool& explain) {
    verb.add_flag(
        "--explain", explain,
        "for a kernel whose file declares it wrong, also explain why; by default, that is for you to find");
}

void JudgeOptions::add(CLI::App& verb, const char* several) {
    const bool takes_several = *several != '\0';
    add_repeated(verb, "--on", on, "PLACE", "",
                 [this, takes_several](const std::string& text) {
                     if (!takes_several && !on.empty())
                         throw BadInput(
                             "--on: this verb takes one place; only kwb run, sweep, check, tune and grade "
                             "take several");
                     return text;
                 })
        ->description(std::string("use the devices of another place: a command that starts kwb-judge, e.g. "
                                  "\"ssh gpubox kwb-judge\", or a name from [places] in the settings") +
                      several);
    add_parsed(verb, "--wait", wait_ms, "10s",
               "with --on: longest time for the judge to start, e.g. in a cluster's queue (10s)",
               [this](const std::string& text) {
                   if (on.empty())
                       throw BadInput("--wait " + text +
                                      ": works only with --on; add --on PLACE, or leave --wait out");
                   return duration_ms("--wait")(text);
               });
    verb.add_flag(
        "--no-sandbox", no_sandbox,
        "let kernels access files, the network and other processes; for drivers that fail in the sandbox");
}

CLI::Option* OutputOptions::add(CLI::App& verb, const char* option, const char* help) {
    const auto take = [this, option](const std::string& file) { given_.push_back({option, file}); };
    return verb.add_option_function<std::string>(option, take, help)->type_name("F")->check(refuse_empty, "");
}

void OutputOptions::add_json(CLI::App& verb) {
    add(verb, "--json", "also write JSON to this file; - is standard output");
}

std::optional<std::string> OutputOptions::file(const char* option) const {
    const std::string* const file = find_named(given_, option);
    return file != nullptr ? std::optional(*file) : std::nullopt;
}

NamedList<std::string> OutputOptions::files() const {
    NamedList<std::string> files = given_;
    std::erase_if(files, [](const auto& output) { return output.value == "-"; });
    return files;
}

bool OutputOptions::data_on_stdout() const {
    return files().size() < given_.size();
}

void OutputOptions::tell(const std::string& text) const {
    data_on_stdout() ? print_error(text) : print(text);
}

void OutputOptions::refuse_equal() const {
    std::vector<std::string> on_stdout;
    for (const auto& [option, file] : given_)
        if (file == "-") on_stdout.push_back(option + " -");
    if (on_stdout.size() > 1)
        throw BadInput(enumerate(on_stdout) + " cannot " + (on_stdout.size() == 2 ? "both" : "all") +
                       " go to standard output; write all but one of them to a file");
    const NamedList<std::string> outputs = files();
    for (auto one = outputs.begin(); one != outputs.end(); ++one)
        for (auto other = one + 1; other != outputs.end(); ++other)
            if (is_same_file(one->value, other->value))
                throw BadInput(one->name + " " + one->value + " and " + other->name + " " + other->value +
                               " are the same file; give each a separate file");
}

void OutputOptions::require_writable() const {
    for (const auto& [option, file] : given_) require_output(file);
}

void ExperimentOptions::add_planning(CLI::App& verb) {
    add_device(verb, device,
               "the device: an id from 'kwb devices', its number in that list (from 0), cpu, gpu, or part "
               "of its name; default: the best");
    add_own_options(verb, own, experiment.choices);
    add_repeated(verb, "--param", experiment.choices.params, "TILE=8",
                 "set a compile-time parameter of the kernels", parse_param);
    verb.add_flag("--force", experiment.choices.force_params,
                  "allow parameter values that the kernel's file does not list");
}

void ExperimentOptions::add_size(CLI::App& verb, const char* help) {
    add_text(verb, "--size", size, "512", help);
}

void ExperimentOptions::add_rounds(CLI::App& verb, const char* time_budget_help) {
    add_parsed(verb, "--time-budget", experiment.time_budget_ms, "1s", time_budget_help,
               duration_ms("--time-budget"));
    add_parsed(verb, "--rounds", experiment.rounds, "N",
               "run exactly this many rounds, instead of until the intervals are narrow",
               whole("--rounds", 1, 1'000'000));
}

void ExperimentOptions::add_seed(CLI::App& verb, const char* help) {
    add_parsed(verb, "--seed", experiment.seed, "S", help, whole("--seed", 0, UINT64_MAX));
}

void ExperimentOptions::add_judging(CLI::App& verb, JudgeOptions& judge, const char* several,
                                    OutputOptions& outputs) {
    verb.add_flag_callback(
        "--no-xray", [this] { experiment.xray = false; },
        "skip the undefined-behaviour check (see 'kwb xray')");
    judge.add(verb, several);
    add_parsed(verb, "--timeout", experiment.timeout_ms, "30s",
               "longest time for one build or one launch, in ms, s, min or h; a bare number is seconds (30s)",
               duration_ms("--timeout"));
    outputs.add_json(verb);
}

void add_targets(CLI::App& verb, std::vector<std::string>& targets, const char* help) {
    verb.add_option("--target", targets, help)->type_name("GPU")->delimiter(',')->expected(1)->take_all();
}

Sizes ExperimentOptions::sizes(const Problem& problem) const {
    return size ? parse_sizes(problem, *size) : problem.default_sizes();
}

}  // namespace kwb::cli
