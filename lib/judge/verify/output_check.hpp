// SPDX-License-Identifier: Apache-2.0
// Compares what a kernel wrote with the expected output, and makes references from the bytes of correct
// outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "judge/reference/reference.hpp"
#include "judge/verify/wrong_pattern.hpp"
#include "model/declared_instance.hpp"
#include "model/result.hpp"

namespace kwb {

/// The result for one output buffer.
struct OutputCheck {
    std::uint64_t wrong = 0;                ///< number of elements with an error above their bound
    std::uint64_t unwritten = 0;            ///< of the wrong elements: those that still hold the poison
    std::uint64_t not_a_number = 0;         ///< of the wrong elements: NaN or infinite, but not poison
    std::vector<WrongElement> first_wrong;  ///< in index order, at most kFirstWrong
    NumberTexts first_words;  ///< expected and actual value of the first, with enough digits to differ
    double worst_share = 0;   ///< largest error as a share of its bound; infinite without a bound or a number
    ErrorMap error_map;       ///< of its rows and columns, at most 256 x 256 cells; without worst elements
    std::vector<std::uint64_t> worst_pieces;  ///< for each cell: the first element of the piece of a row that
                                              ///< contains its worst element
    /// Set by a probe. Then `wrong` counts the wrong elements among those it compared, and `worst_pieces` is
    /// empty, because the map is complete.
    std::optional<RandomCheck> random = {};
    bool counted_all = true;                   ///< false: there may be more wrong elements
    std::optional<FoundPattern> pattern = {};  ///< seen by a probe; else add_pattern() looks for one
};

inline constexpr std::size_t kFirstWrong = 16;

/// @param got     the output's payload as read back; spec.bytes() bytes
/// @param poison  the scalar pattern that it was filled with before the run
OutputCheck check_output(const BufferSpec& spec, std::span<const std::byte> got,
                         const OutputReference& reference, std::span<const std::uint8_t> poison,
                         const Checkpoint& checkpoint = kNoCheckpoint);

/// The error map of a check with the worst element of each cell. Computed separately, because it takes as
/// long as the check itself and most checks need no map.
/// @param check       the result for the same `spec`, `got` and `reference`
/// @param poison      as for check_output
/// @param most_cells  per axis; a power of two, at most 256
ErrorMap detailed_map(const OutputCheck& check, const BufferSpec& spec, std::span<const std::byte> got,
                      const OutputReference& reference, std::span<const std::uint8_t> poison,
                      std::uint32_t most_cells = 256);

/// @return  the offset of the first byte that differs, or nullopt
std::optional<std::size_t> first_difference(std::span<const std::byte> a, std::span<const std::byte> b,
                                            const Checkpoint& checkpoint = kNoCheckpoint);

/// What a kernel did not write into an output.
struct Unwritten {
    std::uint64_t elements = 0;  ///< or components of vectors
    std::string first;           ///< "y[3]"
};

/// An output after a run, and the pattern (one scalar) that filled it before.
struct FilledOutput {
    std::span<const std::byte> content;
    std::span<const std::uint8_t> pattern;
};

/// An integer output may happen to equal one pattern, but not two different ones.
/// @param one, other  of the same inputs
std::optional<Unwritten> find_unwritten(const BufferSpec& buffer, const FilledOutput& one,
                                        const FilledOutput& other,
                                        const Checkpoint& checkpoint = kNoCheckpoint);

/// The map of an output in which nothing has been compared yet: every share is -1, less than any other.
ErrorMap empty_error_map(const BufferSpec& spec);

/// Infinity beyond the range of float, where a plain conversion would be undefined, and for NaN.
float share_to_float(double share);

/// Describes a buffer of vectors as a buffer of scalars, with the components as its last axis.
BufferSpec as_scalars(const BufferSpec& spec);

/// @param at  the scalar in memory, aligned or not
double read_scalar(Scalar scalar, const std::byte* at);

/// Position of an element in a row-major shape.
std::vector<std::uint64_t> index_of(std::uint64_t element, const std::vector<std::uint64_t>& shape);

/// A finding with the number of wrong elements and the first of them.
/// @param check   with at least one wrong element
/// @param inputs  their description: "random"
Finding find_wrong(const OutputCheck& check, const BufferSpec& spec, std::string_view inputs);

/// Adds to such a finding what the wrong elements have in common.
/// @param factors  if the output should be their product; otherwise nullopt
void add_pattern(Finding& wrong, const BufferSpec& spec, std::span<const std::byte> got,
                 const OutputReference& reference, std::span<const std::uint8_t> poison,
                 const std::optional<Factors>& factors, const Checkpoint& checkpoint);

/// @param right      the correct content of `buffer`; buffer.bytes() bytes
/// @param tolerance  stored as a rule instead of bounds; `absolute` is at least its value in the buffer's
///                   type: 0.1 means 0.1f for floats
OutputReference make_output_reference(const BufferSpec& buffer, std::span<const std::byte> right,
                                      const Tolerance& tolerance, const Checkpoint& checkpoint);

/// The distance from |value| to the next larger number of the type; 1 for integers.
double unit_in_last_place(double value, Scalar scalar);

/// Expected values that are infinite or NaN check little: whatever a kernel adds to them does not change
/// them.
/// @return  one sentence for each output that has such values: "100 of 100 expected values of y are not
///          finite: …"
std::vector<std::string> describe_unchecked(const PassData& data, const Checkpoint& checkpoint);

}  // namespace kwb
