// SPDX-License-Identifier: Apache-2.0
// Described records as TOML text. Only for sources that link toml++.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/record.hpp"
#include "base/text.hpp"
#include "base/toml_text.hpp"

namespace kwb {

inline constexpr std::size_t kMostText = 4096;  ///< bytes of a text: the maximum length of a Linux path

struct DescribedKeys : Fields<DescribedKeys> {
    std::vector<std::string> keys = {};
    template <class T>
    void field(const Field& about, T&) {
        keys.emplace_back(about.key);
    }
};

template <class Record>
std::vector<std::string> described_keys(Record& record) {
    DescribedKeys described;
    describe(described, record);
    return std::move(described.keys);
}

/// Reads a record from TOML, by its description. `Rules` decide about what does not fit it:
///   bool refuse(const toml::node&, const std::string& sentence);  // false, or throws
///   void missing(const toml::table&, const char* key);            // a key without default
///   void begin(const toml::table&, const std::string& name, Record&);            // of a record within
///   std::optional<std::vector<const toml::node*>> elements(const toml::node&);   // of a list
///   bool read(const toml::node&, const std::string& key, T&);  // for types that they read themselves
template <class Rules>
class TomlFields : public Fields<TomlFields<Rules>> {
public:
    /// @param place  of the table in the text, for messages: "own.mine."
    TomlFields(const toml::table& root, Rules& rules, std::string place = {})
        : root_(root), rules_(rules), place_(std::move(place)) {}

    template <class T>
    void field(const Field& about, T& value) {
        known_.emplace_back(about.key);
        if (const toml::node* node = root_.get(about.key))
            take(*node, place_ + about.key, about.limits, value);
        else if (!kIsOptional<T> && !about.may_lack)
            rules_.missing(root_, about.key);
    }

protected:
    const std::vector<std::string>& known() const { return known_; }

private:
    /// @return  false if the value was refused
    template <class T>
    bool take(const toml::node& node, const std::string& key, const Limits& limits, T& value) {
        if constexpr (requires { rules_.read(node, key, value); })
            return rules_.read(node, key, value);
        else
            return take_usual(node, key, limits, value);
    }

    bool take_usual(const toml::node& node, const std::string& key, const Limits&, bool& value) {
        const auto* truth = node.as_boolean();
        if (truth == nullptr) return refuse(node, key, "true or false");
        value = truth->get();
        return true;
    }

    template <NamedEnum Enum>
    bool take_usual(const toml::node& node, const std::string& key, const Limits&, Enum& value) {
        const auto* text = node.as_string();
        const std::optional<Enum> known = text != nullptr ? parse_enum<Enum>(text->get()) : std::nullopt;
        if (!known) {
            std::vector<std::string> names = enum_names<Enum>();
            for (std::string& name : names) name = '"' + name + '"';
            return refuse(node, key, enumerate(names, "or"));
        }
        value = *known;
        return true;
    }

    bool take_usual(const toml::node& node, const std::string& key, const Limits&, std::string& value) {
        const auto* text = node.as_string();
        if (text == nullptr || text->get().size() > kMostText)
            return refuse(node, key, fmt::format("a text of at most {} bytes", kMostText));
        value = text->get();
        return true;
    }

    bool take_usual(const toml::node& node, const std::string& key, const Limits& limits, double& value) {
        const std::optional<double> number = node.is_number() ? node.value<double>() : std::nullopt;
        if (!number || !limits.allows(*number)) return refuse(node, key, wanted_number(limits));
        value = *number;
        return true;
    }

    template <std::integral Whole>
    bool take_usual(const toml::node& node, const std::string& key, const Limits& limits, Whole& value) {
        const auto* whole = node.as_integer();
        if (whole == nullptr || !std::in_range<Whole>(whole->get()) ||
            !limits.allows(static_cast<double>(whole->get())))
            return refuse(node, key, wanted_whole(limits, limits.least, limits.most));
        value = static_cast<Whole>(whole->get());
        return true;
    }

    template <class Item>
    bool take_usual(const toml::node& node, const std::string& key, const Limits& limits,
                    std::vector<Item>& values) {
        const auto elements = rules_.elements(node);
        if (elements && elements->empty() && limits.fewest_items > 0)
            return rules_.refuse(node, key + " must not be empty");
        if (!elements || !limits.allows_items(elements->size()))
            return refuse(
                node, key,
                limits.wanted != nullptr ? limits.wanted : "a list of " + wanted_items(limits, "entries"));
        for (const toml::node* element : *elements)
            if (Item one{}; take(*element, key, limits.of_item(), one)) values.push_back(std::move(one));
        return true;
    }

    template <class Value>
    bool take_usual(const toml::node& node, const std::string& key, const Limits& limits,
                    NamedList<Value>& list) {
        const toml::table* table = node.as_table();
        if (table == nullptr || !limits.allows_items(table->size()))
            return refuse(node, key, "a table of " + wanted_items(limits, "entries"));
        // toml++ sorts entries by name, but sizes and the like must keep the order of the file.
        std::vector<std::pair<const toml::key*, const toml::node*>> entries;
        for (auto&& [name, entry] : *table) entries.emplace_back(&name, &entry);
        std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
            const auto &x = a.first->source().begin, &y = b.first->source().begin;
            return std::pair(x.line, x.column) < std::pair(y.line, y.column);
        });
        for (const auto& [name, entry] : entries) {
            Value value{};
            if (take(*entry, fmt::format("{}.{}", key, name->str()), limits.of_item(), value))
                list.push_back({std::string(name->str()), std::move(value)});
        }
        return true;
    }

    template <class T>
    bool take_usual(const toml::node& node, const std::string& key, const Limits& limits,
                    std::optional<T>& value) {
        T one{};
        if (!take(node, key, limits, one)) return false;
        value = std::move(one);
        return true;
    }

    template <class Record>
    requires std::is_class_v<Record>
    bool take_usual(const toml::node& node, const std::string& key, const Limits&, Record& record) {
        const toml::table* table = node.as_table();
        if (table == nullptr) return refuse(node, key, "a table");
        rules_.begin(*table, key, record);
        TomlFields reader(*table, rules_, key + ".");
        describe(reader, record);
        return true;
    }

    bool refuse(const toml::node& node, const std::string& key, const std::string& wanted) {
        return rules_.refuse(node, key + " must be " + wanted);
    }

    const toml::table& root_;
    Rules& rules_;
    std::string place_;
    std::vector<std::string> known_;
};

/// Every fault is reported as a finding with its line; the default is kept. A key may be missing.
struct TomlFindings {
    std::vector<std::string>& findings;
    std::vector<std::string> unknown = {};  ///< findings about keys within the tables of records

    bool refuse(const toml::node& node, const std::string& sentence) {
        findings.push_back(fmt::format("{}: {}", node.source().begin.line, sentence));
        return false;
    }
    void missing(const toml::table&, const char*) {}
    template <class Record>
    void begin(const toml::table& table, const std::string& name, Record& record) {
        note_unknown(table, name + ".", described_keys(record));
    }
    void note_unknown(const toml::table& table, const std::string& place,
                      const std::vector<std::string>& known) {
        for (auto&& [key, node] : table)
            if (std::find(known.begin(), known.end(), key.str()) == known.end())
                unknown.push_back(fmt::format("{}: unknown key {}; it may be misspelt",
                                              node.source().begin.line, place + std::string(key.str())));
    }
    static std::optional<std::vector<const toml::node*>> elements(const toml::node& node) {
        const toml::array* const array = node.as_array();
        if (array == nullptr) return std::nullopt;
        std::vector<const toml::node*> all;
        for (const toml::node& element : *array) all.push_back(&element);
        return all;
    }
};

class TomlRecordReader : private TomlFindings, public TomlFields<TomlFindings> {
public:
    /// @param receiver  of the findings
    /// @param place     of the table in the text, for findings: "own.mine."
    TomlRecordReader(const toml::table& root, std::vector<std::string>& receiver,
                     const std::string& place = {})
        : TomlFindings{receiver}, TomlFields(root, *this, place), root_(root), place_(place) {}

    /// Report every key that the description does not have, also within its tables.
    void refuse_unknown() {
        note_unknown(root_, place_, known());
        findings.insert(findings.end(), unknown.begin(), unknown.end());
    }

private:
    const toml::table& root_;
    std::string place_;
};

/// A record, which is a table in TOML.
template <class Value>
concept TomlTable = std::is_class_v<Value> && !std::is_same_v<Value, std::string>;

/// Writes one line per key, in the order of the description, which toml++ would not keep; toml++ only formats
/// the values. TOML requires that tables come last.
class TomlRecordWriter : public Fields<TomlRecordWriter> {
public:
    /// @param heading  comment lines
    /// @param place    of the table in the text: "own.mine."
    explicit TomlRecordWriter(std::string heading, std::string place = {})
        : values_(std::move(heading)), place_(std::move(place)) {}

    std::string text() const { return values_ + tables_; }

    template <class T>
    void field(const Field& about, const T& value) {
        values_ += line(about.key, shown(value, about.limits));
    }

    template <class T>
    void field(const Field& about, const std::optional<T>& value) {
        if (value) field(about, *value);
    }

    template <TomlTable Record>
    void field(const Field& about, const std::vector<Record>& list) {
        const std::string place = fmt::format("{}{}", place_, about.key);
        for (std::size_t i = 0; i < std::min(list.size(), about.limits.most_items); ++i)
            tables_ += "\n" + table(fmt::format("[[{}]]\n", place), place, list[i]);
    }

    template <class Value>
    void field(const Field& about, const NamedList<Value>& list) {
        if (list.empty()) return;
        tables_ += fmt::format("\n[{}{}]\n", place_, about.key);
        std::vector<std::string> names;
        for (const auto& [name, value] : list) {
            const bool twice = std::find(names.begin(), names.end(), name) != names.end();
            if (twice || names.size() == about.limits.most_items) continue;
            names.push_back(name);
            if constexpr (TomlTable<Value>) {
                const std::string place = fmt::format("{}{}.{}", place_, about.key, written(kept(name)));
                tables_ += table(fmt::format("[{}]\n", place), place, value);
            } else {
                tables_ += line(written(kept(name)), shown(value, about.limits));
            }
        }
    }

private:
    template <class Record>
    static std::string table(std::string heading, const std::string& place, Record record) {
        TomlRecordWriter writer(std::move(heading), place + ".");
        describe(writer, record);
        return writer.text();
    }

    static std::string line(std::string_view key, std::string_view value) {
        return fmt::format("{} = {}\n", key, value);
    }

    static std::string written(const toml::node& node) {
        std::ostringstream out;
        out << toml::toml_formatter(node, toml::format_flags::none);
        return out.str();
    }

    /// A text that is too long becomes empty: a truncated one, e.g. a path, would be wrong.
    static toml::value<std::string> kept(const std::string& value) {
        return toml::value<std::string>(value.size() <= kMostText ? to_utf8(value) : "");
    }

    static std::string shown(const std::string& value, const Limits&) { return written(kept(value)); }
    static std::string shown(bool value, const Limits&) { return written(toml::value<bool>(value)); }
    template <NamedEnum Enum>
    static std::string shown(Enum value, const Limits&) {
        return written(kept(to_string(value)));
    }
    static std::string shown(double value, const Limits& limits) {
        if (std::isnan(value)) value = limits.least;
        return written(toml::value<double>(std::clamp(value, limits.least, limits.most)));
    }
    template <std::integral Whole>
    static std::string shown(Whole value, const Limits& limits) {
        return written(toml::value<std::int64_t>(std::clamp<std::int64_t>(
            static_cast<std::int64_t>(value), static_cast<std::int64_t>(limits.least),
            static_cast<std::int64_t>(limits.most))));
    }
    template <class Item>
    static std::string shown(const std::vector<Item>& values, const Limits& limits) {
        std::string items;
        for (std::size_t i = 0; i < std::min(values.size(), limits.most_items); ++i)
            items += (i > 0 ? ", " : "") + shown(values[i], limits);
        return "[" + items + "]";
    }

    std::string values_, tables_;
    std::string place_;
};

}  // namespace kwb
