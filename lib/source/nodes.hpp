// SPDX-License-Identifier: Apache-2.0
// A compiler's syntax tree, parsed from its output and reduced to what the analyses need.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "source/syntax.hpp"

namespace kwb::source {

/// Interned strings: each is stored once, and the views stay valid for the lifetime of this object.
class Strings {
public:
    std::string_view keep(std::string_view text) { return *texts_.emplace(text).first; }

private:
    std::unordered_set<std::string> texts_;
};

/// The position of a word in a file.
struct Location {
    std::string_view file = {};
    std::uint32_t line = 0;  ///< from 1; 0: no location
    std::uint32_t column = 0;
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
};

/// Where a word was written, and its position after macro expansion.
struct Spot {
    Location spelling = {};
    Location expansion = {};
    bool macro = false;     ///< the two differ
    bool argument = false;  ///< a macro argument, written where the macro is used
};

struct Node {
    std::string_view kind = {};  ///< clang's name: "FunctionDecl"; empty: a missing child
    std::string_view name = {};
    std::string_view type = {};
    std::string_view opcode = {};
    std::string_view value = {};
    std::string_view target_kind = {}, target_name = {};  ///< of the declaration that a name refers to
    std::string_view tag = {};                            ///< "struct", "union"
    std::string_view id = {};                             ///< of a declaration
    std::string_view target = {};  ///< id of the declaration that a name or a jump refers to
    Spot place = {}, begin = {}, end = {};
    bool postfix = false, has_else = false, has_init = false, has_variable = false, used = false;
    std::vector<Node> inner = {};
};

struct Nodes {
    std::vector<Node> declarations;                             ///< in the user's own files, in order
    std::map<std::string_view, std::string_view> header_types;  ///< typedefs in the language's header
    std::map<std::string, Record> records;                      ///< "struct P" → its layout
};

/// Never throws, whatever the text.
/// @param printed  layouts of records, then the tree
/// @param folder   the folder of the user's files; declarations from other files are left out
/// @return  nullopt if the tree is incomplete, too large or too deep
std::optional<Nodes> read_nodes(std::string_view printed, std::string_view folder, Strings& strings);

}  // namespace kwb::source
