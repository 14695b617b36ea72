// Small lists in panels: named facts, rows of numbers, program output; short descriptions of drivers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/device_info.hpp"

namespace kwb::gui {

/// Width in pixels of a line in the current font.
float width_of(std::string_view words);

struct Fact {
    std::string name;
    std::string value;
};
using Facts = std::vector<Fact>;

/// Draws two columns, with muted names. Probes: `id`/<index>/name and `id`/<index>/value.
void draw_facts(std::string_view id, const Facts& facts);

struct ListedRows {
    std::vector<std::string> heads;
    std::vector<std::vector<std::string>> lines;  ///< one text per head
};

/// Draws the first column in the text font, then right-aligned numbers with digits of equal width. Texts that
/// do not fit are cut, with the full text in a tooltip. Probes: `id`/<line>/<column>.
void draw_rows(std::string_view id, const ListedRows& rows);

/// Draws program or compiler output: monospaced, scrolls in both directions, can be selected and copied.
/// Probes: `id`, `id`/copy.
void draw_printed(std::string_view id, const std::string& words);

/// "Clover: no device in this machine", "hang.icd: does not answer".
std::string short_line(const IdleDriver& driver);
std::string short_line(const DriverFailure& failure);
/// "nvidia.icd: starting, 12 s of at most 60 s"
std::string short_line(const StartingDriver& driver);

/// Whether the failure deserves attention. A file that names a missing library is often just a leftover of a
/// driver.
bool is_alarming(const DriverFailure& failure);

}  // namespace kwb::gui
