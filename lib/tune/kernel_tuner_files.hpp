// SPDX-License-Identifier: Apache-2.0
// Kernel Tuner's files: the cache in which a tuning is kept, and the T4 document of its results.
// Source: Kernel Tuner 1.4.0, kernel_tuner/util.py (process_cache, store_cache) and schema/T4/1.0.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tune/space.hpp"
#include "tune/tuning.hpp"

namespace kwb {

/// The case that a cache belongs to.
struct TunedCase {
    std::string device_name;
    std::string kernel_name;  ///< of the kernel function
    std::vector<std::int64_t> problem_size;
    ParamSpace params;
    NamedList<std::string> identity;  ///< what else decides the times; empty: Kernel Tuner wrote the cache
};

/// A cache, as far as it is whole.
struct CacheText {
    TunedCase about;
    NamedList<std::string> entries;  ///< key → text; each key once
    std::size_t damaged = 0;         ///< lines that are no entries
};

/// @throws BadInput without the file's name: it is not a cache
CacheText read_cache(std::string_view text);

/// @throws BadInput without the file's name: lists the differences
void require_same(const TunedCase& theirs, const TunedCase& ours);

/// The beginning of a cache, to which entries are appended. It is left open; readers add what closes it.
std::string cache_header(const TunedCase& about);

/// @param text  of the entry
std::string cache_line(std::string_view key, std::string_view text);

/// The values of the parameters, separated by commas.
std::string cache_key(const Trial& trial);

/// Times in milliseconds as Kernel Tuner has them, and the whole trial, which it ignores. Outcomes that it
/// lacks, such as a wrong result, become its failure at run time.
std::string cache_entry(const Trial& trial);

/// @param blank  names, size and device, for a time that Kernel Tuner measured
/// @return  nullopt: it is not a configuration of the space, or has neither a time nor an error
std::optional<Trial> read_cache_entry(std::string_view text, const Space& space, const KernelResult& blank);

/// The trials as a T4 document.
std::string t4_document(const std::vector<const Trial*>& trials);

}  // namespace kwb
