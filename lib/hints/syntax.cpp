#include "hints/syntax.hpp"

#include <algorithm>

#include "hints/condition.hpp"
#include "hints/parser.hpp"
#include "hints/types.hpp"

namespace kwb::hints {
namespace {

/// @return  for each bracket the place of its partner; empty if some bracket has none
std::vector<std::int32_t> match_brackets(const std::vector<Token>& tokens) {
    std::vector<std::int32_t> partner(tokens.size() + 1, kNone), open;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind != TokenKind::Punctuator || tokens[i].text.size() != 1) continue;
        const char c = tokens[i].text[0];
        if (c == '(' || c == '[' || c == '{') open.push_back(static_cast<std::int32_t>(i));
        if (c != ')' && c != ']' && c != '}') continue;
        if (open.empty()) return {};
        const auto from = static_cast<std::size_t>(open.back());
        const char expected = tokens[from].text[0] == '(' ? ')' : tokens[from].text[0] == '[' ? ']' : '}';
        if (c != expected) return {};
        partner[from] = static_cast<std::int32_t>(i);
        partner[i] = static_cast<std::int32_t>(from);
        open.pop_back();
    }
    if (!open.empty()) return {};
    return partner;
}

/// Splits a file into functions and declarations.
class FileParser {
public:
    FileParser(Program& program, const std::vector<std::int32_t>& partner)
        : program_(program), partner_(partner), parser_(program, partner) {}

    void run() {
        const auto count = static_cast<std::int32_t>(program_.tokens->size());
        for (std::int32_t from = 0; from < count;) from = item(from, count);
    }

private:
    const Token& token(std::int32_t at) const { return program_.token(at); }
    std::int32_t partner(std::int32_t at) const { return partner_[static_cast<std::size_t>(at)]; }

    /// Read what begins at `from`.
    /// @return  the place behind it
    std::int32_t item(std::int32_t from, std::int32_t count) {
        std::int32_t parameters = kNone;
        bool assigned = false;
        for (std::int32_t at = from; at < count; ++at) {
            if (token(at).is(";")) {
                declare(from, at + 1, parameters != kNone && !assigned);
                return at + 1;
            }
            if (token(at).is("=")) assigned = true;
            if (token(at).is("(")) {
                const bool attribute = at > from && token(at - 1).is("__attribute__");
                if (!attribute && parameters == kNone && at > from && token(at - 1).is_name())
                    parameters = at;
                at = partner(at);
            } else if (token(at).is("{")) {
                if (parameters != kNone && !assigned) {
                    function(from, parameters, at);
                    return partner(at) + 1;
                }
                at = partner(at);  // of a struct, an enum or an initialiser
            } else if (token(at).is("[")) {
                at = partner(at);
            }
        }
        return count;
    }

    void declare(std::int32_t from, std::int32_t to, bool prototype) {
        if (prototype || token(from).is(";")) return;
        try {
            parser_.parse_global(from, to);
        } catch (const Unreadable&) {
            // what it declares stays unknown
        }
    }

    void function(std::int32_t from, std::int32_t parameters, std::int32_t brace) {
        Function made;
        made.name = token(parameters - 1).text;
        made.token = parameters - 1;
        made.body_from = brace + 1;
        made.body_to = partner(brace);
        for (std::int32_t at = from; at < brace; ++at) {
            if (token(at).is("__kernel") || token(at).is("kernel")) made.kernel = true;
            if (token(at).is("reqd_work_group_size") && at + 6 < brace) read_work_group(made, at + 1);
        }
        parser_.open_scope();
        read_parameters(made, parameters + 1, partner(parameters));
        program_.function_places.emplace(made.name, program_.functions.size());
        program_.functions.push_back(made);  // before its body, which may call it
        const std::size_t place = program_.functions.size() - 1;
        try {
            const StatementId body = parser_.parse_body(made.body_from, made.body_to);
            program_.functions[place].body = body;
            program_.functions[place].readable = true;
        } catch (const Unreadable&) {
            // stays unreadable
        }
        parser_.close_scope();
    }

    void read_work_group(Function& function, std::int32_t at) {
        std::array<std::uint64_t, 3> sizes{1, 1, 1};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto value = integer_value(token(at + 1 + 2 * static_cast<std::int32_t>(i)).text);
            if (!value) return;
            sizes[i] = static_cast<std::uint64_t>(*value);
        }
        function.work_group = sizes;
    }

    void read_parameters(Function& function, std::int32_t from, std::int32_t to) {
        std::int32_t start = from;
        for (std::int32_t at = from; at <= to; ++at) {
            if (at < to && (token(at).is("(") || token(at).is("["))) at = partner(at);
            if (at == to || token(at).is(",")) {
                read_parameter(function, start, at);
                start = at + 1;
            }
        }
    }

    void read_parameter(Function& function, std::int32_t from, std::int32_t to) {
        Symbol symbol{.parameter = true, .of_kernel = function.kernel};
        bool named = false, bracket = false;
        for (std::int32_t at = from; at < to; ++at) {
            const Token& word = token(at);
            if (word.is("[")) {
                symbol.pointer = true;
                bracket = true;
            } else if (word.is("*")) {
                symbol.pointer = true;
            } else if (word.is_name() && is_qualifier(word.text)) {
                if (word.text.ends_with("local")) symbol.space = Space::Local;
                if (word.text.ends_with("global")) symbol.space = Space::Global;
                if (word.text.ends_with("constant")) symbol.space = Space::Constant;
                if (word.is("volatile")) symbol.is_volatile = true;
            } else if (word.is_name() && is_builtin_type(word.text)) {
                symbol.integer = is_integer_type(word.text);
            } else if (word.is_name() && !bracket && !parser_.is_type(word.text)) {
                symbol.name = word.text;
                symbol.line = word.line;
                named = true;
            }
        }
        if (symbol.pointer) symbol.integer = false;
        if (named) function.parameters.push_back(parser_.declare(symbol));
    }

    Program& program_;
    const std::vector<std::int32_t>& partner_;
    Parser parser_;
};

}  // namespace

const Function* Program::find_function(std::string_view name) const {
    const auto found = function_places.find(name);
    return found == function_places.end() ? nullptr : &functions[found->second];
}

Program parse(const std::vector<Token>& tokens) {
    Program program;
    program.tokens = &tokens;
    const std::vector<std::int32_t> partner = match_brackets(tokens);
    if (!partner.empty()) FileParser(program, partner).run();
    return program;
}

}  // namespace kwb::hints
