#include "session/settings_toml.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "session/settings_keys.hpp"

namespace kwb {
namespace {

constexpr const char* kHeading =
    "# What kwb remembers from one session to the next. Written at its end; unknown keys are dropped then.\n";

/// Takes values over into settings, one key a call.
class Reader {
public:
    Reader(const toml::table& root, std::vector<std::string>& findings) : root_(root), findings_(findings) {}

    void choice(const char* key, Theme& value) {
        const toml::node* node = root_.get(key);
        if (!node) return;
        const auto* text = node->as_string();
        if (text && text->get() == "dark")
            value = Theme::Dark;
        else if (text && text->get() == "light")
            value = Theme::Light;
        else
            refuse(*node, key, "\"dark\" or \"light\"");
    }

    void truth(const char* key, bool& value) {
        if (const toml::node* node = root_.get(key)) take(*node, key, value);
    }

    template <class Number>
    void number(const char* key, Number& value, Number least, Number most) {
        if (const toml::node* node = root_.get(key)) take(*node, key, value, least, most);
    }

    /// A whole number, or, beyond what TOML can hold, a text of its digits.
    void seed(const char* key, std::uint64_t& value) {
        const toml::node* node = root_.get(key);
        if (!node) return;
        if (const auto* whole = node->as_integer(); whole && whole->get() >= 0) {
            value = static_cast<std::uint64_t>(whole->get());
            return;
        }
        if (const auto* text = node->as_string()) {
            const std::string& digits = text->get();
            std::uint64_t number = 0;
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
            if (error == std::errc() && end == digits.data() + digits.size()) {
                value = number;
                return;
            }
        }
        refuse(*node, key, "a whole number from 0 to 2^64 - 1");
    }

    void text(const char* key, std::string& value) {
        if (const toml::node* node = root_.get(key)) take(*node, key, value);
    }

    void texts(const char* key, std::vector<std::string>& values, std::size_t most) {
        const toml::node* node = root_.get(key);
        if (!node) return;
        const toml::array* array = node->as_array();
        if (!array || array->size() > most)
            return refuse(*node, key, fmt::format("a list of at most {} texts", most));
        for (const toml::node& element : *array)
            if (std::string one; take(element, key, one)) values.push_back(std::move(one));
    }

    template <class Value, class... Range>
    void table(const char* key, NamedList<Value>& list, std::size_t most, Range... range) {
        const toml::node* node = root_.get(key);
        if (!node) return;
        const toml::table* table = node->as_table();
        if (!table || table->size() > most)
            return refuse(*node, key, fmt::format("a table of at most {} entries", most));
        // toml++ sorts by name; sizes and the like are wanted in the order in which they were written.
        std::vector<std::pair<const toml::key*, const toml::node*>> entries;
        for (auto&& [name, entry] : *table) entries.emplace_back(&name, &entry);
        std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
            const auto &x = a.first->source().begin, &y = b.first->source().begin;
            return std::pair(x.line, x.column) < std::pair(y.line, y.column);
        });
        for (const auto& [name, entry] : entries) {
            Value value{};
            if (take(*entry, fmt::format("{}.{}", key, name->str()), value, range...))
                list.push_back({std::string(name->str()), std::move(value)});
        }
    }

private:
    bool take(const toml::node& node, const std::string& key, bool& value) {
        const auto* truth = node.as_boolean();
        if (truth)
            value = truth->get();
        else
            refuse(node, key, "true or false");
        return truth != nullptr;
    }

    bool take(const toml::node& node, const std::string& key, std::string& value) {
        const auto* text = node.as_string();
        const bool fits = text && text->get().size() <= kMostText;
        if (fits)
            value = text->get();
        else
            refuse(node, key, fmt::format("a text of at most {} bytes", kMostText));
        return fits;
    }

    template <class Number>
    bool take(const toml::node& node, const std::string& key, Number& value, Number least, Number most) {
        std::optional<Number> found;
        if (const auto* whole = node.as_integer()) {
            // Compared before it is narrowed.
            const std::int64_t number = whole->get();
            if (static_cast<double>(number) >= static_cast<double>(least) &&
                static_cast<double>(number) <= static_cast<double>(most))
                found = static_cast<Number>(number);
        } else if constexpr (std::is_floating_point_v<Number>) {
            const auto* decimal = node.as_floating_point();
            if (decimal && decimal->get() >= least && decimal->get() <= most) found = decimal->get();
        }
        if (found)
            value = *found;
        else
            refuse(node, key,
                   fmt::format("a {} from {} to {}",
                               std::is_floating_point_v<Number> ? "number" : "whole number", least, most));
        return found.has_value();
    }

    void refuse(const toml::node& node, std::string_view key, std::string_view wanted) {
        findings_.push_back(fmt::format("{}: {} must be {}", node.source().begin.line, key, wanted));
    }

    const toml::table& root_;
    std::vector<std::string>& findings_;
};

/// Writes one key a call, in their order; tables come last, because TOML wants it so.
class Writer {
public:
    explicit Writer(std::string& out) : out_(out) {}

    void choice(const char* key, Theme value) { line(key, value == Theme::Light ? "\"light\"" : "\"dark\""); }
    void truth(const char* key, bool value) { line(key, written(value)); }
    template <class Number>
    void number(const char* key, Number value, Number least, Number most) {
        line(key, written(value, least, most));
    }
    void seed(const char* key, std::uint64_t value) {
        const std::string digits = std::to_string(value);
        line(key, value <= INT64_MAX ? digits : '"' + digits + '"');
    }
    void text(const char* key, const std::string& value) { line(key, written(value)); }

    void texts(const char* key, const std::vector<std::string>& values, std::size_t most) {
        std::vector<std::string> items;
        for (const std::string& value : values)
            if (items.size() < most) items.push_back(written(value));
        line(key, "[" + join(items, ", ") + "]");
    }

    template <class Value, class... Range>
    void table(const char* key, const NamedList<Value>& list, std::size_t most, Range... range) {
        out_ += fmt::format("\n[{}]\n", key);
        std::vector<std::string> names;
        for (const auto& [name, value] : list) {
            const bool twice = std::find(names.begin(), names.end(), name) != names.end();
            if (twice || names.size() == most) continue;
            names.push_back(name);
            line(written(name), written(value, range...));
        }
    }

private:
    void line(std::string_view key, std::string_view value) { out_ += fmt::format("{} = {}\n", key, value); }

    static std::string written(bool value) { return value ? "true" : "false"; }

    /// A basic string of TOML; too long a text is not kept at all rather than in part.
    static std::string written(const std::string& value) {
        std::string out = "\"";
        for (const char c : value.size() <= kMostText ? to_utf8(value) : "") {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\')
                out += {'\\', c};
            else if (byte < 0x20 || byte == 0x7f)
                out += fmt::format("\\u{:04X}", byte);
            else
                out += c;
        }
        return out + '"';
    }

    template <class Number>
    static std::string written(Number value, Number least, Number most) {
        if constexpr (std::is_floating_point_v<Number>) {
            if (std::isnan(value)) value = least;
            std::string digits = fmt::format("{}", std::clamp(value, least, most));
            // TOML tells 1.0 from 1; fmt before 8 wrote the one, since then the other.
            return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
        } else {
            return fmt::format("{}", std::clamp(value, least, most));
        }
    }

    std::string& out_;
};

}  // namespace

ParsedSettings parse_settings(std::string_view text) {
    ParsedSettings parsed;
    try {
        const toml::table root = toml::parse(text);
        Reader reader(root, parsed.findings);
        visit_settings(reader, parsed.settings);
    } catch (const toml::parse_error& error) {
        parsed = {{},
                  false,
                  {fmt::format("{}: this is no TOML: {}", error.source().begin.line, error.description())}};
    }
    return parsed;
}

std::string settings_to_toml(const Settings& settings) {
    std::string text = kHeading;
    Writer writer(text);
    visit_settings(writer, settings);
    return text;
}

}  // namespace kwb
