#include "catalog/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb {
namespace {

using Arguments = std::vector<Value>;

/// min and max take several values, or one list of them, as in Python.
const Arguments& choices(const Arguments& arguments, const char* function) {
    if (arguments.size() != 1) return arguments;
    const Value::List* list = arguments[0].list();
    if (!list) throw ValueError(fmt::format("{} needs a list or at least two values", function));
    if (list->empty()) throw ValueError(fmt::format("{} of an empty list", function));
    return *list;
}

Value least(const Arguments& arguments) {
    const Arguments& values = choices(arguments, "min");
    return *std::min_element(values.begin(), values.end(),
                             [](const Value& a, const Value& b) { return compare(a, b, "min") < 0; });
}

Value greatest(const Arguments& arguments) {
    const Arguments& values = choices(arguments, "max");
    return *std::max_element(values.begin(), values.end(),
                             [](const Value& a, const Value& b) { return compare(a, b, "max") < 0; });
}

Value absolute(const Arguments& arguments) {
    const Number number = as_number(arguments[0], "abs");
    return number < Number(0) ? -number : number;
}

Value quotient_up(const Arguments& arguments) {
    return ceil_divide(as_number(arguments[0], "ceil_div"), as_number(arguments[1], "ceil_div"));
}

Value multiple_up(const Arguments& arguments) {
    const Number multiple = as_number(arguments[1], "round_up");
    if (multiple <= Number(0))
        throw ValueError(fmt::format("round_up needs a multiple above 0, got {}", to_string(multiple)));
    return ceil_divide(as_number(arguments[0], "round_up"), multiple) * multiple;
}

Value logarithm(const Arguments& arguments) {
    return log2_exactly(as_number(arguments[0], "log2"));
}

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

struct Function {
    std::string_view name;
    std::size_t least_arguments;
    std::size_t most_arguments;
    const char* usage;
    Value (*call)(const Arguments&);
};

constexpr std::array<Function, 6> kFunctions = {{
    {"abs", 1, 1, "abs(x)", absolute},
    {"ceil_div", 2, 2, "ceil_div(a, b)", quotient_up},
    {"log2", 1, 1, "log2(x)", logarithm},
    {"max", 1, kAny, "max(a, b, ...)", greatest},
    {"min", 1, kAny, "min(a, b, ...)", least},
    {"round_up", 2, 2, "round_up(x, multiple)", multiple_up},
}};

const Function* find_function(std::string_view name) {
    const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                    [&](const Function& function) { return function.name == name; });
    return found == kFunctions.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::string> function_names() {
    std::vector<std::string> names;
    for (const Function& function : kFunctions) names.emplace_back(function.name);
    return names;
}

std::string find_call_fault(std::string_view name, std::size_t arguments) {
    const Function* function = find_function(name);
    if (!function)
        return fmt::format("there is no function `{}`; there are {}.{}", name, enumerate(function_names()),
                           did_you_mean(name, function_names()));
    if (arguments < function->least_arguments || arguments > function->most_arguments)
        return fmt::format("`{}` is called as {}, got {} argument{}", name, function->usage, arguments,
                           arguments == 1 ? "" : "s");
    return "";
}

Value call_function(std::string_view name, const std::vector<Value>& arguments) {
    const Function* function = find_function(name);
    expects(function != nullptr, "call_function: a known function");
    return function->call(arguments);
}

}  // namespace kwb
