// What a conversation with a judge holds at a moment: memory, descriptors, processes, files.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>

namespace kwb::soak {

struct Footprint {
    std::uint64_t face_bytes = 0;  ///< resident memory
    std::uint64_t judge_bytes = 0;
    std::uint64_t face_descriptors = 0;
    std::uint64_t judge_descriptors = 0;
    std::uint64_t processes = 0;  ///< the judge's children and theirs, zombies included
    std::uint64_t cache_files = 0;
    std::uint64_t cache_bytes = 0;
    std::uint64_t temporary_files = 0;  ///< folders included

    /// The lesser of each.
    Footprint least(const Footprint& other) const;
};

/// Our own process is the face.
Footprint look(pid_t judge, const std::filesystem::path& cache, const std::filesystem::path& temporary);

}  // namespace kwb::soak
