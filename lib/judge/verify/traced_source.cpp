#include "judge/verify/traced_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "ipc/runner_messages.hpp"

namespace kwb {
namespace {

constexpr std::string_view kCall = " kwb_note_work_item();";

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Walks over the text token by token and copies it, with calls between statements.
class Tracer {
public:
    explicit Tracer(std::string_view text) : text_(text) {}

    std::string trace() {
        while (at_ < text_.size()) step();
        return std::move(out_);
    }

private:
    void copy_until(std::size_t end) {
        end = std::min(end, text_.size());
        out_.append(text_.substr(at_, end - at_));
        at_ = end;
    }

    std::size_t end_of_comment(std::size_t from) const {
        const bool line = text_[from + 1] == '/';
        const std::size_t end = text_.find(line ? "\n" : "*/", from + 2);
        return end == std::string_view::npos ? text_.size() : end + (line ? 0 : 2);
    }

    bool comment_at(std::size_t at) const {
        return text_[at] == '/' && at + 1 < text_.size() && (text_[at + 1] == '/' || text_[at + 1] == '*');
    }

    /// The first word or character from `at` on that is neither blank nor comment.
    std::string_view next_token(std::size_t at) const {
        while (at < text_.size()) {
            if (std::isspace(static_cast<unsigned char>(text_[at])) != 0)
                ++at;
            else if (comment_at(at))
                at = end_of_comment(at);
            else
                break;
        }
        std::size_t end = at;
        while (end < text_.size() && is_word(text_[end])) ++end;
        return text_.substr(std::min(at, text_.size()), std::max<std::size_t>(1, end - at));
    }

    void copy_quoted(char quote) {
        std::size_t end = at_ + 1;
        while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
            end += text_[end] == '\\' ? 2 : 1;
        copy_until(end + 1);
    }

    void copy_directive() {
        std::size_t end = at_;
        while (end < text_.size() && text_[end] != '\n') {
            if (comment_at(end))
                end = end_of_comment(end);
            else
                end += text_[end] == '\\' ? 2 : 1;
        }
        copy_until(end);
    }

    /// Whether the brace at hand opens statements, not an initialiser, a struct or an enum.
    bool opens_statements() const {
        if (previous_ == ")" || previous_ == "else" || previous_ == "do") return true;
        const bool within = !braces_.empty() && braces_.back();
        return within && (previous_ == ";" || previous_ == "{" || previous_ == "}" || previous_ == ":");
    }

    /// A statement has ended: the next one may be noted, unless it belongs to this one.
    void call_before(std::string_view next) {
        if (next == "else" || next == "while" || next == "case" || next == "default") return;
        if (!braces_.empty() && braces_.back() && parentheses_ == 0) out_ += kCall;
    }

    void step() {
        const char c = text_[at_];
        if (c == '\n') line_start_ = true;
        if (std::isspace(static_cast<unsigned char>(c)) != 0) return copy_until(at_ + 1);
        if (comment_at(at_)) return copy_until(end_of_comment(at_));
        if (c == '#' && line_start_) return copy_directive();
        line_start_ = false;
        if (c == '"' || c == '\'') {
            copy_quoted(c);
            previous_ = "\"";
            return;
        }
        const std::string_view token = next_token(at_);
        if (c == '(') ++parentheses_;
        if (c == ')' && parentheses_ > 0) --parentheses_;
        if (c == '{') {
            braces_.push_back(parentheses_ == 0 && opens_statements());
        } else if (c == '}' && !braces_.empty()) {
            const bool statements = braces_.back();
            braces_.pop_back();
            copy_until(at_ + 1);
            previous_ = "}";
            if (statements) call_before(next_token(at_));
            return;
        }
        copy_until(at_ + token.size());
        previous_ = token;
        if (c == ';' || c == '{') call_before(next_token(at_));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string out_;
    std::vector<bool> braces_;  ///< of the open ones: does it hold statements?
    std::size_t parentheses_ = 0;
    std::string_view previous_;
    bool line_start_ = true;
};

}  // namespace

std::string trace_prelude() {
    // may_alias and no `restrict`: the compiler must not move an access of the kernel before its note.
    return fmt::format(
        "typedef ulong __attribute__((may_alias)) kwb_trace_word;\n"
        "static void kwb_note_work_item(void) {{\n"
        "    volatile __global kwb_trace_word* record = (volatile __global kwb_trace_word*){:#x}UL;\n"
        "    record[1] = get_global_id(0);\n"
        "    record[2] = get_global_id(1);\n"
        "    record[3] = get_global_id(2);\n"
        "    record[0] = 1;\n"
        "}}\n"
        "#define restrict\n"
        "#define __restrict\n"
        "#line 1\n",
        kTraceAddress);
}

std::string add_trace_calls(std::string_view source) {
    return Tracer(source).trace();
}

}  // namespace kwb
