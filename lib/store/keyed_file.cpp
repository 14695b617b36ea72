// SPDX-License-Identifier: Apache-2.0
#include "store/keyed_file.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "base/file.hpp"

namespace kwb {
namespace {

constexpr std::uintmax_t kMostFileBytes = 1u << 30;

struct FirstLine {
    std::string kwb;  ///< the content
    std::string version;
};

template <class Fields>
void describe(Fields& f, FirstLine& line) {
    f("kwb", line.kwb);
    f("version", line.version);
}

bool write_at(const Fd& fd, std::string_view text, std::uint64_t offset) {
    while (!text.empty()) {
        const ssize_t n = ::pwrite(fd.get(), text.data(), text.size(), static_cast<off_t>(offset));
        if (n < 0 && errno != EINTR) return false;
        if (n < 0) continue;
        text.remove_prefix(static_cast<std::size_t>(n));
        offset += static_cast<std::uint64_t>(n);
    }
    return true;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) {
    using Clock = std::chrono::steady_clock;
    const std::string name = folder.empty() ? "." : folder.string();
    folder_ = Fd(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder_) throw BadInput(name + ": cannot open: " + std::strerror(errno));
    for (const auto end = Clock::now() + std::chrono::seconds(2); ::flock(folder_.get(), LOCK_EX | LOCK_NB);
         std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
        if (errno != EWOULDBLOCK && errno != EINTR) return;
        if (Clock::now() > end) throw BadInput(name + ": another program is writing there. Try again later");
    }
}

std::string KeyedLines::first_line() const {
    return dump_json(write_json(FirstLine{format_.content, format_.version})) + "\n";
}

KeyedLines::News KeyedLines::read() {
    News news;
    struct stat info {};
    const bool exists = ::stat(path_.c_str(), &info) == 0 || errno != ENOENT;
    const std::pair<std::uint64_t, std::uint64_t> id(info.st_dev, info.st_ino);
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (!exists || id != file_id_ || size < end_) {
        news.is_all = true;
        file_id_ = id;
        end_ = count_ = 0;
    }
    if (!exists || (size == end_ && !news.is_all)) return news;

    const std::string text = read_file(path_, kMostFileBytes);
    const std::string first = first_line();
    if (end_ == 0 && first.starts_with(text)) return news;  // empty, or a crash cut the first line off
    if (end_ == 0 && !text.starts_with(first))
        throw OtherContent(path_.string() + ": not a file of " + format_.content + " of version " +
                           format_.version);
    if (end_ == 0) end_ = first.size();
    for (std::size_t end; (end = text.find('\n', end_)) != std::string::npos; end_ = end + 1)
        news.lines.push_back(
            {path_.string() + ":" + std::to_string(++count_ + 1), text.substr(end_, end - end_)});
    return news;
}

void KeyedLines::append(std::string_view line) {
    const std::string text = (end_ == 0 ? first_line() : "") + std::string(line) + "\n";
    const Fd fd(::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    const auto end = static_cast<off_t>(end_);
    struct stat info {};
    // The file may end with a part of a line, from a crash: it is cut off.
    if (!fd || ::ftruncate(fd.get(), end) != 0 || !write_at(fd, text, end_) ||
        (format_.sync && ::fsync(fd.get()) != 0) || ::fstat(fd.get(), &info) != 0) {
        const int error = errno;
        if (fd && ::ftruncate(fd.get(), end) != 0) {  // readers ignore the part
        }
        throw BadInput(path_.string() + ": cannot write: " + std::strerror(error));
    }
    file_id_ = {info.st_dev, info.st_ino};
    end_ += text.size();
    ++count_;
}

void KeyedLines::replace(const std::vector<std::string>& lines) {
    std::string text = first_line();
    for (const std::string& line : lines) text += line + "\n";
    write_file(path_, text, {.sync = format_.sync});
    struct stat info {};
    ::stat(path_.c_str(), &info);
    file_id_ = {info.st_dev, info.st_ino};
    end_ = text.size();
    count_ = lines.size();
}

}  // namespace kwb
