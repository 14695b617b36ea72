// SPDX-License-Identifier: Apache-2.0
#include "model/error_map.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.hpp"

namespace kwb {
namespace {

static_assert(std::endian::native == std::endian::little, "cells are sent and kept as little-endian bytes");

bool is_float(double value) {
    return std::isnan(value) || static_cast<double>(static_cast<float>(value)) == value;
}

std::size_t index_bytes(const MapExtents& extents) {
    return extents.rows * extents.columns <= std::uint64_t{1} << 32 ? 4 : 8;
}

template <class As, class Value>
void append(std::string& bytes, Value value) {
    const As as = static_cast<As>(value);
    bytes.append(reinterpret_cast<const char*>(&as), sizeof as);
}

/// Remove a value from the front of `bytes`, which must be long enough.
template <class As>
As take(std::string_view& bytes) {
    As value;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return value;
}

}  // namespace

std::size_t cell_of(const ErrorMap& map, std::uint64_t element) {
    const MapExtents& extents = map.extents.value();
    const std::uint64_t row = element / extents.columns, column = element % extents.columns;
    return static_cast<std::size_t>(row * map.rows / extents.rows * map.columns +
                                    column * map.columns / extents.columns);
}

ErrorMap coarsened(const ErrorMap& map, std::uint32_t most_cells) {
    ErrorMap coarse{map.buffer, std::min(map.rows, most_cells), std::min(map.columns, most_cells), {}};
    coarse.extents = map.extents;
    const std::size_t cells = std::size_t{coarse.rows} * coarse.columns;
    expects(map.worst_share.size() == std::size_t{map.rows} * map.columns &&
                (map.worst_elements.empty() || map.worst_elements.size() == map.worst_share.size()),
            "coarsened: a map that lacks cells");
    std::vector<std::size_t> worst(cells, SIZE_MAX);  // index of the worst fine cell in each coarse cell
    std::size_t fine = 0;
    for (std::uint32_t row = 0; row < map.rows; ++row)
        for (std::uint32_t column = 0; column < map.columns; ++column, ++fine) {
            std::size_t& known =
                worst[row * coarse.rows / map.rows * coarse.columns + column * coarse.columns / map.columns];
            if (known == SIZE_MAX || map.worst_share[fine] > map.worst_share[known]) known = fine;
        }
    for (const std::size_t cell : worst) {
        coarse.worst_share.push_back(map.worst_share[cell]);
        if (!map.worst_elements.empty()) coarse.worst_elements.push_back(map.worst_elements[cell]);
    }
    return coarse;
}

std::string cell_bytes(const ErrorMap& map) {
    std::string bytes(reinterpret_cast<const char*>(map.worst_share.data()),
                      map.worst_share.size() * sizeof(float));
    const auto& elements = map.worst_elements;
    if (elements.empty()) return bytes;
    const bool wide_index = index_bytes(map.extents.value()) == 8;
    const bool floats = std::all_of(elements.begin(), elements.end(), [](const WorstElement& worst) {
        return is_float(worst.expected) && is_float(worst.got);
    });
    bytes.reserve(bytes.size() + elements.size() * 24);
    for (const WorstElement& worst : elements)
        wide_index ? append<std::uint64_t>(bytes, worst.element)
                   : append<std::uint32_t>(bytes, worst.element);
    for (const double WorstElement::*value : {&WorstElement::expected, &WorstElement::got})
        for (const WorstElement& worst : elements)
            floats ? append<float>(bytes, worst.*value) : append<double>(bytes, worst.*value);
    return bytes;
}

void put_cell_bytes(ErrorMap& map, std::string_view bytes) {
    const std::size_t cells = std::size_t{map.rows} * map.columns;
    const std::size_t share_bytes = cells * sizeof(float);
    const std::size_t index = map.extents ? index_bytes(*map.extents) : 0;
    const bool bare = bytes.size() == share_bytes;
    const bool floats = bytes.size() == share_bytes + cells * (index + 2 * sizeof(float));
    const bool doubles = bytes.size() == share_bytes + cells * (index + 2 * sizeof(double));
    if (!bare && (index == 0 || (!floats && !doubles))) throw ProtocolError("an error map of the wrong size");
    map.worst_share.resize(cells);
    if (cells > 0) std::memcpy(map.worst_share.data(), bytes.data(), share_bytes);
    map.worst_elements.clear();
    if (bare) return;
    bytes.remove_prefix(share_bytes);
    map.worst_elements.resize(cells);
    const std::uint64_t elements = map.extents->rows * map.extents->columns;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const std::uint64_t element = index == 8 ? take<std::uint64_t>(bytes) : take<std::uint32_t>(bytes);
        if (element >= elements || cell_of(map, element) != cell)
            throw ProtocolError("an error map whose worst element lies in another cell");
        map.worst_elements[cell].element = element;
    }
    for (double WorstElement::*value : {&WorstElement::expected, &WorstElement::got})
        for (WorstElement& worst : map.worst_elements)
            worst.*value = floats ? static_cast<double>(take<float>(bytes)) : take<double>(bytes);
}

}  // namespace kwb
