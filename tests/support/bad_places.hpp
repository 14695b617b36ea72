// SPDX-License-Identifier: Apache-2.0
// Real places in which writing fails.
#pragma once

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace kwb::test {

/// Drops root's privileges while it exists, so that file permissions apply. No effect for other users.
class WithoutPrivileges {
public:
    WithoutPrivileges() {
        if (was_root_ && ::seteuid(65534) != 0) std::abort();
    }
    WithoutPrivileges(const WithoutPrivileges&) = delete;
    WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;
    ~WithoutPrivileges() {
        if (was_root_ && ::seteuid(0) != 0) std::abort();
    }

private:
    bool was_root_ = ::geteuid() == 0;
};

/// Makes a folder read-only while it exists.
class ReadOnlyFolder {
public:
    explicit ReadOnlyFolder(std::filesystem::path path) : path_(std::move(path)) {
        using std::filesystem::perms;
        std::filesystem::permissions(path_, perms(0555));
    }
    ReadOnlyFolder(const ReadOnlyFolder&) = delete;
    ReadOnlyFolder& operator=(const ReadOnlyFolder&) = delete;
    ~ReadOnlyFolder() {
        std::error_code ignored;
        std::filesystem::permissions(path_, std::filesystem::perms(0755), ignored);
    }

private:
    std::filesystem::path path_;
};

/// Limits the size of the files that this process writes to `bytes` while it exists, as with `ulimit -f`.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &old_);
        rlimit limit = old_;
        limit.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, old_handler_);
    }

private:
    rlimit old_{};
    void (*old_handler_)(int);
};

/// A tiny file system mounted on a folder, visible only to this process. Creating it needs root and fails in
/// some environments: check is_there().
class TinyDisk {
public:
    TinyDisk(std::filesystem::path folder, std::size_t bytes) : folder_(std::move(folder)) {
        // In a private mount namespace, so that other processes do not see it.
        is_there_ =
            ::geteuid() == 0 && ::unshare(CLONE_NEWNS) == 0 &&
            ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
            ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, ("size=" + std::to_string(bytes)).c_str()) == 0;
    }
    TinyDisk(const TinyDisk&) = delete;
    TinyDisk& operator=(const TinyDisk&) = delete;
    ~TinyDisk() {
        if (is_there_) ::umount2(folder_.c_str(), MNT_DETACH);
    }

    bool is_there() const { return is_there_; }

private:
    std::filesystem::path folder_;
    bool is_there_ = false;
};

}  // namespace kwb::test
