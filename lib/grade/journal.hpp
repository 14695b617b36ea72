// SPDX-License-Identifier: Apache-2.0
// What was observed so far, kept so that grading can go on where it ended.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "grade/grade.hpp"

namespace kwb {

/// A file with a line for each piece of work that is done. Lines of another version, and one that was cut off
/// by the end of the machine, are ignored.
class Journal {
public:
    /// @param resumes  false: begins anew
    /// @throws BadInput  it cannot be read or written
    Journal(std::filesystem::path file, bool resumes);

    /// @param key  says what was observed: the submission's texts, the rubric, the device
    /// @return  nullptr: not known
    const Work* find(const std::string& key) const;

    /// Adds a line. @throws BadInput  it cannot be written
    void keep(const std::string& key, const Work& work);

private:
    std::filesystem::path file_;
    std::map<std::string, Work> known_;
};

}  // namespace kwb
