// SPDX-License-Identifier: Apache-2.0
// Reads TOML so that every value can be rejected with file, line and column.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/toml_record.hpp"
#include "catalog/expression.hpp"
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

    /// @throws BadInput  longer than `most_bytes`, or no TOML
    TomlReader(std::string file, std::string text, std::size_t most_bytes = kMostTomlBytes);

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

/// Rules to read described records (base/toml_record.hpp) with a TomlReader: the first fault is refused, and
/// every key must exist that is neither optional nor has a default. One value may stand for a list.
struct TomlRecordRules {
    const TomlReader& reader;
    /// The fault of an expression's names, as a clause; empty: none.
    std::string (*fault_of)(const Expression&);

    /// Reads a table. @param what  for messages: "a lesson"
    template <class Record>
    void take(const toml::table& table, const std::string& what, Record& record) {
        begin(table, what, record);
        TomlFields fields(table, *this);
        describe(fields, record);
    }

    bool refuse(const toml::node& node, const std::string& sentence) { reader.refuse(node, sentence); }
    void missing(const toml::table& table, const char* key) {
        reader.refuse(table, std::string("the key ") + key + " is missing");
    }
    template <class Record>
    void begin(const toml::table& table, const std::string& what, Record& record) {
        reader.allow_only(table, what, described_keys(record));
    }
    std::optional<std::vector<const toml::node*>> elements(const toml::node& node) {
        return reader.one_or_more(node);
    }
    bool read(const toml::node& node, const std::string& key, std::string& text) {
        text = reader.text(node, key);
        return true;
    }
    bool read(const toml::node& node, const std::string& key, Expression& condition) {
        condition = Expression::parse(reader.expression(node, key).text);
        if (const std::string fault = fault_of(condition); !fault.empty()) reader.refuse(node, fault);
        return true;
    }
    bool read(const toml::node& node, const std::string& key, std::optional<Expression>& condition) {
        return read(node, key, condition.emplace(Expression::parse("True")));
    }
    /// For what the caller reads itself.
    bool read(const toml::node& node, const std::string&, const toml::node*& found) {
        found = &node;
        return true;
    }
};

}  // namespace kwb
