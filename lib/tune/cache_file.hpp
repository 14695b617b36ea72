// SPDX-License-Identifier: Apache-2.0
// The file that stores a tuning in progress.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.hpp"
#include "tune/kernel_tuner_files.hpp"

namespace kwb {

/// The content of a cache.
struct RecalledTrials {
    std::vector<Trial> trials;
    std::size_t others = 0;   ///< entries that are no configuration of the space; they stay in the file
    std::size_t damaged = 0;  ///< lines that are no entries, which are dropped
};

/// Locks the file, so that no other process writes it meanwhile.
class CacheFile {
public:
    /// Begins the file.
    /// @throws BadInput it already exists, or cannot be written
    CacheFile(std::filesystem::path path, const TunedCase& about);

    /// Continues a file, after removing its damaged parts; creates it if it does not exist.
    /// @param blank  see read_cache_entry()
    /// @throws BadInput it cannot be read or written, is not a cache or belongs to another case, or another
    ///                   process is writing it
    CacheFile(std::filesystem::path path, const TunedCase& about, const Space& space,
              const KernelResult& blank);

    /// The previous content of the file.
    const RecalledTrials& recalled() const { return recalled_; }

    /// Adds new trials, and replaces those whose outcome changed. What cannot be written, because the disk is
    /// full, is written with the next ones.
    void keep(const std::vector<const Trial*>& trials);

    /// How many trials wait for that, and why.
    std::size_t waiting() const { return waiting_.size(); }
    const std::string& trouble() const { return trouble_; }

private:
    using Outcome = std::pair<Verdict, std::optional<double>>;

    void open();
    void append();
    void rewrite();

    std::filesystem::path path_;
    TunedCase about_;
    RecalledTrials recalled_;
    Fd fd_;
    std::map<std::size_t, Outcome> outcomes_;     ///< by configuration
    std::map<std::string, std::string> waiting_;  ///< key → entry
    bool must_rewrite_ = false;
    std::string trouble_;
};

}  // namespace kwb
