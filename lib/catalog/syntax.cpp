// SPDX-License-Identifier: Apache-2.0
#include "catalog/syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <memory>
#include <optional>
#include <tao/pegtl.hpp>
#include <tao/pegtl/contrib/limit_depth.hpp>
#include <tao/pegtl/contrib/parse_tree.hpp>

#include "catalog/value.hpp"

namespace kwb {

/// A subset of Python's arithmetic and boolean expressions.
/// Source: The Python Language Reference, chapter 6 (precedence as in 6.17).
namespace grammar {

namespace peg = tao::pegtl;

// Words
struct blanks : peg::star<peg::space> {};
struct word_end : peg::not_at<peg::identifier_other> {};
template <class Spelling>
struct word : peg::seq<Spelling, word_end, blanks> {};
struct spelled_and : TAO_PEGTL_STRING("and") {};
struct spelled_or : TAO_PEGTL_STRING("or") {};
struct spelled_not : TAO_PEGTL_STRING("not") {};
struct spelled_in : TAO_PEGTL_STRING("in") {};
struct reserved : peg::seq<peg::sor<spelled_and, spelled_or, spelled_not, spelled_in>, word_end> {};

// Literals
struct number_end : peg::not_at<peg::sor<peg::identifier_other, peg::one<'.'>>> {};
struct hex_digits : peg::plus<peg::xdigit> {};
struct hexadecimal : peg::if_must<peg::seq<peg::one<'0'>, peg::one<'x', 'X'>>, hex_digits> {};
struct mantissa : peg::sor<peg::seq<peg::plus<peg::digit>, peg::opt<peg::one<'.'>, peg::star<peg::digit>>>,
                           peg::seq<peg::one<'.'>, peg::plus<peg::digit>>> {};
struct exponent : peg::seq<peg::one<'e', 'E'>, peg::opt<peg::one<'+', '-'>>, peg::plus<peg::digit>> {};
struct number
    : peg::seq<peg::sor<hexadecimal, peg::seq<mantissa, peg::opt<exponent>>>, peg::must<number_end>> {};

struct escaped : peg::one<'\\', '\'', '"', 'n', 't'> {};
template <char Quote>
struct letter : peg::sor<peg::if_must<peg::one<'\\'>, escaped>, peg::not_one<Quote, '\\', '\n', '\r'>> {};
template <char Quote>
struct closing_quote : peg::one<Quote> {};
template <char Quote>
struct letters : peg::star<letter<Quote>> {};
template <char Quote>
struct quoted : peg::if_must<peg::one<Quote>, letters<Quote>, closing_quote<Quote>> {};
struct text : peg::sor<quoted<'"'>, quoted<'\''>> {};

// Operators; `*` must not match the first half of `**`, nor `/` that of `//`.
struct sign_or : spelled_or {};
struct sign_and : spelled_and {};
struct sign_not : spelled_not {};
struct sign_not_in : peg::seq<spelled_not, word_end, blanks, spelled_in> {};
struct sign_in : spelled_in {};
struct sign_compare : peg::sor<TAO_PEGTL_STRING("<="), TAO_PEGTL_STRING(">="), TAO_PEGTL_STRING("=="),
                               TAO_PEGTL_STRING("!="), peg::one<'<', '>'>> {};
struct sign_sum : peg::one<'+', '-'> {};
struct sign_product : peg::sor<TAO_PEGTL_STRING("//"), peg::one<'/', '%'>,
                               peg::seq<peg::one<'*'>, peg::not_at<peg::one<'*'>>>> {};
struct sign_power : TAO_PEGTL_STRING("**") {};
struct sign_unary : peg::one<'+', '-'> {};

// Operands
struct disjunction;
struct unary;
struct comma : peg::seq<peg::one<','>, blanks> {};
template <char Close>
struct closing : peg::one<Close> {};
template <char Close>
struct items : peg::seq<peg::opt<peg::list_tail<disjunction, comma>>> {};
struct list : peg::if_must<peg::one<'['>, blanks, items<']'>, closing<']'>, blanks> {};
// A comma makes it a tuple, which is a list here.
struct tuple_comma : peg::one<','> {};
struct tuple_rest : peg::seq<tuple_comma, blanks, items<')'>> {};
struct parenthesis
    : peg::if_must<peg::one<'('>, blanks, disjunction, peg::opt<tuple_rest>, closing<')'>, blanks> {};
struct arguments : peg::if_must<peg::one<'('>, blanks, items<')'>, closing<')'>, blanks> {};
struct name : peg::seq<peg::not_at<reserved>, peg::list<peg::identifier, peg::one<'.'>>> {};
struct reference : peg::seq<name, blanks, peg::opt<arguments>> {};
struct primary : peg::sor<peg::seq<number, blanks>, peg::seq<text, blanks>, list, parenthesis, reference> {};

// Precedence, tightest first
struct power : peg::seq<primary, peg::opt<peg::if_must<sign_power, blanks, unary>>> {};
struct unary : peg::sor<peg::if_must<sign_unary, blanks, unary>, power> {};
struct product : peg::seq<unary, peg::star<peg::if_must<sign_product, blanks, unary>>> {};
struct sum : peg::seq<product, peg::star<peg::if_must<sign_sum, blanks, product>>> {};
struct compare_sign : peg::sor<peg::seq<sign_compare, blanks>, peg::seq<sign_not_in, word_end, blanks>,
                               peg::seq<sign_in, word_end, blanks>> {};
struct comparison : peg::seq<sum, peg::star<peg::if_must<compare_sign, sum>>> {};
struct inversion : peg::sor<peg::if_must<word<sign_not>, inversion>, comparison> {};
struct conjunction : peg::seq<inversion, peg::star<peg::if_must<word<sign_and>, inversion>>> {};
struct disjunction : peg::seq<conjunction, peg::star<peg::if_must<word<sign_or>, conjunction>>> {};

struct end : peg::eof {};
// Buffers may have these names, which then form the whole expression.
struct lone_name : peg::seq<reserved> {};
struct expression : peg::must<blanks, peg::sor<peg::seq<lone_name, blanks, peg::eof>, disjunction>, end> {};

}  // namespace grammar

namespace {

namespace peg = tao::pegtl;
using ParseNode = peg::parse_tree::node;

// ---- Nodes that the parse tree retains ----

template <class Rule>
using Selector = peg::parse_tree::selector<
    Rule,
    peg::parse_tree::store_content::on<
        grammar::number, grammar::text, grammar::name, grammar::lone_name, grammar::list, grammar::arguments,
        grammar::tuple_comma, grammar::sign_or, grammar::sign_and, grammar::sign_not, grammar::sign_not_in,
        grammar::sign_in, grammar::sign_compare, grammar::sign_sum, grammar::sign_product,
        grammar::sign_power, grammar::sign_unary>,
    peg::parse_tree::fold_one::on<grammar::parenthesis, grammar::reference, grammar::power, grammar::unary,
                                  grammar::product, grammar::sum, grammar::comparison, grammar::inversion,
                                  grammar::conjunction, grammar::disjunction>>;

// Every kind of nesting passes through one of these two rules; parentheses pass through both.
template <class Rule>
struct Action : peg::nothing<Rule> {};
template <>
struct Action<grammar::inversion> : peg::limit_depth<2 * kMostExpressionDepth> {};
template <>
struct Action<grammar::unary> : peg::limit_depth<2 * kMostExpressionDepth> {};

// ---- Names, in messages, of what the grammar expects ----

template <class Rule>
constexpr const char* kWanted = "a value";
template <>
constexpr const char* kWanted<grammar::end> = "an operator or the end";
template <>
constexpr const char* kWanted<grammar::closing<')'>> = "`)`";
template <>
constexpr const char* kWanted<grammar::closing<']'>> = "`]`";
template <>
constexpr const char* kWanted<grammar::closing_quote<'"'>> = "the closing `\"` of the text";
template <>
constexpr const char* kWanted<grammar::closing_quote<'\''>> = "the closing `'` of the text";
template <>
constexpr const char* kWanted<grammar::escaped> = "one of \\\\ \\' \\\" \\n \\t";
template <>
constexpr const char* kWanted<grammar::number_end> = "the end of the number";
template <>
constexpr const char* kWanted<grammar::hex_digits> = "hexadecimal digits";

template <class Rule>
struct Control : peg::normal<Rule> {
    template <class Input, class... States>
    [[noreturn]] static void raise(const Input& in, States&&...) {
        throw peg::parse_error(kWanted<Rule>, in);
    }
};

// ---- Places ----

/// The column of `byte`: characters (not bytes) before it, counted from 1.
std::uint32_t column_at(std::string_view text, std::size_t byte) {
    return 1 + static_cast<std::uint32_t>(std::ranges::count_if(text.substr(0, byte), starts_character));
}

/// Describe the token at `byte`, with a hint if it is C syntax.
std::string describe_found(std::string_view text, std::size_t byte) {
    if (byte >= text.size()) return "found the end";
    struct Hint {
        std::string_view spelling;
        std::string_view advice;
    };
    constexpr std::array<Hint, 8> kHints = {{{"&&", "Write `and`"},
                                             {"||", "Write `or`"},
                                             {"&", "Write `and`"},
                                             {"|", "Write `or`"},
                                             {"!", "Write `not`, or `!=` to compare"},
                                             {"=", "Write `==` to compare"},
                                             {"^", "Write `**` for a power"},
                                             {"?", "`? :` is not supported"}}};
    const std::string_view rest = text.substr(byte);
    for (const Hint& hint : kHints)
        if (rest.starts_with(hint.spelling)) return fmt::format("found `{}`. {}", hint.spelling, hint.advice);
    std::size_t length = 1;
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (is_word(rest[0]))
        while (length < rest.size() && length < 24 && is_word(rest[length])) ++length;
    else
        while (length < rest.size() && !starts_character(rest[length])) ++length;
    return fmt::format("found `{}`", rest.substr(0, length));
}

// ---- Conversion of the parse tree to SyntaxNode ----

class Converter {
public:
    explicit Converter(std::string_view text) : text_(text) {}

    SyntaxNode convert(const ParseNode& from) const {
        SyntaxNode node;
        node.column = column_of(from);
        if (from.is_type<grammar::number>()) {
            try {
                node.value = Number::parse(from.string_view());
            } catch (const ValueError& error) {
                throw ExpressionError(node.column, error.what());
            }
        } else if (from.is_type<grammar::text>()) {
            node.value = unescape(from.string_view());
        } else if (from.is_type<grammar::name>() || from.is_type<grammar::lone_name>()) {
            const std::string_view name = from.string_view();
            if (name == "True" || name == "False") {
                node.value = name == "True";
            } else {
                node.kind = SyntaxNode::Kind::Name;
                node.text = name;
            }
        } else if (from.is_type<grammar::list>() || from.is_type<grammar::parenthesis>()) {
            node.kind = SyntaxNode::Kind::List;
            convert_children(from, node);
        } else if (from.is_type<grammar::reference>()) {
            node.kind = SyntaxNode::Kind::Call;
            node.text = from.children[0]->string();
            convert_children(*from.children[1], node);
            const std::string fault = find_call_fault(node.text, node.children.size());
            if (!fault.empty()) throw ExpressionError(node.column, fault);
        } else if (from.is_type<grammar::unary>() || from.is_type<grammar::inversion>()) {
            node.kind = SyntaxNode::Kind::Unary;
            node.operators.push_back(sign(*from.children[0]));
            node.children.push_back(convert(*from.children[1]));
        } else {
            node.kind =
                from.is_type<grammar::comparison>() ? SyntaxNode::Kind::Comparison : SyntaxNode::Kind::Chain;
            for (std::size_t i = 0; i < from.children.size(); ++i)
                if (i % 2 == 0)
                    node.children.push_back(convert(*from.children[i]));
                else
                    node.operators.push_back(sign(*from.children[i]));
            node.column = node.children.front().column;
        }
        return node;
    }

private:
    std::uint32_t column_of(const ParseNode& node) const {
        return column_at(text_, static_cast<std::size_t>(node.m_begin.data - text_.data()));
    }

    void convert_children(const ParseNode& from, SyntaxNode& node) const {
        for (const auto& child : from.children)
            if (!child->is_type<grammar::tuple_comma>()) node.children.push_back(convert(*child));
    }

    SyntaxNode::Sign sign(const ParseNode& from) const {
        // Any blanks may stand between the two words.
        const bool is_not_in = from.is_type<grammar::sign_not_in>();
        return {is_not_in ? "not in" : from.string(), column_of(from)};
    }

    static std::string unescape(std::string_view quoted) {
        std::string out;
        for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
            char c = quoted[i];
            if (c == '\\') {
                c = quoted[++i];
                if (c == 'n') c = '\n';
                if (c == 't') c = '\t';
            }
            out += c;
        }
        return out;
    }

    std::string_view text_;
};

}  // namespace

ExpressionError::ExpressionError(std::uint32_t column, std::string message)
    : BadInput(fmt::format("column {}: {}", column, message)),
      column_(column),
      message_(std::move(message)) {}

SyntaxNode parse_syntax(std::string_view text) {
    if (text.size() > kMostExpressionBytes)
        throw ExpressionError(1, fmt::format("the expression has {} bytes; at most {} are allowed",
                                             text.size(), kMostExpressionBytes));
    peg::memory_input<peg::tracking_mode::eager, peg::eol::lf> input(text.data(), text.size(), "");
    try {
        const auto root = peg::parse_tree::parse<grammar::expression, Selector, Action, Control>(input);
        expects(root && root->children.size() == 1, "the grammar yields one tree");
        return Converter(text).convert(*root->children.front());
    } catch (const peg::parse_error& error) {
        const std::size_t byte = error.positions().front().byte;
        const std::uint32_t column = column_at(text, byte);
        if (error.message().starts_with("maximum"))
            throw ExpressionError(column, fmt::format("nested more than {} levels deep. Split the expression",
                                                      kMostExpressionDepth));
        throw ExpressionError(column,
                              fmt::format("expected {}, {}", error.message(), describe_found(text, byte)));
    }
}

}  // namespace kwb
