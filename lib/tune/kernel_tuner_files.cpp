// SPDX-License-Identifier: Apache-2.0
#include "tune/kernel_tuner_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "base/record_json.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "model/result_fields.hpp"
#include "stats/interval.hpp"

namespace kwb {

template <class Fields>
void describe(Fields& f, TunedCase& about) {
    f("device_name", about.device_name);
    f("kernel_name", about.kernel_name);
    f("problem_size", about.problem_size);
    f.derived("tune_params_keys", names_of(about.params), "");
    f("tune_params", about.params);
    f.derived("objective", std::string("time"), "");
    f.derived("kwb_version", kwb_version(), "");
    f("kwb", about.identity);
}

template <class Fields>
void describe(Fields& f, Trial& trial) {
    f("cost_ms", trial.cost_ms, kDuration);
    f("least_cost_ms", trial.least_cost_ms, kDuration);
    f("wall_ms", trial.wall_ms, kDuration);
    f("ended", trial.ended);
    f("is_imported", trial.is_imported);
    f("result", trial.result);
}

std::optional<Flaw> check(const Trial& trial) {
    if (trial.cost_ms && (!(*trial.cost_ms > 0) || !is_good(trial.result.verdict)))
        return Flaw{"cost_ms", "above 0, of a good verdict"};
    if (trial.cost_ms.has_value() != trial.least_cost_ms.has_value())
        return Flaw{"least_cost_ms", "there with cost_ms"};
    return std::nullopt;
}

namespace {

constexpr const char* kInvalid = "InvalidConfig";
constexpr const char* kNotCompiled = "CompilationFailedConfig";
constexpr const char* kFailed = "RuntimeFailedConfig";

/// Kernel Tuner's word for a trial without a time.
const char* error_of(const Trial& trial) {
    switch (trial.result.verdict) {
        case Verdict::CompileError:
        case Verdict::CompilerCrashed:
            return kNotCompiled;
        case Verdict::Constraint:
        case Verdict::Unsupported:
            return kInvalid;
        default:
            return kFailed;
    }
}

/// The schema's word.
const char* invalidity_of(const Trial& trial) {
    switch (trial.result.verdict) {
        case Verdict::Correct:
        case Verdict::Ran:
            return trial.cost_ms ? "correct" : "runtime";
        case Verdict::Wrong:
        case Verdict::Undefined:
            return "correctness";
        case Verdict::CompileError:
        case Verdict::CompilerCrashed:
            return "compile";
        case Verdict::Constraint:
        case Verdict::Unsupported:
            return "constraints";
        case Verdict::Timeout:
            return "timeout";
        default:
            return "runtime";
    }
}

/// The parts of a trial's time. The checks, X-ray and everything else without a separate clock count as
/// verification.
struct TrialTimes {
    double compile_ms = 0;
    double benchmark_ms = 0;
    double verification_ms = 0;
};

TrialTimes times_of(const Trial& trial) {
    TrialTimes times;
    times.compile_ms = trial.result.build_ms.value_or(0);
    times.benchmark_ms = std::accumulate(trial.result.samples_ms.begin(), trial.result.samples_ms.end(), 0.0);
    times.verification_ms = std::max(0.0, trial.wall_ms - times.compile_ms - times.benchmark_ms);
    return times;
}

/// One line of a cache as an entry. @return  null: it is none
Json parse_entry(std::string_view line) {
    try {
        Json entry = parse_json(fmt::format("{{{}}}", line));
        return entry.size() == 1 && entry.front().is_object() ? entry : Json();
    } catch (const ProtocolError&) {
        return {};
    }
}

/// The position after `"cache": {`; npos: there is none.
std::size_t entries_begin(std::string_view text) {
    constexpr std::string_view kKey = "\"cache\"";
    for (std::size_t at = text.find(kKey); at != text.npos; at = text.find(kKey, at + 1)) {
        const std::string_view rest = text.substr(at + kKey.size());
        const std::size_t brace = rest.find_first_not_of(": \t\r\n");
        if (brace != rest.npos && rest[brace] == '{') return at + kKey.size() + brace + 1;
    }
    return text.npos;
}

TunedCase parse_header(std::string_view text) {
    try {
        Json header = parse_json(fmt::format("{}}}}}", text));
        if (!header.contains("kwb")) header["kwb"] = Json::object();
        if (Json& size = header["problem_size"]; size.is_number()) size = Json::array({size});
        return kwb::from_json<TunedCase>(header, "it");
    } catch (const ProtocolError& error) {
        throw BadInput(fmt::format("its header is damaged ({})", error.what()));
    }
}

/// A file that was closed, and perhaps rewritten by other programs. @return  null: it is not whole
Json parse_closed(std::string_view text) {
    try {
        const Json document = parse_json(text);
        const auto cache = document.find("cache");
        const bool is_whole =
            cache != document.end() && cache->is_object() &&
            std::ranges::all_of(*cache, [](const Json& entry) { return entry.is_object(); });
        return is_whole ? *cache : Json();
    } catch (const ProtocolError&) {
        return {};
    }
}

std::string size_text(const std::vector<std::int64_t>& size) {
    return fmt::format("{}", fmt::join(size, " x "));
}

/// Kernel Tuner's problem is the NDRange before it is divided: it has no extent for a kernel's loops, and may
/// repeat one.
bool is_same_size(const TunedCase& theirs, const TunedCase& ours) {
    if (!theirs.identity.empty()) return theirs.problem_size == ours.problem_size;
    const auto extents_of = [](const std::vector<std::int64_t>& size) {
        std::set<std::int64_t> extents(size.begin(), size.end());
        extents.erase(1);
        return extents;
    };
    return extents_of(theirs.problem_size) == extents_of(ours.problem_size);
}

/// A trial that Kernel Tuner wrote. @return  nullopt: it has neither a time nor an error
std::optional<Trial> read_imported(const Json& entry, const Space& space, const KernelResult& blank) {
    Trial trial{0, blank};
    trial.is_imported = true;
    KernelResult& result = trial.result;
    for (const std::string& name : names_of(space.params())) {
        const auto value = entry.find(name);
        if (value == entry.end()) return std::nullopt;
        if (value->is_number_integer()) result.params.push_back({name, value->get<std::int64_t>()});
        if (value->is_string()) result.params.push_back({name, value->get<std::string>()});
    }
    result.reason = "measured by Kernel Tuner; it was not run by kwb";
    const auto error = entry.find("__error__");
    const auto time = entry.find("time");
    if (error != entry.end() || (time != entry.end() && time->is_string())) {
        const Json& word = error != entry.end() ? *error : *time;
        result.verdict = word == kNotCompiled ? Verdict::CompileError
                         : word == kInvalid   ? Verdict::Constraint
                                              : Verdict::LaunchError;
        return trial;
    }
    if (const auto times = entry.find("times"); times != entry.end() && times->is_array())
        for (const Json& sample : *times)
            if (sample.is_number()) result.samples_ms.push_back(sample.get<double>());
    if (result.samples_ms.size() > 1) result.samples_ms.erase(result.samples_ms.begin());  // the first run
    if (result.samples_ms.empty() && time != entry.end() && time->is_number())
        result.samples_ms = {time->get<double>()};
    if (result.samples_ms.empty()) return std::nullopt;
    result.verdict = Verdict::Ran;
    result.median_ms = stats::median(result.samples_ms);
    result.ci95_ms = stats::median_interval(result.samples_ms);
    if (!(*result.median_ms > 0) || !std::isfinite(*result.median_ms)) return std::nullopt;
    trial.cost_ms = result.median_ms;
    trial.least_cost_ms = result.ci95_ms ? result.ci95_ms->low : *result.median_ms / kAssumedUncertainty;
    return trial;
}

}  // namespace

std::string cache_header(const TunedCase& about) {
    Json header = write_json(about);
    header["cache"] = Json::object();
    const std::string text = dump_json(header, 0);
    return text.substr(0, text.size() - std::string_view("}\n}").size());
}

std::string cache_line(std::string_view key, std::string_view text) {
    return fmt::format("\n{}: {},", dump_json(key), text);
}

std::string cache_key(const Trial& trial) {
    std::vector<std::string> values;
    for (const auto& [name, value] : trial.result.params) values.push_back(to_string(value));
    return join(values, ",");
}

std::string cache_entry(const Trial& trial) {
    const TrialTimes times = times_of(trial);
    Json entry = write_json(trial.result.params);
    if (trial.cost_ms) {
        entry["time"] = *trial.cost_ms;
    } else {
        entry["time"] = error_of(trial);
        entry["__error__"] = error_of(trial);
    }
    entry["times"] = trial.result.samples_ms;
    entry["compile_time"] = times.compile_ms;
    entry["verification_time"] = times.verification_ms;
    entry["benchmark_time"] = times.benchmark_ms;
    entry["strategy_time"] = 0;
    entry["framework_time"] = 0;
    entry["timestamp"] = trial.ended;
    entry["kwb"] = write_json(trial);
    return dump_json(entry);
}

CacheText read_cache(std::string_view text) {
    const std::size_t begin = entries_begin(text);
    if (begin == text.npos) throw BadInput("it is not a cache of kwb tune or of Kernel Tuner");
    CacheText cache{parse_header(text.substr(0, begin)), {}, 0};
    std::map<std::string, std::size_t> places;
    const auto add = [&](const std::string& key, const Json& entry) {
        const auto [place, is_new] = places.try_emplace(key, cache.entries.size());
        if (is_new) cache.entries.push_back({key, {}});
        cache.entries[place->second].value = dump_json(entry);
    };
    for (const std::string& line : split_lines(text.substr(begin))) {
        std::string_view rest = trim(line);
        if (rest.ends_with(',')) rest.remove_suffix(1);
        if (rest.empty()) continue;
        if (const Json entry = parse_entry(rest); !entry.is_null())
            add(entry.begin().key(), entry.front());
        else
            ++cache.damaged;
    }
    if (cache.damaged == 0) return cache;
    if (const Json closed = parse_closed(text); !closed.is_null()) {
        cache.damaged = 0;
        for (const auto& [key, entry] : closed.items()) add(key, entry);
    }
    return cache;
}

void require_same(const TunedCase& theirs, const TunedCase& ours) {
    std::vector<std::string> differences;
    const auto compare = [&](const std::string& what, const std::string& there, const std::string& here) {
        constexpr std::size_t kMostShown = 60;
        if (there == here) return;
        const bool is_short = std::max(there.size(), here.size()) < kMostShown;
        const auto quoted = [](const std::string& text) { return text.empty() ? "none" : "'" + text + "'"; };
        differences.push_back(is_short
                                  ? fmt::format("{} ({} there, {} here)", what, quoted(there), quoted(here))
                                  : what + " differs");
    };
    compare("the device", theirs.device_name, ours.device_name);
    compare("the kernel function", theirs.kernel_name, ours.kernel_name);
    if (!is_same_size(theirs, ours))
        compare("the size", size_text(theirs.problem_size), size_text(ours.problem_size));
    compare("the list of parameters", join(names_of(theirs.params), ", "), join(names_of(ours.params), ", "));
    if (!theirs.identity.empty())
        for (const auto& [what, here] : ours.identity) {
            const std::string* there = find_named(theirs.identity, what);
            compare("the " + what, there != nullptr ? *there : "", here);
        }
    if (!differences.empty())
        throw BadInput(fmt::format("it is the cache of another tuning ({}). Name another file with --cache",
                                   enumerate(differences)));
}

std::optional<Trial> read_cache_entry(std::string_view text, const Space& space, const KernelResult& blank) {
    const Json entry = parse_json(text);
    std::optional<Trial> trial;
    try {
        if (const auto ours = entry.find("kwb"); ours != entry.end()) trial = from_json<Trial>(*ours);
    } catch (const ProtocolError&) {
        // Another version wrote it: what Kernel Tuner would read is still there.
    }
    if (!trial) trial = read_imported(entry, space, blank);
    if (!trial) return std::nullopt;
    const auto found = space.find(trial->result.params);
    if (!found) return std::nullopt;
    trial->configuration = *found;
    return trial;
}

std::string t4_document(const std::vector<const Trial*>& trials) {
    Json results = Json::array();
    for (const Trial* trial : trials) {
        const TrialTimes times = times_of(*trial);
        Json measurements = Json::array();
        const auto measure = [&](const char* name, const std::optional<double>& value, const char* unit) {
            if (value) measurements.push_back({{"name", name}, {"value", *value}, {"unit", unit}});
        };
        measure("time", trial->cost_ms, "ms");
        measure("gflops", trial->result.gflops, "GFLOP/s");
        measure("gbytes_s", trial->result.gbytes_s, "GB/s");
        // The schema has compilation_time, Kernel Tuner writes compilation.
        results.push_back({{"timestamp", trial->ended},
                           {"configuration", write_json(trial->result.params)},
                           {"times",
                            {{"compilation", times.compile_ms},
                             {"compilation_time", times.compile_ms},
                             {"benchmark", times.benchmark_ms},
                             {"framework", 0},
                             {"search_algorithm", 0},
                             {"validation", times.verification_ms},
                             {"runtimes", trial->result.samples_ms}}},
                           {"invalidity", invalidity_of(*trial)},
                           {"correctness", is_good(trial->result.verdict) ? 1 : 0},
                           {"measurements", measurements},
                           {"objectives", Json::array({"time"})}});
    }
    return dump_json({{"results", results},
                      {"schema_version", "1.0.0"},
                      {"metadata", {{"timeunit", "milliseconds"}}}},
                     1) +
           "\n";
}

}  // namespace kwb
