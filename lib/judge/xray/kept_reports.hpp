// Answers of kwb-xray that the judge keeps on disk, for a kernel that has not changed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "ipc/runner_messages.hpp"

namespace kwb {

/// What is kept. Data only: nothing in it is ever executed.
struct KeptReport {
    XrayReport report;
    std::optional<Finding> other_order = {};  ///< WrongInOtherOrder, if the outputs were compared
};

/// Files in a folder of the user's cache, written by the judge alone. Damaged or implausible files are
/// ignored, and failures to write do not matter.
class KeptReports {
public:
    static constexpr std::size_t kMostFiles = 400;
    static constexpr std::size_t kMostBytes = std::size_t{4}
                                              << 20;  ///< of a file; larger answers are not kept

    explicit KeptReports(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::optional<KeptReport> find(const std::string& key, const ObserveRequest& asked) const;
    /// Also removes the oldest files if there are too many.
    void keep(const std::string& key, const KeptReport& kept) const;

private:
    std::filesystem::path file_of(const std::string& key) const { return folder_ / (key + ".json"); }

    std::filesystem::path folder_;
};

}  // namespace kwb
