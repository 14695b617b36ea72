// SPDX-License-Identifier: Apache-2.0
// Types as clang writes them: "const __global float *restrict __private", "__local float[16][17]".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/syntax.hpp"

namespace kwb::source {

struct TypeParts {
    std::string element;  ///< without qualifiers: the type of the value, of an array's element, or of a
                          ///< pointer's target
    Space space = Space::Private;  ///< of the variable itself
    Space pointee_space = Space::Private;
    bool pointer = false;
    bool element_const = false;
    std::vector<std::int64_t> extents;
};

TypeParts take_apart(std::string_view type);

/// The types that a source can name.
struct Types {
    std::map<std::string, std::string> own;               ///< the user's typedefs
    std::map<std::string_view, std::string_view> header;  ///< those of the language's header
    std::map<std::string, Record> records;                ///< "struct P" → its layout

    /// With the user's typedefs resolved: "index_t" → "uint"; other types in OpenCL's short form.
    std::string plain_name(std::string_view element) const;

    /// @return  nullopt for an unknown type
    std::optional<std::uint64_t> bytes_of(std::string_view type, int depth = 0) const;

    /// True for a struct or a union, also through a typedef.
    bool is_record(std::string_view element) const;
};

}  // namespace kwb::source
