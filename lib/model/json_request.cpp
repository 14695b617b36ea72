#include <cmath>

#include "model/json.hpp"

namespace kwb {
namespace {

constexpr std::uint64_t kMostRounds = 1'000'000;

std::optional<double> optional_duration(const JsonReader& reader, const char* key) {
    const std::optional<double> ms = reader.optional_number(key);
    if (ms && !(*ms >= 0)) reader.refuse(key, "a duration");
    return ms;
}

}  // namespace

Json to_json(const RunRequest& request) {
    Json contestants = Json::array();
    for (const Contestant& contestant : request.contestants)
        contestants.push_back(contestant.kernel ? to_json(*contestant.kernel) : Json(kHostBlasName));
    return {{"mode", request.mode == RunRequest::Mode::Run ? "run" : "check"},
            {"device", request.device},
            {"problem", request.problem},
            {"sizes", to_json(request.sizes)},
            {"seed", request.seed},
            {"contestants", contestants},
            {"baseline", request.baseline},
            {"rounds", request.rounds ? Json(*request.rounds) : Json(nullptr)},
            {"time_budget_ms", number_to_json(request.time_budget_ms)},
            {"interval_budget_ms", number_to_json(request.interval_budget_ms)},
            {"timeout_ms", number_to_json(request.timeout_ms)},
            {"unreadable_pages", request.unreadable_pages},
            {"keep_outputs", request.keep_outputs},
            {"declared", request.declared ? to_json(*request.declared) : Json(nullptr)}};
}

RunRequest request_from_json(const Json& json) {
    const JsonReader reader(json, "request");
    RunRequest request;
    const std::string mode = reader.text("mode");
    if (mode != "run" && mode != "check") reader.refuse("mode", "run or check");
    request.mode = mode == "run" ? RunRequest::Mode::Run : RunRequest::Mode::Check;
    request.device = reader.text("device");
    request.problem = reader.text("problem");
    request.sizes = sizes_from_json(reader.object("sizes"));
    request.seed = reader.unsigned_integer("seed");
    for (const Json& item : reader.array("contestants"))
        request.contestants.push_back(
            {item == kHostBlasName ? std::nullopt : std::optional(plan_from_json(item))});
    if (request.contestants.empty()) reader.refuse("contestants", "a list of at least one");
    request.baseline = reader.unsigned_integer("baseline", request.contestants.size() - 1);
    if (reader.has("rounds"))
        request.rounds = static_cast<std::uint32_t>(reader.unsigned_integer("rounds", kMostRounds));
    request.time_budget_ms = optional_duration(reader, "time_budget_ms");
    request.interval_budget_ms = optional_duration(reader, "interval_budget_ms");
    request.timeout_ms = reader.number("timeout_ms");
    if (!(request.timeout_ms > 0)) reader.refuse("timeout_ms", "above 0");
    request.unreadable_pages = reader.boolean("unreadable_pages");
    request.keep_outputs = reader.boolean("keep_outputs");
    if (reader.has("declared")) {
        auto declared = std::make_shared<DeclaredInstance>(declared_from_json(reader.object("declared")));
        declared->instance.problem = request.problem;
        declared->instance.sizes = request.sizes;
        request.declared = std::move(declared);
    }
    return request;
}

Json to_json(const Progress& progress) {
    return {{"stage", progress.stage},
            {"kernel", progress.kernel},
            {"rounds", progress.rounds},
            {"runs", progress.runs},
            {"median_ms", number_to_json(progress.median_ms)},
            {"ci95_ms", to_json(progress.ci95_ms)},
            {"elapsed_ms", progress.elapsed_ms},
            {"limit_ms", number_to_json(progress.limit_ms)}};
}

Progress progress_from_json(const Json& json) {
    const JsonReader reader(json, "progress");
    Progress progress;
    progress.stage = reader.text("stage");
    progress.kernel = reader.text("kernel");
    progress.rounds = static_cast<std::uint32_t>(reader.unsigned_integer("rounds", UINT32_MAX));
    progress.runs = static_cast<std::uint32_t>(reader.unsigned_integer("runs", UINT32_MAX));
    progress.median_ms = reader.optional_number("median_ms");
    progress.ci95_ms = interval_from_json(reader, "ci95_ms");
    progress.elapsed_ms = reader.number("elapsed_ms");
    progress.limit_ms = reader.optional_number("limit_ms");
    for (const double* duration : {&progress.elapsed_ms, progress.limit_ms ? &*progress.limit_ms : nullptr})
        if (duration != nullptr && (!std::isfinite(*duration) || *duration < 0))
            reader.refuse(duration == &progress.elapsed_ms ? "elapsed_ms" : "limit_ms", "a duration");
    return progress;
}

}  // namespace kwb
