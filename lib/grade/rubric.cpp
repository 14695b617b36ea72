// SPDX-License-Identifier: Apache-2.0
#include "grade/rubric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "catalog/toml_reader.hpp"
#include "lessons/fact_names.hpp"

namespace kwb {
namespace {

constexpr double kMostPoints = 10'000;

class RubricReader {
public:
    explicit RubricReader(const std::filesystem::path& file)
        : reader_(file.string(), read_file(file, kMostTomlBytes)) {}

    Rubric read() const {
        const toml::table& root = reader_.root();
        reader_.allow_only(root, "a rubric",
                           {"title", "problem", "kernel", "rounding", "late_per_day", "late_at_most",
                            "timeout_s", "local", "global", "entry", "args", "criterion", "mistake"});
        Rubric rubric;
        rubric.file = reader_.file();
        rubric.title = text(root, "title");
        rubric.problem = text(root, "problem");
        rubric.kernel = text_if_any(root, "kernel");
        rubric.rounding = number_or(root, "rounding", rubric.rounding, 0.001, 100);
        rubric.late_per_day = number_or(root, "late_per_day", 0, 0, kMostPoints);
        rubric.late_at_most = number_or(root, "late_at_most", kMostPoints, 0, kMostPoints);
        rubric.timeout_ms = 1000 * number_or(root, "timeout_s", rubric.timeout_ms / 1000, 0.1, 3600);
        rubric.local = text_if_any(root, "local");
        rubric.global = text_if_any(root, "global");
        rubric.entry = text_if_any(root, "entry");
        rubric.args = text_if_any(root, "args");
        for (const toml::node* node : tables(root, "criterion")) rubric.criteria.push_back(criterion(*node));
        for (const toml::node* node : tables(root, "mistake")) {
            const toml::table& table = as_table(*node, "mistake");
            reader_.allow_only(table, "mistake", {"name", "when", "says"});
            rubric.mistakes.push_back({text(table, "name"), condition(table), text(table, "says")});
        }
        if (rubric.points() <= 0)
            throw BadInput(reader_.file() + ": no points to award. Add [[criterion]] with points");
        return rubric;
    }

private:
    Criterion criterion(const toml::node& node) const {
        const toml::table& table = as_table(node, "criterion");
        Criterion made;
        made.name = text(table, "name");
        made.kind = kind_of(table);
        if (made.kind == Criterion::Kind::Speed) {
            read_speed(table, made);
            return made;
        }
        made.points = number(node_of(table, "points"), "points", 0, kMostPoints);
        if (made.kind == Criterion::Kind::RightAt) {
            for (const toml::node* size : reader_.one_or_more(node_of(table, "sizes")))
                made.sizes.push_back(reader_.text(*size, "sizes"));
            if (made.sizes.empty()) reader_.refuse(node_of(table, "sizes"), "sizes must not be empty");
            made.is_shared = truth(table, "each");
        } else if (made.kind == Criterion::Kind::Fact) {
            made.at = text(table, "at");
            made.when = condition(table);
        }
        return made;
    }

    /// The kind, recognised by the key that only this kind has.
    Criterion::Kind kind_of(const toml::table& table) const {
        using Kind = Criterion::Kind;
        struct Known {
            const char* key;
            Kind kind;
            std::vector<std::string> keys;
        };
        const Known known[] = {{"compiles", Kind::Compiles, {"points"}},
                               {"sizes", Kind::RightAt, {"points", "each"}},
                               {"defined", Kind::Defined, {"points"}},
                               {"when", Kind::Fact, {"points", "at"}},
                               {"faster_than", Kind::Speed, {"at", "steps"}}};
        for (const Known& each : known) {
            if (table.get(each.key) == nullptr) continue;
            std::vector<std::string> keys = each.keys;
            keys.insert(keys.end(), {"name", each.key});
            reader_.allow_only(table, fmt::format("a criterion with {}", each.key), keys);
            const bool is_flag = each.kind == Kind::Compiles || each.kind == Kind::Defined;
            if (is_flag && !truth(table, each.key))
                reader_.refuse(*table.get(each.key), fmt::format("{} must be true", each.key));
            return each.kind;
        }
        reader_.refuse(table,
                       "a criterion must state its condition: compiles = true, sizes = […], defined = true, "
                       "when = \"…\" or faster_than = \"…\"");
    }

    void read_speed(const toml::table& table, Criterion& made) const {
        made.reference = text(table, "faster_than");
        made.at = text(table, "at");
        const toml::node& steps = node_of(table, "steps");
        const toml::array* const list = steps.as_array();
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
            const toml::node& step = *list->get(i);
            const toml::array* const pair = step.as_array();
            if (pair == nullptr || pair->size() != 2)
                reader_.refuse(step, "a step is [ratio, points]: [2.0, 10]");
            const Criterion::Step read{number(*pair->get(0), "the ratio", 0.01, 1000),
                                       number(*pair->get(1), "the points", 0, kMostPoints)};
            if (!made.steps.empty() &&
                (made.steps.back().ratio >= read.ratio || made.steps.back().points >= read.points))
                reader_.refuse(step, "ratios and points must rise from step to step");
            made.steps.push_back(read);
        }
        if (made.steps.empty()) reader_.refuse(steps, "steps must be a list: [[1.5, 5], [3, 15]]");
        made.points = made.steps.back().points;
    }

    const toml::node& node_of(const toml::table& table, const char* key) const {
        if (const toml::node* const node = table.get(key)) return *node;
        reader_.refuse(table, fmt::format("the key {} is missing", key));
    }
    std::string text(const toml::table& table, const char* key) const {
        return reader_.text(node_of(table, key), key);
    }
    std::optional<std::string> text_if_any(const toml::table& table, const char* key) const {
        const toml::node* const node = table.get(key);
        return node != nullptr ? std::optional(reader_.text(*node, key)) : std::nullopt;
    }
    double number(const toml::node& node, const char* what, double least, double most) const {
        const std::optional<double> read = node.value<double>();
        if (!node.is_number() || !(*read >= least && *read <= most))
            reader_.refuse(node, fmt::format("{} must be a number from {} to {}", what, least, most));
        return *read;
    }
    double number_or(const toml::table& table, const char* key, double otherwise, double least,
                     double most) const {
        const toml::node* const node = table.get(key);
        return node != nullptr ? number(*node, key, least, most) : otherwise;
    }
    bool truth(const toml::table& table, const char* key) const {
        const toml::node* const node = table.get(key);
        if (node == nullptr) return false;
        if (!node->is_boolean()) reader_.refuse(*node, fmt::format("{} must be true or false", key));
        return *node->value<bool>();
    }
    std::vector<const toml::node*> tables(const toml::table& table, const char* key) const {
        const toml::node* const node = table.get(key);
        return node != nullptr ? reader_.one_or_more(*node) : std::vector<const toml::node*>();
    }
    const toml::table& as_table(const toml::node& node, const char* key) const {
        const toml::table* const table = node.as_table();
        if (table == nullptr) reader_.refuse(node, fmt::format("{0} must be a table: [[{0}]]", key));
        return *table;
    }
    Expression condition(const toml::table& table) const {
        const toml::node& node = node_of(table, "when");
        Expression parsed = Expression::parse(reader_.expression(node, "when").text);
        if (const std::string fault = fault_of_names(parsed); !fault.empty()) reader_.refuse(node, fault);
        return parsed;
    }

    TomlReader reader_;
};

}  // namespace

double Rubric::points() const {
    double sum = 0;
    for (const Criterion& criterion : criteria) sum += criterion.points;
    return sum;
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

Rubric read_rubric(const std::filesystem::path& file) {
    return RubricReader(file).read();
}

}  // namespace kwb
