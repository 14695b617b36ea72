// SPDX-License-Identifier: Apache-2.0
#include "grade/submissions.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb {
namespace {

/// Entries of an archive; a bomb may have millions.
constexpr std::size_t kMostEntries = 10'000;

[[noreturn]] void refuse(archive* reader) {
    const char* const why = ::archive_error_string(reader);
    throw BadInput(std::string("cannot be unpacked: ") +
                   (why != nullptr ? to_utf8(why) : "the archive is damaged"));
}

std::string name_of(archive_entry* entry) {
    if (const char* const name = ::archive_entry_pathname_utf8(entry)) return name;
    const char* const raw = ::archive_entry_pathname(entry);
    return raw != nullptr ? to_utf8(raw) : "";
}

std::optional<std::chrono::sys_seconds> changed_at(archive_entry* entry) {
    if (::archive_entry_mtime_is_set(entry) == 0) return std::nullopt;
    return std::chrono::sys_seconds(std::chrono::seconds(::archive_entry_mtime(entry)));
}

/// libarchive gives names in the letters of the thread's locale.
class Utf8Names {
public:
    Utf8Names() : locale_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)), before_(::uselocale(locale_)) {}
    ~Utf8Names() {
        ::uselocale(before_);
        if (locale_ != nullptr) ::freelocale(locale_);
    }
    Utf8Names(const Utf8Names&) = delete;
    Utf8Names& operator=(const Utf8Names&) = delete;

private:
    locale_t locale_;
    locale_t before_;
};

}  // namespace

bool is_archive(std::string_view name) {
    const std::string lower = to_lower(name);
    constexpr std::array<std::string_view, 5> kEndings = {".zip", ".tar", ".tar.gz", ".tgz", ".7z"};
    return std::ranges::any_of(kEndings, [&](std::string_view ending) { return lower.ends_with(ending); });
}

void read_archive(const std::string& bytes, const std::function<bool(const ArchiveEntry&)>& visit,
                  const std::function<void(const ArchiveEntry&, std::string)>& content,
                  std::size_t most_bytes) {
    const Utf8Names utf8_names;
    const std::unique_ptr<archive, int (*)(archive*)> reader(::archive_read_new(), ::archive_read_free);
    ::archive_read_support_format_zip(reader.get());
    ::archive_read_support_format_tar(reader.get());
    ::archive_read_support_format_7zip(reader.get());
    ::archive_read_support_filter_gzip(reader.get());
    if (::archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
        refuse(reader.get());
    std::size_t taken = 0;
    for (std::size_t entries = 0;; ++entries) {
        archive_entry* entry = nullptr;
        const int state = ::archive_read_next_header(reader.get(), &entry);
        if (state == ARCHIVE_EOF) return;
        if (state < ARCHIVE_WARN) refuse(reader.get());
        if (entries == kMostEntries) throw BadInput("has more than 10,000 entries");
        if (::archive_entry_filetype(entry) == AE_IFDIR) continue;
        const bool is_link =
            ::archive_entry_filetype(entry) == AE_IFLNK || ::archive_entry_hardlink(entry) != nullptr;
        // The fields with UTC have more times than the last change; without them, libarchive gives 0.
        const bool is_local_time =
            (::archive_format(reader.get()) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP &&
            ::archive_entry_atime(entry) == 0 && ::archive_entry_ctime(entry) == 0;
        const ArchiveEntry about{name_of(entry), !is_link && ::archive_entry_filetype(entry) == AE_IFREG,
                                 is_link, changed_at(entry), is_local_time};
        if (!visit(about)) continue;
        std::string text;
        std::array<char, 65'536> part;
        for (;;) {
            const la_ssize_t got = ::archive_read_data(reader.get(), part.data(), part.size());
            if (got < 0) refuse(reader.get());
            if (got == 0) break;
            text.append(part.data(), static_cast<std::size_t>(got));
            taken += static_cast<std::size_t>(got);
            if (taken > most_bytes) throw BadInput("unpacks to more than " + format_bytes(most_bytes));
        }
        content(about, std::move(text));
    }
}

}  // namespace kwb
