#include "hints/kernel_functions.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "hints/preprocessor.hpp"
#include "hints/syntax.hpp"
#include "hints/types.hpp"

namespace kwb {
namespace {

using hints::Function;
using hints::Program;
using hints::Token;
using hints::TokenKind;
using Typedefs = std::map<std::string_view, std::string, std::less<>>;

/// "unsigned int" → "uint"; other words as they stand.
std::string type_of_words(const std::vector<std::string_view>& words, const Typedefs& typedefs) {
    const auto has = [&](std::string_view word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (has("unsigned") || has("signed")) {
        const std::string plain = has("char")    ? "char"
                                  : has("short") ? "short"
                                  : has("long")  ? "long"
                                                 : "int";
        return (has("unsigned") ? "u" : "") + plain;
    }
    if (has("long") || has("short")) return has("long") ? "long" : "short";
    std::string name;
    for (const std::string_view word : words) name += (name.empty() ? "" : " ") + std::string(word);
    const auto known = typedefs.find(name);
    return known != typedefs.end() ? known->second : name;
}

/// `typedef unsigned int index_t;` at file scope; others than plain ones are left out.
Typedefs read_typedefs(const std::vector<Token>& tokens) {
    Typedefs typedefs;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        if (!tokens[at].is("typedef")) continue;
        std::vector<std::string_view> words;
        std::size_t end = at + 1;
        for (; end < tokens.size() && tokens[end].is_name(); ++end)
            if (!hints::is_qualifier(tokens[end].text)) words.push_back(tokens[end].text);
        if (end < tokens.size() && tokens[end].is(";") && words.size() > 1) {
            const std::string_view name = words.back();
            words.pop_back();
            typedefs.insert_or_assign(name, type_of_words(words, typedefs));
        }
        at = end;
    }
    return typedefs;
}

/// The place of the bracket that closes the one at `open`.
std::int32_t closing(const Program& program, std::int32_t open, std::int32_t end) {
    int depth = 0;
    for (std::int32_t at = open; at < end; ++at) {
        const Token& token = program.token(at);
        if (token.is("(") || token.is("[") || token.is("{")) ++depth;
        if (token.is(")") || token.is("]") || token.is("}")) --depth;
        if (depth == 0) return at;
    }
    return end;
}

/// @param from, to  the words of one parameter
std::optional<SourceParameter> read_parameter(const Program& program, const Typedefs& typedefs,
                                              std::int32_t from, std::int32_t to) {
    SourceParameter parameter;
    std::vector<std::string_view> words;
    bool pointer = false;
    bool only_read = false;
    std::optional<SourceParameter::Kind> space;
    for (std::int32_t at = from; at < to; ++at) {
        const Token& token = program.token(at);
        if (token.is("__attribute__") && at + 1 < to) {
            at = closing(program, at + 1, to);
        } else if (token.is("*")) {
            pointer = true;
        } else if (token.is("[")) {
            pointer = true;
            at = closing(program, at, to);
        } else if (token.is_name()) {
            const std::string_view word = token.text;
            if (word == "__global" || word == "global" || word == "__constant" || word == "constant")
                space = SourceParameter::Kind::Buffer;
            if (word == "__constant" || word == "constant" || (word == "const" && !pointer)) only_read = true;
            if (word == "__local" || word == "local") space = SourceParameter::Kind::Local;
            if (!hints::is_qualifier(word) && word != "read_only" && word != "write_only")
                words.push_back(word);
        }
    }
    if (words.size() < 2) return std::nullopt;  // `void`, or a type without a name
    parameter.name = words.back();
    words.pop_back();
    if (words.front() == "struct" && words.size() > 1) words.erase(words.begin() + 2, words.end());
    parameter.type = type_of_words(words, typedefs);
    const bool opaque = parameter.type.starts_with("image") || parameter.type == "sampler_t" ||
                        parameter.type.starts_with("pipe") || parameter.type == "queue_t";
    parameter.kind = opaque    ? SourceParameter::Kind::Other
                     : pointer ? space.value_or(SourceParameter::Kind::Other)
                               : SourceParameter::Kind::Value;
    parameter.is_const = pointer && only_read;
    return parameter;
}

std::vector<SourceParameter> read_parameters(const Program& program, const Typedefs& typedefs,
                                             const Function& function) {
    std::vector<SourceParameter> parameters;
    const std::int32_t open = function.token + 1;
    const std::int32_t close = closing(program, open, function.body_from);
    std::int32_t start = open + 1;
    for (std::int32_t at = start; at <= close; ++at) {
        if (at < close && (program.token(at).is("(") || program.token(at).is("["))) {
            at = closing(program, at, close);
        } else if (at == close || program.token(at).is(",")) {
            if (auto parameter = read_parameter(program, typedefs, start, at))
                parameters.push_back(std::move(*parameter));
            start = at + 1;
        }
    }
    return parameters;
}

/// The functions that `entry` calls, itself first.
std::vector<const Function*> called_functions(const Program& program, const Function& entry) {
    std::vector<const Function*> reached = {&entry};
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (std::int32_t at = reached[i]->body_from; at < reached[i]->body_to; ++at) {
            const Function* called =
                program.token(at).is_name() ? program.find_function(program.token(at).text) : nullptr;
            if (called != nullptr && std::find(reached.begin(), reached.end(), called) == reached.end())
                reached.push_back(called);
        }
    return reached;
}

/// The dimension that `get_…id(d)` at `at` asks for.
std::optional<unsigned> asked_dimension(const Program& program, std::int32_t at, std::int32_t end) {
    if (at + 3 >= end || !program.token(at + 1).is("(") || !program.token(at + 3).is(")"))
        return std::nullopt;
    const std::string_view digit = program.token(at + 2).text;
    if (digit == "0") return 0;
    if (digit == "1") return 1;
    if (digit == "2") return 2;
    return std::nullopt;
}

void look_at_places(const Program& program, const Function& function, SourceKernel& kernel) {
    for (std::int32_t at = function.body_from; at < function.body_to; ++at) {
        const Token& token = program.token(at);
        if (!token.is_name()) continue;
        const bool group = token.is("get_local_id") || token.is("get_group_id") ||
                           token.is("get_local_size") || token.is("get_num_groups");
        if (group || token.is("barrier") || token.is("work_group_barrier")) kernel.uses_groups = true;
        if (!group && !token.is("get_global_id") && !token.is("get_global_size")) continue;
        kernel.dimensions =
            std::max(kernel.dimensions, asked_dimension(program, at, function.body_to).value_or(0) + 1);
    }
}

/// A kernel's guards: `const int i = get_global_id(0); if (i < n) …`, also in loops and the other way round.
/// `if (i < skip) return;` is none: it sends the near ones away, not the far ones.
class Guards {
public:
    Guards(const Program& program, const Function& function) : program_(program), end_(function.body_to) {
        for (std::int32_t at = function.body_from; at < end_; ++at) {
            note_condition(at);
            note_place(at);
            look_at_comparison(at);
        }
        for (std::size_t d = 0; d < bounds_.size(); ++d)
            if (bounds_[d].empty()) bounds_[d] = choices_[d];
    }

    const std::array<std::string, 3>& bounds() const { return bounds_; }

private:
    /// Of an `if`, as long as its words are read.
    struct Condition {
        std::int32_t end = 0;          ///< its closing bracket
        std::int32_t negated_end = 0;  ///< that of the last `!(` in it
        bool leaves = false;           ///< where it holds, the work-item or the round of a loop is over
        bool has_else = false;
    };

    const Token& token(std::int32_t at) const { return program_.token(at); }

    void note_condition(std::int32_t at) {
        if (at + 1 >= end_ || !token(at + 1).is("(")) return;
        if (token(at).is("!")) condition_.negated_end = closing(program_, at + 1, end_);
        if (!token(at).is("if")) return;
        condition_ = {closing(program_, at + 1, end_), 0, false, false};
        const std::int32_t body = condition_.end + 1;
        if (body >= end_) return;
        const bool block = token(body).is("{");
        const std::int32_t last = block ? closing(program_, body, end_) : end_of_statement(body);
        condition_.leaves = leaves(block ? start_of_last_statement(last) : body);
        condition_.has_else = last + 1 < end_ && token(last + 1).is("else");
    }

    bool leaves(std::int32_t at) const {
        return at < end_ && (token(at).is("return") || token(at).is("continue") || token(at).is("break"));
    }

    /// Of a statement that is no block: its semicolon, or the brace that ends a loop's block.
    std::int32_t end_of_statement(std::int32_t at) const {
        for (; at < end_ && !token(at).is(";"); ++at) {
            const bool block = token(at).is("{");
            if (block || token(at).is("(") || token(at).is("[")) at = closing(program_, at, end_);
            if (block) break;
        }
        return at;
    }

    /// @param brace  that closes the block
    std::int32_t start_of_last_statement(std::int32_t brace) const {
        std::int32_t at = brace - 1;  // its semicolon
        while (at > 0 && !token(at - 1).is(";") && !token(at - 1).is("{") && !token(at - 1).is("}")) --at;
        return at;
    }

    /// `name = get_global_id(d)`, with or without a cast, or its work-group's corner and its place in it.
    void note_place(std::int32_t at) {
        if (!token(at).is("=") || !token(at - 1).is_name()) return;
        // What is assigned again, e.g. to write a tile where it was not read, tells nothing from there on.
        if (places_.erase(token(at - 1).text) > 0) return;
        std::optional<unsigned> global, group, local;
        bool other = false;
        for (std::int32_t in = at + 1; in < end_ && !token(in).is(";") && !token(in).is(","); ++in) {
            const auto dimension = asked_dimension(program_, in, end_);
            if (token(in).is("get_global_id")) global = dimension;
            if (token(in).is("get_group_id")) group = dimension;
            if (token(in).is("get_local_id")) local = dimension;
            if (token(in).text.starts_with("get_"))
                in += 3;
            else if (token(in).is_name() && !hints::is_builtin_type(token(in).text))
                other = true;
            else if (token(in).is("+") || token(in).is("*") || token(in).is("-") || token(in).is("/"))
                other = true;
        }
        if (global && !group && !local && !other) places_[token(at - 1).text] = *global;
        if (!global && group && group == local) places_[token(at - 1).text] = *group;
    }

    void look_at_comparison(std::int32_t at) {
        const Token& sign = token(at);
        const bool less = sign.is("<") || sign.is(">=");  // i < n, i >= n
        const bool more = sign.is(">") || sign.is("<=");  // n > i, n <= i
        if (!less && !more) return;
        const Token& place = token(less ? at - 1 : at + 1);
        const auto known = places_.find(place.text);
        if (!place.is_name() || known == places_.end()) return;
        const bool in_condition = at < condition_.end;
        const bool near_ones = (sign.is("<") || sign.is(">")) != (at < condition_.negated_end);
        if (in_condition && near_ones == condition_.leaves && (near_ones || !condition_.has_else)) return;
        std::string& bound = (in_condition && condition_.has_else ? choices_ : bounds_)[known->second];
        if (!bound.empty()) return;
        std::string found = less ? text_behind(at + 1) : name_before(at - 1);
        // `if (i < 1)` is about some work-items only.
        if (found.find_first_not_of("0123456789uUlL *") != std::string::npos) bound = std::move(found);
    }

    /// `n`, `n * m`, `(uint)n`: up to what ends a condition; empty if it holds anything else.
    std::string text_behind(std::int32_t at) const {
        std::string text;
        for (; at < end_; ++at) {
            const Token& word = token(at);
            if (word.is(")") || word.is("&&") || word.is("||") || word.is(";") || word.is("?")) return text;
            if (word.is("(") && at + 2 < end_ && hints::is_builtin_type(token(at + 1).text) &&
                token(at + 2).is(")")) {
                at += 2;
                continue;
            }
            const bool plain = word.is_name() ? !(at + 1 < end_ && token(at + 1).is("("))
                                              : word.kind == TokenKind::Number || word.is("*");
            if (!plain) return "";
            text += (text.empty() ? "" : " ") + std::string(word.text);
        }
        return "";
    }

    std::string name_before(std::int32_t at) const {
        const bool alone = token(at - 1).is("(") || token(at - 1).is("&&") || token(at - 1).is("||");
        return alone && token(at).is_name() ? std::string(token(at).text) : "";
    }

    const Program& program_;
    std::int32_t end_;
    Condition condition_;
    std::map<std::string_view, unsigned> places_;
    std::array<std::string, 3> bounds_;
    std::array<std::string, 3>
        choices_;  ///< from conditions with an else: beyond them something is done, too
};

}  // namespace

std::optional<std::vector<SourceKernel>> find_kernel_functions(const HintSource& source) {
    const hints::Preprocessed text = hints::preprocess(source);
    if (!text.complete) return std::nullopt;
    const Program program = hints::parse(text.tokens);
    const Typedefs typedefs = read_typedefs(text.tokens);
    std::vector<SourceKernel> kernels;
    std::set<std::string_view> seen;
    for (const Function& function : program.functions) {
        if (!function.kernel || !seen.insert(function.name).second) continue;
        SourceKernel kernel;
        kernel.name = function.name;
        kernel.line = program.token(function.token).line;
        kernel.parameters = read_parameters(program, typedefs, function);
        kernel.work_group = function.work_group;
        for (const Function* part : called_functions(program, function))
            look_at_places(program, *part, kernel);
        kernel.bounds = Guards(program, function).bounds();
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

std::map<std::string, std::string> find_typedefs(const HintSource& source) {
    const hints::Preprocessed text = hints::preprocess(source);
    std::map<std::string, std::string> found;
    for (const auto& [name, type] : read_typedefs(text.tokens)) found.emplace(name, type);
    return found;
}

}  // namespace kwb
