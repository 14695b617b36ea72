// The texts that a compiler was given, and where its places lie in them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "source/nodes.hpp"
#include "source/syntax.hpp"
#include "source/text.hpp"

namespace kwb::source {

class Files {
public:
    /// @param folder  in which the compiler saw them
    Files(const SourceText& text, const std::string& folder, Strings& strings);

    Place place_of(const Spot& spot, std::string_view word) const;

    /// A file's path from the kernel's folder; empty: the person's own file.
    std::string_view name_of(const Location& location) const;
    bool is_own(const Location& location) const { return location.file == main_; }

    /// From the first word to behind the last one; empty if they do not lie in one file.
    std::string_view text_between(const Location& first, const Location& last) const;

    /// The macro without arguments that all of an expression is written as; empty: none.
    std::string_view macro_of(const Node& expression) const;

    /// `[TILE]` behind a declared name: TILE; empty where there stands anything else.
    std::string_view bracketed_name(const Location& name, std::size_t dimension) const;

    /// Whether a location lies within a range of the same file, by its lines.
    static bool encloses(const Node& node, std::string_view file, std::uint32_t line);

    /// The value that a macro is given or defined with, where that is one and the same everywhere.
    std::string macro_value(std::string_view name) const;

    /// Of the #include through which the person's own file comes to a neighbour.
    std::uint32_t include_line(std::string_view file) const;

private:
    std::string_view macro_at(const Location& spelling) const;

    const SourceText& text_;
    Strings& strings_;
    std::string folder_;
    std::string main_;
    std::map<std::string, std::string_view, std::less<>> texts_;       ///< path as the compiler names it
    std::map<std::string, std::uint32_t, std::less<>> include_lines_;  ///< by the same path
};

}  // namespace kwb::source
