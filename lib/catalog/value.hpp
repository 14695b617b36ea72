// The values of expressions, and the functions that expressions can call.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "catalog/number.hpp"

namespace kwb {

/// A number, boolean, string or list. Booleans count as 0 and 1 in arithmetic, as in Python.
class Value {
public:
    using List = std::vector<Value>;

    Value(Number number) : data_(number) {}                // NOLINT: implicit conversion is intended
    Value(std::int64_t whole) : data_(Number(whole)) {}    // NOLINT
    Value(int whole) : data_(Number(whole)) {}             // NOLINT
    Value(bool truth) : data_(truth) {}                    // NOLINT
    Value(std::string text) : data_(std::move(text)) {}    // NOLINT
    Value(const char* text) : data_(std::string(text)) {}  // NOLINT
    Value(List list) : data_(std::move(list)) {}           // NOLINT

    const Number* number() const { return std::get_if<Number>(&data_); }
    const bool* truth() const { return std::get_if<bool>(&data_); }
    const std::string* text() const { return std::get_if<std::string>(&data_); }
    const List* list() const { return std::get_if<List>(&data_); }

    /// Truth as in Python: false for 0, False, "" and [].
    bool is_true() const;

    /// "a number", "a list", …
    const char* kind() const;

private:
    std::variant<Number, bool, std::string, List> data_;
};

/// As Python prints it: 12, 3/4, True, "text", [1, 2]; long lists and strings are truncated.
std::string to_string(const Value& value);

/// As a macro is passed to the compiler: 12, 0.75, 1 for True, a string without quotes; empty for a list.
std::optional<std::string> macro_text_of(const Value& value);

/// Equality as in Python: values of different kinds are unequal, except that True equals 1.
bool operator==(const Value& a, const Value& b);

/// @param operation  the operator or function, for messages, e.g. "`+`"
/// @throws ValueError unless `value` is a number or a boolean
Number as_number(const Value& value, const std::string& operation);

/// Numbers are ordered by value, strings by their bytes.
/// @throws ValueError for anything else
std::strong_ordering compare(const Value& a, const Value& b, const std::string& operation);

/// abs, ceil_div, log2, max, min, round_up
std::vector<std::string> function_names();

/// @param arguments  the number of arguments
/// @return  a sentence that says what is wrong with this call; empty if it is valid
std::string find_call_fault(std::string_view name, std::size_t arguments);

/// @param name  together with the number of arguments, must pass find_call_fault()
/// @throws ValueError
Value call_function(std::string_view name, const std::vector<Value>& arguments);

}  // namespace kwb
