// SPDX-License-Identifier: Apache-2.0
#include "tune/t1_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "catalog/expression.hpp"
#include "catalog/syntax.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 10;
constexpr int kMostDepth = 8;

/// A piece of the whole text, which gives errors their columns.
class Piece {
    /// Run `compute`, and make the column of its error one of the whole text.
    template <class Compute>
    auto placed(const Compute& compute) const {
        try {
            return compute();
        } catch (const ExpressionError& error) {
            throw ExpressionError(column(error.column()), error.message());
        }
    }

public:
    explicit Piece(std::string_view whole) : Piece(whole, whole) {}

    bool empty() const { return text_.empty(); }
    char front() const { return text_.front(); }

    [[noreturn]] void refuse(const std::string& what) const { throw ExpressionError(column(1), what); }

    Expression parse() const {
        return placed([&] { return Expression::parse(text_); });
    }

    /// @param parsed  this piece
    Value evaluate(const Expression& parsed, const Scope& scope) const {
        return placed([&] { return parsed.evaluate(scope); });
    }

    /// Its value without names.
    std::int64_t whole() const {
        return placed([&] { return Expression::parse(text_).evaluate_whole(Scope{}); });
    }

    /// The name that it is. @return  nullopt: something else
    std::optional<std::string> name() const {
        const bool is_name = !empty() && std::isdigit(static_cast<unsigned char>(front())) == 0 &&
                             std::ranges::all_of(text_, is_word_part);
        return is_name ? std::optional(std::string(text_)) : std::nullopt;
    }

    /// The text between the brackets of "open…close". @return nullopt: the piece has another form
    std::optional<Piece> inside(std::string_view open, char close) const {
        if (!text_.starts_with(open)) return std::nullopt;
        const std::size_t end = find_outside(open.size(), [&](std::size_t at) { return text_[at] == close; });
        if (end + 1 != text_.size()) return std::nullopt;
        return sub(open.size(), end);
    }

    /// Split at a character outside brackets and quotes.
    std::vector<Piece> split_at(char separator) const {
        std::vector<Piece> pieces;
        for (std::size_t begin = 0;;) {
            const std::size_t end =
                find_outside(begin, [&](std::size_t at) { return text_[at] == separator; });
            pieces.push_back(sub(begin, std::min(end, text_.size())));
            if (end >= text_.size()) return pieces;
            begin = end + 1;
        }
    }

    /// Split at the first such word outside brackets and quotes. @return  nullopt: there is none
    std::optional<std::pair<Piece, Piece>> split_at_word(std::string_view word) const {
        const std::size_t at = find_outside(0, [&](std::size_t i) {
            const std::size_t end = i + word.size();
            return text_.substr(i).starts_with(word) && (i == 0 || !is_word_part(text_[i - 1])) &&
                   (end == text_.size() || !is_word_part(text_[end]));
        });
        if (at >= text_.size()) return std::nullopt;
        return std::pair(sub(0, at), sub(at + word.size(), text_.size()));
    }

private:
    Piece(std::string_view whole, std::string_view text) : whole_(whole), text_(trim(text)) {
        if (text_.empty()) text_ = text.substr(0, 0);  // still with a place
    }

    Piece sub(std::size_t begin, std::size_t end) const {
        return Piece(whole_, text_.substr(begin, end - begin));
    }

    /// @param column  in this piece
    std::uint32_t column(std::uint32_t column) const {
        const auto offset = static_cast<std::size_t>(text_.data() - whole_.data());
        return column +
               static_cast<std::uint32_t>(std::ranges::count_if(whole_.substr(0, offset), starts_character));
    }

    /// The first position from `begin` on that is outside brackets and quotes and `wanted`; else one at or
    /// after the end. A closing bracket is outside its pair.
    template <class Wanted>
    std::size_t find_outside(std::size_t begin, const Wanted& wanted) const {
        int depth = 0;
        char quote = 0;
        for (std::size_t at = begin; at < text_.size(); ++at) {
            const char c = text_[at];
            if (quote != 0) {
                if (c == '\\') ++at;
                if (c == quote) quote = 0;
                continue;
            }
            if (depth == 0 && wanted(at)) return at;
            if (c == '\'' || c == '"') quote = c;
            if (c == '(' || c == '[') ++depth;
            if (c == ')' || c == ']') --depth;
        }
        return text_.size();
    }

    std::string_view whole_;
    std::string_view text_;
};

class ListReader {
public:
    /// A sum of lists.
    Value::List list_of(const Piece& piece) {
        if (depth_ == kMostDepth) piece.refuse(fmt::format("lists are nested more than {} deep", kMostDepth));
        ++depth_;
        Value::List values;
        for (const Piece& term : piece.split_at('+'))
            for (Value& value : term_of(term)) add(values, std::move(value), term);
        --depth_;
        return values;
    }

private:
    static void add(Value::List& values, Value value, const Piece& of) {
        if (values.size() == kMostT1Values)
            of.refuse(fmt::format("more than {} values. List fewer", kMostT1Values));
        values.push_back(std::move(value));
    }

    Value::List term_of(const Piece& term) {
        if (const auto inside = term.inside("list(", ')')) return list_of(*inside);
        if (const auto inside = term.inside("range(", ')')) return range_of(*inside);
        const auto inside = term.inside("[", ']');
        if (!inside) return tuple_of(term);
        if (const auto parts = inside->split_at_word("for"))
            return comprehension(parts->first, parts->second);
        std::vector<Piece> items = inside->split_at(',');
        if (items.back().empty()) items.pop_back();  // nothing, or a comma at the end
        Value::List values;
        for (const Piece& item : items) add(values, item.evaluate(item.parse(), Scope{}), item);
        return values;
    }

    static Value::List tuple_of(const Piece& term) {
        if (!term.empty())
            if (const Value value = term.evaluate(term.parse(), Scope{}); value.list() != nullptr)
                return *value.list();
        term.refuse("expected a list, such as [16, 32], range(1, 9) or [2**i for i in range(6)]");
    }

    /// range(stop), range(start, stop) or range(start, stop, step)
    static Value::List range_of(const Piece& arguments) {
        std::vector<std::int64_t> bounds;
        for (const Piece& bound : arguments.split_at(',')) bounds.push_back(bound.whole());
        if (bounds.size() > 3) arguments.refuse("range takes one to three whole numbers");
        const std::int64_t step = bounds.size() == 3 ? bounds[2] : 1;
        const std::int64_t stop = bounds.size() == 1 ? bounds[0] : bounds[1];
        if (step == 0) arguments.refuse("the step of a range is 0. Give e.g. range(16, 129, 16)");
        Value::List values;
        std::int64_t value = bounds.size() == 1 ? 0 : bounds[0];
        while (step > 0 ? value < stop : value > stop) {
            add(values, value, arguments);
            if (__builtin_add_overflow(value, step, &value)) break;
        }
        return values;
    }

    /// "EXPRESSION for NAME in LIST", perhaps with "if CONDITION" at its end.
    Value::List comprehension(const Piece& each, const Piece& rest) {
        const auto parts = rest.split_at_word("in");
        const auto name = parts ? parts->first.name() : std::nullopt;
        if (!name) rest.refuse("`for` must be followed by a name and `in`, as in [2**i for i in range(6)]");
        const auto filtered = parts->second.split_at_word("if");
        const Expression expression = each.parse();
        std::optional<Expression> condition;
        if (filtered) condition = filtered->second.parse();
        Value::List values;
        Scope scope;
        for (const Value& item : list_of(filtered ? filtered->first : parts->second)) {
            scope.set(*name, item);
            if (!filtered || filtered->second.evaluate(*condition, scope).is_true())
                add(values, each.evaluate(expression, scope), each);
        }
        return values;
    }

    int depth_ = 0;
};

ParamValue param_value(const Value& value) {
    if (const Number* number = value.number(); number != nullptr && number->is_whole())
        return number->numerator();
    if (const bool* truth = value.truth()) return std::int64_t{*truth ? 1 : 0};
    if (const std::string* text = value.text()) return *text;
    throw ExpressionError(
        1,
        fmt::format("{} is {}, which a parameter cannot have. Give whole numbers or texts{}",
                    to_string(value), value.kind(),
                    value.number() != nullptr ? fmt::format(", e.g. \"{}\" if no condition computes with it",
                                                            value.number()->to_double())
                                              : ""));
}

}  // namespace

std::vector<ParamValue> read_t1_values(std::string_view text) {
    if (text.size() > kMostBytes)
        throw ExpressionError(
            1, fmt::format("the list has {}, but at most {} are allowed. Write it with range()",
                           format_bytes(text.size()), format_bytes(kMostBytes)));
    std::vector<ParamValue> values;
    std::set<ParamValue> seen;
    for (const Value& item : ListReader().list_of(Piece(text))) {
        ParamValue value = param_value(item);
        if (seen.insert(value).second) values.push_back(std::move(value));
    }
    if (values.empty()) throw ExpressionError(1, "the list is empty. Give at least one value");
    return values;
}

}  // namespace kwb
