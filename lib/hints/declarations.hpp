// Declarations with the sizes of what they declare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hints/lexer.hpp"
#include "hints/type_sizes.hpp"

namespace kwb::hints {

struct DeclaredObject {
    std::string_view name = {};
    Extent extent = {};
    bool local = false;  ///< itself in local memory, not what it points to
};

/// Reads declarations of OpenCL C for devices of 64 bits. Knows the typedefs, structs, enums and constants of
/// the text; a name that stands for different things in different places stands for nothing.
class Declarations {
public:
    /// @param tokens  preprocessed; they must outlive this
    explicit Declarations(std::span<const Token> tokens);

    /// What the declaration at `from` declares.
    /// @return  nothing for what it does not follow
    std::optional<std::vector<DeclaredObject>> read(std::size_t from);

private:
    class Reader;
    template <class Value>
    using Names = std::map<std::string_view, std::optional<Value>>;

    std::span<const Token> tokens_;
    Names<Extent> types_;  ///< typedefs
    Names<Extent> tags_;   ///< structs and unions
    Names<std::int64_t> constants_;
};

}  // namespace kwb::hints
