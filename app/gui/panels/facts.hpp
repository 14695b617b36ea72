// Small lists in panels: named facts, rows of numbers, printed text; drivers in few words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/device_info.hpp"

namespace kwb::gui {

/// Pixels of a line in the present font.
float width_of(std::string_view words);

struct Fact {
    std::string name;
    std::string value;
};
using Facts = std::vector<Fact>;

/// Two columns, names muted. Probes: `id`/<index>/name and `id`/<index>/value.
void draw_facts(std::string_view id, const Facts& facts);

struct ListedRows {
    std::vector<std::string> heads;
    std::vector<std::vector<std::string>> lines;  ///< one text for each head
};

/// The first column in the text's font, then numbers, right-aligned in digits of equal width. Texts that
/// do not fit are cut, and whole in a tooltip. Probes: `id`/<line>/<column>.
void draw_rows(std::string_view id, const ListedRows& rows);

/// What a program or compiler printed: monospaced, scrolls both ways, can be selected and copied. Probes:
/// `id`, `id`/copy.
void draw_printed(std::string_view id, const std::string& words);

/// "Clover: no device in this machine", "hang.icd: did not answer".
std::string short_line(const IdleDriver& driver);
std::string short_line(const DriverFailure& failure);
/// "nvidia.icd: starting, 12 s of at most 60 s"
std::string short_line(const StartingDriver& driver);

/// Does it deserve attention? A file that names a missing library is often just left over from a driver.
bool is_alarming(const DriverFailure& failure);

}  // namespace kwb::gui
