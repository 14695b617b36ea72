// SPDX-License-Identifier: Apache-2.0
// Turns findings into sentences, with the vocabulary of each front end. Only this code writes their text.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/finding.hpp"

namespace kwb {

/// The front end that shows a sentence, which determines how it refers to what the user can change.
enum class Face {
    Terminal,  ///< command-line options
    Window,    ///< fields of the window
    Lesson,    ///< as Page, without parts of the front matter that the learner has not met
    Page       ///< neutral wording: a file that is read later, or a verdict shown by any front end
};

/// Text for display only; programs must not parse it.
struct FindingWords {
    std::string what;
    std::string advice;  ///< a separate sentence, the same for all findings of one kind; may be empty

    std::string all() const { return advice.empty() ? what : what + " " + advice; }
};

FindingWords words_of(const Finding& finding, Face face);

/// Words for two findings that differ only in their numbers, as a range: "8–12 %".
FindingWords words_of_range(const Finding& low, const Finding& high, Face face);

inline std::string sentence_of(const Finding& finding, Face face = Face::Page) {
    return words_of(finding, face).all();
}

std::vector<std::string> sentences_of(const std::vector<Finding>& findings, Face face = Face::Page);

/// Bad input with a finding, so that each front end can word it; what() is the wording for the terminal.
class Refused : public BadInput {
public:
    explicit Refused(Finding finding)
        : BadInput(sentence_of(finding, Face::Terminal)), finding_(std::move(finding)) {}
    const Finding& finding() const { return finding_; }

private:
    Finding finding_;
};

/// The finding of a Refused, or one that consists of what().
Finding finding_of(const BadInput& error);

}  // namespace kwb
