// SPDX-License-Identifier: Apache-2.0
// The files that a compiler was given, and the positions in them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "source/nodes.hpp"
#include "source/syntax.hpp"

namespace kwb::source {

class Files {
public:
    /// @param folder  the folder in which the compiler read them
    Files(const SourceText& text, const std::string& folder, Strings& strings);

    Place place_of(const Spot& spot) const;

    /// A file's path relative to the kernel's folder; empty for the user's main file.
    std::string_view name_of(const Location& location) const;
    bool is_own(const Location& location) const { return location.file == main_; }

    /// The text from the first word to the end of the last one; empty if they are not in the same file.
    std::string_view text_between(const Location& first, const Location& last) const;

    /// The name of the object-like macro that expands to the whole expression; empty if there is none.
    std::string_view macro_of(const Node& expression) const;

    /// True if a line is within the node's lines in the same file.
    static bool encloses(const Node& node, std::string_view file, std::uint32_t line);

    /// The value that a macro is given or defined with; empty if there are different definitions.
    std::string macro_value(std::string_view name) const;

    /// The line of the #include through which the user's main file reaches an included file; 0 if there is
    /// none.
    std::uint32_t include_line(std::string_view file) const;

private:
    bool is_in_define(const Location& spelling) const;

    const SourceText& text_;
    Strings& strings_;
    std::string folder_;
    std::string main_;
    std::map<std::string, std::string_view, std::less<>> texts_;       ///< by the path that the compiler uses
    std::map<std::string, std::uint32_t, std::less<>> include_lines_;  ///< the same key
};

}  // namespace kwb::source
