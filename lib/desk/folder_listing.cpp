// SPDX-License-Identifier: Apache-2.0
#include "desk/folder_listing.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/text.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

fs::path home_folder() {
    const char* home = std::getenv("HOME");
    return home != nullptr && *home == '/' ? fs::path(home) : fs::path();
}

fs::path present_folder() {
    std::error_code gone;
    return fs::current_path(gone);
}

/// Absolute and normalized, without a slash at the end.
fs::path tidied(fs::path folder) {
    std::string typed = folder.string();
    // A complete path may have been pasted after the existing text.
    for (const char* beginning : {"//", "/~/"})
        if (const std::size_t at = typed.rfind(beginning); at != std::string::npos)
            folder = typed = typed.substr(at + 1);
    if (typed.ends_with("/~")) folder = typed = "~";
    if (typed == "~" || typed.starts_with("~/"))
        if (const fs::path home = home_folder(); !home.empty())
            folder = typed.size() > 2 ? home / typed.substr(2) : home;
    if (folder.is_relative()) folder = present_folder() / folder;
    folder = folder.lexically_normal();
    return folder.has_filename() || !folder.has_relative_path() ? folder : folder.parent_path();
}

/// A file name as one line of UTF-8.
std::string name_for_people(const fs::path& path) {
    std::string name = to_utf8(path.filename().string());
    for (char& c : name)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return name;
}

std::string reason_of(const fs::path& folder, const std::error_code& error) {
    const std::string name = to_utf8(folder.string());
    if (error == std::errc::not_a_directory) return name + " is a file; go to the folder that holds it.";
    if (error == std::errc::no_such_file_or_directory)
        return name + " does not exist; go to a folder above it or to another place.";
    if (error == std::errc::permission_denied)
        return name + ": you have no permission to read it; go to another folder or change its permissions.";
    return name + " cannot be listed: " + error.message() + "; go to another folder.";
}

bool has_extension(const fs::path& path, const std::vector<std::string>& extensions) {
    const std::string extension = to_lower(path.extension().string());
    return extensions.empty() || std::any_of(extensions.begin(), extensions.end(), [&](const auto& wanted) {
               return to_lower(wanted) == extension;
           });
}

FolderEntry make_entry(const fs::path& path) {
    FolderEntry entry{name_for_people(path), path};
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return entry;  // a dangling link: opening it reports the error
    entry.is_folder = S_ISDIR(info.st_mode);
    return entry;
}

}  // namespace

bool sorts_before(std::string_view a, std::string_view b) {
    const auto take_number = [](std::string_view& text) {
        std::size_t digits = 0;
        while (digits < text.size() && is_digit(text[digits])) ++digits;
        std::string_view number = text.substr(0, digits);
        number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
        text.remove_prefix(digits);
        return number;
    };
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    std::string_view left = a;
    std::string_view right = b;
    while (!left.empty() && !right.empty()) {
        if (is_digit(left.front()) && is_digit(right.front())) {
            const std::string_view x = take_number(left);
            const std::string_view y = take_number(right);
            if (x.size() != y.size()) return x.size() < y.size();
            if (x != y) return x < y;
            continue;
        }
        const auto x = static_cast<unsigned char>(lower(left.front()));
        const auto y = static_cast<unsigned char>(lower(right.front()));
        if (x != y) return x < y;
        left.remove_prefix(1);
        right.remove_prefix(1);
    }
    if (left.empty() != right.empty()) return left.empty();
    return a < b;
}

FolderListing list_folder(const fs::path& folder, FolderListing::Purpose purpose, bool shows_hidden,
                          std::vector<std::string> extensions) {
    FolderListing listing;
    listing.purpose = purpose;
    listing.folder = tidied(folder);
    listing.extensions = std::move(extensions);
    for (const fs::path& place : {home_folder(), present_folder()})
        if (!place.empty() &&
            std::find(listing.places.begin(), listing.places.end(), place) == listing.places.end())
            listing.places.push_back(place);

    std::error_code error;
    fs::directory_iterator at(listing.folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
        const fs::directory_entry& found = *at;
        std::error_code unknown;
        const bool is_folder = found.is_directory(unknown);
        if (!shows_hidden && found.path().filename().string().starts_with(".")) continue;
        if (!is_folder && (found.is_other(unknown) || !has_extension(found.path(), listing.extensions)))
            continue;
        if (listing.entries.size() == FolderListing::kMostEntries)
            ++listing.left_out;
        else
            listing.entries.push_back(make_entry(found.path()));
    }
    if (error) {
        listing.entries.clear();
        listing.left_out = 0;
        listing.error = reason_of(listing.folder, error);
    }
    std::sort(listing.entries.begin(), listing.entries.end(), [](const FolderEntry& a, const FolderEntry& b) {
        return a.is_folder != b.is_folder ? a.is_folder : sorts_before(a.name, b.name);
    });
    return listing;
}

}  // namespace kwb
