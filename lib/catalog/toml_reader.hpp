// SPDX-License-Identifier: Apache-2.0
// Reads TOML so that every value can be rejected with file, line and column.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/place.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

/// Bounds of what a file declares, so that no file keeps anybody busy: bytes, entries of a table, elements of
/// an array (launches, too), and letters of a name. Ordinary kernels have a tenth of them.
inline constexpr std::size_t kMostTomlBytes = 64u << 10;
inline constexpr std::size_t kMostTomlItems = 256;
inline constexpr std::size_t kMostTomlElements = 1024;
inline constexpr std::size_t kMostNameBytes = 256;

/// One parsed text. Every function throws BadInput "file:line:column: …" if it finds something unexpected;
/// `what` names the expected value in the message, e.g. "title".
class TomlReader {
public:
    struct Item {
        std::string name;
        const toml::node* node;
        Place place;  ///< of the name
    };

    TomlReader(std::string file, std::string text);

    const toml::table& root() const { return root_; }

    [[noreturn]] void refuse(const toml::node& node, const std::string& message) const;
    [[noreturn]] void refuse(const Item& item, const std::string& message) const;

    /// A table's entries in file order (toml++ sorts them by name).
    std::vector<Item> items(const toml::node& node, const std::string& what) const;

    /// @throws BadInput for an entry that is not in `known`; suggests the most similar key
    void allow_only(const toml::node& node, const std::string& what,
                    const std::vector<std::string>& known) const;

    /// One line of text.
    std::string text(const toml::node& node, const std::string& what) const;

    /// A whole number, decimal number, boolean or string, as text with its place.
    Written written(const toml::node& node, const std::string& what) const;

    /// The same; it must be a valid expression.
    Written expression(const toml::node& node, const std::string& what) const;

    /// A table of expressions by name.
    NamedList<Written> expressions(const toml::node& node, const std::string& what) const;

    /// The elements of an array; any other value is treated as an array with one element.
    std::vector<const toml::node*> one_or_more(const toml::node& node) const;

    /// @throws BadInput unless the name is an identifier of OpenCL C
    void require_word(const Item& item, const std::string& what) const;
    /// The same, but OpenCL C's reserved words are also rejected.
    void require_identifier(const Item& item, const std::string& what) const;
    /// A name that is a value, for the functions above.
    Item name_in(const toml::node& node, const std::string& what) const;

    const std::string& file() const { return file_; }

private:
    Written place_text(const toml::node& node, std::string text) const;

    std::string file_;
    std::string text_;
    std::vector<std::size_t> line_starts_;
    toml::table root_;
};

}  // namespace kwb
