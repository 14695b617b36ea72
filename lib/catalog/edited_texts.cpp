#include "catalog/edited_texts.hpp"

#include <string_view>
#include <utility>

#include "base/file.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

fs::path whole(const fs::path& path) {
    std::error_code failed;
    const fs::path absolute = fs::absolute(path, failed);
    return (failed ? path : absolute).lexically_normal();
}

/// Some editors put a byte order mark before the first word; no compiler wants it.
std::string without_mark(std::string text) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (text.starts_with(kMark)) text.erase(0, kMark.size());
    return text;
}

}  // namespace

void EditedTexts::put(const fs::path& path, std::string text) {
    texts_[whole(path)] = std::move(text);
}

const std::string* EditedTexts::find(const fs::path& path) const {
    if (texts_.empty()) return nullptr;
    const auto found = texts_.find(whole(path));
    return found != texts_.end() ? &found->second : nullptr;
}

bool EditedTexts::exists(const fs::path& path) const {
    std::error_code unknown;
    return find(path) != nullptr || fs::exists(path, unknown);
}

std::string EditedTexts::read(const fs::path& path) const {
    const std::string* text = find(path);
    return without_mark(text != nullptr ? *text : read_file(path));
}

std::string EditedTexts::read(const fs::path& path, std::uintmax_t limit_bytes) const {
    const std::string* text = find(path);
    return without_mark(text != nullptr ? *text : read_file(path, limit_bytes));
}

}  // namespace kwb
