#include "judge/processes/machine.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/temp_folder.hpp"

using namespace kwb;

namespace {

constexpr std::uint64_t kMiB = 1 << 20;

/// A file system's root with a process in `group` of version 2.
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

    // Its own limit may be lower, and that at which the system slows it down lower still.
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
    CHECK(available_memory_bytes(root.path()) == 1);  // 0 would mean that it is not known
}
