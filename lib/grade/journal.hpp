// SPDX-License-Identifier: Apache-2.0
// The observations so far, kept so that grading can continue where it ended.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "grade/grade.hpp"

namespace kwb {

template <class Record>
class KeyedFile;

/// A keyed file (lib/store) with one entry per finished piece of work. That of another version of the
/// workbench is started over.
class Journal {
public:
    /// @param resumes false: starts over
    /// @throws BadInput  it cannot be read or written
    Journal(std::filesystem::path file, bool resumes);
    ~Journal();

    /// @param key identifies the observation: the submission's texts, the rubric, the device
    /// @return  nullptr: not known
    const Work* find(const std::string& key) const;

    /// Adds an entry. @throws BadInput  it cannot be written
    void keep(const std::string& key, const Work& work);

private:
    std::unique_ptr<KeyedFile<Work>> file_;
};

}  // namespace kwb
