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
    std::string element;           ///< without qualifiers: of the value, an array's element, or the pointee
    Space space = Space::Private;  ///< of the variable itself
    Space pointee_space = Space::Private;
    bool pointer = false, is_volatile = false;
    bool element_const = false;
    std::vector<std::int64_t> extents;
};

TypeParts take_apart(std::string_view type);

/// What names of types stand for.
class Types {
public:
    void add(std::string_view name, std::string_view type, bool own) {
        (own ? own_ : header_).insert_or_assign(std::string(name), std::string(type));
    }
    void set_bytes(const std::string& record, std::uint64_t bytes) { record_bytes_[record] = bytes; }
    void forget_bytes(const std::string& record) { record_bytes_.erase(record); }

    /// The person's own names followed: "index_t" → "uint"; others as they stand, in OpenCL's short form.
    std::string plain_name(std::string_view element) const;

    /// @return  nothing for a type that is not known here
    std::optional<std::uint64_t> bytes_of(std::string_view type, int depth = 0) const;

    /// A struct or a union, by whatever name.
    bool is_record(std::string_view element) const;

    const std::map<std::string, std::string>& own() const { return own_; }

private:
    std::map<std::string, std::string> own_, header_;
    std::map<std::string, std::uint64_t> record_bytes_;
};

/// "char", "unsigned long", "size_t", …
bool is_integer(std::string_view plain_name);

}  // namespace kwb::source
