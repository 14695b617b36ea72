// SPDX-License-Identifier: Apache-2.0
#include "profile_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"

namespace kwb::cli {
namespace {

using namespace capture;

/// The JSON output has all rows.
constexpr std::size_t kMostProfileRows = 20;

std::string time_text(const std::optional<double>& ms) {
    return ms ? format_time_ms(*ms) : "-";
}

std::string extents_text(const std::vector<std::uint64_t>& extents) {
    std::vector<std::string> texts;
    for (const std::uint64_t extent : extents) texts.push_back(std::to_string(extent));
    return join(texts, " × ");
}

std::string shape_text(const ProfiledKernel& kernel) {
    if (kernel.shapes.empty()) return "";
    const LaunchShape& shape = kernel.shapes.front();
    std::string text = extents_text(shape.global);
    text += shape.local.empty() ? ", local auto" : " in " + extents_text(shape.local);
    if (kernel.shapes.size() > 1) text += fmt::format(", and {} more", kernel.shapes.size() - 1);
    return text;
}

std::string at_place(const CallPlace& place) {
    const std::string text = place.describe();
    return text.empty() ? "" : text + ": ";
}

std::string times(std::uint64_t count) {
    return count > 1 ? fmt::format(" ({} times)", count) : "";
}

/// A table made of columns, each with a function from a row to its text.
template <class Row>
class RowTable {
public:
    explicit RowTable(const std::vector<Row>& rows, const TableOptions& options)
        : rows_(rows), shown_(std::min(rows.size(), kMostProfileRows)), options_(options) {}

    template <class TextOf>
    RowTable& column(const std::string& header, Align align, const TextOf& text_of) {
        std::vector<Cell> cells;
        for (std::size_t i = 0; i < shown_; ++i) cells.push_back({plain_signs(text_of(rows_[i]), options_)});
        grid_.add_column(header, align, cells);
        return *this;
    }

    std::string render() {
        grid_.fit_first_column(options_.width, kLeastLabelColumns, options_.unicode);
        std::string text = grid_.render(options_);
        if (rows_.size() > shown_) text += fmt::format("… and {} more\n", rows_.size() - shown_);
        return "\n" + text;
    }

private:
    const std::vector<Row>& rows_;
    std::size_t shown_;
    const TableOptions& options_;
    Grid grid_;
};

std::string kernels_table(const Profile& profile, const TableOptions& options) {
    if (profile.kernels.empty()) return "";
    RowTable<ProfiledKernel> table(profile.kernels, options);
    table.column("kernel", Align::Left, [](const auto& kernel) { return kernel.name; })
        .column("launches", Align::Right,
                [](const auto& k) { return group_thousands(std::to_string(k.launches)); })
        .column("total", Align::Right, [](const auto& k) { return format_time_ms(k.total_ms); })
        .column("median", Align::Right, [](const auto& k) { return time_text(k.median_ms); })
        .column("share", Align::Right, [](const auto& k) { return fmt::format("{:.1f} %", 100 * k.share); })
        .column("NDRange", Align::Left, shape_text);
    if (profile.devices.size() > 1)
        table.column("device", Align::Left, [&](const auto& k) { return profile.devices[k.device].name; });
    return table.render();
}

std::string transfers_table(const Profile& profile, const TableOptions& options) {
    if (profile.transfers.empty()) return "";
    return RowTable<ProfiledTransfers>(profile.transfers, options)
        .column("transfer", Align::Left, [](const auto& t) { return t.kind; })
        .column("commands", Align::Right,
                [](const auto& t) { return group_thousands(std::to_string(t.count)); })
        .column("bytes", Align::Right, [](const auto& t) { return format_bytes(t.bytes); })
        .column("total", Align::Right, [](const auto& t) { return format_time_ms(t.total_ms); })
        .column("GB/s", Align::Right,
                [](const auto& t) { return t.gb_per_s ? format_digits(*t.gb_per_s) : std::string("-"); })
        .render();
}

std::string builds_table(const Profile& profile, const TableOptions& options) {
    if (profile.builds.empty()) return "";
    return RowTable<ProfiledBuild>(profile.builds, options)
        .column("build", Align::Left, [](const auto& build) { return build.call; })
        .column("time", Align::Right,
                [](const auto& b) { return (b.is_background ? "from " : "") + format_time_ms(b.ms); })
        .column("result", Align::Left, [](const auto& b) { return b.code == 0 ? "built" : b.code_name; })
        .column("place", Align::Left, [](const auto& b) { return b.place.describe(); })
        .render();
}

std::string device_line(const ProfiledDevice& device, const TableOptions& options) {
    if (device.commands == 0) return "";
    std::string text = fmt::format("{}: busy for {} of {} between its first and last command", device.name,
                                   format_time_ms(device.busy_ms), format_time_ms(device.span_ms));
    if (device.host_gaps > 0)
        text += fmt::format(
            ". It waited for the host {}, {} in all, the longest {} before {}",
            device.host_gaps == 1 ? "once" : group_thousands(std::to_string(device.host_gaps)) + " times",
            format_time_ms(device.host_gap_ms), format_time_ms(device.longest_gap_ms),
            device.longest_gap_before);
    return paragraph(plain_signs(text + ".", options), options.width);
}

std::string error_text(const ProfiledError& error) {
    std::string text = fmt::format("{}{} returned {} ({}){}", at_place(error.place), error.call,
                                   error.code_name, error.code, times(error.count));
    if (!error.words.empty()) text += ": " + error.words;
    if (!error.detail.empty()) text += "; " + error.detail;
    if (error.is_unseen) text += ". The program did not ask for the code";
    if (!error.next.empty())
        text += fmt::format(". The program went on with {}{}", error.next,
                            error.next_place.describe().empty() ? "" : " at " + error.next_place.describe());
    return text + ".";
}

std::string unreleased_text(const Unreleased& objects) {
    std::string text = counted(objects.count, objects.kind);
    if (objects.bytes > 0) text += " of " + format_bytes(objects.bytes);
    return objects.place.describe().empty() ? text : text + " made at " + objects.place.describe();
}

template <class Rows, class TextOf>
std::string list_text(const char* heading, const Rows& rows, const TextOf& text_of,
                      const TableOptions& options) {
    if (rows.empty()) return "";
    std::string text = std::string("\n") + heading + "\n";
    std::size_t shown = 0;
    for (const auto& row : rows) {
        if (shown++ == kMostProfileRows) break;
        text += paragraph(plain_signs(text_of(row), options), options.width, kIndent);
    }
    if (rows.size() > kMostProfileRows)
        text += fmt::format("  … and {} more\n", rows.size() - kMostProfileRows);
    return text;
}

std::string notes_text(const Profile& profile, const TableOptions& options) {
    std::vector<std::string> notes;
    if (!profile.is_complete)
        notes.push_back(
            "The process ended without its exit handlers. What it recorded until then is shown; the times of "
            "its last "
            "commands may be missing.");
    if (profile.untimed > 0)
        notes.push_back(
            fmt::format("The times of {} are missing: the driver did not report them, or the program "
                        "ended before they were known.",
                        counted(profile.untimed, "command")));
    if (profile.unprofiled_queues > 0)
        notes.push_back(fmt::format("{} cannot measure times: the driver does not allow it.",
                                    counted(profile.unprofiled_queues, "queue")));
    if (std::ranges::any_of(profile.kernels, &ProfiledKernel::is_sampled))
        notes.push_back("Medians of more than 256 launches are of a random sample of them.");
    if (profile.trace_stride > 1)
        notes.push_back(fmt::format("The trace has one of every {} events, of {}.", profile.trace_stride,
                                    group_thousands(std::to_string(profile.trace_seen))));
    if (profile.lost_rows > 0)
        notes.push_back(fmt::format("{} did not fit into the recording.", counted(profile.lost_rows, "row")));
    std::string text;
    for (const std::string& note : notes) text += paragraph(note, options.width);
    return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string profile_text(const Profile& profile, const TableOptions& options) {
    std::string text =
        paragraph(fmt::format("{} (process {}): {}{}", profile.program, profile.pid,
                              counted(profile.commands, "command"),
                              profile.span_ms ? " in " + format_time_ms(*profile.span_ms) : ""),
                  options.width);
    text +=
        kernels_table(profile, options) + transfers_table(profile, options) + builds_table(profile, options);
    std::string devices;
    for (const ProfiledDevice& device : profile.devices) devices += device_line(device, options);
    if (!devices.empty()) text += "\n" + devices;
    text += list_text(
        "Faults of the program", profile.faults,
        [](const ProfiledFault& fault) {
            return at_place(fault.place) + fault.words + times(fault.count) + ".";
        },
        options);
    text += list_text("Errors that the program got", profile.errors, error_text, options);
    // A process that was killed releases nothing.
    if (profile.is_complete)
        text += list_text("Never released", profile.unreleased, unreleased_text, options);
    return text + notes_text(profile, options);
}

}  // namespace kwb::cli
