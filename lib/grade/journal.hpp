// SPDX-License-Identifier: Apache-2.0
// The observations so far, kept so that grading can continue where it ended.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "grade/grade.hpp"

namespace kwb {

/// A file with one line per finished piece of work. Lines of another version, and a line that was cut off by
/// a crash of the machine, are ignored.
class Journal {
public:
    /// @param resumes false: starts over
    /// @throws BadInput  it cannot be read or written
    Journal(std::filesystem::path file, bool resumes);

    /// @param key identifies the observation: the submission's texts, the rubric, the device
    /// @return  nullptr: not known
    const Work* find(const std::string& key) const;

    /// Adds a line. @throws BadInput  it cannot be written
    void keep(const std::string& key, const Work& work);

private:
    std::filesystem::path file_;
    std::map<std::string, Work> known_;
};

}  // namespace kwb
