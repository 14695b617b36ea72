// SPDX-License-Identifier: Apache-2.0
#include "lessons/lesson.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "base/text.hpp"

namespace kwb {
namespace {

constexpr std::string_view kFence = "```";
constexpr std::size_t kCodeIndent = 4;

bool is_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

char small(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// The length of a term's mention at `at`, also in the plural; 0: none.
std::size_t mention(std::string_view text, std::size_t at, std::string_view term) {
    if (at + term.size() > text.size() || (at > 0 && is_letter(text[at - 1]))) return 0;
    for (std::size_t i = 0; i < term.size(); ++i)
        if (small(text[at + i]) != small(term[i])) return 0;
    std::size_t end = at + term.size();
    if (end < text.size() && text[end] == 's') ++end;
    return end < text.size() && is_letter(text[end]) ? 0 : end - at;
}

class Spans {
public:
    Spans(const std::vector<Term>& glossary, std::set<std::string>& seen)
        : glossary_(glossary), seen_(seen) {}

    std::vector<StorySpan> of(std::string_view text, bool marks) {
        marks_ = marks;
        spans_.clear();
        for (std::size_t at = 0; at < text.size();) {
            const char sign = text[at];
            const std::size_t end = sign == '`' || sign == '*' ? text.find(sign, at + 1) : text.npos;
            // A lone sign, or "a * b", is itself.
            const bool opens = end != text.npos && end > at + 1 && text[at + 1] != ' ' &&
                               (sign == '`' || text[end - 1] != ' ');
            if (opens) {
                const std::string_view inside = text.substr(at + 1, end - at - 1);
                if (sign == '`')
                    spans_.push_back({std::string(inside), StorySpan::Look::Code});
                else
                    add(inside, StorySpan::Look::Strong);
                at = end + 1;
                continue;
            }
            const std::size_t next = std::min(text.find_first_of("`*", at + 1), text.size());
            add(text.substr(at, next - at), StorySpan::Look::Plain);
            at = next;
        }
        return std::move(spans_);
    }

private:
    void add(std::string_view text, StorySpan::Look look) {
        std::size_t begin = 0;
        const auto put = [&](std::size_t first, std::size_t last, std::string term) {
            if (first < last)
                spans_.push_back({std::string(text.substr(first, last - first)), look, std::move(term)});
        };
        for (std::size_t at = 0; at < text.size();) {
            const Term* longest = nullptr;
            std::size_t length = 0;
            for (const Term& term : glossary_)
                if (const std::size_t found = marks_ ? mention(text, at, term.word) : 0; found > length) {
                    longest = &term;
                    length = found;
                }
            if (longest == nullptr) {
                ++at;
                continue;
            }
            if (seen_.insert(longest->word).second) {
                put(begin, at, "");
                put(at, at + length, longest->word);
                begin = at + length;
            }
            at += length;
        }
        put(begin, text.size(), "");
    }

    const std::vector<Term>& glossary_;
    std::set<std::string>& seen_;
    bool marks_ = true;
    std::vector<StorySpan> spans_;
};

std::size_t code_points(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// "1." for "1. each work-item", "•" for "* all": what leads an item, and where its text begins.
std::pair<std::string, std::size_t> lead_of(std::string_view line) {
    if (line.starts_with("* ") || line.starts_with("- ")) return {"\u2022", 2};
    const std::size_t digits = line.find_first_not_of("0123456789");
    if (digits != line.npos && digits > 0 && line.substr(digits).starts_with(". "))
        return {std::string(line.substr(0, digits + 1)), digits + 2};
    return {"", 0};
}

bool is_rule_of_table(std::string_view line) {
    return line.starts_with("|-") || line.starts_with("|:");
}

/// A table with its columns one below the other.
std::vector<std::string> aligned(const std::vector<std::string>& rows) {
    std::vector<std::vector<std::string>> cells;
    std::vector<std::size_t> widths;
    for (const std::string& row : rows) {
        if (is_rule_of_table(row)) continue;
        std::vector<std::string>& of_row = cells.emplace_back();
        std::size_t begin = 1;
        for (std::size_t end = row.find('|', 1); end != row.npos; end = row.find('|', begin)) {
            std::string cell(trim(std::string_view(row).substr(begin, end - begin)));
            std::erase(cell, '`');
            if (widths.size() <= of_row.size()) widths.push_back(0);
            std::size_t& width = widths[of_row.size()];
            width = std::max(width, code_points(cell));
            of_row.push_back(std::move(cell));
            begin = end + 1;
        }
    }
    std::vector<std::string> lines;
    for (const auto& row : cells) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += row[i] + std::string(widths[i] - code_points(row[i]) + 3, ' ');
        lines.emplace_back(line.substr(0, line.find_last_not_of(' ') + 1));
    }
    return lines;
}

}  // namespace

std::vector<StoryBlock> story_blocks(std::string_view story, const std::vector<Term>& glossary) {
    using Kind = StoryBlock::Kind;
    std::vector<StoryBlock> blocks;
    std::vector<std::string> texts;  // of `blocks`, as far as they have spans
    const auto begin = [&](Kind kind, std::string_view text, std::string lead = {}) {
        blocks.push_back({kind, {}, std::move(lead)});
        texts.emplace_back(text);
    };
    bool is_fenced = false, is_open = false;  // is_open: the next line continues this block
    std::size_t blanks = 0;                   // lines before this one
    std::vector<std::string> table;
    const auto end_table = [&] {
        if (table.empty()) return;
        begin(Kind::Code, "");
        blocks.back().lines = aligned(std::exchange(table, {}));
    };
    for (const std::string& line : split_lines(story)) {
        const std::string_view text = trim(line);
        if (!text.starts_with('|') || is_fenced || line.starts_with("    ")) end_table();
        if (text.starts_with(kFence)) {
            is_fenced = !is_fenced;
            is_open = false;
            if (is_fenced) begin(Kind::Code, "");
            continue;
        }
        const std::size_t indent = line.find_first_not_of(' ');
        // A line of an item is indented, too.
        const bool is_code = indent != line.npos && indent >= kCodeIndent && !is_open;
        if (is_fenced || is_code) {
            const bool goes_on = !blocks.empty() && blocks.back().kind == Kind::Code;
            if (!is_fenced && !goes_on) begin(Kind::Code, "");
            if (!is_fenced && goes_on) blocks.back().lines.resize(blocks.back().lines.size() + blanks);
            blanks = 0;
            blocks.back().lines.push_back(is_fenced ? line : line.substr(kCodeIndent));
            continue;
        }
        if (text.empty()) {
            is_open = false;
            ++blanks;
            continue;
        }
        blanks = 0;
        if (text.starts_with('|')) {
            table.emplace_back(text);
            continue;
        }
        if (text.starts_with('#')) {
            begin(Kind::Heading, trim(text.substr(text.find_first_not_of('#'))));
            is_open = false;
            continue;
        }
        if (const auto [lead, skipped] = lead_of(text); !lead.empty())
            begin(Kind::Item, text.substr(skipped), lead);
        else if (is_open)
            texts.back() += " " + std::string(text);
        else
            begin(Kind::Paragraph, text);
        is_open = true;
    }
    end_table();
    std::set<std::string> seen;
    Spans spans(glossary, seen);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (blocks[i].kind != Kind::Code)
            blocks[i].spans = spans.of(texts[i], blocks[i].kind != Kind::Heading);
    return blocks;
}

std::vector<StorySpan> sentence_spans(std::string_view sentence) {
    std::set<std::string> seen;
    return Spans({}, seen).of(sentence, false);
}

}  // namespace kwb
