#include "catalog/file_watch.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>

#include "base/fd.hpp"
#include "base/file.hpp"
#include "catalog/path_entries.hpp"
#include "support/bad_places.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

using Paths = std::vector<fs::path>;
using Clock = std::chrono::steady_clock;

/// Wait at the descriptor, as the window does, until something changed.
/// @return  nothing if the patience ends before
Paths wait_for_changes(FileWatch& watch) {
    const auto deadline = Clock::now() + std::chrono::seconds(20);
    while (Clock::now() < deadline) {
        if (Paths changes = watch.take_changes(); !changes.empty()) return changes;
        pollfd entry{watch.fd(), POLLIN, 0};
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        ::poll(&entry, 1, static_cast<int>(left.count()));
    }
    return {};
}

/// A watched file, and another one beside it: when the other's change is told, all earlier ones were.
struct Desk {
    TempFolder folder;
    fs::path file = folder.write("kernel.cl", "old");
    fs::path bell = folder.write("bell", "0");
    FileWatch watch;

    Desk() { watch.watch({file, bell}); }

    /// All changes until the bell, which is rung by this.
    Paths changes_so_far() {
        Paths all;
        folder.write("bell", "1");
        for (;;) {
            const Paths some = wait_for_changes(watch);
            all.insert(all.end(), some.begin(), some.end());
            if (some.empty() || some.back() == bell) return all;
        }
    }
};

}  // namespace

TEST_CASE("each way in which editors save a file is one change") {
    Desk desk;
    const fs::path& file = desk.file;
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
    CHECK(wait_for_changes(desk.watch) == Paths{file});
    CHECK(desk.changes_so_far() == Paths{desk.bell});
    desk.folder.write("kernel.cl", "newer");
    CHECK(wait_for_changes(desk.watch) == Paths{file});
    CHECK(desk.watch.take_notices().empty());
}

TEST_CASE("a file that goes is a change, and so is its coming back") {
    Desk desk;
    fs::remove(desk.file);
    CHECK(wait_for_changes(desk.watch) == Paths{desk.file});
    CHECK(desk.changes_so_far() == Paths{desk.bell});
    desk.folder.write("kernel.cl", "back");
    CHECK(wait_for_changes(desk.watch) == Paths{desk.file});
}

TEST_CASE("reading a file, its rights, neighbours and a name that comes and goes are no changes") {
    Desk desk;
    CHECK(read_text(desk.file) == "old");
    fs::permissions(desk.file, fs::perms(0600));
    desk.folder.write(".kernel.cl.swp", "x");
    desk.folder.write("kernel.cl~", "x");
    // Opened for writing, but not written.
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
    FileWatch watch;
    watch.watch({file});
    folder.write("a/kernel.cl", "a, changed");
    CHECK(wait_for_changes(watch) == Paths{file});
    // Another folder behind the link, as releases are switched; from then on its file counts.
    fs::create_symlink("b", folder / "next");
    fs::rename(folder / "next", folder / "present");
    CHECK(wait_for_changes(watch) == Paths{file});
    folder.write("b/kernel.cl", "b, changed");
    CHECK(wait_for_changes(watch) == Paths{file});
    // The link itself becomes a file.
    fs::remove(file);
    folder.write("links/mine.cl", "own");
    CHECK(wait_for_changes(watch) == Paths{file});
    folder.write("links/mine.cl", "own, changed");
    CHECK(wait_for_changes(watch) == Paths{file});
    CHECK(watch.take_notices().empty());
}

TEST_CASE("the entries of a path are its links and its file") {
    const TempFolder folder;
    const fs::path real = fs::canonical(folder.path());
    folder.write("a/kernel.cl", "");
    fs::create_symlink(real / "a", real / "link");
    fs::create_symlink("circle", real / "circle");
    CHECK(entries_of(real / "a/./x/../kernel.cl") == std::vector<PathEntry>{{real / "a", "kernel.cl"}});
    CHECK(entries_of(real / "link/kernel.cl") ==
          std::vector<PathEntry>{{real, "link"}, {real / "a", "kernel.cl"}});
    CHECK(entries_of(real / "none/kernel.cl") == std::vector<PathEntry>{{real / "none", "kernel.cl"}});
    CHECK(entries_of(real / "circle/x").size() == 40);
    CHECK(entries_of("/").empty());
}

TEST_CASE("the files can be chosen anew, and a change that was not taken yet stays one") {
    const TempFolder folder;
    const fs::path a = folder.write("a.cl", "a"), b = folder.write("b.h", "b"), c = folder.write("c.h", "c");
    FileWatch watch;
    watch.watch({a, b, b});
    folder.write("a.cl", "a, changed");
    folder.write("b.h", "b, changed");
    watch.watch({c, a});
    CHECK(wait_for_changes(watch) == Paths{a});
    folder.write("b.h", "b, changed again");
    folder.write("c.h", "c, changed");
    CHECK(wait_for_changes(watch) == Paths{c});
    watch.watch({});
    CHECK(watch.take_changes().empty());
}

TEST_CASE("a file in a folder that is missing is found once it is there, and then watched") {
    const TempFolder folder;
    const fs::path file = folder / "later/kernel.cl";
    FileWatch watch;
    watch.watch({file});
    const auto notices = watch.take_notices();
    REQUIRE(notices.size() == 1);
    CHECK(notices[0] == "the folder " + (fs::canonical(folder.path()) / "later").string() +
                            " cannot be watched (No such file or directory); its files are looked at four "
                            "times a second instead");
    folder.write("later/kernel.cl", "new");
    CHECK(wait_for_changes(watch) == Paths{file});
    write_file(file, "newer");
    CHECK(wait_for_changes(watch) == Paths{file});
    CHECK(watch.take_notices().empty());
}

TEST_CASE("a folder that is removed and made again, as by changing branches, loses no change") {
    const TempFolder folder;
    const fs::path file = folder.write("kernels/kernel.cl", "old");
    FileWatch watch;
    watch.watch({file});
    SUBCASE("removed") {
        fs::remove_all(folder / "kernels");
    }
    SUBCASE("renamed") {
        fs::rename(folder / "kernels", folder / "elsewhere");
    }
    CHECK(wait_for_changes(watch) == Paths{file});
    CHECK(watch.take_notices().size() == 1);
    folder.write("kernels/kernel.cl", "new");
    CHECK(wait_for_changes(watch) == Paths{file});
    folder.write("kernels/kernel.cl", "newer");
    CHECK(wait_for_changes(watch) == Paths{file});
    CHECK(watch.take_notices().empty());
}

TEST_CASE("where the system has no watch left the files are looked at, with a notice that says what to do") {
    const TempFolder folder;
    fs::permissions(folder.path(), fs::perms(0777));
    const fs::path file = folder.write("kernel.cl", "old");
    // The limit is one for each user: this way it is not root's.
    const WithoutPrivileges me;
    std::vector<Fd> all;
    int error = 0;
    while (error == 0) {
        Fd one(::inotify_init1(IN_CLOEXEC));
        error = one ? 0 : errno;
        all.push_back(std::move(one));
    }
    // Else this process ran out of descriptors first, which is another matter.
    REQUIRE(error == EMFILE);
    if (all.size() > 900) return;
    FileWatch watch;
    watch.watch({file});
    const auto notices = watch.take_notices();
    REQUIRE(notices.size() == 1);
    CHECK(notices[0].find("the system has no watch left") != std::string::npos);
    CHECK(notices[0].find("fs.inotify.max_user_instances") != std::string::npos);
    const fs::path elsewhere = folder / "elsewhere";
    fs::rename(file, elsewhere);
    CHECK(wait_for_changes(watch) == Paths{file});
    // As soon as there are watches again they serve.
    all.clear();
    fs::rename(elsewhere, file);
    CHECK(wait_for_changes(watch) == Paths{file});
    CHECK(watch.take_notices().empty());
}

TEST_CASE("a kernel's files are its own, its side-car and its neighbours") {
    KernelFile kernel;
    kernel.spec.file = "kernels/a.cl";
    kernel.includes = {{"tile.h", ""}, {"parts/load.h", ""}};
    CHECK(files_of(kernel) ==
          Paths{"kernels/a.cl", "kernels/a.cl.toml", "kernels/tile.h", "kernels/parts/load.h"});
}
