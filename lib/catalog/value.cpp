#include "catalog/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

}  // namespace kwb
