#include "session/own_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/expression.hpp"
#include "model/element.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace {

/// "16x16" → "16,16"
std::string with_commas(std::string_view text) {
    std::string out(text);
    const auto is_extent = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (is_extent(out[i])) continue;
        const bool between = i > 0 && i + 1 < out.size() && is_extent(out[i - 1]) && is_extent(out[i + 1]);
        if ((out[i] != 'x' && out[i] != 'X') || !between) return std::string(text);
        out[i] = ',';
    }
    return out;
}

/// "W,H" for "W H", if all between the blanks are expressions.
std::string separated_by_blanks(std::string_view text) {
    std::vector<std::string> pieces;
    for (const std::string& piece : split(text, ' '))
        if (!piece.empty()) pieces.push_back(piece);
    if (pieces.size() < 2) return "";
    try {
        for (const std::string& piece : pieces) Expression::parse(piece);
    } catch (const ExpressionError&) {
        return "";
    }
    return join(pieces, ",");
}

}  // namespace

std::string OwnOptions::launch_option() const {
    if (entry) return "--entry";
    if (!args.empty()) return "--args";
    if (!global.empty()) return "--global";
    if (!local.empty() && !has_plain_local()) return "--local";
    if (!local_mem.empty()) return "--local-arg";
    return init.empty() ? "" : "--init";
}

bool OwnOptions::has_plain_local() const {
    if (local == std::vector<std::string>{"auto"}) return true;
    return std::all_of(local.begin(), local.end(), [](const std::string& extent) {
        return extent.find_first_not_of("0123456789") == std::string::npos;
    });
}

std::vector<std::string> split_list(const std::string& option, std::string_view typed) {
    const std::string text = option == "--args" ? std::string(typed) : with_commas(typed);
    std::vector<std::string> pieces(1);
    int depth = 0;
    char quote = 0;
    for (const char c : text) {
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == '[') {
            ++depth;
        } else if (c == ')' || c == ']') {
            --depth;
        } else if (c == ',' && depth <= 0) {
            pieces.emplace_back();
            continue;
        }
        pieces.back() += c;
    }
    for (std::string& piece : pieces) {
        piece = std::string(trim(piece));
        if (piece.empty())
            throw BadInput(option + " '" + std::string(typed) +
                           "': a piece between the commas is empty; separate them by single commas, e.g. " +
                           (option == "--args" ? "C,A,B" : "M,N"));
    }
    return pieces;
}

Named<std::string> split_setting(const std::string& option, const std::string& text,
                                 const std::string& example) {
    const std::size_t equals = text.find('=');
    std::string name(trim(std::string_view(text).substr(0, equals)));
    std::string value =
        equals == std::string::npos ? "" : std::string(trim(std::string_view(text).substr(equals + 1)));
    if (option == "-D" && equals == std::string::npos) value = "1";
    if (name.empty() || value.empty() || leading_identifier(name) != name)
        throw BadInput(option + " " + text + ": give NAME=VALUE, e.g. " + option + " " + example);
    return {std::move(name), std::move(value)};
}

Written option_expression(const std::string& option, const std::string& text) {
    try {
        Expression::parse(text);
    } catch (const ExpressionError& error) {
        if (option == "--global" || option == "--local")
            if (const std::string list = separated_by_blanks(text); !list.empty())
                throw BadInput(
                    fmt::format("{0} '{1}': separate expressions by commas: {0} {2}", option, text, list));
        throw BadInput(option + " '" + text + "': " + error.what());
    }
    return {text, 0, 0, option};
}

Written macro_expression(const Named<std::string>& define) {
    if (parse_element_type(define.value)) return {'"' + define.value + '"', 0, 0, "-D " + define.name};
    return option_expression("-D " + define.name, define.value);
}

}  // namespace kwb
