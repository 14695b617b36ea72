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
    bool pointer = false, is_volatile = false;
    bool element_const = false;
    std::vector<std::int64_t> extents;
};

TypeParts take_apart(std::string_view type);

/// Resolves type names.
class Types {
public:
    void add(std::string_view name, std::string_view type, bool own) {
        (own ? own_ : header_).insert_or_assign(std::string(name), std::string(type));
    }
    void set_bytes(const std::string& record, std::uint64_t bytes) { record_bytes_[record] = bytes; }
    void forget_bytes(const std::string& record) { record_bytes_.erase(record); }

    /// With the user's typedefs resolved: "index_t" → "uint"; other types in OpenCL's short form.
    std::string plain_name(std::string_view element) const;

    /// @return  nullopt for an unknown type
    std::optional<std::uint64_t> bytes_of(std::string_view type, int depth = 0) const;

    /// True for a struct or a union, also through a typedef.
    bool is_record(std::string_view element) const;

    const std::map<std::string, std::string>& own() const { return own_; }

private:
    std::map<std::string, std::string> own_, header_;
    std::map<std::string, std::uint64_t> record_bytes_;
};

/// "char", "unsigned long", "size_t", …
bool is_integer(std::string_view plain_name);

}  // namespace kwb::source
