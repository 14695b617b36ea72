// Arrays in NumPy's own file format, .npy.
//
// Read: versions 1.0 and 2.0, little-endian whole and floating-point numbers, rows one after the other (C
// order). Everything else is refused with a sentence. Written: version 1.0.
// Source: NumPy Enhancement Proposal 1, "A simple file format for NumPy arrays".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kwb {

/// What the numbers of an array are, as NumPy tells them apart.
struct NpyType {
    char kind = 'f';             ///< 'f' floating-point, 'i' signed, 'u' unsigned
    std::size_t item_bytes = 4;  ///< 1, 2, 4 or 8; floating-point 2, 4 or 8

    friend bool operator==(const NpyType&, const NpyType&) = default;
};

/// "float32", "uint8": the name that NumPy gives it.
std::string numpy_name(const NpyType& type);

struct NpyHeader {
    NpyType type;
    std::vector<std::uint64_t> shape;  ///< row-major extents, outermost first; empty: one number
    std::size_t data_offset = 0;       ///< of the first number in the file, bytes
};

/// "480 x 640", "1000", "one number": a shape for people.
std::string describe_shape(const std::vector<std::uint64_t>& shape);

/// Read what the file says of its array, and hold its length against it.
/// @param name   of the file, for messages
/// @param bytes  the whole file; the numbers are bytes.substr(data_offset)
/// @throws BadInput "name: finding; remedy": no .npy, another version, big-endian, Fortran order, other types
///         (complex numbers, texts, records), cut short, or with bytes behind the array
NpyHeader read_npy(const std::string& name, std::string_view bytes);

/// A whole file.
/// @param data  little-endian, row-major, of as many bytes as type and shape say
std::string make_npy(const NpyType& type, const std::vector<std::uint64_t>& shape, std::string_view data);

}  // namespace kwb
