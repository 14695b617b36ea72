// Converts the bytes of a correct output to a reference for comparison, and describes what that leaves
// unchecked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "judge/reference/reference.hpp"
#include "judge/verify/output_check.hpp"
#include "model/declared_instance.hpp"

namespace kwb {

/// @param right      the correct content of `buffer`; buffer.bytes() bytes
/// @param tolerance  stored as a rule instead of bounds; `absolute` is at least its value in the buffer's
///                   type: 0.1 means 0.1f for floats
OutputReference make_output_reference(const BufferSpec& buffer, std::span<const std::byte> right,
                                      const Tolerance& tolerance, const Checkpoint& checkpoint);

/// Largest error that a tolerance allows; 0 if none, e.g. for a relative tolerance where 0 is expected.
double allowed_error(const Tolerance& tolerance, double expected, Scalar scalar);

/// The distance from |value| to the next larger number of the type; 1 for integers.
double unit_in_last_place(double value, Scalar scalar);

/// Expected values that are infinite or NaN check little: whatever a kernel adds to them does not change
/// them.
/// @return  one sentence for each output that has such values: "100 of 100 expected values of y are not
///          finite: …"
std::vector<std::string> describe_unchecked(const PassData& data, const Checkpoint& checkpoint);

// Compares selected elements of a large output and collects the results.

class ComparedElements {
public:
    /// @param spec  a matrix of floats
    /// @param got   its content
    ComparedElements(const BufferSpec& spec, std::span<const float> got);

    /// The same element may be compared more than once.
    /// @param bound  largest error allowed; 0: must be equal
    void compare(std::uint64_t element, double expected, double bound);

    std::uint64_t count() const { return compared_; }
    bool found_wrong() const { return !wrong_.empty(); }

    /// Wrong elements in index order, without duplicates.
    struct Wrong {
        std::uint64_t element;
        double expected;
    };
    const std::vector<Wrong>& sorted_wrong();

    /// Each cell shows its worst compared element. Requires at least one compared element in each cell.
    ErrorMap map() const { return map_; }

private:
    std::span<const float> got_;
    std::uint64_t compared_ = 0;
    std::vector<Wrong> wrong_;
    ErrorMap map_;
};

}  // namespace kwb
