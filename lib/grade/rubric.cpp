// SPDX-License-Identifier: Apache-2.0
#include "grade/rubric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "catalog/toml_reader.hpp"
#include "lessons/assessment.hpp"

namespace kwb {

template <class Fields>
void describe(Fields& f, LessonMistake& mistake) {
    f("name", mistake.name);
    f("when", mistake.when);
    f("says", mistake.says);
}

namespace {

constexpr double kMostPoints = 10'000;
/// All of them are timed with each submission.
constexpr std::size_t kMostReferences = 8;

/// [[criterion]]: its kind is recognised by the key that only this kind has.
struct CriterionTable {
    Criterion criterion;
    bool is_true = false;               ///< Compiles, Defined
    const toml::node* steps = nullptr;  ///< Speed
};
constexpr std::pair<const char*, Criterion::Kind> kKinds[] = {
    {"compiles", Criterion::Kind::Compiles}, {"sizes", Criterion::Kind::RightAt},
    {"defined", Criterion::Kind::Defined},   {"when", Criterion::Kind::Fact},
    {"faster_than", Criterion::Kind::Speed}, {"share_of", Criterion::Kind::Portability}};

template <class Fields>
void describe(Fields& f, CriterionTable& table) {
    Criterion& criterion = table.criterion;
    f("name", criterion.name);
    f.defaulted("visibility", criterion.visibility);
    switch (criterion.kind) {
        case Criterion::Kind::Compiles:
            f("compiles", table.is_true);
            break;
        case Criterion::Kind::RightAt:
            f("sizes", criterion.sizes, items(1));
            f.defaulted("each", criterion.is_shared);
            break;
        case Criterion::Kind::Defined:
            f("defined", table.is_true);
            break;
        case Criterion::Kind::Fact:
            f("when", criterion.when);
            f("at", criterion.at);
            break;
        case Criterion::Kind::Speed:
            f("faster_than", criterion.references, items(1, 1));
            f("at", criterion.at);
            f("steps", table.steps);
            f.defaulted("on", criterion.on, items(1, 1));
            return;  // the steps have the points
        case Criterion::Kind::Portability:
            f("share_of", criterion.references, items(1, kMostReferences));
            f("at", criterion.at);
            f("steps", table.steps);
            f("on", criterion.on, items(1, kMostTomlItems));
            return;
    }
    f("points", criterion.points, between(0, kMostPoints));
}

/// The file.
struct RubricTable {
    Rubric& rubric;
    double timeout_s = rubric.timeout_ms / 1000;
    const toml::node* deadline = nullptr;
    std::string zone = {};
    double grace_min = 0;
    std::vector<const toml::node*> criteria = {};
};

template <class Fields>
void describe(Fields& f, RubricTable& table) {
    Rubric& rubric = table.rubric;
    f("title", rubric.title);
    f("problem", rubric.problem);
    f("kernel", rubric.kernel);
    f.defaulted("rounding", rubric.rounding, between(0.001, 100));
    f.defaulted("late_per_day", rubric.late_per_day, between(0, kMostPoints));
    f.defaulted("late_at_most", rubric.late_at_most, between(0, kMostPoints));
    f.defaulted("deadline", table.deadline);
    f.defaulted("zone", table.zone);
    f.defaulted("grace_min", table.grace_min, between(0, 7 * 24 * 60));
    f.defaulted("attempts", rubric.attempts);
    f.defaulted("timeout_s", table.timeout_s, between(0.1, 3600));
    f("local", rubric.local);
    f("global", rubric.global);
    f("entry", rubric.entry);
    f("args", rubric.args);
    f.defaulted("given", rubric.given);
    f.defaulted("criterion", table.criteria);
    f.defaulted("mistake", rubric.mistakes);
}

/// A date and time of TOML, or a text.
std::optional<WrittenTime> read_time(const toml::node& node) {
    if (const auto* text = node.as_string()) return parse_time(text->get());
    std::ostringstream text;
    if (const auto* time = node.as_date_time()) text << time->get();
    return parse_time(text.str());
}

DueDate read_deadline(const TomlReader& reader, const RubricTable& table) {
    const auto time = read_time(*table.deadline);
    if (!time) reader.refuse(*table.deadline, "deadline must be a date and time, as 2026-12-01T23:59:00");
    if (table.zone.empty() && !time->offset)
        reader.refuse(*table.deadline, "add the time zone of the deadline: zone = \"Europe/Berlin\"");
    try {
        DueDate deadline{table.zone.empty() ? TimeZone::fixed(*time->offset) : TimeZone::open(table.zone),
                         {},
                         std::chrono::minutes(std::lround(table.grace_min))};
        deadline.at = time->in(deadline.zone);
        return deadline;
    } catch (const BadInput& error) {
        const auto* const zone = reader.root().get("zone");
        reader.refuse(zone != nullptr ? *zone : *table.deadline, error.what());
    }
}

void read_steps(const TomlReader& reader, const toml::node& steps, Criterion& criterion) {
    const auto number = [&](const toml::node& node, const char* what, double least, double most) {
        const double read = node.value<double>().value_or(least - 1);
        if (!node.is_number() || !(read >= least && read <= most))
            reader.refuse(node, fmt::format("{} must be a number from {} to {}", what, least, most));
        return read;
    };
    const toml::array* const list = steps.as_array();
    const bool is_share = criterion.kind == Criterion::Kind::Portability;
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        const toml::node& step = *list->get(i);
        const toml::array* const pair = step.as_array();
        if (pair == nullptr || pair->size() != 2) reader.refuse(step, "a step is [ratio, points]: [2.0, 10]");
        const Criterion::Step read{
            number(*pair->get(0), is_share ? "the share" : "the ratio", 0.01, is_share ? 1 : 1000),
            number(*pair->get(1), "the points", 0, kMostPoints)};
        if (!criterion.steps.empty() &&
            (criterion.steps.back().ratio >= read.ratio || criterion.steps.back().points >= read.points))
            reader.refuse(step, "ratios and points must rise from step to step");
        criterion.steps.push_back(read);
    }
    if (criterion.steps.empty()) reader.refuse(steps, "steps must be a list: [[1.5, 5], [3, 15]]");
    criterion.points = criterion.steps.back().points;
}

Criterion read_criterion(const TomlReader& reader, const toml::node& node) {
    const toml::table* const table = node.as_table();
    if (table == nullptr) reader.refuse(node, "criterion must be a table: [[criterion]]");
    for (const auto& [key, kind] : kKinds) {
        if (!table->contains(key)) continue;
        CriterionTable read;
        read.criterion.kind = kind;
        TomlRecordRules{reader, fault_of_names}.take(*table, fmt::format("a criterion with {}", key), read);
        const bool is_flag = kind == Criterion::Kind::Compiles || kind == Criterion::Kind::Defined;
        if (is_flag && !read.is_true) reader.refuse(*table->get(key), fmt::format("{} must be true", key));
        if (read.steps != nullptr) read_steps(reader, *read.steps, read.criterion);
        const std::vector<std::string>& on = read.criterion.on;
        for (const std::string& place : on)
            if (std::ranges::count(on, place) > 1)
                reader.refuse(*table->get("on"),
                              fmt::format("on names {} twice. Name each place once", place));
        return read.criterion;
    }
    reader.refuse(node,
                  "a criterion must state its condition: compiles = true, sizes = […], defined = true, "
                  "when = \"…\", faster_than = \"…\" or share_of = [\"…\"]");
}

}  // namespace

bool Criterion::is_timed_at(const std::string& place) const {
    return !references.empty() && (on.empty() ? place.empty() : std::ranges::find(on, place) != on.end());
}

double Rubric::points() const {
    double sum = 0;
    for (const Criterion& criterion : criteria) sum += criterion.points;
    return sum;
}

std::vector<std::string> Rubric::places() const {
    std::vector<std::string> places;
    for (const Criterion& criterion : criteria)
        for (const std::string& place : criterion.on)
            if (std::ranges::find(places, place) == places.end()) places.push_back(place);
    return places;
}

std::vector<std::string> Rubric::sizes() const {
    std::vector<std::string> all;
    const auto add = [&](const std::string& size) {
        if (std::ranges::find(all, size) == all.end()) all.push_back(size);
    };
    for (const Criterion& criterion : criteria) {
        std::ranges::for_each(criterion.sizes, add);
        if (criterion.kind == Criterion::Kind::Fact) add(criterion.at);
    }
    if (all.empty()) add(kAnySize);
    return all;
}

std::vector<std::string> gpus_in(const Expression& condition) {
    std::vector<std::string> gpus;
    for (const std::string& name : condition.names()) {
        const std::size_t dot = name.rfind('.');
        if (dot == std::string::npos || !is_gpu_fact(name.substr(dot + 1))) continue;
        if (std::ranges::find(gpus, name.substr(0, dot)) == gpus.end()) gpus.push_back(name.substr(0, dot));
    }
    return gpus;
}

Rubric read_rubric(const std::filesystem::path& file) {
    const TomlReader reader(file.string(), read_file(file, kMostTomlBytes));
    Rubric rubric;
    rubric.file = reader.file();
    rubric.late_at_most = kMostPoints;
    RubricTable table{rubric};
    TomlRecordRules{reader, fault_of_names}.take(reader.root(), "a rubric", table);
    rubric.timeout_ms = 1000 * table.timeout_s;
    if (table.deadline != nullptr)
        rubric.deadline = read_deadline(reader, table);
    else if (!table.zone.empty() || table.grace_min > 0 || rubric.attempts == AttemptRule::LastInTime)
        throw BadInput(reader.file() + ": zone, grace_min and attempts = \"last_in_time\" need a deadline");
    for (const toml::node* node : table.criteria) rubric.criteria.push_back(read_criterion(reader, *node));
    if (rubric.points() <= 0)
        throw BadInput(reader.file() + ": no points to award. Add [[criterion]] with points");
    return rubric;
}

}  // namespace kwb
