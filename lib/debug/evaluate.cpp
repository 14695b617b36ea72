// SPDX-License-Identifier: Apache-2.0
#include "debug/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb::debug {
namespace {

constexpr int kMostDepth = 64;

/// The index of a component of a vector: x, y, z, w, s0 … sf. -1: none.
int component(char c) {
    constexpr std::string_view kNames = "xyzw";
    return static_cast<int>(kNames.find(c) == std::string_view::npos ? -1 : static_cast<int>(kNames.find(c)));
}

/// A recursive descent over the operators of C, by their binding strength.
class Evaluator {
public:
    Evaluator(std::string_view text, const Scope& scope)
        : text_(text), scope_(scope), recording_(scope.player.recording()) {}

    Evaluated run() {
        Evaluated value = binary(0);
        skip_blanks();
        if (at_ < text_.size()) fail(fmt::format("unexpected '{}'", text_.substr(at_)));
        return value;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw BadInput(fmt::format("{}: {} at column {}", text_, what, at_ + 1));
    }

    void skip_blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    }

    bool take(std::string_view word) {
        skip_blanks();
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    void require(std::string_view word) {
        if (!take(word)) fail(fmt::format("'{}' is missing", word));
    }

    struct Operator {
        std::string_view word;
        int strength;
    };
    /// The longest operator at this place.
    std::optional<Operator> peek_operator() {
        static constexpr std::array<Operator, 18> kOperators{{{"||", 1},
                                                              {"&&", 2},
                                                              {"==", 6},
                                                              {"!=", 6},
                                                              {"<=", 7},
                                                              {">=", 7},
                                                              {"<<", 8},
                                                              {">>", 8},
                                                              {"|", 3},
                                                              {"^", 4},
                                                              {"&", 5},
                                                              {"<", 7},
                                                              {">", 7},
                                                              {"+", 9},
                                                              {"-", 9},
                                                              {"*", 10},
                                                              {"/", 10},
                                                              {"%", 10}}};
        skip_blanks();
        for (const Operator& one : kOperators)
            if (text_.substr(at_).starts_with(one.word)) return one;
        return std::nullopt;
    }

    Evaluated binary(int least) {
        if (++depth_ > kMostDepth) fail("it is nested too deeply");
        Evaluated left = unary();
        for (auto found = peek_operator(); found && found->strength > least; found = peek_operator()) {
            at_ += found->word.size();
            // As in C, what "&&" and "||" do not need is not computed.
            const bool is_decided = left.number && (found->word == "&&" || found->word == "||") &&
                                    left.number->is_true() == (found->word == "||");
            skipped_ += is_decided ? 1 : 0;
            const Evaluated right = binary(found->strength);
            skipped_ -= is_decided ? 1 : 0;
            left = is_decided ? computed(Number::of(std::int64_t{found->word == "||"}))
                              : combine(found->word, left, right);
        }
        --depth_;
        return left;
    }

    static Evaluated computed(Number number) {
        Evaluated value;
        value.number = number;
        value.memory.state = MemoryBytes::State::Known;
        return value;
    }
    /// What depends on a value that is not known is not known either.
    static Evaluated unknown(MemoryBytes::State state) {
        Evaluated value;
        value.memory.state = state;
        return value;
    }

    Evaluated combine(std::string_view word, const Evaluated& left, const Evaluated& right) {
        for (const Evaluated* side : {&left, &right})
            if (side->memory.state != MemoryBytes::State::Known) return unknown(side->memory.state);
        if (const auto moved = move_pointer(word, left, right)) return *moved;
        if (!left.number || !right.number) fail(fmt::format("'{}' needs numbers on both sides", word));
        const Number& a = *left.number;
        const Number& b = *right.number;
        if (word == "||") return computed(Number::of(std::int64_t{a.is_true() || b.is_true()}));
        if (word == "&&") return computed(Number::of(std::int64_t{a.is_true() && b.is_true()}));
        if (a.is_floating() || b.is_floating()) return combine_reals(word, a.as_double(), b.as_double());
        return combine_integers(word, a, b);
    }

    template <class T>
    static std::optional<bool> compare(std::string_view word, T a, T b) {
        if (word == "==") return a == b;
        if (word == "!=") return a != b;
        if (word == "<") return a < b;
        if (word == ">") return a > b;
        if (word == "<=") return a <= b;
        if (word == ">=") return a >= b;
        return std::nullopt;
    }

    Evaluated combine_reals(std::string_view word, double a, double b) {
        if (const auto holds = compare(word, a, b)) return computed(Number::of(std::int64_t{*holds}));
        if (word == "+") return computed(Number::of(a + b));
        if (word == "-") return computed(Number::of(a - b));
        if (word == "*") return computed(Number::of(a * b));
        if (word == "/") return computed(Number::of(a / b));
        fail(fmt::format("'{}' needs integers", word));
    }

    Evaluated combine_integers(std::string_view word, const Number& left, const Number& right) {
        const bool is_unsigned = left.kind == ValueKind::Unsigned || right.kind == ValueKind::Unsigned;
        const auto a = static_cast<std::uint64_t>(left.integer);
        const auto b = static_cast<std::uint64_t>(right.integer);
        const auto holds = is_unsigned ? compare(word, a, b) : compare(word, left.integer, right.integer);
        if (holds) return computed(Number::of(std::int64_t{*holds}));
        const auto whole = [&](std::uint64_t bits) {
            return computed(
                {is_unsigned ? ValueKind::Unsigned : ValueKind::Signed, static_cast<std::int64_t>(bits), 0});
        };
        if (word == "+") return whole(a + b);
        if (word == "-") return whole(a - b);
        if (word == "*") return whole(a * b);
        if (word == "&") return whole(a & b);
        if (word == "|") return whole(a | b);
        if (word == "^") return whole(a ^ b);
        if (word == "<<") return whole(a << (b & 63));
        if (word == ">>")
            return is_unsigned ? whole(a >> (b & 63)) : computed(Number::of(left.integer >> (b & 63)));
        if (b == 0 && skipped_ > 0) return computed({});
        if (b == 0) throw DivisionByZero(fmt::format("{}: a division by zero at column {}", text_, at_ + 1));
        if (!is_unsigned && right.integer == -1)  // the smallest number has no opposite
            return whole(word == "/" ? 0 - a : 0);
        if (word == "/")
            return is_unsigned ? whole(a / b) : computed(Number::of(left.integer / right.integer));
        return is_unsigned ? whole(a % b) : computed(Number::of(left.integer % right.integer));
    }

    /// A + 1, A - 1; nullopt: the left side is no pointer or array.
    std::optional<Evaluated> move_pointer(std::string_view word, const Evaluated& left,
                                          const Evaluated& right) const {
        const auto target = target_of(left);
        if (!target || target_of(right) || !right.number || right.number->is_floating() ||
            (word != "+" && word != "-"))
            return std::nullopt;
        const std::uint64_t size = std::max<std::uint64_t>(recording_.types[target->second].bytes, 1);
        const auto distance = static_cast<std::uint64_t>(right.number->integer) * size;
        const std::uint64_t address = word == "+" ? target->first + distance : target->first - distance;
        Evaluated moved = computed({ValueKind::Unsigned, static_cast<std::int64_t>(address), 0});
        moved.target = target->second;
        return moved;
    }

    /// Address and type of what a pointer or an array refers to.
    std::optional<std::pair<std::uint64_t, std::uint32_t>> target_of(const Evaluated& value) const {
        if (value.target && value.number)
            return std::pair(static_cast<std::uint64_t>(value.number->integer), *value.target);
        const ValueType& type = recording_.types[value.type];
        if (type.kind == ValueKind::Array && value.address) return std::pair(*value.address, type.element);
        if (type.kind == ValueKind::Pointer && value.number)
            return std::pair(static_cast<std::uint64_t>(value.number->integer), type.element);
        return std::nullopt;
    }

    Evaluated memory(std::uint32_t type, std::uint64_t address) const {
        return value_at(scope_, type, address);
    }

    Evaluated unary() {
        if (++depth_ > kMostDepth) fail("it is nested too deeply");
        Evaluated value = prefixed();
        --depth_;
        return value;
    }

    Evaluated prefixed() {
        if (take("!")) {
            const Evaluated value = unary();
            if (value.memory.state != MemoryBytes::State::Known) return value;
            return computed(Number::of(std::int64_t{!number(value).is_true()}));
        }
        if (take("-")) return combine("-", computed(Number::of(std::int64_t{0})), unary());
        if (take("~")) return combine("^", computed(Number::of(std::int64_t{-1})), unary());
        if (take("+")) return unary();
        if (take("&")) {
            const Evaluated value = unary();
            if (!value.address) fail("only variables and elements have an address");
            Evaluated pointer = computed({ValueKind::Unsigned, static_cast<std::int64_t>(*value.address), 0});
            pointer.target = value.type;
            return pointer;
        }
        if (take("*")) {
            const Evaluated value = unary();
            const auto target = target_of(value);
            if (value.memory.state != MemoryBytes::State::Known) return value;
            if (!target) fail("only a pointer or an array can be followed by *");
            return memory(target->second, target->first);
        }
        return postfix(primary());
    }

    const Number& number(const Evaluated& value) const {
        if (!value.number) fail("a number is needed");
        return *value.number;
    }

    Evaluated postfix(Evaluated value) {
        while (true) {
            if (take("[")) {
                const Evaluated index = binary(0);
                require("]");
                value = element(value, index);
            } else if (take("->")) {
                const auto target = target_of(value);
                if (!target) fail("-> needs a pointer to a structure");
                value = member(memory(target->second, target->first), take_name());
            } else if (take(".")) {
                value = member(value, take_name());
            } else {
                return value;
            }
        }
    }

    Evaluated element(const Evaluated& value, const Evaluated& index) {
        if (index.memory.state != MemoryBytes::State::Known) return unknown(index.memory.state);
        if (number(index).is_floating()) fail("an index must be an integer");
        const auto target = target_of(value);
        if (!target) {
            if (value.memory.state != MemoryBytes::State::Known) return unknown(value.memory.state);
            fail("only arrays and pointers have elements");
        }
        const std::uint64_t size = recording_.types[target->second].bytes;
        return memory(target->second,
                      target->first + static_cast<std::uint64_t>(number(index).integer) * size);
    }

    Evaluated member(const Evaluated& value, const std::string& name) {
        const ValueType& type = recording_.types[value.type];
        if (!value.address || (type.kind != ValueKind::Struct && type.kind != ValueKind::Vector))
            fail(fmt::format(".{} needs a structure or a vector", name));
        if (type.kind == ValueKind::Vector) {
            int index = name.size() == 1 ? component(name[0]) : -1;
            if (name.size() == 2 && (name[0] == 's' || name[0] == 'S')) {
                const std::string digit = name.substr(1);
                unsigned found = 0;
                if (std::from_chars(digit.data(), digit.data() + 1, found, 16).ec == std::errc())
                    index = static_cast<int>(found);
            }
            if (index < 0 || static_cast<std::uint64_t>(index) >= type.count)
                fail(fmt::format("{} has no single component {}", type.name, name));
            return memory(type.element, *value.address + static_cast<std::uint64_t>(index) *
                                                             recording_.types[type.element].bytes);
        }
        std::vector<std::string> names;
        for (const ValueType::Member& one : type.members) {
            if (one.name == name) return memory(one.type, *value.address + one.offset);
            names.push_back(one.name);
        }
        fail(fmt::format("there is no member {}.{}", name, did_you_mean(name, names)));
    }

    static bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

    std::string take_name() {
        skip_blanks();
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
        if (begin == at_) fail(at_ < text_.size() ? "a name is missing" : "something is missing");
        return std::string(text_.substr(begin, at_ - begin));
    }

    Evaluated primary() {
        if (take("(")) {
            Evaluated value = binary(0);
            require(")");
            return value;
        }
        skip_blanks();
        if (at_ < text_.size() &&
            (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.'))
            return literal();
        const std::string name = take_name();
        if (take("(")) {
            const Evaluated argument = peek_is(")") ? computed(Number::of(std::int64_t{0})) : binary(0);
            require(")");
            return call(name, static_cast<std::uint64_t>(number(argument).integer));
        }
        return variable(name);
    }

    bool peek_is(std::string_view word) {
        skip_blanks();
        return text_.substr(at_).starts_with(word);
    }

    /// Numbers of C, with their suffixes.
    Evaluated literal() {
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
               (is_name_part(text_[at_]) || text_[at_] == '.' ||
                ((text_[at_] == '+' || text_[at_] == '-') && (text_[at_ - 1] | 32) == 'e' &&
                 !text_.substr(begin).starts_with("0x"))))
            ++at_;
        std::string digits(text_.substr(begin, at_ - begin));
        const bool is_hex = digits.starts_with("0x") || digits.starts_with("0X");
        const bool is_real = !is_hex && digits.find_first_of(".eEfF") != std::string::npos;
        std::size_t used = 0;
        try {
            if (is_real) {
                while (!digits.empty() &&
                       std::string_view("fFhH").find(digits.back()) != std::string_view::npos)
                    digits.pop_back();
                const double value = std::stod(digits, &used);
                if (used == digits.size()) return computed(Number::of(value));
            } else {
                bool is_unsigned = false;
                while (!digits.empty() &&
                       std::string_view("uUlL").find(digits.back()) != std::string_view::npos) {
                    is_unsigned = is_unsigned || (digits.back() | 32) == 'u';
                    digits.pop_back();
                }
                const std::uint64_t value = std::stoull(digits, &used, 0);
                if (used == digits.size())
                    return computed(
                        {is_unsigned || value > INT64_MAX ? ValueKind::Unsigned : ValueKind::Signed,
                         static_cast<std::int64_t>(value), 0});
            }
        } catch (const std::logic_error&) {  // no number, or too large
        }
        at_ = begin;
        fail(fmt::format("'{}' is no number", text_.substr(begin)));
    }

    Evaluated call(const std::string& name, std::uint64_t dimension) const {
        const auto at = [&](const std::vector<std::uint64_t>& of, std::uint64_t otherwise) {
            return dimension < of.size() ? of[dimension] : otherwise;
        };
        std::uint64_t local = scope_.moment.item;
        for (std::uint64_t d = 0; d < dimension && d < recording_.local.size(); ++d)
            local /= recording_.local[d];
        local = dimension < recording_.local.size() ? local % recording_.local[dimension] : 0;
        const std::uint64_t size = at(recording_.local, 1);
        const std::array<std::pair<std::string_view, std::uint64_t>, 8> functions{
            {{"get_local_id", local},
             {"get_group_id", at(recording_.group, 0)},
             {"get_global_id", at(recording_.group, 0) * size + local},
             {"get_local_size", size},
             {"get_global_size", at(recording_.global, 1)},
             {"get_num_groups", at(recording_.global, 1) / size},
             {"get_local_linear_id", scope_.moment.item},
             {"get_work_dim", recording_.local.size()}}};
        std::vector<std::string> names;
        for (const auto& [known, value] : functions) {
            if (known == name) return computed({ValueKind::Unsigned, static_cast<std::int64_t>(value), 0});
            names.emplace_back(known);
        }
        fail(fmt::format("only work-item functions can be called, not {}.{}", name,
                         did_you_mean(name, names)));
    }

    Evaluated variable(const std::string& name) const {
        std::vector<std::string> names;
        if (const auto found = find_variable(scope_, name)) return memory(found->type, found->address);
        for (const VisibleVariable& one : visible_variables(scope_)) names.push_back(one.name);
        if (scope_.frame != kNoFrame)
            for (const FrameVariable& later :
                 recording_.functions[recording_.frames[scope_.frame].function].variables) {
                if (later.name == name)
                    throw BadInput(
                        fmt::format("{} is declared in line {}, and not visible here", name, later.line));
                if (std::ranges::find(names, later.name) == names.end()) names.push_back(later.name);
            }
        throw BadInput(fmt::format("there is no variable {} here{}", name,
                                   names.empty() ? "" : "." + did_you_mean(name, names)));
    }

    std::string_view text_;
    const Scope& scope_;
    const Recording& recording_;
    std::size_t at_ = 0;
    int depth_ = 0;
    int skipped_ = 0;  ///< operands around this place whose value is not needed
};

}  // namespace

Evaluated value_at(const Scope& scope, std::uint32_t type, std::uint64_t address) {
    const ValueType& kind = scope.player.recording().types[type];
    Evaluated value;
    value.type = type;
    value.address = address;
    value.bytes = kind.bytes;
    if (value.bytes == 0) return value;
    value.memory = scope.player.read(scope.moment, address, value.bytes);
    const bool has_parts =
        kind.kind == ValueKind::Array || kind.kind == ValueKind::Vector || kind.kind == ValueKind::Struct;
    if (value.memory.unset.empty())
        value.number = number_of(kind, value.memory.bytes);
    else if (!has_parts && value.memory.state == MemoryBytes::State::Known)
        value.memory.state = MemoryBytes::State::Unset;  // in part
    return value;
}

Evaluated evaluate(std::string_view expression, const Scope& scope) {
    if (trim(expression).empty()) throw BadInput("an expression is missing, for example sum or tile[3][4]");
    return Evaluator(expression, scope).run();
}

std::string memory_text(const Recording& recording, std::uint32_t type, const MemoryBytes& value,
                        std::size_t most) {
    if (value.state == MemoryBytes::State::Unset) return "not set yet";
    if (value.state == MemoryBytes::State::Unknown) return "not recorded";
    return value_text(recording, type, {value.bytes, value.unset}, most);
}

std::string evaluated_text(const Evaluated& value, const Recording& recording, std::size_t most) {
    if (value.memory.state != MemoryBytes::State::Known)
        return memory_text(recording, value.type, value.memory, most);
    if (value.target) return pointer_text(recording, static_cast<std::uint64_t>(value.number->integer));
    if (!value.address || value.memory.bytes.empty()) return value.number ? number_text(*value.number) : "?";
    return memory_text(recording, value.type, value.memory, most);
}

}  // namespace kwb::debug
