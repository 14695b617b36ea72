#include "catalog/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb {
namespace {

std::optional<Number> number_of(const Value& value) {
    if (const Number* number = value.number()) return *number;
    if (const bool* truth = value.truth()) return Number(*truth ? 1 : 0);
    return std::nullopt;
}

}  // namespace

bool Value::is_true() const {
    if (const Number* n = number()) return *n != Number(0);
    if (const bool* b = truth()) return *b;
    if (const std::string* s = text()) return !s->empty();
    return !list()->empty();
}

const char* Value::kind() const {
    if (number()) return "a number";
    if (truth()) return "a truth value";
    if (text()) return "a text";
    return "a list";
}

std::string to_string(const Value& value) {
    if (const Number* number = value.number()) return to_string(*number);
    if (const bool* truth = value.truth()) return *truth ? "True" : "False";
    if (const std::string* text = value.text()) {
        constexpr std::size_t kMostBytes = 60;
        if (text->size() <= kMostBytes) return fmt::format("\"{}\"", *text);
        return fmt::format("\"{}...\"", text->substr(0, kMostBytes));
    }
    constexpr std::size_t kMostItems = 16;
    std::string out = "[";
    for (std::size_t i = 0; i < value.list()->size(); ++i) {
        if (i != 0) out += ", ";
        if (i == kMostItems) {
            out += "...";
            break;
        }
        out += to_string((*value.list())[i]);
    }
    return out + "]";
}

std::optional<std::string> macro_text_of(const Value& value) {
    if (const std::string* text = value.text()) return *text;
    if (const bool* flag = value.truth()) return *flag ? "1" : "0";
    if (const Number* number = value.number())
        return number->is_whole() ? to_string(*number) : fmt::format("{}", number->to_double());
    return std::nullopt;
}

bool operator==(const Value& a, const Value& b) {
    const auto left = number_of(a);
    const auto right = number_of(b);
    if (left || right) return left == right;
    if (a.text() && b.text()) return *a.text() == *b.text();
    if (a.list() && b.list()) return *a.list() == *b.list();
    return false;
}

Number as_number(const Value& value, const std::string& operation) {
    if (const auto number = number_of(value)) return *number;
    throw ValueError(fmt::format("{} needs a number, got {}, {}", operation, value.kind(), to_string(value)));
}

std::strong_ordering compare(const Value& a, const Value& b, const std::string& operation) {
    if (a.text() && b.text()) return *a.text() <=> *b.text();
    const auto left = number_of(a);
    const auto right = number_of(b);
    if (left && right) return *left <=> *right;
    throw ValueError(
        fmt::format("{} cannot put {} and {} in order; compare numbers with numbers, texts with texts",
                    operation, a.kind(), b.kind()));
}

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
