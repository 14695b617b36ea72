#include "catalog/includes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/text.hpp"
#include "catalog/edited_texts.hpp"
#include "catalog/place.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFiles = 64;
constexpr std::size_t kMostBytes = 4u << 20;

class Collector {
public:
    Collector(fs::path folder, const EditedTexts& edited)
        : folder_(folder.empty() ? fs::path(".") : std::move(folder)), edited_(edited) {}

    /// @param inside  the folder of the including file, relative to the kernel's folder
    void collect(const std::string& file, std::string_view source, const fs::path& inside) {
        const std::string blanked = blank_comments(source);
        for (const Directive& line : find_directives(blanked)) {
            if (line.keyword != "include" || !line.rest.starts_with('"')) continue;
            const std::string_view name = line.rest.substr(1, line.rest.find('"', 1) - 1);
            const Place place = place_of(source, line.offset);
            if (fs::path(name).is_absolute())
                refuse_at(
                    file, place,
                    fmt::format("\"{}\" is an absolute path; a kernel may include only files of its own "
                                "folder, by their name",
                                name));
            include(file, place, name, inside);
        }
    }

    NamedList<std::string> take() { return std::move(found_); }

private:
    void include(const std::string& file, Place place, std::string_view name, const fs::path& inside) {
        // The search order of a compiler: the folder of the including file first, then the kernel's folder.
        fs::path relative = (inside / name).lexically_normal();
        if (!leaves_folder(relative) && !edited_.exists(folder_ / relative) && !leaves_folder(name))
            relative = fs::path(name).lexically_normal();
        if (!lies_within(folder_, relative))
            refuse_at(
                file, place,
                fmt::format("\"{}\" is outside of the kernel's folder; copy the file next to the kernel",
                            name));
        if (find_named(found_, relative.string())) return;

        std::string text;
        try {
            text = edited_.read(folder_ / relative, kMostBytes);
        } catch (const BadInput& error) {
            refuse_at(
                file, place,
                fmt::format("{}; put the file next to the kernel, or correct its name here", error.what()));
        }
        bytes_ += text.size();
        if (found_.size() == kMostFiles || bytes_ > kMostBytes)
            refuse_at(file, place,
                      fmt::format("more than {} files or {} are included; is a whole library among them?",
                                  kMostFiles, format_bytes(kMostBytes)));
        found_.push_back({relative.string(), text});
        collect((folder_ / relative).string(), text, relative.parent_path());
    }

    fs::path folder_;
    const EditedTexts& edited_;
    NamedList<std::string> found_;
    std::size_t bytes_ = 0;
};

/// Follows the collected includes without reading any file.
class SelfInclusion {
public:
    SelfInclusion(const fs::path& path, const NamedList<std::string>& includes)
        : folder_(path.parent_path()), includes_(includes), open_{path.filename().string()} {}

    /// @param name  path of `source`, relative to the kernel's folder
    std::optional<std::string> find(const std::string& name, std::string_view source) {
        const std::string blanked = blank_comments(source);
        for (const Directive& line : find_directives(blanked)) {
            if (line.keyword != "include" || !line.rest.starts_with('"')) continue;
            const std::string written(line.rest.substr(1, line.rest.find('"', 1) - 1));
            std::string target = (fs::path(name).parent_path() / written).lexically_normal().string();
            const std::string* text = find_named(includes_, target);
            if (text == nullptr) {
                target = fs::path(written).lexically_normal().string();
                text = find_named(includes_, target);
            }
            if (text == nullptr) continue;
            if (std::find(open_.begin(), open_.end(), target) != open_.end())
                return fmt::format("{}:{}: includes {}; remove this line, or guard the file with #ifndef",
                                   (folder_ / name).string(), place_of(source, line.offset).line,
                                   target == name ? "itself" : target + ", which leads back here");
            if (!seen_.insert(target).second) continue;  // already searched
            open_.push_back(target);
            if (auto found = find(target, *text)) return found;
            open_.pop_back();
        }
        return std::nullopt;
    }

private:
    fs::path folder_;
    const NamedList<std::string>& includes_;
    std::vector<std::string> open_;  ///< the files on the current include path
    std::set<std::string> seen_;
};

}  // namespace

std::optional<std::string> find_self_inclusion(const fs::path& path, std::string_view source,
                                               const NamedList<std::string>& includes) {
    return SelfInclusion(path, includes).find(path.filename().string(), source);
}

NamedList<std::string> collect_includes(const fs::path& path, std::string_view source,
                                        const EditedTexts& edited) {
    Collector collector(path.parent_path(), edited);
    collector.collect(path.string(), source, "");
    return collector.take();
}

}  // namespace kwb
