#include "footprint.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "support/judge_client.hpp"
#include "support/process_table.hpp"

namespace kwb::soak {
namespace {

namespace fs = std::filesystem;

/// Source: proc_pid_status(5), VmRSS; 0 for a process that has gone.
std::uint64_t resident_bytes(pid_t pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string word; status >> word;) {
        std::uint64_t kibibytes = 0;
        if (word == "VmRSS:" && status >> kibibytes) return kibibytes * 1024;
    }
    return 0;
}

/// Parent → children, of all processes.
std::multimap<pid_t, pid_t> all_children() {
    std::multimap<pid_t, pid_t> children;
    for (const test::ListedProcess& process : test::list_processes())
        children.emplace(process.parent, process.pid);
    return children;
}

std::uint64_t count_descendants(pid_t pid) {
    const auto children = all_children();
    std::vector<pid_t> found = {pid};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto [begin, end] = children.equal_range(found[i]);
        for (auto child = begin; child != end; ++child) found.push_back(child->second);
    }
    return found.size() - 1;
}

/// Files come and go while a runner starts: what vanishes meanwhile is not counted.
void count_files(const fs::path& folder, std::uint64_t& files, std::uint64_t& bytes) {
    std::error_code gone;
    for (fs::recursive_directory_iterator entry(folder, gone), end; !gone && entry != end;
         entry.increment(gone)) {
        ++files;
        std::error_code no_file;
        const std::uintmax_t size = fs::file_size(entry->path(), no_file);
        if (!no_file) bytes += size;
    }
}

}  // namespace

Footprint Footprint::least(const Footprint& other) const {
    return {std::min(face_bytes, other.face_bytes),
            std::min(judge_bytes, other.judge_bytes),
            std::min(face_descriptors, other.face_descriptors),
            std::min(judge_descriptors, other.judge_descriptors),
            std::min(processes, other.processes),
            std::min(cache_files, other.cache_files),
            std::min(cache_bytes, other.cache_bytes),
            std::min(temporary_files, other.temporary_files)};
}

Footprint look(pid_t judge, const fs::path& cache, const fs::path& temporary) {
    Footprint footprint;
    footprint.face_bytes = resident_bytes(::getpid());
    footprint.judge_bytes = resident_bytes(judge);
    footprint.face_descriptors = test::open_descriptors(::getpid());
    footprint.judge_descriptors = test::open_descriptors(judge);
    footprint.processes = count_descendants(judge);
    count_files(cache, footprint.cache_files, footprint.cache_bytes);
    std::uint64_t unused = 0;
    count_files(temporary, footprint.temporary_files, unused);
    return footprint;
}

}  // namespace kwb::soak
