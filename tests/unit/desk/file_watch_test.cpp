// SPDX-License-Identifier: Apache-2.0
#include "desk/file_watch.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <semaphore>

#include "base/fd.hpp"
#include "base/file.hpp"
#include "support/patience.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

using Paths = std::vector<fs::path>;

/// A file watch, and a way to wait for it as the window does.
class Watcher {
public:
    void watch(const Paths& files) { watch_.watch(files); }
    Paths take_changes() { return watch_.take_changes(); }

    /// @return  empty on timeout
    Paths wait_for_changes() {
        while (woken_.try_acquire_for(std::chrono::milliseconds(kPatienceMs)))
            if (Paths changes = watch_.take_changes(); !changes.empty()) return changes;
        return {};
    }

private:
    std::counting_semaphore<> woken_{0};
    FileWatch watch_{[this] { woken_.release(); }};
};

/// Two watched files. Changes are reported in order, so the bell's change arrives after all earlier ones.
struct Desk {
    TempFolder folder;
    fs::path file = folder.write("kernel.cl", "old");
    fs::path bell = folder.write("bell", "0");
    Watcher watch;

    Desk() {
        // Set the time back, so that even a write within the clock's resolution changes it.
        fs::last_write_time(file, fs::last_write_time(file) - std::chrono::seconds(10));
        watch.watch({file, bell});
    }

    /// Touch the bell and return all changes up to it.
    Paths changes_so_far() {
        Paths all;
        folder.write("bell", "rung");
        for (;;) {
            const Paths some = watch.wait_for_changes();
            all.insert(all.end(), some.begin(), some.end());
            if (some.empty() || some.back() == bell) return all;
        }
    }
};

}  // namespace

TEST_CASE("each way in which editors save a file is one change") {
    Desk desk;
    const fs::path& file = desk.file;
    const auto start = std::chrono::steady_clock::now();
    SUBCASE("written in place") {
        desk.folder.write("kernel.cl", "new");
    }
    SUBCASE("written in place with the same length") {
        desk.folder.write("kernel.cl", "OLD");
    }
    SUBCASE("written in several pieces") {
        const Fd fd(::open(file.c_str(), O_WRONLY | O_TRUNC));
        for (int i = 0; i < 100; ++i) REQUIRE(::write(fd.get(), "line\n", 5) == 5);
    }
    SUBCASE("replaced by a rename") {
        write_file(file, "new");
    }
    SUBCASE("renamed to a backup and written anew") {
        fs::rename(file, file.string() + "~");
        desk.folder.write("kernel.cl", "new");
    }
    SUBCASE("deleted and created again") {
        fs::remove(file);
        desk.folder.write("kernel.cl", "new");
    }
    SUBCASE("a copy moved over it, with the old time") {
        const fs::path copy = desk.folder.write("copy", "new");
        fs::last_write_time(copy, fs::last_write_time(file));
        fs::rename(copy, file);
    }
    // A save on which a busy machine rests is seen half done, and then again.
    const bool is_quick = std::chrono::steady_clock::now() - start < std::chrono::milliseconds(20);
    CHECK(desk.watch.wait_for_changes() == Paths{file});
    Paths rest = desk.changes_so_far();
    if (!is_quick) std::erase(rest, file);
    CHECK(rest == Paths{desk.bell});
    desk.folder.write("kernel.cl", "newer");
    CHECK(desk.watch.wait_for_changes() == Paths{file});
}

TEST_CASE("a file that goes is a change, and so is its coming back") {
    Desk desk;
    fs::remove(desk.file);
    CHECK(desk.watch.wait_for_changes() == Paths{desk.file});
    CHECK(desk.changes_so_far() == Paths{desk.bell});
    desk.folder.write("kernel.cl", "back");
    CHECK(desk.watch.wait_for_changes() == Paths{desk.file});
}

TEST_CASE("reading a file, its rights, neighbours and a name that comes and goes are no changes") {
    Desk desk;
    CHECK(read_text(desk.file) == "old");
    fs::permissions(desk.file, fs::perms(0600));
    desk.folder.write(".kernel.cl.swp", "x");
    desk.folder.write("kernel.cl~", "x");
    // Open for writing without writing.
    { const Fd fd(::open(desk.file.c_str(), O_RDWR)); }
    CHECK(desk.changes_so_far() == Paths{desk.bell});
}

TEST_CASE("a file reached over links is watched where it lies, and the links too") {
    const TempFolder folder;
    folder.write("a/kernel.cl", "a");
    folder.write("b/kernel.cl", "b");
    fs::create_symlink("a", folder / "present");
    fs::create_directory(folder / "links");
    fs::create_symlink("../present/kernel.cl", folder / "links/mine.cl");
    const fs::path file = folder / "links/mine.cl";
    Watcher watch;
    watch.watch({file});
    folder.write("a/kernel.cl", "a, changed");
    CHECK(watch.wait_for_changes() == Paths{file});
    // Retarget a symbolic link in the path, as when switching releases; from then on the file in the new
    // folder is watched.
    fs::create_symlink("b", folder / "next");
    fs::rename(folder / "next", folder / "present");
    CHECK(watch.wait_for_changes() == Paths{file});
    folder.write("b/kernel.cl", "b, changed");
    CHECK(watch.wait_for_changes() == Paths{file});
    // Replace the link by a regular file.
    fs::remove(file);
    folder.write("links/mine.cl", "own");
    CHECK(watch.wait_for_changes() == Paths{file});
    folder.write("links/mine.cl", "own, changed");
    CHECK(watch.wait_for_changes() == Paths{file});
}

TEST_CASE("the files can be chosen anew, and a change that was not taken yet stays one") {
    const TempFolder folder;
    const fs::path a = folder.write("a.cl", "a"), b = folder.write("b.h", "b"), c = folder.write("c.h", "c");
    Watcher watch;
    watch.watch({a, b, b});
    folder.write("a.cl", "a, changed");
    folder.write("b.h", "b, changed");
    watch.watch({c, a});
    CHECK(watch.wait_for_changes() == Paths{a});
    folder.write("b.h", "b, changed again");
    folder.write("c.h", "c, changed");
    CHECK(watch.wait_for_changes() == Paths{c});
    watch.watch({});
    CHECK(watch.take_changes().empty());
}

TEST_CASE("a file in a folder that is missing is found once it is there, and then watched") {
    const TempFolder folder;
    const fs::path file = folder / "later/kernel.cl";
    Watcher watch;
    watch.watch({file});
    folder.write("later/kernel.cl", "new");
    CHECK(watch.wait_for_changes() == Paths{file});
    write_file(file, "newer");
    CHECK(watch.wait_for_changes() == Paths{file});
}

TEST_CASE("a folder that is removed and made again, as by changing branches, loses no change") {
    const TempFolder folder;
    const fs::path file = folder.write("kernels/kernel.cl", "old");
    Watcher watch;
    watch.watch({file});
    SUBCASE("removed") {
        fs::remove_all(folder / "kernels");
    }
    SUBCASE("renamed") {
        fs::rename(folder / "kernels", folder / "elsewhere");
    }
    CHECK(watch.wait_for_changes() == Paths{file});
    folder.write("kernels/kernel.cl", "new");
    CHECK(watch.wait_for_changes() == Paths{file});
    folder.write("kernels/kernel.cl", "newer");
    CHECK(watch.wait_for_changes() == Paths{file});
}
