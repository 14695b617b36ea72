// SPDX-License-Identifier: Apache-2.0
// Reading and writing arrays in NumPy's .npy file format.
//
// Reads versions 1.0 and 2.0 with little-endian integers or floating-point numbers in C order (row-major).
// Everything else is rejected with an explanation. Writes version 1.0.
// Source: NumPy Enhancement Proposal 1, "A simple file format for NumPy arrays".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kwb {

/// NumPy's element type.
struct NpyType {
    char kind = 'f';             ///< 'f' floating-point, 'i' signed, 'u' unsigned
    std::size_t item_bytes = 4;  ///< 1, 2, 4 or 8; floating-point 2, 4 or 8

    friend bool operator==(const NpyType&, const NpyType&) = default;
};

/// NumPy's name of the type: "float32", "uint8".
std::string numpy_name(const NpyType& type);

struct NpyHeader {
    NpyType type;
    std::vector<std::uint64_t> shape;  ///< row-major extents, outermost first; empty: a single number
    std::size_t data_offset = 0;       ///< byte offset of the first element in the file
};

/// The shape for messages: "480 x 640", "1000", "one number".
std::string describe_shape(const std::vector<std::uint64_t>& shape);

/// Parse the header and check the file's length against it.
/// @param name   of the file, for error messages
/// @param bytes  the whole file; the elements are bytes.substr(data_offset)
/// @throws BadInput "name: finding; remedy": not a .npy file, unsupported version, big-endian, Fortran order,
///         unsupported type (complex numbers, strings, records), truncated, or with bytes after the array
NpyHeader read_npy(const std::string& name, std::string_view bytes);

/// The bytes of a complete .npy file.
/// @param data  elements, little-endian, row-major; its length must match type and shape
std::string make_npy(const NpyType& type, const std::vector<std::uint64_t>& shape, std::string_view data);

}  // namespace kwb
