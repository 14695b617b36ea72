#include "hints/local_memory.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "hints/declarations.hpp"
#include "hints/preprocessor.hpp"
#include "hints/syntax.hpp"
#include "model/device_fit.hpp"

namespace kwb {
namespace {

using hints::Declarations;
using hints::Function;
using hints::Token;
using Bytes = std::map<std::string, std::uint64_t>;

bool is_used(std::span<const Token> body, std::string_view name) {
    std::size_t seen = 0;
    for (const Token& token : body) seen += token.is_name() && token.text == name;
    return seen > 1;  // once where it is declared
}

std::optional<std::uint64_t> add_up(const std::vector<Token>& tokens, const Function& function,
                                    Declarations& declarations) {
    const auto from = static_cast<std::size_t>(function.body_from);
    const auto to = static_cast<std::size_t>(function.body_to);
    const std::span<const Token> body(tokens.data() + from, to - from);
    std::uint64_t sum = 0;
    std::size_t statement = from;
    int parentheses = 0;
    bool declares_local = false;  // the statement
    for (std::size_t at = from; at < to; ++at) {
        const Token& token = tokens[at];
        if (token.is("(")) ++parentheses;
        if (token.is(")")) --parentheses;
        // Between parentheses it belongs to a cast.
        if (parentheses == 0 && (token.is("__local") || token.is("local"))) declares_local = true;
        if (!token.is(";") && !token.is("{") && !token.is("}")) continue;
        if (declares_local) {
            const auto objects = declarations.read(statement);
            if (!objects) return std::nullopt;
            for (const hints::DeclaredObject& object : *objects)
                if (object.local && is_used(body, object.name)) sum = add_bytes(sum, object.extent.bytes);
        }
        declares_local = false;
        statement = at + 1;
    }
    return sum;
}

Bytes read_once(const HintSource& source) {
    const hints::Preprocessed text = hints::preprocess(source);
    if (!text.complete) return {};
    const hints::Program program = hints::parse(text.tokens);
    Declarations declarations(text.tokens);
    Bytes found;
    for (const Function& function : program.functions) {
        if (!function.kernel) continue;
        if (const auto bytes = add_up(text.tokens, function, declarations))
            found.emplace(function.name, *bytes);
    }
    return found;
}

bool is_reserved(std::string_view name) {
    return name.starts_with("_") || name.starts_with("CL_") || name.starts_with("cl_");
}

/// Names in conditions that the source leaves to the compiler.
std::set<std::string> find_compiler_names(const HintSource& source) {
    std::set<std::string> asked, defined;
    const auto look_through = [&](const std::string& text) {
        std::vector<std::size_t> joints;
        const std::string joined = hints::join_continued_lines(text, joints);
        const std::vector<Token> tokens = hints::read_tokens(joined, joints, hints::kMostTokens);
        for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
            if (!tokens[at].first_on_line || !tokens[at].is("#")) continue;
            const std::string_view keyword = tokens[++at].text;
            if (keyword == "define" && at + 1 < tokens.size()) defined.emplace(tokens[at + 1].text);
            if (!keyword.starts_with("if") && keyword != "elif") continue;
            for (; at + 1 < tokens.size() && !tokens[at + 1].first_on_line; ++at)
                if (tokens[at + 1].is_name() && is_reserved(tokens[at + 1].text))
                    asked.emplace(tokens[at + 1].text);
        }
    };
    look_through(source.text);
    for (const auto& [name, text] : source.includes) look_through(text);
    for (const auto& [name, value] : source.macros) defined.insert(name);
    for (const std::string& name : defined) asked.erase(name);
    return asked;
}

void keep_equal(Bytes& found, const Bytes& other) {
    std::erase_if(found, [&](const auto& entry) {
        const auto same = other.find(entry.first);
        return same == other.end() || same->second != entry.second;
    });
}

}  // namespace

std::map<std::string, std::uint64_t> find_local_memory(const HintSource& source) {
    const auto speaks_of_it = [](const std::string& text) { return text.find("local") != std::string::npos; };
    if (!speaks_of_it(source.text) &&
        std::ranges::none_of(source.includes, [&](const auto& file) { return speaks_of_it(file.value); }))
        return {};
    Bytes found = read_once(source);
    const std::set<std::string> names = find_compiler_names(source);
    if (names.empty()) return found;
    std::string with, without;
    for (const std::string& name : names) {
        const bool everywhere = name.starts_with("__OPENCL_");
        with += "#define " + name + " 300\n";
        without += everywhere ? "#define " + name + " 110\n" : "#undef " + name + '\n';
    }
    for (const std::string& prefix : {with, without}) {
        HintSource other = source;
        other.text.insert(0, prefix);
        keep_equal(found, read_once(other));
    }
    return found;
}

}  // namespace kwb
