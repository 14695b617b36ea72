// SPDX-License-Identifier: Apache-2.0
#include "tune/cache_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"

namespace kwb {
namespace {

constexpr std::uintmax_t kMostCacheBytes = std::uintmax_t{4} << 30;

/// True if the file exists, or something else has its name.
bool is_taken(const std::filesystem::path& path) {
    std::error_code missing;
    return std::filesystem::exists(std::filesystem::symlink_status(path, missing));
}

std::string whole_text(const TunedCase& about, const NamedList<std::string>& entries) {
    std::string text = cache_header(about);
    for (const auto& [key, entry] : entries) text += cache_line(key, entry);
    return text;
}

/// Our values first, then those that only the file has: its entries stay.
ParamSpace merged(ParamSpace ours, const ParamSpace& theirs) {
    for (auto& [name, values] : ours)
        if (const auto* known = find_named(theirs, name))
            for (const ParamValue& value : *known)
                if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    return ours;
}

}  // namespace

CacheFile::CacheFile(std::filesystem::path path, const TunedCase& about)
    : path_(std::move(path)), about_(about) {
    if (is_taken(path_))
        throw BadInput(path_.string() +
                       ": already exists. Continue it with --resume, or name another file with --cache");
    write_file(path_, cache_header(about_));
    open();
}

CacheFile::CacheFile(std::filesystem::path path, const TunedCase& about, const Space& space,
                     const KernelResult& blank)
    : path_(std::move(path)), about_(about) {
    if (!is_taken(path_)) {
        write_file(path_, cache_header(about_));
        open();
        return;
    }
    open();  // before reading, so that no other process appends meanwhile
    CacheText cache;
    try {
        cache = read_cache(read_file(path_, kMostCacheBytes));
        require_same(cache.about, about_);
    } catch (const ProtocolError& error) {
        throw BadInput(path_.string() + ": " + error.what());
    } catch (const BadInput& error) {
        const std::string what = error.what();
        throw BadInput(what.starts_with(path_.string()) ? what : path_.string() + ": " + what);
    }
    about_.params = merged(about_.params, cache.about.params);
    recalled_.damaged = cache.damaged;
    for (const auto& [key, text] : cache.entries) {
        auto trial = read_cache_entry(text, space, blank);
        if (!trial) {
            ++recalled_.others;
            continue;
        }
        outcomes_.insert_or_assign(trial->configuration, Outcome{trial->result.verdict, trial->cost_ms});
        recalled_.trials.push_back(std::move(*trial));
    }
    write_file(path_, whole_text(about_, cache.entries));
    open();
}

void CacheFile::open() {
    Fd fd(::open(path_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK));
    if (!fd) throw BadInput(path_.string() + ": cannot be opened: " + std::strerror(errno));
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        throw BadInput(path_.string() +
                       ": another 'kwb tune' is writing this file. Wait until it ends, or name another file "
                       "with --cache");
    fd_ = std::move(fd);
}

void CacheFile::keep(const std::vector<const Trial*>& trials) {
    for (const Trial* trial : trials) {
        const Outcome outcome{trial->result.verdict, trial->cost_ms};
        const auto [known, is_new] = outcomes_.try_emplace(trial->configuration, outcome);
        if (!is_new && known->second == outcome) continue;
        known->second = outcome;
        must_rewrite_ = must_rewrite_ || !is_new;
        waiting_.insert_or_assign(cache_key(*trial), cache_entry(*trial));
    }
    if (waiting_.empty()) return;
    try {
        must_rewrite_ ? rewrite() : append();
        waiting_.clear();
        must_rewrite_ = false;
        trouble_.clear();
    } catch (const BadInput& error) {
        trouble_ = error.what();
    }
}

/// All or nothing, and so in one piece: SIGKILL does not divide a write to a file.
void CacheFile::append() {
    std::string text;
    for (const auto& [key, entry] : waiting_) text += cache_line(key, entry);
    const off_t end = ::lseek(fd_.get(), 0, SEEK_END);
    for (std::string_view rest = text; !rest.empty();) {
        const ssize_t n = ::write(fd_.get(), rest.data(), rest.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            const int error = errno;
            [[maybe_unused]] const int cut = ::ftruncate(fd_.get(), end);
            throw BadInput(path_.string() + ": cannot write: " + std::strerror(error));
        }
        rest.remove_prefix(static_cast<std::size_t>(n));
    }
}

void CacheFile::rewrite() {
    CacheText cache = read_cache(read_file(path_, kMostCacheBytes));
    std::map<std::string, std::string> left = waiting_;
    for (auto& [key, entry] : cache.entries)
        if (const auto found = left.find(key); found != left.end()) entry = left.extract(found).mapped();
    for (auto& [key, entry] : left) cache.entries.push_back({key, std::move(entry)});
    write_file(path_, whole_text(about_, cache.entries));
    open();
}

}  // namespace kwb
