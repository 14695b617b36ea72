#include "gui/panels/correctness_panel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "base/text.hpp"
#include "gui/panels/facts.hpp"
#include "gui/panels/results_table.hpp"
#include "gui/widgets.hpp"
#include "plot/numbers.hpp"
#include "report/charts.hpp"
#include "report/labels.hpp"
#include "report/notes.hpp"
#include "report/numbers.hpp"

namespace kwb::gui {
namespace {

void heading(std::string_view part, std::string_view words) {
    ImGui::Dummy({0, look().tokens().hair});
    text("correctness/" + std::string(part) + "/heading", words, {.font = look().fonts().strong});
}

/// The sentence below a verdict.
std::string sentence_of(const KernelResult& result) {
    if (!result.judged) return "The run is still in progress; the result is checked at its end.";
    std::string sentence = result.reason;
    if (sentence.empty() && result.verdict == Verdict::Correct)
        sentence = result.random_check ? "No wrong element was found."
                   : result.max_error_share
                       ? "Every element is within its error bound; the largest error is " +
                             format_error_share(*result.max_error_share) + "."
                       : "Every element is within its error bound.";
    if (!result.expected) return sentence;
    if (!sentence.empty()) sentence += "\n";
    std::vector<std::string> names;
    for (const Verdict verdict : result.expected->verdicts) {
        std::string name = to_string(verdict);
        std::replace(name.begin(), name.end(), '_', ' ');
        names.push_back(std::move(name));
    }
    sentence += (result.as_expected() ? "Its file announces this"
                                      : "Its file announces something else: " + enumerate(names, "or"));
    if (!result.expected->why.empty()) sentence += ": " + result.expected->why;
    if (sentence.back() != '.') sentence += ".";
    return sentence;
}

/// Adds the known wrong elements within a cell, for old maps that do not store the worst element of each
/// cell.
void tell_elements(const KernelResult& result, std::size_t cell, std::vector<std::string>& lines) {
    const ErrorMap& map = *result.error_map;
    const double rows = map.extents ? static_cast<double>(map.extents->rows) : map.rows;
    const double columns = map.extents ? static_cast<double>(map.extents->columns) : map.columns;
    constexpr std::size_t kMostTold = 3;
    std::size_t told = 0;
    for (const WrongElement& wrong : result.first_wrong) {
        if (wrong.buffer != map.buffer || wrong.index.empty() || told == kMostTold) continue;
        const double column = static_cast<double>(wrong.index.back());
        const double row =
            wrong.index.size() > 1 ? static_cast<double>(wrong.index[wrong.index.size() - 2]) : 0;
        const auto cell_row = static_cast<std::size_t>(row * map.rows / rows);
        const auto cell_column = static_cast<std::size_t>(column * map.columns / columns);
        if (cell_row * map.columns + cell_column != cell) continue;
        lines.push_back(describe_wrong(wrong));
        ++told;
    }
}

/// Describes a cell of the map: its worst element, the expected and actual values, and the error relative to
/// the bound.
void tell_cell(const KernelResult& result, const plot::Hover& hover, std::vector<std::string>& lines) {
    const ErrorMap& map = *result.error_map;
    const std::size_t cells = std::size_t{map.rows} * map.columns;
    if (!map.extents || map.extents->columns == 0 || map.worst_elements.size() != cells ||
        hover.item >= cells)
        return tell_elements(result, hover.item, lines);
    const WorstElement& worst = map.worst_elements[hover.item];
    const float share = map.worst_share[hover.item];
    const bool is_one = map.extents->rows == map.rows && map.extents->columns == map.columns;
    const std::string cell = lines.empty() ? "" : lines.front();
    const NumberTexts values = tell_apart(worst.expected, worst.got, 9);
    lines = {fmt::format("Row {}, column {}", worst.element / map.extents->columns,
                         worst.element % map.extents->columns),
             "expected " + values.first, "got " + values.second,
             std::isfinite(share) ? "error " + format_error_share(share) : "beyond any bound"};
    if (!is_one) lines.push_back((result.random_check ? "the worst compared of " : "the worst of ") + cell);
}

/// Draws a button for each contestant, in as many lines as necessary.
void draw_strip(const DeskState& state, Commands& commands) {
    const ShownRun& run = *state.shown;
    const std::size_t known = std::min(run.labels.size(), run.run.results.size());
    if (known < 2) return;
    const Tokens& tokens = look().tokens();
    const float left = ImGui::GetCursorScreenPos().x, room = ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens.hair, tokens.hair));
    for (std::size_t i = 0; i < known; ++i) {
        const VerdictLook seen = look_of(run.run.results[i]);
        const float around = button_width("", seen.icon);
        const std::string label = shortened(run.labels[i], room - around);
        const float width = button_width(label, seen.icon);
        if (i > 0) {
            ImGui::SameLine();
            if (ImGui::GetCursorScreenPos().x + width > left + room) ImGui::NewLine();
        }
        const bool in_front = i == state.selected;
        ImGui::PushStyleColor(ImGuiCol_Text, text_color(in_front ? Tone::Normal : seen.tone));
        if (button("correctness/contestant/" + std::to_string(i), label,
                   {.icon = seen.icon,
                    .kind = in_front ? ButtonKind::Normal : ButtonKind::Quiet,
                    .tooltip = run.labels[i] + ": " + seen.words}))
            commands.push_back(command::SelectContestant{i});
        ImGui::PopStyleColor();
        // A line in its chart colour.
        const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
        const float thick = std::max(2.0f, tokens.hair / 2);
        ImGui::GetWindowDrawList()->AddRectFilled({min.x + tokens.hair, max.y - thick},
                                                  {max.x - tokens.hair, max.y},
                                                  series_color(i, in_front ? 255 : 110), thick);
    }
    ImGui::PopStyleVar();
    ImGui::Dummy({0, 0});  // spacing between groups
}

void draw_verdict(const KernelResult& result) {
    const VerdictLook seen = look_of(result);
    notice("correctness/verdict", seen.tone, seen.icon, capitalised(seen.words), sentence_of(result));
}

Facts check_facts(const KernelResult& result) {
    Facts facts;
    // Without a check, the number of wrong elements is unknown.
    const bool is_known = result.verdict == Verdict::Correct || result.wrong_elements.value_or(0) > 0;
    if (result.wrong_elements && is_known) {
        std::string words = std::to_string(*result.wrong_elements);
        if (result.error_map && result.error_map->extents)
            words +=
                fmt::format(" of {}", result.error_map->extents->rows * result.error_map->extents->columns);
        facts.push_back({"Wrong elements", std::move(words)});
    }
    if (result.random_check) facts.push_back({"Check", describe(*result.random_check)});
    if (result.max_error_share)
        facts.push_back({"Largest error", format_error_share(*result.max_error_share)});
    if (result.numpy_allclose)
        facts.push_back({"numpy.allclose", *result.numpy_allclose ? "true"
                                           : result.verdict == Verdict::Correct
                                               ? "false: it uses one tolerance for all elements, the bound "
                                                 "depends on the rounding errors of each"
                                               : "false"});
    return facts;
}

Facts evidence_facts(const KernelResult& result) {
    Facts facts;
    if (!result.evidence) return facts;
    const Evidence& evidence = *result.evidence;
    if (evidence.buffer) facts.push_back({"Buffer", *evidence.buffer});
    if (evidence.access) facts.push_back({"Access", *evidence.access});
    if (evidence.element)
        facts.push_back({"Element", *evidence.element < 0
                                        ? fmt::format("{}, before the first", *evidence.element)
                                        : std::to_string(*evidence.element)});
    if (evidence.work_item)
        facts.push_back({"Work-item", fmt::format("({})", fmt::join(*evidence.work_item, ", "))});
    if (evidence.stage) facts.push_back({"Last stage", *evidence.stage});
    if (evidence.signal) facts.push_back({"Signal", *evidence.signal});
    return facts;
}

void draw_wrong(const KernelResult& result) {
    if (result.first_wrong.empty()) return;
    heading("wrong", result.first_wrong.size() == 1 ? "The wrong element" : "The first wrong elements");
    ListedRows rows{{"Element", "Expected", "Got"}, {}};
    for (const WrongElement& wrong : result.first_wrong) {
        const NumberTexts values = wrong_values(wrong);
        rows.lines.push_back({element_name(wrong), values.first, values.second});
    }
    draw_rows("correctness/wrong", rows);
}

std::optional<DocumentId> document_of(const DeskState& state, const std::string& file) {
    const std::filesystem::path wanted(file);
    for (const auto& document : state.documents)
        if (document->path() == wanted) return document->id();
    // Compilers print file names without folders.
    for (const auto& document : state.documents)
        if (document->path().filename() == wanted.filename()) return document->id();
    return std::nullopt;
}

/// Draws a remark on a source line (from 1; 0: unknown); a click, or Enter, goes to that line.
void draw_remark(const DeskState& state, const std::string& id, const std::string& file, std::uint32_t line,
                 std::string_view head, std::string_view sentence, Tone tone, Commands& commands) {
    const auto document = document_of(state, file);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look().tokens().gap_small, look().tokens().hair));
    if (document) {
        if (button(id + "/place", head,
                   {.icon = kIconCode,
                    .kind = ButtonKind::Quiet,
                    .tooltip = line > 0 ? "Go to this line of the source" : "Show this source"})) {
            command::BringToFront wish{*document};
            if (line > 0) wish.line = line - 1;
            commands.push_back(wish);
        }
    } else {
        text(id + "/place", head, {.tone = tone});
    }
    ImGui::PopStyleVar();
    ImGui::PushTextWrapPos(0);
    message_text(id + "/sentence", sentence);
    ImGui::PopTextWrapPos();
}

void draw_remarks(const DeskState& state, const KernelResult& result, Commands& commands) {
    constexpr std::size_t kMostShown = 20;  // a broken macro repeats its message; the log has all
    if (!result.diagnostics.empty()) heading("diagnostics", "Compiler messages");
    const std::size_t shown = std::min(result.diagnostics.size(), kMostShown);
    for (std::size_t i = 0; i < shown; ++i) {
        const Diagnostic& diagnostic = result.diagnostics[i];
        const bool is_error = diagnostic.severity == Severity::Error;
        const char* kind = is_error ? "Error" : diagnostic.severity == Severity::Warning ? "Warning" : "Note";
        std::string head = kind;
        if (diagnostic.line > 0) head += fmt::format(", line {}", diagnostic.line);
        if (!diagnostic.file.empty() && std::filesystem::path(diagnostic.file).filename() !=
                                            std::filesystem::path(result.file).filename())
            head += " of " + std::filesystem::path(diagnostic.file).filename().string();
        draw_remark(state, "correctness/diagnostic/" + std::to_string(i),
                    diagnostic.file.empty() ? result.file : diagnostic.file, diagnostic.line, head,
                    diagnostic.message, is_error ? Tone::Danger : Tone::Warning, commands);
    }
    if (result.diagnostics.size() > shown)
        text("correctness/diagnostic/more",
             fmt::format("{} more in the build log.", result.diagnostics.size() - shown),
             {.tone = Tone::Muted});
    if (!result.hints.empty()) heading("hints", "Hints");
    for (std::size_t i = 0; i < result.hints.size(); ++i) {
        const Hint& hint = result.hints[i];
        draw_remark(state, "correctness/hint/" + std::to_string(i), result.file, hint.line,
                    hint.line > 0 ? fmt::format("Line {}", hint.line) : "In the source", hint.sentence,
                    Tone::Warning, commands);
    }
}

}  // namespace

void CorrectnessPanel::draw_map(const KernelResult& result, const std::string& label, Commands& commands) {
    constexpr float kSideShare = 1.05f;  // the notes need about as much height as the bar needs width
    // Always leave room for the scroll bar. Otherwise the map would grow when the bar disappears, which would
    // bring the bar back.
    const float room = ImGui::GetWindowWidth() - look().tokens().scrollbar;
    const float most = 30 * ImGui::GetFontSize();
    const bool has_map = result.error_map.has_value();
    if (!has_map) return;
    ChartOptions options;
    options.size = {std::min(room, most * 1.2f), std::min(room * kSideShare, most * 1.1f)};
    options.file_name = "errors-" + label;
    options.tell_more = [&](const plot::Hover& hover, std::vector<std::string>& lines) {
        tell_cell(result, hover, lines);
    };
    map_.draw("correctness/map", chart_, chart_key_, options, exports_, commands);
}

void CorrectnessPanel::draw(const DeskState& state, Commands& commands) {
    if (state.shown == nullptr || state.shown->run.results.empty() || state.shown->labels.empty()) {
        if (state.is_running())
            empty_state(
                "correctness/empty", kIconClock, "Checking",
                "Each result is compared, element by element, with one that was computed independently.");
        else
            empty_state("correctness/empty", kIconCheck, "Nothing to check yet",
                        "Run a kernel with F5: its result is compared, element by element, with one that was "
                        "computed independently.");
        return;
    }
    const ShownRun& run = *state.shown;
    const std::size_t known = std::min(run.labels.size(), run.run.results.size());
    const std::size_t index = std::min(state.selected, known - 1);
    const KernelResult& result = run.run.results[index];
    if (made_of_ != state.shown || made_index_ != index) {
        made_of_ = state.shown;
        made_index_ = index;
        // Keep the zoom for other contestants and runs of the same problem and sizes.
        std::string subject = run.run.problem + " " + to_string(run.run.sizes);
        if (subject != subject_) map_.fit();
        subject_ = std::move(subject);
        chart_ = error_map_chart(result, run.labels[index]);
        ++chart_key_;
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    const bool visible = compat::begin_child("correctness", {0, 0}, false);
    ImGui::PopStyleVar();
    if (visible) {
        draw_strip(state, commands);
        draw_verdict(result);
        draw_facts("correctness/checks", check_facts(result));
        if (const Facts found = evidence_facts(result); !found.empty()) {
            heading("evidence", "Where it happened");
            draw_facts("correctness/evidence", found);
        }
        draw_map(result, run.labels[index], commands);
        draw_wrong(result);
        draw_remarks(state, result, commands);
        if (!result.output.empty()) {
            heading("output", "Program output");
            draw_printed("correctness/output", result.output);
        }
        if (!result.log.empty()) {
            heading("log", "Build log");
            draw_printed("correctness/log", result.log);
        }
    }
    ImGui::EndChild();
}

}  // namespace kwb::gui
