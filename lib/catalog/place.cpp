// SPDX-License-Identifier: Apache-2.0
#include "catalog/place.hpp"

#include <fmt/format.h>

namespace kwb {
Place place_in(const Written& written, std::uint32_t column) {
    Place place{written.line, written.column};
    if (!written.is_verbatim) return place;
    std::uint32_t at = 0;
    for (const char c : written.text) {
        if (starts_character(c) && ++at >= column) break;
        place.pass(c);
    }
    return place;
}

std::string describe_place(const std::string& file, const Written& written) {
    return written.line == 0 ? file : fmt::format("{}:{}:{}", file, written.line, written.column);
}

void refuse_at(const std::string& file, Place place, const std::string& what) {
    throw BadInput({file, place.line, place.column}, what);
}

void refuse_at(const std::string& file, const Written& written, const std::string& what) {
    if (!written.option.empty())
        throw BadInput(fmt::format("{} '{}' for {}: {}", written.option, written.text, file, what));
    if (!written.guess.empty()) throw BadInput(fmt::format("{}: {}. {}", file, what, written.guess));
    if (written.line == 0) throw BadInput(file + ": " + what);
    throw BadInput({file, written.line, written.column}, what);
}

}  // namespace kwb
