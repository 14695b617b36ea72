// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

#include "judge/processes/device_pool.hpp"
#include "judge/processes/family.hpp"
#include "judge/processes/machine.hpp"
#include "judge/processes/runner_folders.hpp"
#include "judge/processes/runner_limits.hpp"
#include "judge/processes/runner_process.hpp"
#include "support/patience.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
namespace fs = std::filesystem;

// Cleanup of the files that runners leave behind.

namespace {

struct HouseFolder {
    HouseFolder() {
        std::string pattern = (fs::temp_directory_path() / "kwb-household-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        path = pattern;
    }
    ~HouseFolder() { remove_tree(path); }
    fs::path path;
};

void write(const fs::path& file, const std::string& text = "x") {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

std::size_t entries(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

Child start_cat() {
    ::signal(SIGPIPE, SIG_IGN);
    ChildOptions options;
    options.command = {"cat"};
    return Child::spawn(options);
}

void age(const fs::path& file, int seconds) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
}

}  // namespace

TEST_CASE("a tree is removed however deep, closed or linked it is, and links are not followed") {
    const HouseFolder folder;
    write(folder.path / "kept" / "precious");
    ::chmod((folder.path / "kept" / "precious").c_str(), 0644);
    const fs::path tree = folder.path / "tree";
    write(tree / "a" / "b" / "file");
    fs::create_directory_symlink(folder.path / "kept", tree / "link");
    fs::create_symlink(folder.path / "kept" / "precious", tree / "a" / "link");
    ::chmod((tree / "a").c_str(), 0);
    Fd at(::open(tree.c_str(), O_RDONLY | O_DIRECTORY));
    for (int depth = 0; depth < 3000; ++depth) {
        REQUIRE(::mkdirat(at.get(), "deep", 0700) == 0);
        at = Fd(::openat(at.get(), "deep", O_RDONLY | O_DIRECTORY));
        REQUIRE(at.get() >= 0);
    }
    CHECK(remove_tree(tree));
    CHECK(!fs::exists(tree));
    CHECK(fs::exists(folder.path / "kept" / "precious"));
    CHECK(fs::status(folder.path / "kept" / "precious").permissions() == fs::perms(0644));
}

TEST_CASE("removing what is not there is no failure, removing a file is") {
    const HouseFolder folder;
    CHECK(remove_tree(folder.path / "nothing"));
    write(folder.path / "file");
    CHECK(!remove_tree(folder.path / "file"));
}

TEST_CASE("a judge's folder and its runners' go with their owners") {
    const HouseFolder cache;
    {
        JudgeFolder judge(cache.path);
        {
            RunnerFolder runner(judge);
            RunnerFolder other(judge);
            CHECK(runner.path() != other.path());
            write(runner.path() / "left" / "behind");
            CHECK((fs::status(runner.path()).permissions() & fs::perms::others_all) == fs::perms::none);
        }
        CHECK(entries(judge.path()) == 0);
    }
    CHECK(entries(cache.path / "run") == 0);
}

TEST_CASE("orphans of killed judges are swept at the next start, those of living judges are not") {
    const HouseFolder cache;
    write(cache.path / "run" / "orphan" / "0" / "file");
    write(cache.path / "run" / "orphan.lock");
    write(cache.path / "run" / "unlocked" / "file");
    const JudgeFolder living(cache.path);
    CHECK(entries(cache.path / "run") == 2);
    const JudgeFolder next(cache.path);
    CHECK(fs::exists(living.path()));
    CHECK(entries(cache.path / "run") == 4);
}

TEST_CASE("a cache is swept of killed compilations by who is alone, and keeps its programs") {
    const HouseFolder folder;
    const fs::path path = folder.path / "pocl" / "own";
    write(path / "tempfile_abc");
    write(path / "AB" / "HASH" / "program.bc");
    const CompilerCache first(path, CompilerCache::Life::Kept);
    CHECK(!fs::exists(path / "tempfile_abc"));
    CHECK(fs::exists(path / "AB" / "HASH" / "program.bc"));
    write(path / "tempfile_of_a_compilation_under_way");
    { const CompilerCache second(path, CompilerCache::Life::Kept); }
    CHECK(fs::exists(path / "tempfile_of_a_compilation_under_way"));
}

TEST_CASE("what older versions left around the caches is swept when one is opened, fresh files are not") {
    const HouseFolder folder;
    const fs::path around = folder.path / "pocl";
    for (const char* name : {"tempfile_old", "tempfile_old.cl", "pocl_cache_old", "tempfile_fresh"})
        write(around / name);
    write(around / "AB" / "HASH" / "program.bc");
    for (const auto& entry : fs::directory_iterator(around))
        if (entry.path().filename() != "tempfile_fresh") age(entry.path(), 7200);
    {
        const CompilerCache stranger(around / "foreign", CompilerCache::Life::Fleeting);
        CHECK(fs::exists(around / "tempfile_old"));
    }
    const CompilerCache cache(around / "own", CompilerCache::Life::Kept);
    for (const char* name : {"tempfile_old", "tempfile_old.cl", "pocl_cache_old"})
        CHECK(!fs::exists(around / name));
    CHECK(fs::exists(around / "tempfile_fresh"));
    CHECK(fs::exists(around / "AB" / "HASH" / "program.bc"));
    CHECK(fs::exists(cache.path()));
}

TEST_CASE("the last user of a cache sweeps it at its end") {
    const HouseFolder folder;
    const fs::path path = folder.path / "own";
    {
        const CompilerCache cache(path, CompilerCache::Life::Kept);
        write(path / "tempfile_abc");
    }
    CHECK(entries(path) == 0);
}

TEST_CASE("the cache of a foreign kernel is removed with its owner") {
    const HouseFolder folder;
    {
        const CompilerCache cache(folder.path / "foreign", CompilerCache::Life::Fleeting);
        write(cache.path() / "AB" / "HASH" / "program.bc");
    }
    CHECK(!fs::exists(folder.path / "foreign"));
}

TEST_CASE(
    "a program that was used in a span of time and compiled before may have been taken from the cache") {
    const HouseFolder folder;
    CompilerCache cache(folder.path / "own", CompilerCache::Life::Kept);
    const auto program = [&](const char* name, int made, int used) {
        const fs::path place = cache.path() / "AB" / name;
        write(place / "program.bc");
        write(place / "last_accessed");
        age(place / "program.bc", made);
        age(place / "last_accessed", used);
    };
    program("bystander", 500, 400);
    program("fresh", 10, 10);
    const auto now = CompilerCache::Time::clock::now();
    using std::chrono::seconds;
    CHECK(!cache.may_have_given(now - seconds(20), now));
    program("old", 300, 10);
    CHECK(cache.may_have_given(now - seconds(20), now));
}

TEST_CASE("programs are forgotten by name: those of another judge, used at the same time, stay") {
    const HouseFolder folder;
    CompilerCache cache(folder.path / "own", CompilerCache::Life::Kept);
    const CompilerCache second_opinion(folder.path / "foreign", CompilerCache::Life::Fleeting);
    write(cache.path() / "AB" / "anothers" / "program.bc");
    write(second_opinion.path() / "AB" / "ours" / "program.bc");
    CHECK(!cache.forget_programs_of(second_opinion));
    write(cache.path() / "AB" / "ours" / "program.bc");
    CHECK(cache.forget_programs_of(second_opinion));
    CHECK(!fs::exists(cache.path() / "AB" / "ours"));
    CHECK(fs::exists(cache.path() / "AB" / "anothers" / "program.bc"));
}

TEST_CASE("a process that does not end is kept, reported once after a while, and reaped when it ends") {
    Reaper reaper;
    Child cat = start_cat();
    const std::string number = std::to_string(cat.pid());
    Channel channel = std::move(cat.channel());
    const auto at_first = Clock::now();
    reaper.take(std::move(cat));
    CHECK(reaper.size() == 1);
    CHECK(reaper.take_warnings(at_first).empty());
    const auto later = Clock::now() + std::chrono::seconds(5);
    const auto warnings = reaper.take_warnings(later);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("process " + number + " was killed but does not end") != std::string::npos);
    CHECK(reaper.take_warnings(later).empty());
    channel.close_write();  // now the process ends
    reaper.reap(deadline_after_ms(test::kPatienceMs));
    CHECK(reaper.size() == 0);
    CHECK(!fs::exists("/proc/" + number));
}

TEST_CASE("a process that has ended is not kept") {
    Reaper reaper;
    Child cat = start_cat();
    cat.kill();
    REQUIRE(cat.wait(deadline_after_ms(test::kPatienceMs)));
    reaper.take(std::move(cat));
    CHECK(reaper.size() == 0);
}

TEST_CASE("the resident limit grows with the buffers, to half of the machine or what they need") {
    constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
    CHECK(resident_limit_bytes({}, 64 * kGiB) == 2 * kGiB);
    CHECK(resident_limit_bytes({4 * kGiB, 4 * kGiB}, 64 * kGiB) == 14 * kGiB);
    CHECK(resident_limit_bytes({10 * kGiB, 0}, 24 * kGiB) == 12 * kGiB);
    CHECK(resident_limit_bytes({10 * kGiB, 10 * kGiB}, 24 * kGiB) > 20 * kGiB);
    CHECK(resident_limit_bytes({UINT64_MAX, UINT64_MAX}, 24 * kGiB) >= 12 * kGiB);
}

TEST_CASE("a process is seen to take more memory than it may") {
    RunnerLimits limits(::getpid());
    CHECK(!limits.find_excess());
    CHECK(limits.seen_bytes() > 0);
}

TEST_CASE("the processor time of a family has that of children that run, have ended or are orphans") {
    REQUIRE(::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
    const auto spin = [] {
        const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 10;
        while (std::clock() < end) {
        }
    };
    // How much a hundred milliseconds of work, done elsewhere, add to our time.
    const auto added_by = [](const auto& work) {
        const double before_ms = family_cpu_ms(::getpid()).value();
        work();
        return family_cpu_ms(::getpid()).value() - before_ms;
    };
    const auto start = [&](const auto& work) {
        const pid_t child = ::fork();
        if (child == 0) work(), ::_exit(0);
        return child;
    };
    pid_t child = 0;
    const auto await = [&] {
        siginfo_t info{};
        ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
    };
    CHECK(added_by([&] { child = start(spin), ::waitpid(child, nullptr, 0); }) > 70);
    CHECK(added_by([&] { child = start(spin), await(); }) > 70);  // not reaped
    ::waitpid(child, nullptr, 0);
    CHECK(added_by([&] { child = start([&] { ::waitpid(start(spin), nullptr, 0); }), await(); }) > 70);
    ::waitpid(child, nullptr, 0);
    CHECK(added_by([&] {
              child = start([&] { start(spin); });
              ::waitpid(child, nullptr, 0);
              child = descendants_of(::getpid()).at(0);  // the orphan
              await();
          }) > 70);
    ::waitpid(child, nullptr, 0);
    CHECK(descendants_of(::getpid()).empty());
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST_CASE("memory that forked processes share counts once") {
    constexpr std::uint64_t kSharedBytes = std::uint64_t{64} << 20;
    constexpr int kChildren = 7;
    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    const pid_t leader = ::fork();
    REQUIRE(leader >= 0);
    if (leader == 0) {
        ::alarm(60);  // ends the process if the test dies first
        ::setpgid(0, 0);
        void* shared = ::mmap(nullptr, kSharedBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        bool is_made = shared != MAP_FAILED;
        for (int i = 0; i < kChildren && is_made; ++i) {
            const pid_t child = ::fork();
            if (child == 0)
                for (;;) ::pause();
            is_made = child > 0;
        }
        const char word = is_made ? 'y' : 'n';
        if (::write(ready[1], &word, 1) != 1) ::_exit(1);
        for (;;) ::pause();
    }
    char word = 0;
    const bool is_told = ::read(ready[0], &word, 1) == 1;
    const std::uint64_t bytes = bytes_of_family(leader);
    ::kill(-leader, SIGKILL);
    ::waitpid(leader, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    REQUIRE(is_told);
    REQUIRE(word == 'y');
    CHECK(bytes > kSharedBytes * 9 / 10);
    CHECK(bytes < kSharedBytes * 4);  // the sum over the processes would be eight times as much
}

// --- driver files ---

namespace {

/// A folder with driver files and other files.
struct IcdFolder {
    IcdFolder() {
        std::string pattern = (fs::temp_directory_path() / "kwb-icd-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        path = pattern;
    }
    ~IcdFolder() { fs::remove_all(path); }
    fs::path touch(const std::string& name) const {
        std::ofstream(path / name) << "libx.so\n";
        return path / name;
    }
    fs::path path;
};

}  // namespace

TEST_CASE("driver files are the .icd files of the folder, sorted") {
    const IcdFolder folder;
    const fs::path second = folder.touch("nvidia.icd");
    const fs::path first = folder.touch("amd.icd");
    folder.touch("readme.txt");
    folder.touch("old.icd.bak");
    CHECK(find_driver_files(folder.path.c_str()) == std::vector<fs::path>{first, second});
}

TEST_CASE("a setting may be one file, whatever its name") {
    const IcdFolder folder;
    const fs::path file = folder.touch("pocl.icd");
    const fs::path odd = folder.touch("odd.txt");
    CHECK(find_driver_files(file.c_str()) == std::vector<fs::path>{file});
    CHECK(find_driver_files(odd.c_str()) == std::vector<fs::path>{odd});
}

TEST_CASE("an empty or missing folder has no driver files, and no setting means the system's") {
    const IcdFolder folder;
    CHECK(find_driver_files(folder.path.c_str()).empty());
    CHECK(find_driver_files((folder.path / "missing").c_str()).empty());
    CHECK(find_driver_files(nullptr) == find_driver_files(""));
    CHECK(find_driver_files(nullptr) == find_driver_files("/etc/OpenCL/vendors"));
}

// --- judge/processes/machine.hpp ---

namespace {

constexpr std::uint64_t kMiB = 1 << 20;

/// Files of a root folder with a process in `group` of cgroup version 2.
void make_second_version(const test::TempFolder& root, const std::string& group,
                         const std::string& shown = "/") {
    root.write("proc/self/cgroup", "0::" + group + "\n");
    root.write("proc/self/mountinfo",
               "31 23 0:28 / /proc rw,relatime - proc proc rw\n"
               "41 31 0:38 " +
                   shown + " /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw\n");
}

void make_first_version(const test::TempFolder& root, const std::string& group,
                        const std::string& shown = "/") {
    root.write("proc/self/cgroup", "5:cpu,cpuacct:/elsewhere\n4:memory:" + group + "\n0::/elsewhere\n");
    root.write("proc/self/mountinfo",
               "34 31 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
               "35 31 0:32 " +
                   shown + " /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
}

}  // namespace

TEST_CASE("without control groups or limits nothing is limited") {
    const test::TempFolder root;
    CHECK(!read_cgroup_memory(root.path()).limit_bytes);
    CHECK(available_memory_bytes(root.path()) == UINT64_MAX);
    make_second_version(root, "/");
    CHECK(!read_cgroup_memory(root.path()).free_bytes);
    root.write("sys/fs/cgroup/memory.max", "max\n");
    CHECK(!read_cgroup_memory(root.path()).limit_bytes);
    make_first_version(root, "/");
    root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    CHECK(!read_cgroup_memory(root.path()).limit_bytes);
}

TEST_CASE("of version 2 the lowest limit of the group and of all above it holds") {
    const test::TempFolder root;
    make_second_version(root, "/user.slice/job 7.scope");
    const std::string top = "sys/fs/cgroup/user.slice/";
    root.write(top + "job 7.scope/memory.max", "max\n");
    root.write(top + "job 7.scope/memory.current", "1048576\n");
    root.write(top + "memory.max", std::to_string(800 * kMiB) + "\n");
    root.write(top + "memory.current", std::to_string(300 * kMiB) + "\n");
    root.write(top + "memory.stat", "anon 5\ninactive_file " + std::to_string(100 * kMiB) + "\n");
    CHECK(read_cgroup_memory(root.path()).limit_bytes == 800 * kMiB);
    CHECK(read_cgroup_memory(root.path()).free_bytes == 600 * kMiB);

    // The group's own limit may be lower, and memory.high, from which the kernel throttles it, lower still.
    root.write(top + "job 7.scope/memory.max", std::to_string(500 * kMiB) + "\n");
    CHECK(read_cgroup_memory(root.path()).limit_bytes == 500 * kMiB);
    CHECK(read_cgroup_memory(root.path()).free_bytes == 499 * kMiB);
    root.write(top + "job 7.scope/memory.high", std::to_string(400 * kMiB) + "\n");
    CHECK(read_cgroup_memory(root.path()).limit_bytes == 400 * kMiB);
}

TEST_CASE("of version 1 the group's own limit and those above it hold") {
    const test::TempFolder root;
    make_first_version(root, "/docker/abc");
    const std::string group = "sys/fs/cgroup/memory/docker/abc/";
    root.write(group + "memory.limit_in_bytes", std::to_string(900 * kMiB) + "\n");
    root.write(group + "memory.usage_in_bytes", std::to_string(200 * kMiB) + "\n");
    root.write(group + "memory.stat", "cache 7\nhierarchical_memory_limit " + std::to_string(700 * kMiB) +
                                          "\ntotal_inactive_file " + std::to_string(50 * kMiB) + "\n");
    CHECK(read_cgroup_memory(root.path()).limit_bytes == 700 * kMiB);
    CHECK(read_cgroup_memory(root.path()).free_bytes == 550 * kMiB);
    root.write("sys/fs/cgroup/memory/docker/memory.limit_in_bytes", std::to_string(600 * kMiB) + "\n");
    root.write("sys/fs/cgroup/memory/docker/memory.usage_in_bytes", std::to_string(590 * kMiB) + "\n");
    CHECK(read_cgroup_memory(root.path()).limit_bytes == 600 * kMiB);
    CHECK(read_cgroup_memory(root.path()).free_bytes == 10 * kMiB);
}

TEST_CASE("a container that sees but its own group finds the limit where that is mounted") {
    const test::TempFolder root;
    make_first_version(root, "/docker/abc", "/docker/abc");
    root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", std::to_string(300 * kMiB) + "\n");
    CHECK(read_cgroup_memory(root.path()).limit_bytes == 300 * kMiB);
    make_first_version(root, "/docker/abc/inner", "/docker/abc");
    root.write("sys/fs/cgroup/memory/inner/memory.limit_in_bytes", std::to_string(200 * kMiB) + "\n");
    CHECK(read_cgroup_memory(root.path()).limit_bytes == 200 * kMiB);
    make_first_version(root, "/../outside", "/docker/abc");
    CHECK(read_cgroup_memory(root.path()).limit_bytes == 300 * kMiB);
    make_second_version(root, "/", "/");
    root.write("sys/fs/cgroup/memory.max", std::to_string(100 * kMiB) + "\n");
    CHECK(read_cgroup_memory(root.path()).limit_bytes == 100 * kMiB);
}

TEST_CASE("what a machine has is the least of its memory and of what the groups allow") {
    const test::TempFolder root;
    root.write("proc/meminfo", "MemTotal:       2097152 kB\nMemFree: 1 kB\nMemAvailable:   1048576 kB\n");
    CHECK(machine_memory_bytes(root.path()) == 2048 * kMiB);
    CHECK(available_memory_bytes(root.path()) == 1024 * kMiB);
    make_second_version(root, "/job");
    root.write("sys/fs/cgroup/job/memory.max", std::to_string(1536 * kMiB) + "\n");
    root.write("sys/fs/cgroup/job/memory.current", std::to_string(1000 * kMiB) + "\n");
    CHECK(machine_memory_bytes(root.path()) == 1536 * kMiB);
    CHECK(available_memory_bytes(root.path()) == 536 * kMiB);
    root.write("sys/fs/cgroup/job/memory.current", std::to_string(1600 * kMiB) + "\n");
    CHECK(available_memory_bytes(root.path()) == 1);  // 0 would mean unknown
}
