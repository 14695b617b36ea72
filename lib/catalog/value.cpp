// SPDX-License-Identifier: Apache-2.0
#include "catalog/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
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

// Wide enough for the sum of two products of 64-bit integers (below 2^127).
__extension__ using Wide = __int128;

Wide magnitude(Wide x) {
    return x < 0 ? -x : x;
}

Wide greatest_common_divisor(Wide a, Wide b) {
    while (b != 0) {
        const Wide rest = a % b;
        a = b;
        b = rest;
    }
    return magnitude(a);
}

Wide floor_quotient(Wide a, Wide b) {
    const Wide quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

auto describe(Number a, const char* symbol, Number b) {
    return [=] { return fmt::format("{} {} {}", to_string(a), symbol, to_string(b)); };
}

}  // namespace

/// Reduce to lowest terms and check the range; `operation` describes the computation for the error message.
template <class Wide, class Describe>
Number Number::reduced(Wide numerator, Wide denominator, const Describe& operation) {
    if (denominator == 0) throw ValueError(fmt::format("division by zero in {}", operation()));
    if (denominator != 1) {  // dividing numbers of 128 bits is slow, and most are whole
        const Wide divisor = greatest_common_divisor(numerator, denominator) * (denominator < 0 ? -1 : 1);
        numerator /= divisor;
        denominator /= divisor;
    }
    constexpr Wide kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
    if (numerator < kLeast || numerator > kMost || denominator > kMost)
        throw ValueError(fmt::format("{} does not fit into 64 bits", operation()));
    return {static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

Number operator+(Number a, Number b) {
    return Number::reduced(Wide{a.numerator_} * b.denominator_ + Wide{b.numerator_} * a.denominator_,
                           Wide{a.denominator_} * b.denominator_, describe(a, "+", b));
}

Number operator-(Number a, Number b) {
    return Number::reduced(Wide{a.numerator_} * b.denominator_ - Wide{b.numerator_} * a.denominator_,
                           Wide{a.denominator_} * b.denominator_, describe(a, "-", b));
}

Number operator*(Number a, Number b) {
    return Number::reduced(Wide{a.numerator_} * b.numerator_, Wide{a.denominator_} * b.denominator_,
                           describe(a, "*", b));
}

Number operator/(Number a, Number b) {
    return Number::reduced(Wide{a.numerator_} * b.denominator_, Wide{a.denominator_} * b.numerator_,
                           describe(a, "/", b));
}

Number operator-(Number a) {
    return Number(0) - a;
}

Number floor_divide(Number a, Number b) {
    const auto operation = describe(a, "//", b);
    if (b.numerator_ == 0) throw ValueError(fmt::format("division by zero in {}", operation()));
    const Wide quotient =
        floor_quotient(Wide{a.numerator_} * b.denominator_, Wide{a.denominator_} * b.numerator_);
    return Number::reduced(quotient, Wide{1}, operation);
}

Number modulo(Number a, Number b) {
    const auto operation = describe(a, "%", b);
    if (b.numerator_ == 0) throw ValueError(fmt::format("division by zero in {}", operation()));
    // Over the common denominator, this is an integer remainder.
    const Wide dividend = Wide{a.numerator_} * b.denominator_;
    const Wide divisor = Wide{b.numerator_} * a.denominator_;
    Wide rest = dividend % divisor;
    if (rest != 0 && (rest < 0) != (divisor < 0)) rest += divisor;
    return Number::reduced(rest, Wide{a.denominator_} * b.denominator_, operation);
}

Number power(Number base, Number exponent) {
    if (!exponent.is_whole())
        throw ValueError(fmt::format("the exponent {} is not a whole number", to_string(exponent)));
    const auto operation = describe(base, "**", exponent);
    const std::int64_t signed_exponent = exponent.numerator();
    auto left = static_cast<std::uint64_t>(signed_exponent);
    if (signed_exponent < 0) {
        if (base == Number(0)) throw ValueError(fmt::format("division by zero in {}", operation()));
        left = 0 - left;
    }
    // Square and multiply: at most 64 steps; anything but 0, 1 and -1 overflows long before that.
    Number result(1);
    Number square = signed_exponent < 0 ? Number(1) / base : base;
    try {
        while (left != 0) {
            if (left & 1u) result = result * square;
            left >>= 1u;
            if (left != 0) square = square * square;
        }
    } catch (const ValueError&) {
        throw ValueError(fmt::format("{} does not fit into 64 bits", operation()));
    }
    return result;
}

std::strong_ordering operator<=>(Number a, Number b) {
    const Wide left = Wide{a.numerator_} * b.denominator_;
    const Wide right = Wide{b.numerator_} * a.denominator_;
    return left < right   ? std::strong_ordering::less
           : left > right ? std::strong_ordering::greater
                          : std::strong_ordering::equal;
}

Number ceil_divide(Number a, Number b) {
    return -floor_divide(-a, b);
}

Number log2_exactly(Number x) {
    const auto n = static_cast<std::uint64_t>(x.numerator());
    const auto d = static_cast<std::uint64_t>(x.denominator());
    // x is in lowest terms, so if x is a power of two, one of the two is 1.
    if (x > Number(0) && std::has_single_bit(n) && std::has_single_bit(d))
        return Number(std::countr_zero(n) - std::countr_zero(d));
    throw ValueError(fmt::format("log2({}) is not a whole number. Give log2 a power of two", to_string(x)));
}

Number Number::parse(std::string_view digits) {
    const auto too_large = [&] {
        constexpr std::size_t kMostShown = 40;
        return ValueError(fmt::format("{}{} does not fit into 64 bits", digits.substr(0, kMostShown),
                                      digits.size() > kMostShown ? "…" : ""));
    };
    constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();

    if (digits.starts_with("0x") || digits.starts_with("0X")) {
        Wide value = 0;
        for (const char c : digits.substr(2)) {
            value = value * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
            if (value > kMost) throw too_large();
        }
        return Number(static_cast<std::int64_t>(value));
    }

    // Read all digits as one whole number, which is then scaled by a power of ten.
    const std::size_t exponent_at = std::min(digits.find_first_of("eE"), digits.size());
    std::string mantissa(digits.substr(0, exponent_at));
    const std::size_t point = mantissa.find('.');
    std::int64_t scale = 0;
    if (point != std::string::npos) {
        mantissa.erase(point, 1);
        for (scale = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(mantissa.size());
             scale < 0 && mantissa.ends_with('0'); ++scale)
            mantissa.pop_back();
    }
    Wide value = 0;
    for (const char c : mantissa) {
        value = value * 10 + (c - '0');
        if (value > kMost) throw too_large();
    }
    const bool plain = point == std::string::npos && exponent_at == digits.size();
    if (plain && digits.size() > 1 && digits.front() == '0')
        throw ValueError(fmt::format("{} starts with 0. Leave the 0 out", digits));
    if (value == 0) return Number(0);

    if (exponent_at < digits.size()) {
        constexpr std::int64_t kBeyondAnything = 100000;
        std::int64_t exponent = 0;
        for (const char c : digits.substr(exponent_at + 1))
            if (c >= '0' && c <= '9') exponent = std::min(exponent * 10 + (c - '0'), kBeyondAnything);
        scale += digits[exponent_at + 1] == '-' ? -exponent : exponent;
    }
    try {
        return Number(static_cast<std::int64_t>(value)) * power(Number(10), Number(scale));
    } catch (const ValueError&) {
        throw too_large();
    }
}

std::optional<double> parse_exact_float(std::string_view text) {
    const bool is_negative = text.starts_with('-');
    if (is_negative) text.remove_prefix(1);
    double value = std::numeric_limits<double>::quiet_NaN();
    if (text == "inf") {
        value = std::numeric_limits<double>::infinity();
    } else if (text != "nan") {
        if (!text.starts_with("0x") || text.find('p') == std::string_view::npos) return std::nullopt;
        text.remove_prefix(2);
        const auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::hex);
        if (error != std::errc() || end != text.data() + text.size() || text.starts_with('-'))
            return std::nullopt;
    }
    return is_negative ? -value : value;
}

std::vector<std::string> list_items(std::string_view text) {
    text = trim(text);
    const bool is_list = text.starts_with('[') && text.ends_with(']') && text.size() > 1;
    std::vector<std::string> items = split(is_list ? text.substr(1, text.size() - 2) : text, ',');
    for (std::string& item : items) item = std::string(trim(item));
    return items;
}

std::string to_string(Number number) {
    if (number.is_whole()) return fmt::format("{}", number.numerator());
    return fmt::format("{}/{}", number.numerator(), number.denominator());
}

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
        constexpr std::size_t kMostValueBytes = 60;
        if (text->size() <= kMostValueBytes) return fmt::format("\"{}\"", *text);
        return fmt::format("\"{}...\"", text->substr(0, kMostValueBytes));
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
        fmt::format("{} cannot put {} and {} in order. Compare numbers with numbers, texts with texts",
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

Value multiple_up(const Arguments& arguments) {
    const Number multiple = as_number(arguments[1], "round_up");
    if (multiple <= Number(0))
        throw ValueError(fmt::format("round_up needs a multiple above 0, got {}", to_string(multiple)));
    return ceil_divide(as_number(arguments[0], "round_up"), multiple) * multiple;
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
    {"abs", 1, 1, "abs(x)",
     [](const Arguments& a) -> Value { return std::max(as_number(a[0], "abs"), -as_number(a[0], "abs")); }},
    {"ceil_div", 2, 2, "ceil_div(a, b)",
     [](const Arguments& a) -> Value {
         return ceil_divide(as_number(a[0], "ceil_div"), as_number(a[1], "ceil_div"));
     }},
    {"log2", 1, 1, "log2(x)",
     [](const Arguments& a) -> Value { return log2_exactly(as_number(a[0], "log2")); }},
    {"max", 1, kAny, "max(a, b, ...)", greatest},
    {"min", 1, kAny, "min(a, b, ...)", least},
    {"round_up", 2, 2, "round_up(x, multiple)", multiple_up},
}};

const Function* find_function(std::string_view name) {
    const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                    [&](const Function& function) { return function.name == name; });
    return found == kFunctions.end() ? nullptr : &*found;
}

std::vector<std::string> function_names() {
    std::vector<std::string> names;
    for (const Function& function : kFunctions) names.emplace_back(function.name);
    return names;
}

}  // namespace

std::string find_call_fault(std::string_view name, std::size_t arguments) {
    const Function* function = find_function(name);
    if (!function)
        return fmt::format("unknown function `{}`; the functions are {}.{}", name,
                           enumerate(function_names()), did_you_mean(name, function_names()));
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
