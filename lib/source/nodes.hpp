// A compiler's syntax tree as it was printed, reduced to what is asked of it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace kwb::source {

/// Texts that outlive those who look at them; each is kept once.
class Strings {
public:
    std::string_view keep(std::string_view text) { return *texts_.emplace(text).first; }

private:
    std::unordered_set<std::string> texts_;
};

/// A word of a file.
struct Location {
    std::string_view file = {};
    std::uint32_t line = 0;  ///< from 1; 0: nowhere
    std::uint32_t column = 0;
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
};

/// Where a word was written, and where it stands after the macros were expanded.
struct Spot {
    Location spelling = {};
    Location expansion = {};
    bool macro = false;     ///< the two differ
    bool argument = false;  ///< of a macro: written where the macro is used
};

struct Node {
    std::string_view kind = {};  ///< clang's: "FunctionDecl"; empty: a part that is not there
    std::string_view name = {};
    std::string_view type = {};
    std::string_view opcode = {};
    std::string_view value = {};
    std::string_view target_kind = {}, target_name = {};  ///< of the declaration that a name means
    std::string_view cast = {};
    std::string_view tag = {};     ///< "struct", "union"
    std::string_view id = {};      ///< of a declaration
    std::string_view target = {};  ///< id of the declaration that a name or a jump means
    Spot place = {}, begin = {}, end = {};
    bool postfix = false, has_else = false, has_init = false, has_variable = false, used = false;
    std::vector<Node> inner = {};
};

struct Nodes {
    std::vector<Node> declarations;                             ///< of the person's own files, in order
    std::map<std::string_view, std::string_view> header_types;  ///< typedefs of the language's header
    std::map<std::string, std::uint64_t> record_bytes;          ///< "struct P" → its size
};

/// Never throws on any text.
/// @param printed  layouts of records, then the tree
/// @param folder   where the person's files lie; declarations of others are left out
/// @return  nothing for what is no complete tree, or one that is too large or too deep
std::optional<Nodes> read_nodes(std::string_view printed, std::string_view folder, Strings& strings);

}  // namespace kwb::source
