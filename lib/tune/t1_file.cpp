// SPDX-License-Identifier: Apache-2.0
#include "tune/t1_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <set>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/record_json.hpp"
#include "base/text.hpp"
#include "catalog/expression.hpp"
#include "tune/t1_values.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostT1Items = 1000;  ///< parameters, or conditions
constexpr std::size_t kMostNameBytes = 256;
constexpr std::size_t kMostJson = 100'000;
constexpr std::array<const char*, 3> kDimensions = {"X", "Y", "Z"};
constexpr std::array<const char*, 3> kT1Locals = {"local.x", "local.y", "local.z"};
/// Parameters that are the work-group unless the program that calls Kernel Tuner sets it.
constexpr std::array<const char*, 3> kBlockSizes = {"block_size_x", "block_size_y", "block_size_z"};

[[noreturn]] void refuse(const T1File& file, const std::string& place, const std::string& what) {
    throw BadInput(fmt::format("{}: {}: {}", file.name, place, what));
}

/// Parse an expression over the parameters.
void require_expression(const T1File& file, const T1Text& written) {
    try {
        Expression::parse(written.text).require_names(names_of(file.params));
    } catch (const ExpressionError& error) {
        refuse(file, fmt::format("{} '{}'", written.place, written.text), error.what());
    }
}

/// Dimensions at the end that change nothing.
void drop_ones(std::vector<T1Text>& sizes) {
    while (sizes.size() > 1 && sizes.back().text == "1") sizes.pop_back();
}

class T1Reader {
public:
    T1Reader(const Json& json, const std::string& name) : root_(json, "") { file_.name = name; }

    T1File read() {
        const JsonPlace space = root_.at("ConfigurationSpace");
        read_params(space.at("TuningParameters"));
        if (space.find("Conditions") != nullptr) read_conditions(space.at("Conditions"));
        if (root_.find("KernelSpecification") != nullptr) read_kernel(root_.at("KernelSpecification"));
        if (root_.find("Search") != nullptr) {
            const JsonPlace search = root_.at("Search");  // a place must outlive its members
            search.require_object();
            const JsonPlace name = search.at("Name");
            file_.search = T1Text{place_of(name), text(name)};
        }
        if (root_.find("Budget") != nullptr) read_budget(root_.at("Budget"));
        return std::move(file_);
    }

private:
    /// The name of a place, without the dot that the root's empty name leaves.
    static std::string place_of(const JsonPlace& place) {
        const std::string path = place.path();
        return path.starts_with('.') ? path.substr(1) : path;
    }

    static std::string text(const JsonPlace& place) {
        if (!place.json.is_string()) place.refuse("a text");
        return place.json.get<std::string>();
    }

    [[noreturn]] void refuse_at(const JsonPlace& place, const std::string& what) const {
        refuse(file_, place_of(place), what);
    }

    void read_params(const JsonPlace& list) {
        list.require_array(items(1, kMostT1Items));
        std::set<std::string> names;
        for (std::size_t i = 0; i < list.json.size(); ++i) {
            const JsonPlace param(list, i);
            param.require_object();
            const JsonPlace name_at = param.at("Name");
            const std::string name = text(name_at);
            require_name(name_at, name);
            if (!names.insert(name).second)
                refuse_at(name_at, fmt::format("{} appears twice. Leave one out", name));
            const JsonPlace values = param.at("Values");
            try {
                file_.params.push_back({name, read_t1_values(text(values))});
            } catch (const ExpressionError& error) {
                refuse_at(values, fmt::format("of parameter {}, {}", name, error.what()));
            }
        }
    }

    /// It becomes a macro.
    void require_name(const JsonPlace& place, const std::string& name) const {
        if (name.empty() || name.size() > kMostNameBytes || !std::ranges::all_of(name, is_word_part) ||
            std::isdigit(static_cast<unsigned char>(name.front())) != 0)
            refuse_at(place,
                      fmt::format("'{}' cannot be the name of a parameter. Use only letters, digits and _",
                                  name.substr(0, kMostNameBytes)));
    }

    void read_conditions(const JsonPlace& list) {
        list.require_array(items(0, kMostT1Items));
        for (std::size_t i = 0; i < list.json.size(); ++i) {
            const JsonPlace condition(list, i);
            condition.require_object();
            const JsonPlace expression = condition.at("Expression");
            const T1Text written{place_of(expression), text(expression)};
            require_expression(file_, written);
            const std::string name = fmt::format("Conditions[{}] of {}", i, file_.name);
            const std::string origin = file_.name + ": " + written.place;
            file_.conditions.push_back({name, {.text = written.text, .option = origin}});
        }
    }

    void read_kernel(const JsonPlace& kernel) {
        kernel.require_object();
        const auto read_text = [&](const char* key, std::string& value) {
            if (kernel.find(key) != nullptr) value = text(kernel.at(key));
        };
        read_text("Language", file_.language);
        read_text("KernelFile", file_.kernel_file);
        read_text("KernelName", file_.kernel_name);
        if (kernel.find("ProblemSize") != nullptr)
            file_.problem_size = numbers_or_texts(kernel.at("ProblemSize"), 3);
        file_.local_size = extents(kernel, "LocalSize");
        file_.global_size = extents(kernel, "GlobalSize");
        std::string type;
        read_text("GlobalSizeType", type);
        file_.global_in_groups = type == "CUDA";
        for (std::size_t d = 0; d < kDimensions.size(); ++d) {
            const std::string key = std::string("GridDiv") + kDimensions[d];
            if (const Json* division = kernel.find(key); division != nullptr && !division->is_null())
                file_.grid_div[d] = numbers_or_texts(kernel.at(key), kMostT1Items);
        }
        drop_ones(file_.local_size);
        drop_ones(file_.global_size);
        note_unused(kernel);
    }

    /// A number, a text, or a list of them.
    std::vector<T1Text> numbers_or_texts(const JsonPlace& place, std::size_t most) const {
        std::vector<T1Text> texts;
        const auto add = [&](const JsonPlace& item) {
            if (item.json.is_number_integer())
                texts.push_back({place_of(item), dump_json(item.json)});
            else if (item.json.is_string())
                texts.push_back({place_of(item), text(item)});
            else
                item.refuse("a whole number or a text");
        };
        if (!place.json.is_array()) {
            add(place);
            return texts;
        }
        place.require_array(items(0, most));
        for (std::size_t i = 0; i < place.json.size(); ++i) add(JsonPlace(place, i));
        return texts;
    }

    /// An object with X, Y and Z.
    std::vector<T1Text> extents(const JsonPlace& kernel, const char* key) const {
        std::vector<T1Text> texts;
        if (kernel.find(key) == nullptr) return texts;
        const JsonPlace sizes = kernel.at(key);
        sizes.require_object();
        for (const char* dimension : kDimensions) {
            if (sizes.find(dimension) == nullptr) break;
            for (T1Text& one : numbers_or_texts(sizes.at(dimension), 1)) texts.push_back(std::move(one));
        }
        return texts;
    }

    void note_unused(const JsonPlace& kernel) {
        const auto has = [&](const char* key) {
            const Json* value = kernel.find(key);
            return value != nullptr && !value->is_null() && *value != 0 &&
                   (value->is_number() || !value->empty());
        };
        if (has("Arguments")) file_.unused.push_back("Arguments (the problem has its own inputs)");
        if (has("CompilerOptions"))
            file_.unused.push_back("CompilerOptions (front matter has [build] options)");
        if (has("SharedMemory")) file_.unused.push_back("SharedMemory (--local-arg sizes local memory)");
        if (has("Device")) file_.unused.push_back("Device (--device chooses one)");
        if (has("SimulationInput"))
            file_.unused.push_back("SimulationInput (--cache with --resume reads such a file)");
    }

    /// Kernel Tuner takes the first of several, too.
    void read_budget(const JsonPlace& list) {
        list.require_array(items(0));
        if (list.json.empty()) return;
        const JsonPlace budget(list, 0);
        budget.require_object();
        const std::string type = text(budget.at("Type"));
        const JsonPlace value = budget.at("BudgetValue");
        const double amount = value.json.is_number() ? value.json.get<double>() : 0;
        if (!(amount > 0) || amount > 1e9) value.refuse("a number above 0, and at most 10^9");
        if (type == "ConfigurationCount")
            file_.budget = TuneBudget{static_cast<std::size_t>(std::ceil(amount)), {}};
        else if (type == "TuningDuration")
            file_.budget = TuneBudget{{}, 1000 * amount};
        else
            file_.unused.push_back(
                fmt::format("Budget of type {} (--budget takes a number of configurations, "
                            "or a time)",
                            type));
    }

    const JsonPlace root_;
    T1File file_;
};

/// A size in the file that is a number. @return  nullopt: it is computed
std::optional<std::int64_t> number_in(const T1File& file, const T1Text& written) {
    const std::string_view text = trim(written.text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    if (value < 1) refuse(file, written.place, fmt::format("{} is not a size. Give a number above 0", value));
    return value;
}

/// A name or a number, which needs no brackets.
bool is_plain(const std::string& expression) {
    return std::ranges::all_of(expression, is_word_part);
}

/// For each dimension of the problem's size its extent as an expression over sizes.
std::vector<std::string> problem_extents(const T1File& file, const T1Case& about) {
    std::vector<T1Text> sizes = file.problem_size;
    drop_ones(sizes);
    for (const T1Text& size : sizes)
        if (!number_in(file, size))
            refuse(file, size.place,
                   fmt::format("'{}' is not a number. Set the work-items with --global", size.text));
    if (sizes.size() == about.extents.size()) return about.extents;
    if (sizes.size() == 1 && !about.extents.empty()) return {join(about.extents, " * ")};
    refuse(file, "KernelSpecification.ProblemSize",
           fmt::format("it has {}, but the output of {} has {}. Set the work-items with --global",
                       counted(sizes.size(), "dimension"), about.problem,
                       about.extents.empty() ? std::string("none that are sizes")
                                             : std::to_string(about.extents.size())));
}

}  // namespace

T1File read_t1(std::string_view text, const std::string& name) {
    try {
        const Json json = parse_json(text, kMostJson);
        if (!json.is_object()) throw ProtocolError("it must be an object");
        return T1Reader(json, name).read();
    } catch (const ProtocolError& error) {
        std::string what = error.what();
        if (what.starts_with('.')) what.erase(0, 1);
        throw BadInput(
            fmt::format("{}: {}. The parts of a T1 file are listed in docs/tuning.md", name, what));
    }
}

std::vector<std::string> t1_local(const T1File& file) {
    std::vector<std::string> local;
    for (const T1Text& extent : file.local_size) {
        try {
            require_expression(file, extent);
        } catch (const BadInput& error) {
            throw BadInput(std::string(error.what()) + ". Or set the work-group with --local");
        }
        local.push_back(extent.text);
    }
    if (!local.empty()) return local;
    for (const char* name : kBlockSizes) {
        if (find_named(file.params, name) == nullptr) break;
        local.emplace_back(name);
    }
    if (local.empty())
        refuse(file, "KernelSpecification",
               "LocalSize is missing. Add it, or set the work-group with --local");
    return local;
}

std::vector<std::string> t1_global(const T1File& file, const T1Case& about) {
    std::vector<std::string> global;
    if (file.problem_size.empty()) {
        if (file.global_size.empty())
            refuse(file, "KernelSpecification",
                   "ProblemSize is missing. Add it, or set the work-items with --global");
        for (const T1Text& extent : file.global_size) {
            require_expression(file, extent);
            const char* per_group = kT1Locals.at(global.size());
            global.push_back(file.global_in_groups ? fmt::format("({}) * {}", extent.text, per_group)
                                                   : extent.text);
        }
        for (std::size_t d = global.size(); d < about.dimensions; ++d) global.emplace_back(kT1Locals.at(d));
        return global;
    }
    const std::vector<std::string> extents = problem_extents(file, about);
    for (std::size_t d = 0; d < std::max(extents.size(), about.dimensions); ++d) {
        std::vector<std::string> divisors;
        for (const T1Text& divisor : file.grid_div[d]) {
            require_expression(file, divisor);
            divisors.push_back(is_plain(divisor.text) ? divisor.text : "(" + divisor.text + ")");
        }
        if (divisors.empty() && find_named(file.params, kBlockSizes[d]) != nullptr)
            divisors.emplace_back(kBlockSizes[d]);
        const std::string extent = d < extents.size() ? extents[d] : "1";
        global.push_back(divisors.empty() ? fmt::format("{} * {}", extent, kT1Locals[d])
                                          : fmt::format("ceil_div({}, {}) * {}", extent,
                                                        join(divisors, " * "), kT1Locals[d]));
    }
    return global;
}

std::vector<std::int64_t> t1_numbers(const T1File& file) {
    std::vector<std::int64_t> numbers;
    for (const T1Text& size : file.problem_size) {
        const auto number = number_in(file, size);
        if (!number) return {};
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<std::string> t1_size(const T1File& file, const T1Case& about) {
    std::vector<std::int64_t> given = t1_numbers(file);
    if (given.empty()) return std::nullopt;
    while (given.size() > about.extents.size() && given.back() == 1) given.pop_back();
    const bool are_equal = std::ranges::count(given, given.front()) == std::ptrdiff_t(given.size());
    std::vector<std::string> texts;
    for (const std::string& name : about.sizes) {
        const auto extent = std::ranges::find(about.extents, name) - about.extents.begin();
        const bool is_extent = std::size_t(extent) < about.extents.size();
        if (given.size() != about.extents.size() || (!is_extent && !are_equal))
            refuse(file, "KernelSpecification.ProblemSize",
                   fmt::format("{} of {} is missing. Set the size with --size", name, about.problem));
        texts.push_back(std::to_string(is_extent ? given[std::size_t(extent)] : given.front()));
    }
    return join(texts, "x");
}

std::optional<StrategyKind> t1_strategy(const T1Text& search) {
    struct Equal {
        std::string_view theirs;
        StrategyKind ours;
    };
    constexpr std::array<Equal, 7> kEqual = {{{"brute_force", StrategyKind::Exhaustive},
                                              {"random_sample", StrategyKind::Random},
                                              {"mls", StrategyKind::Climb},
                                              {"greedy_mls", StrategyKind::Climb},
                                              {"ordered_greedy_mls", StrategyKind::Climb},
                                              {"simulated_annealing", StrategyKind::Anneal},
                                              {"bayes_opt", StrategyKind::Model}}};
    const auto found = std::ranges::find(kEqual, search.text, &Equal::theirs);
    return found == kEqual.end() ? std::nullopt : std::optional(found->ours);
}

}  // namespace kwb
