// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/correctness_panel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "gui/draw_list_canvas.hpp"
#include "gui/panels/fault_links.hpp"
#include "gui/panels/results_table.hpp"
#include "gui/panels/source_links.hpp"
#include "gui/table.hpp"
#include "plot/numbers.hpp"
#include "plot/png.hpp"
#include "report/charts.hpp"
#include "report/labels.hpp"
#include "report/notes.hpp"
#include "report/numbers.hpp"

namespace kwb::gui {
namespace {

struct Fact {
    std::string name;
    std::string value;
};
using Facts = std::vector<Fact>;

/// Draws two columns, with muted names.
void draw_facts(std::string_view id, const Facts& facts) {
    if (!ImGui::BeginTable(std::string(id).c_str(), 2, ImGuiTableFlags_NoPadOuterX)) return;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const std::string row = std::string(id) + "/" + std::to_string(i);
        ImGui::TableNextColumn();
        text(row + "/name", facts[i].name, {.tone = Tone::Muted});
        ImGui::TableNextColumn();
        text(row + "/value", facts[i].value, {.wraps = true});
    }
    ImGui::EndTable();
}

/// Draws program or compiler output: monospaced, scrolls in both directions, can be selected and copied.
void draw_printed(std::string_view id, const std::string& words) {
    constexpr std::ptrdiff_t kMostLines = 14;
    const std::string name(id);
    const std::ptrdiff_t lines = 1 + std::count(words.begin(), words.end(), '\n');
    {
        const FontScope font(fonts().mono);
        const float height = static_cast<float>(std::clamp<std::ptrdiff_t>(lines + 1, 3, kMostLines)) *
                                 ImGui::GetTextLineHeight() +
                             2 * ImGui::GetStyle().FramePadding.y;
        // Read-only: ImGui does not modify the buffer.
        ImGui::InputTextMultiline(("##" + name).c_str(), const_cast<char*>(words.c_str()), words.size() + 1,
                                  {-1, height}, ImGuiInputTextFlags_ReadOnly);
        probe(name);
    }
    if (button(name + "/copy", "Copy", {.icon = kIconFile, .kind = ButtonKind::Quiet}))
        ImGui::SetClipboardText(words.c_str());
}

void heading(std::string_view part, std::string_view words) {
    ImGui::Dummy({0, tokens().hair});
    text("correctness/" + std::string(part) + "/heading", words, {.font = fonts().strong});
}

/// The sentence below a verdict.
std::string sentence_of(const KernelResult& result) {
    if (!result.judged) return "The run is still in progress; the verdict comes at its end.";
    std::string sentence = result.reason;
    if (sentence.empty() && result.verdict == Verdict::Correct)
        sentence = result.random_check ? "No wrong element was found."
                   : result.max_error_share
                       ? "Every element is within its error bound; the largest error is " +
                             format_error_share(*result.max_error_share) + "."
                       : "Every element is within its error bound.";
    if (sentence.empty() && result.verdict == Verdict::Ran)
        sentence =
            "No reference defines the correct result. The checked runs showed no undefined element and no "
            "out-of-bounds access; whether the values are right is unknown.";
    if (!result.expected) return sentence;
    if (!sentence.empty()) sentence += "\n";
    std::vector<std::string> names;
    for (const Verdict verdict : result.expected->verdicts) names.push_back(verdict_words(verdict));
    sentence += (result.as_expected() ? "Its file expects this"
                                      : "Its file expects something else: " + enumerate(names, "or"));
    return sentence + ".";
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

/// Draws a button for each contestant after the last widget, in as many lines as necessary.
void draw_strip(const DeskState& state, Hovered& hovered, Commands& commands) {
    const ShownRun& run = *state.shown;
    const std::size_t known = std::min(run.labels.size(), run.run.results.size());
    if (known < 2) return;
    const float room = ImGui::GetContentRegionAvail().x;
    {
        ButtonRow row(tokens().hair);
        for (std::size_t i = 0; i < known; ++i) {
            const VerdictLook seen = look_of(state, i);
            const bool in_front = i == state.selected;
            if (row.add("correctness/contestant/" + std::to_string(i),
                        shortened(run.labels[i], room - button_width("", seen.icon)),
                        {.icon = seen.icon,
                         .kind = in_front ? ButtonKind::Normal : ButtonKind::Quiet,
                         .tooltip = run.labels[i] + ": " + seen.words,
                         .tone = in_front ? Tone::Normal : seen.tone}))
                commands.push_back(command::SelectContestant{i});
            underline_last(series_color(i, in_front ? 255 : 110), tokens().hair);
            hovered.link_last(i);
        }
    }
    ImGui::Dummy({0, 0});  // spacing between groups
}

std::string capital(std::string words) {
    if (!words.empty())
        words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
    return words;
}

/// @param explains  whether to show why a kernel is as wrong as its file announces: once the user asks
void draw_verdict(const DeskState& state, std::size_t index, bool& explains, RunReasons& reasons,
                  Commands& commands) {
    const KernelResult& result = state.shown->run.results[index];
    const VerdictLook seen = look_of(state, index, true);
    const std::string cause = cause_of(result);
    const Banner banner("correctness/verdict", seen.tone, seen.icon, capital(seen.words),
                        !cause.empty() ? capital(cause) + "."
                        : seen.tone == Tone::Danger && result.as_expected()
                            ? "At size " + to_string(result.size) + ": " + sentence_of(result)
                            : sentence_of(result));
    if (!cause.empty()) {
        draw_fault_links("correctness/fault", state, index, reasons, commands);
        text("correctness/reason", capital(sentence_of(result)), {.wraps = true});
    }
    if (result.expected && !result.expected->why.empty()) {
        if (explains)
            text("correctness/cause", "Why: " + result.expected->why);
        else if (button("correctness/explain", "Why?", {.icon = kIconInfo, .kind = ButtonKind::Quiet}))
            explains = true;
    }
    if (result.verdict != Verdict::Timeout) return;
    if (const auto longer = longer_limit(state);
        longer && button("correctness/longer_limit", longer->label, {.icon = kIconClock}))
        commands.insert(commands.end(), longer->commands.begin(), longer->commands.end());
}

Facts check_facts(const KernelResult& result) {
    Facts facts;
    // Without a check, the number of wrong elements is unknown.
    const bool is_known = result.verdict == Verdict::Correct || result.verdict == Verdict::Undefined ||
                          result.wrong_elements.value_or(0) > 0;
    if (result.wrong_elements && is_known) {
        std::string words = std::to_string(*result.wrong_elements);
        if (result.error_map && result.error_map->extents)
            words +=
                fmt::format(" of {}", result.error_map->extents->rows * result.error_map->extents->columns);
        facts.push_back({"Wrong elements", std::move(words)});
    }
    if (result.seed) facts.push_back({"Seed of the inputs", std::to_string(*result.seed)});
    if (result.random_check) facts.push_back({"Check", describe(*result.random_check)});
    if (result.max_error_share)
        facts.push_back({"Largest error", format_error_share(*result.max_error_share)});
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

/// What is known at other sizes, with the sizes at which the kernel is at fault.
void draw_sizes(const DeskState& state, std::size_t index, Commands& commands) {
    constexpr std::size_t kMostShown = 8;
    const ShownCheck* const check = check_of(state, index);
    if (check == nullptr || check->results.empty()) return;
    heading("sizes", "All sizes");
    if (const auto seen = look_of(*check))
        text("correctness/sizes", capital(seen->words), {.tone = seen->tone, .icon = seen->icon});
    else
        text("correctness/sizes",
             fmt::format("No fault at {} of {}", check->results.size(), counted(check->planned, "size")),
             {.tone = Tone::Muted});
    text("correctness/sizes/checked", checked_sizes(*check) + ".", {.tone = Tone::Muted, .wraps = true});
    std::size_t shown = 0;
    for (std::size_t i = 0; i < check->results.size() && shown < kMostShown; ++i) {
        const KernelResult& result = check->results[i];
        if (result.as_expected()) continue;
        const std::string id = "correctness/size/" + std::to_string(i);
        if (button(id, "Size " + to_string(result.size),
                   {.icon = kIconGrid, .kind = ButtonKind::Quiet, .tooltip = "Choose this size and run"})) {
            commands.push_back(
                command::Edit{[sizes = result.size](Experiment& choices) { choices.sizes = sizes; }});
            commands.push_back(command::Run{});
        }
        text(id + "/reason", result.reason, {.wraps = true});
        ++shown;
    }
    if (check->faults() > shown)
        text("correctness/sizes/more", fmt::format("{} more", check->faults() - shown),
             {.tone = Tone::Muted});
}

/// From a wrong element to the step that stored it.
void draw_cause(const DeskState& state, std::size_t index, RunReasons& reasons) {
    const KernelResult& result = state.shown->run.results[index];
    const bool is_chosen = std::ranges::find(state.result_of, std::optional(index)) != state.result_of.end();
    if (result.verdict != Verdict::Wrong || !is_chosen || !state.choices.xray) return;
    if (button("correctness/step", "Step to the cause",
               {.icon = kIconPlay,
                .tooltip = "Where the first wrong element was stored, with the values that made it"}))
        reasons.asked_wrong = index;
}

void draw_wrong(const KernelResult& result) {
    if (result.first_wrong.empty()) return;
    heading("wrong", result.first_wrong.size() == 1 ? "The wrong element" : "The first wrong elements");
    std::vector<TableColumn> columns = {{"0", "Element"}, {"1", "Expected", true}, {"2", "Got", true}};
    std::vector<std::array<std::string, 3>> rows;
    const FontScope font(fonts().mono);  // digits of equal width
    for (const WrongElement& wrong : result.first_wrong) {
        const NumberTexts values = wrong_values(wrong);
        rows.push_back({element_name(wrong), values.first, values.second});
        for (std::size_t k = 0; k < columns.size(); ++k) columns[k].fit(rows.back()[k]);
    }
    const float room = ImGui::GetContentRegionAvail().x;
    Table table(
        "correctness/wrong", columns,
        {.size = {0, table_width(columns) > room ? table_height(rows.size()) + tokens().scrollbar : 0},
         .flags = table_width(columns) > room ? ImGuiTableFlags_ScrollX : 0});
    table.draw_rows(rows.size(), [&](std::size_t row) {
        table.begin_row(row);
        for (const std::string& words : rows[row]) table.cell(words);
    });
}

/// Links to the lines that store to the output that is wrong, as X-ray saw them.
void draw_stores(const DeskState& state, const KernelResult& result, Commands& commands) {
    constexpr std::size_t kMostShown = 6;
    if (result.as_expected() || !result.error_map || !result.xray || !result.xray->counts) return;
    const XrayReport& counts = *result.xray->counts;
    const std::string& output = result.error_map->buffer;
    const bool is_named =
        std::ranges::find(counts.buffers, output, &XrayBuffer::name) != counts.buffers.end();
    std::set<std::uint32_t> lines;
    for (const XraySite& site : counts.sites) {
        const XrayBuffer& buffer = counts.buffers.at(site.buffer);
        const bool is_output = is_named ? buffer.name == output : buffer.space == AddressSpace::Global;
        if (site.kind != AccessKind::Load && is_output && site.place.file.empty() && site.place.line > 0)
            lines.insert(site.place.line);
    }
    if (lines.empty() || lines.size() > kMostShown) return;
    heading("stores", is_named ? output + " is stored to in" : "Global memory is stored to in");
    ButtonRow row(tokens().gap_small);
    for (const std::uint32_t line : lines)
        if (row.add(
                fmt::format("correctness/stores/{}", line), fmt::format("Line {}", line),
                {.icon = kIconCode, .kind = ButtonKind::Quiet, .tooltip = "Go to this line of the source"}))
            go_to_line(state, result.file, line, commands);
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
        draw_source_remark(state, "correctness/diagnostic/" + std::to_string(i),
                           {diagnostic.file.empty() ? result.file : diagnostic.file, diagnostic.line, head,
                            diagnostic.message, is_error ? Tone::Danger : Tone::Warning},
                           commands);
    }
    if (result.diagnostics.size() > shown)
        text("correctness/diagnostic/more",
             fmt::format("{} more in the build log.", result.diagnostics.size() - shown),
             {.tone = Tone::Muted});
    if (!result.hints.empty()) heading("hints", "Hints");
    for (std::size_t i = 0; i < result.hints.size(); ++i) {
        const Hint& hint = result.hints[i];
        const std::string head = hint.line > 0 ? fmt::format("Line {}", hint.line) : "In the source";
        draw_source_remark(state, "correctness/hint/" + std::to_string(i),
                           {result.file, hint.line, head, hint.sentence, Tone::Warning}, commands);
    }
}

}  // namespace

void CorrectnessPanel::draw_map(const KernelResult& result, const std::string& label, float width,
                                Commands& commands) {
    constexpr float kSideShare = 1.05f;  // the notes need about as much height as the bar needs width
    ChartOptions options;
    // If there is room, the whole map is seen without scrolling.
    const float least = 22 * ImGui::GetFontSize();
    options.size = {width,
                    std::clamp(ImGui::GetContentRegionAvail().y, least, std::max(least, width * kSideShare))};
    options.file_name = "errors-" + label;
    options.tell_more = [&](const plot::Hover& hover, std::vector<std::string>& lines) {
        tell_cell(result, hover, lines);
    };
    map_.draw("correctness/map", chart_, chart_key_, options, exports_, commands);
}

namespace {

// In font heights: what stands next to the map; with both in a row; the map.
constexpr float kLeastBeside = 19, kLeastWide = 44, kMostMap = 60;

/// Draws an output that is a picture, under the name of its buffer.
void draw_picture(const Picture& picture) {
    heading("picture", picture.buffer.c_str());
    const float most = std::min(ImGui::GetContentRegionAvail().x, 20 * ImGui::GetFontSize());
    const auto columns = static_cast<float>(picture.columns), rows = static_cast<float>(picture.rows);
    const float scale = most / std::max(columns, rows);
    const ImVec2 size = {columns * scale, rows * scale};
    const auto bytes = std::as_bytes(std::span(picture.pixels));
    const plot::Image image{
        std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()}),
        static_cast<int>(picture.columns), static_cast<int>(picture.rows),
        [&] { return plot::colors_of(picture.pixels); }};
    DrawListCanvas canvas(*ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos());
    canvas.image(image, {0, 0, size.x, size.y});
    ImGui::Dummy(size);
}

}  // namespace

void CorrectnessPanel::draw(const DeskState& state, Commands& commands) {
    if (state.shown == nullptr || state.shown->run.results.empty() || state.shown->labels.empty()) {
        if (state.is_running())
            return empty_state(
                "correctness/empty", kIconClock, "Checking",
                "Each result is compared, element by element, with one that was computed independently.");
        if (compat::begin_child("correctness", {0, 0}, false)) launch_.draw(state, commands);
        ImGui::EndChild();
        return;
    }
    const ShownRun& run = *state.shown;
    const std::size_t known = std::min(run.labels.size(), run.run.results.size());
    const std::size_t index = std::min(state.selected, known - 1);
    const KernelResult& result = run.run.results[index];
    if (made_of_ != state.shown || made_index_ != index) {
        made_of_ = state.shown;
        made_index_ = index;
        explains_ = false;
        // Keep the zoom for other contestants and runs of the same problem and sizes.
        std::string subject = run.run.problem + " " + to_string(run.run.sizes);
        if (subject != subject_) map_.fit();
        subject_ = std::move(subject);
        chart_ = error_map_chart(result, run.labels[index]);
        ++chart_key_;
    }
    if (compat::begin_child("correctness", {0, 0}, false)) {
        if (button(
                "correctness/launch", shows_launch_ ? "Result" : "Launch",
                {.icon = shows_launch_ ? kIconCheck : kIconGrid,
                 .kind = ButtonKind::Quiet,
                 .tooltip = shows_launch_
                                ? "Verdict and errors of the run shown"
                                : "The NDRange, its work-groups and a work-item, for the current choices"}))
            shows_launch_ = !shows_launch_;
        if (shows_launch_) {
            launch_.draw(state, commands);
            ImGui::EndChild();
            return;
        }
        draw_strip(state, hovered_, commands);
        const float top = ImGui::GetCursorScreenPos().y;
        draw_verdict(state, index, explains_, reasons_, commands);
        draw_cause(state, index, reasons_);
        draw_sizes(state, index, commands);
        if (const Facts found = evidence_facts(result); !found.empty()) {
            heading("evidence", "Where it happened");
            draw_facts("correctness/evidence", found);
        }
        // Always leave room for the scroll bar. Otherwise the map would grow when the bar disappears, which
        // would bring the bar back.
        const float room = ImGui::GetWindowWidth() - tokens().scrollbar;
        const float em = ImGui::GetFontSize(), beside = std::max(kLeastBeside * em, 0.4f * room);
        const bool is_wide = result.error_map && room >= kLeastWide * em;
        if (result.error_map) {
            const float width = is_wide ? room - beside - tokens().gap : room;
            draw_map(result, run.labels[index], std::min(width, kMostMap * em), commands);
        }
        if (is_wide) {
            ImGui::SameLine(0, tokens().gap);
            ImGui::BeginGroup();
        }
        draw_stores(state, result, commands);
        draw_wrong(result);
        if (const Facts checks = check_facts(result); !checks.empty())
            draw_facts("correctness/checks", checks);
        draw_remarks(state, result, commands);
        if (is_wide) ImGui::EndGroup();
        if (result.picture) draw_picture(*result.picture);
        if (!result.output.empty()) {
            heading("output", "Program output");
            draw_printed("correctness/output", result.output);
        }
        if (!result.log.empty()) {
            heading("log", "Build log");
            draw_printed("correctness/log", result.log);
        }
        if (state.is_outdated) dim_from(top);
    }
    ImGui::EndChild();
}

}  // namespace kwb::gui
