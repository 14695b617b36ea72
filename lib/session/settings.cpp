#include "session/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/user_folders.hpp"
#include "catalog/toml_text.hpp"

namespace kwb {
namespace fs = std::filesystem;

constexpr std::size_t kMostNamed = 64;   ///< entries of `splits`, `switches` and `tabs`
constexpr std::size_t kMostChosen = 8;   ///< kernels or sizes
constexpr std::size_t kMostText = 4096;  ///< bytes of a text: the maximum length of a Linux path

/// The keys of settings.toml in the order in which they are written, with their ranges.
template <class Fields>
void describe(Fields& f, Settings& s) {
    constexpr Limits kSize = between(1, std::numeric_limits<std::int32_t>::max());
    f("theme", s.theme);
    f("scale", s.scale, between(0.5, 3));
    f("window_width", s.window_width, between(320, 16384));
    f("window_height", s.window_height, between(240, 16384));
    f("maximised", s.maximised);
    f("full_screen", s.full_screen);
    f("device", s.device);
    f("problem", s.problem);
    f("kernels", s.kernels, items(0, kMostChosen));
    f("baseline", s.baseline);
    f("local", s.local);
    f("locals", s.locals, items(0, kMostChosen));
    f("devices", s.devices, items(0, kMostChosen));
    f("params", s.params, items(0, kMostChosen));
    f("time_budget_ms", s.time_budget_ms, between(10, 3'600'000));
    f("timeout_ms", s.timeout_ms, between(100, 3'600'000));
    f("live", s.live);
    f("recent_files", s.recent_files, items(0, kMostRecentFiles));
    f("last_folder", s.last_folder);
    f("sizes", s.sizes, kSize.items(0, kMostChosen));
    f("sweep", s.sweep, between(1, 1 << 30).items(0, 66));
    f("splits", s.splits, between(0.02, 0.98).items(0, kMostNamed));
    f("switches", s.switches, items(0, kMostNamed));
    f("tabs", s.tabs, items(0, kMostNamed));
}

namespace {

constexpr std::uintmax_t kMostBytes = 1u << 20;

/// Copy the file aside.
/// @return  the end of the notice: where the copy is, or that there is none
std::string keep_copy(const fs::path& path) {
    try {
        return "; the old file is kept as " + copy_damaged_aside(path).string();
    } catch (const BadInput&) {
        return "; the file is replaced when the settings are next saved";
    }
}

constexpr const char* kHeading =
    "# What kwb remembers from one session to the next. Written at its end; unknown keys are dropped then.\n";

/// Reads settings from TOML. An invalid value is reported as a finding, and the default is kept.
class TomlReader : public Fields<TomlReader> {
public:
    TomlReader(const toml::table& root, std::vector<std::string>& findings)
        : root_(root), findings_(findings) {}

    template <class T>
    void field(const Field& about, T& value) {
        if (const toml::node* node = root_.get(about.key)) take(*node, about.key, about.limits, value);
    }

private:
    bool take(const toml::node& node, const std::string& key, const Limits&, bool& value) {
        const auto* truth = node.as_boolean();
        if (truth == nullptr) return refuse(node, key, "true or false");
        value = truth->get();
        return true;
    }

    template <NamedEnum Enum>
    bool take(const toml::node& node, const std::string& key, const Limits&, Enum& value) {
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

    bool take(const toml::node& node, const std::string& key, const Limits&, std::string& value) {
        const auto* text = node.as_string();
        if (text == nullptr || text->get().size() > kMostText)
            return refuse(node, key, fmt::format("a text of at most {} bytes", kMostText));
        value = text->get();
        return true;
    }

    bool take(const toml::node& node, const std::string& key, const Limits& limits, double& value) {
        const std::optional<double> number = node.value<double>();
        if (!number || !limits.allows(*number)) return refuse(node, key, wanted_number(limits));
        value = *number;
        return true;
    }

    template <std::signed_integral Whole>
    bool take(const toml::node& node, const std::string& key, const Limits& limits, Whole& value) {
        const auto* whole = node.as_integer();
        if (whole == nullptr || !std::in_range<Whole>(whole->get()) ||
            !limits.allows(static_cast<double>(whole->get())))
            return refuse(node, key, wanted_whole(limits, limits.least, limits.most));
        value = static_cast<Whole>(whole->get());
        return true;
    }

    bool take(const toml::node& node, const std::string& key, const Limits& limits,
              std::vector<std::string>& values) {
        const toml::array* array = node.as_array();
        if (array == nullptr || !limits.allows_items(array->size()))
            return refuse(node, key, "a list of " + wanted_items(limits, "texts"));
        for (const toml::node& element : *array)
            if (std::string one; take(element, key, {}, one)) values.push_back(std::move(one));
        return true;
    }

    template <class Value>
    bool take(const toml::node& node, const std::string& key, const Limits& limits, NamedList<Value>& list) {
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

    bool refuse(const toml::node& node, std::string_view key, std::string_view wanted) {
        findings_.push_back(fmt::format("{}: {} must be {}", node.source().begin.line, key, wanted));
        return false;
    }

    const toml::table& root_;
    std::vector<std::string>& findings_;
};

/// Writes one line per key, in the order of the description, which toml++ would not keep; toml++ only formats
/// the values. TOML requires that tables come last, so they do in the description.
class TomlWriter : public Fields<TomlWriter> {
public:
    template <class T>
    void field(const Field& about, const T& value) {
        line(about.key, shown(value, about.limits));
    }

    template <class Value>
    void field(const Field& about, const NamedList<Value>& list) {
        text += fmt::format("\n[{}]\n", about.key);
        std::vector<std::string> names;
        for (const auto& [name, value] : list) {
            const bool twice = std::find(names.begin(), names.end(), name) != names.end();
            if (twice || names.size() == about.limits.most_items) continue;
            names.push_back(name);
            line(written(kept(name)), shown(value, about.limits));
        }
    }

    std::string text = kHeading;

private:
    void line(std::string_view key, std::string_view value) { text += fmt::format("{} = {}\n", key, value); }

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
    template <std::signed_integral Whole>
    static std::string shown(Whole value, const Limits& limits) {
        return written(toml::value<std::int64_t>(std::clamp<std::int64_t>(
            value, static_cast<std::int64_t>(limits.least), static_cast<std::int64_t>(limits.most))));
    }
    static std::string shown(const std::vector<std::string>& values, const Limits& limits) {
        toml::array array;
        for (const std::string& value : values)
            if (array.size() < limits.most_items) array.push_back(kept(value));
        return written(array);
    }
};

}  // namespace

void remember_file(Settings& settings, const fs::path& file) {
    std::vector<std::string>& files = settings.recent_files;
    const std::string name = fs::absolute(file).lexically_normal().string();
    std::erase(files, name);
    files.insert(files.begin(), name);
    files.resize(std::min(files.size(), kMostRecentFiles));
}

LoadedSettings load_settings(const fs::path& path) {
    std::error_code error;
    if (fs::status(path, error).type() == fs::file_type::not_found) return {};
    std::string text;
    try {
        text = read_file(path, kMostBytes);
    } catch (const BadInput& refusal) {
        return {{}, std::string(refusal.what()) + "; the default settings are used"};
    }
    ParsedSettings parsed = parse_settings(text);
    if (parsed.findings.empty()) return {std::move(parsed.settings), std::nullopt};
    std::string notice = path.string() + ":" + parsed.findings.front();
    if (const std::size_t more = parsed.findings.size() - 1; more > 0)
        notice += ", and " + std::to_string(more) + " more like it";
    notice += parsed.whole ? "; defaults are used for that" : "; the default settings are used";
    return {std::move(parsed.settings), notice + keep_copy(path)};
}

std::optional<std::string> save_settings(const Settings& settings, const fs::path& path) {
    try {
        make_private_folders(path.parent_path());
        write_file(path, settings_to_toml(settings), {.sync = true});
        return std::nullopt;
    } catch (const BadInput& refusal) {
        return "the settings cannot be saved: " + std::string(refusal.what()) +
               "; the next start will not know of this one's";
    }
}

ParsedSettings parse_settings(std::string_view text) {
    ParsedSettings parsed;
    try {
        const toml::table root = parse_toml(text);
        TomlReader reader(root, parsed.findings);
        describe(reader, parsed.settings);
    } catch (const toml::parse_error& error) {
        parsed = {{},
                  false,
                  {fmt::format("{}: this is no TOML: {}", error.source().begin.line, error.description())}};
    }
    return parsed;
}

std::string settings_to_toml(const Settings& settings) {
    TomlWriter writer;
    Settings copy = settings;  // describe() takes a mutable object
    describe(writer, copy);
    return writer.text;
}

}  // namespace kwb
