#include "hints/preprocessor.hpp"

#include <span>
#include <unordered_set>

#include "hints/condition.hpp"
#include "hints/macro.hpp"

namespace kwb::hints {
namespace {

constexpr int kMostIncludes = 20;             // within each other
constexpr std::size_t kMostConditions = 500;  // within each other
constexpr std::size_t kBytesPerToken = 64;    // as many cost as much as a token

/// What the compiler defines by itself.
constexpr std::string_view kPredefined = R"(
#define __OPENCL_VERSION__ 300
#define __OPENCL_C_VERSION__ 120
#define CL_VERSION_1_0 100
#define CL_VERSION_1_1 110
#define CL_VERSION_1_2 120
#define CL_VERSION_2_0 200
#define CL_VERSION_3_0 300
#define __ENDIAN_LITTLE__ 1
#define cl_khr_fp64 1
)";

class Preprocessor {
public:
    Preprocessor(const HintSource& source, Preprocessed& result, std::size_t most_tokens)
        : source_(source), result_(result), budget_(most_tokens), macros_(result.texts, budget_) {}

    void run() {
        // Bytes count too: comments and blanks cost time and make no tokens.
        if (source_.text.size() > kMostOwnBytes || !budget_.spend(source_.text.size() / kBytesPerToken))
            budget_.exhaust();
        read_file(kPredefined, {.own = false});
        std::string given;
        for (const auto& macro : source_.macros) given += "#define " + macro.name + ' ' + macro.value + '\n';
        read_file(given, {.own = false, .given = true});
        read_file(source_.text, {});
        result_.complete = !budget_.exhausted();
        result_.tokens_used = budget_.used();
        if (!result_.complete) {
            result_.tokens = {};
            result_.texts.clear();
        }
    }

private:
    struct FileContext {
        bool own = true;
        bool given = false;
        std::uint32_t line = 0;  ///< of the #include in the person's own file
        int depth = 0;
    };
    struct Condition {
        bool outside_active = true;
        bool active = true;
        bool taken = false;  ///< this branch or one before it
        bool else_seen = false;
    };

    bool active() const { return conditions_.empty() || conditions_.back().active; }

    void read_file(std::string_view text, const FileContext& context) {
        if (budget_.exhausted()) return;
        std::vector<std::size_t> joints;
        const std::string& joined = result_.texts.emplace_back(join_continued_lines(text, joints));
        std::vector<Token> tokens = read_tokens(joined, joints, budget_.left() + 1);
        if (!budget_.spend(tokens.size())) return;
        if (!context.own)
            for (Token& token : tokens) {
                token.own = false;
                token.line = context.line;
            }

        const std::size_t outer_conditions = conditions_.size();
        std::vector<Token> pending;  // ordinary words since the last directive
        for (std::size_t at = 0; at < tokens.size() && !budget_.exhausted();) {
            std::size_t end = at + 1;
            while (end < tokens.size() && !tokens[end].first_on_line) ++end;
            const std::span<const Token> words(tokens.data() + at, end - at);
            if (words[0].first_on_line && words[0].is("#")) {
                flush(pending);
                if (words.size() > 1) obey(words.subspan(1), context);
            } else if (active()) {
                pending.insert(pending.end(), words.begin(), words.end());
            }
            at = end;
        }
        flush(pending);
        if (conditions_.size() > outer_conditions) conditions_.resize(outer_conditions);
    }

    void flush(std::vector<Token>& pending) {
        if (!pending.empty()) macros_.expand(std::move(pending), result_.tokens);
        pending.clear();
    }

    /// @param words  those behind the `#`, at least one
    void obey(std::span<const Token> words, const FileContext& context) {
        const Token& keyword = words[0];
        const std::span<const Token> rest = words.subspan(1);
        if (keyword.is("if") || keyword.is("ifdef") || keyword.is("ifndef")) {
            if (conditions_.size() >= kMostConditions) return budget_.exhaust();
            Condition condition{.outside_active = active()};
            if (condition.outside_active) {
                condition.active =
                    keyword.is("if") ? holds(rest)
                                     : !rest.empty() && macros_.defined(rest[0].text) == keyword.is("ifdef");
                condition.taken = condition.active;
            } else {
                condition.active = false;
            }
            conditions_.push_back(condition);
        } else if (keyword.is("elif") || keyword.is("else")) {
            if (conditions_.empty() || conditions_.back().else_seen) return;
            Condition& condition = conditions_.back();
            condition.else_seen = keyword.is("else");
            condition.active =
                condition.outside_active && !condition.taken && (keyword.is("else") || holds(rest));
            condition.taken = condition.taken || condition.active;
        } else if (keyword.is("endif")) {
            if (!conditions_.empty()) conditions_.pop_back();
        } else if (!active() || rest.empty()) {
            return;
        } else if (keyword.is("define")) {
            define(rest, context);
        } else if (keyword.is("undef")) {
            macros_.undefine(rest[0].text);
        } else if (keyword.is("include")) {
            include(rest[0], context);
        }  // #pragma, #error, #line and whatever else say nothing about the kernel
    }

    void define(std::span<const Token> words, const FileContext& context) {
        const Token& name = words[0];
        if (!name.is_name()) return;
        Macro macro{.given = context.given};
        std::size_t at = 1;
        if (at < words.size() && words[at].is("(") && !words[at].space_before) {
            macro.takes_arguments = true;
            for (++at; at < words.size() && !words[at].is(")"); ++at) {
                if (words[at].is("...")) {
                    macro.variadic = true;
                    // `args...` names the rest, `...` alone is __VA_ARGS__
                    if (!words[at - 1].is_name()) macro.parameters.push_back("__VA_ARGS__");
                } else if (words[at].is_name()) {
                    macro.parameters.push_back(words[at].text);
                }
            }
            if (at == words.size()) return;
            ++at;
        }
        macro.body.assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
        for (Token& token : macro.body) {
            token.macro = name.text;
            token.first_on_line = false;
        }
        macros_.define(name.text, std::move(macro));
    }

    void include(const Token& name, const FileContext& context) {
        if (name.kind != TokenKind::Text || name.text.size() < 2) return;
        const std::string_view path = name.text.substr(1, name.text.size() - 2);
        const std::string* text = find_named(source_.includes, path);
        if (text == nullptr && path.starts_with("./")) text = find_named(source_.includes, path.substr(2));
        if (text == nullptr) return;
        // A neighbour's bytes count too: one of comments only, included again and again, has no tokens.
        if (context.depth >= kMostIncludes || !budget_.spend(1 + text->size() / kBytesPerToken))
            return budget_.exhaust();
        if (text->find("#pragma once") != std::string::npos && !once_.insert(text).second) return;
        read_file(*text, {.own = false, .given = false, .line = name.line, .depth = context.depth + 1});
    }

    bool holds(std::span<const Token> words) {
        // `defined X` and `defined(X)` first: X is not to be expanded.
        std::vector<Token> input, expanded;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (!words[i].is("defined")) {
                input.push_back(words[i]);
                continue;
            }
            const bool parenthesis = i + 1 < words.size() && words[i + 1].is("(");
            const std::size_t name = i + (parenthesis ? 2 : 1);
            Token value = words[i];
            value.kind = TokenKind::Number;
            value.text = name < words.size() && macros_.defined(words[name].text) ? "1" : "0";
            input.push_back(value);
            i = name + (parenthesis ? 1 : 0);
        }
        macros_.expand(std::move(input), expanded);
        return !budget_.exhausted() && evaluate_condition(expanded).value_or(0) != 0;
    }

    const HintSource& source_;
    Preprocessed& result_;
    Budget budget_;
    Macros macros_;
    std::vector<Condition> conditions_;
    std::unordered_set<const std::string*> once_;
};

}  // namespace

Preprocessed preprocess(const HintSource& source, std::size_t most_tokens) {
    Preprocessed result;
    Preprocessor(source, result, most_tokens).run();
    return result;
}

}  // namespace kwb::hints
