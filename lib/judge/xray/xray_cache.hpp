// SPDX-License-Identifier: Apache-2.0
// What the judge keeps on disk for a kernel that has not changed: answers of kwb-xray, and what its source
// shows.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ipc/runner_messages.hpp"
#include "source/loop_bounds.hpp"

namespace kwb {

/// What is kept. Data only: nothing in it is ever executed.
struct KeptReport {
    XrayReport report;
    std::optional<Finding> other_order = {};  ///< WrongInOtherOrder, if the outputs were compared
    std::optional<bool> is_right = {};        ///< its outputs are the expected ones; nullopt: not compared
};

/// What a source shows without a driver.
struct SourceFacts {
    std::vector<FunctionInfo> functions;  ///< kernel functions that it declares
    std::vector<Finding> suspicions;      ///< source/suspicions.hpp, in what is launched
    std::vector<source::InclusiveLoop> loops;
};

/// Files in a folder of the user's cache, written only by the judge. Damaged or implausible files are
/// ignored, and failures to write do not matter.
class XrayCache {
public:
    static constexpr std::size_t kMostFiles = 400;
    static constexpr std::size_t kMostBytes = std::size_t{4}
                                              << 20;  ///< of a file; larger answers are not kept

    /// @param makers  the programs that find out what is kept: once one of them is another file, nothing
    ///                that was kept before is found
    XrayCache(std::filesystem::path folder, const std::vector<std::filesystem::path>& makers);

    /// @param key  of the answer; empty: it is not kept
    std::optional<KeptReport> find(const std::string& key, const ObserveRequest& asked) const;
    void keep(const std::string& key, const KeptReport& kept) const;

    std::optional<SourceFacts> find_facts(const std::string& key) const;
    void keep(const std::string& key, const SourceFacts& facts) const;

private:
    std::filesystem::path file_of(const std::string& key) const;
    template <class T>
    std::optional<T> read(const std::string& key) const;
    /// Also removes the oldest files if there are too many.
    template <class T>
    void write(const std::string& key, const T& kept) const;

    std::filesystem::path folder_;
    std::string makers_;  ///< the times and sizes of their files
};

}  // namespace kwb
