// SPDX-License-Identifier: Apache-2.0
#include "catalog/edited_texts.hpp"

#include <string_view>
#include <utility>

#include "base/file.hpp"
#include "base/picture.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

fs::path whole(const fs::path& path) {
    std::error_code failed;
    const fs::path absolute = fs::absolute(path, failed);
    return (failed ? path : absolute).lexically_normal();
}

/// Some editors write a byte order mark at the start of a file; compilers reject it.
std::string without_mark(std::string text) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (text.starts_with(kMark)) text.erase(0, kMark.size());
    return text;
}

}  // namespace

ArrayFile ArrayFiles::read(const fs::path& path, unsigned channels) {
    constexpr std::uint64_t kMostHeaderBytes = 1u << 20;
    std::error_code no_time, no_size;
    const fs::file_time_type written = fs::last_write_time(path, no_time);
    const std::uintmax_t bytes = fs::file_size(path, no_size);
    Known& known = known_[{path, channels}];
    if (auto content = known.content.lock(); content && known.written == written && known.bytes == bytes)
        return {known.type, known.shape, std::move(content)};
    const std::string whole = read_file(path, kMostContentBytes + kMostHeaderBytes);
    ArrayFile array;
    if (is_picture_file(path.string())) {
        DecodedPicture picture = decode_picture(path.string(), whole, channels, kMostContentBytes);
        array = {{'u', 1}, {picture.rows, picture.columns}, nullptr};
        if (channels > 1) array.shape.push_back(channels);
        array.content = std::make_shared<const std::string>(std::move(picture.pixels));
    } else {
        const NpyHeader header = read_npy(path.string(), whole);
        array = {header.type, header.shape,
                 std::make_shared<const std::string>(whole.substr(header.data_offset))};
    }
    known = {array.type, array.shape, array.content, written, bytes};
    return array;
}

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

std::string EditedTexts::read(const fs::path& path, std::uintmax_t limit_bytes) const {
    const std::string* text = find(path);
    return without_mark(text != nullptr ? *text : read_file(path, limit_bytes));
}

bool leaves_folder(const fs::path& relative) {
    return relative.empty() || relative.is_absolute() || *relative.begin() == "..";
}

bool lies_within(const fs::path& folder, const fs::path& name) {
    const fs::path relative = name.lexically_normal();
    if (leaves_folder(relative)) return false;
    std::error_code no_root, no_file;
    const fs::path root = fs::weakly_canonical(folder.empty() ? "." : folder, no_root);
    const fs::path real = fs::weakly_canonical(root / relative, no_file);
    return !no_root && !no_file && !leaves_folder(real.lexically_relative(root));
}

}  // namespace kwb
