#include "report/printed_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/labels.hpp"
#include "report/text_layout.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostLines = 20;
constexpr std::size_t kMostBytes = 2048;

/// What one kernel printed.
struct Printed {
    std::string label;
    std::string output;              ///< unchanged, to detect repetition
    std::vector<std::string> lines;  ///< made safe for a terminal
    std::string not_kept;            ///< the judge's last line, "[… N more bytes of output were not kept]"
};

bool says_not_kept(const std::string& line) {
    return line.starts_with("[… ") && line.ends_with(" not kept]");
}

std::vector<Printed> collect(const std::vector<KernelResult>& results) {
    std::vector<Printed> all;
    for (const KernelResult& result : results) {
        if (trim(result.output).empty()) continue;
        Printed printed{contestant_label(result), result.output, split_lines(printable(result.output)), ""};
        if (says_not_kept(printed.lines.back())) {
            printed.not_kept = printed.lines.back();
            printed.lines.pop_back();
        }
        const bool known = std::any_of(all.begin(), all.end(), [&](const Printed& other) {
            return other.label == printed.label && other.output == printed.output;
        });
        if (!known) all.push_back(std::move(printed));
    }
    return all;
}

/// The first `most` bytes of valid UTF-8 text, or fewer, so that no character is split.
std::string first_bytes(const std::string& text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0u) == 0x80u) --most;
    return text.substr(0, most);
}

/// The lines and bytes that may still be shown, and those that were hidden.
struct Room {
    std::size_t lines = kMostLines;
    std::size_t bytes = kMostBytes;
    std::size_t hidden_lines = 0;  ///< lines of which nothing is shown
    std::size_t hidden_bytes = 0;

    /// @return  the line or its beginning; empty if there is no room left
    std::string take(const std::string& line) {
        if (lines == 0 || bytes == 0) {
            ++hidden_lines;
            hidden_bytes += line.size() + 1;
            return "";
        }
        --lines;
        const std::string shown = first_bytes(line, bytes);
        const bool whole = shown.size() == line.size();
        hidden_bytes += line.size() - shown.size();
        bytes = whole ? bytes - shown.size() : 0;
        return std::string(shown.empty() ? 0 : kIndent, ' ') + shown + (whole ? "" : "…") + "\n";
    }
};

/// "… and 80 more lines, 400 bytes (all of it with --json)"
std::string tell_hidden(const Room& room, bool all_kept) {
    const std::string lines = fmt::format("{} more line{}, {}", room.hidden_lines,
                                          room.hidden_lines == 1 ? "" : "s", format_bytes(room.hidden_bytes));
    return fmt::format("  … and {} ({})\n",
                       room.hidden_lines > 0 ? lines : format_bytes(room.hidden_bytes) + " more",
                       all_kept ? "all of it with --json" : "--json has what was kept");
}

}  // namespace

std::string printed_output(const std::vector<KernelResult>& results, const TableOptions& options) {
    const std::vector<Printed> all = collect(results);
    Room room;
    std::string text;
    std::string not_kept;  // printed after the note about hidden output
    for (const Printed& printed : all) {
        std::string shown;
        for (const std::string& line : printed.lines) shown += room.take(line);
        if (!shown.empty()) text += "printed by " + printed.label + ":\n" + shown;
        if (printed.not_kept.empty()) continue;
        if (room.hidden_bytes == 0)
            text += paragraph(printed.not_kept, options.width, kIndent);
        else
            not_kept += paragraph(printed.label + ": " + printed.not_kept, options.width, kIndent);
    }
    const bool all_kept =
        std::all_of(all.begin(), all.end(), [](const Printed& printed) { return printed.not_kept.empty(); });
    if (room.hidden_bytes > 0) text += tell_hidden(room, all_kept);
    return plain_signs(text + not_kept, options);
}

}  // namespace kwb
