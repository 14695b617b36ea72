// Compare what a kernel wrote with what it should have written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/text.hpp"
#include "judge/reference/reference.hpp"
#include "model/result.hpp"

namespace kwb {

/// What came of one output buffer.
struct OutputCheck {
    std::uint64_t wrong = 0;                ///< elements beyond their bound
    std::uint64_t unwritten = 0;            ///< of these: still poison
    std::uint64_t not_a_number = 0;         ///< of these: NaN or infinite, and not poison
    std::vector<WrongElement> first_wrong;  ///< in index order, at most kFirstWrong
    NumberTexts first_words;                ///< expected and got of the first, in digits that tell them apart
    double worst_share = 0;      ///< largest error as share of its bound; inf without bound or number
    bool numpy_allclose = true;  ///< |got - expected| <= 1e-8 + 1e-5 |expected| everywhere
    ErrorMap error_map;          ///< of its rows and columns, at most 256 x 256 cells; no worst elements
    std::vector<std::uint64_t>
        worst_pieces;  ///< for each cell: first element of the row's piece with its worst
    /// Of a probe: then `wrong` counts what it found, `numpy_allclose` means nothing, and there are no
    /// `worst_pieces`, for the map is complete.
    std::optional<RandomCheck> random = {};
    bool counted_all = true;  ///< else there may be more wrong elements than `wrong`
};

inline constexpr std::size_t kFirstWrong = 16;

/// @param got     the output's payload as read back; of spec.bytes()
/// @param poison  the scalar pattern that it was filled with before the run
OutputCheck check_output(const BufferSpec& spec, std::span<const std::byte> got,
                         const OutputReference& reference, std::span<const std::uint8_t> poison,
                         const Checkpoint& checkpoint = kNoCheckpoint);

/// The map of a check with the worst element of each cell, found only now: beside every element it would take
/// as long as the whole check, and most checks of a run show no map.
/// @param check       made of the same `spec`, `got` and `reference`
/// @param poison      as there
/// @param most_cells  a side; a power of two, at most 256
ErrorMap detailed_map(const OutputCheck& check, const BufferSpec& spec, std::span<const std::byte> got,
                      const OutputReference& reference, std::span<const std::uint8_t> poison,
                      std::uint32_t most_cells = 256);

/// @return  the first byte that differs, or nothing
std::optional<std::size_t> first_difference(std::span<const std::byte> a, std::span<const std::byte> b,
                                            const Checkpoint& checkpoint = kNoCheckpoint);

/// A buffer of vectors as one of scalars, with their components as its last axis.
BufferSpec as_scalars(const BufferSpec& spec);

/// @param at  a scalar as it lies in memory, aligned or not
double read_scalar(Scalar scalar, const std::byte* at);

/// Position of an element in a row-major shape.
std::vector<std::uint64_t> index_of(std::uint64_t element, const std::vector<std::uint64_t>& shape);

}  // namespace kwb
