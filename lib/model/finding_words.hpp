// The one place that puts findings into words, in terms of what a face offers.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/finding.hpp"

namespace kwb {

/// Where a sentence is read, and so what can be done there.
enum class Face {
    Terminal,  ///< options
    Window,    ///< fields
    Page       ///< nothing: a file that is read later, a verdict that any face may show
};

/// For people to read, and for nothing else.
struct FindingWords {
    std::string what;
    std::string advice;  ///< a sentence of its own, shared by findings of one kind; may be empty

    std::string all() const { return advice.empty() ? what : what + " " + advice; }
};

FindingWords words_of(const Finding& finding, Face face);

/// Two findings that differ in nothing but their numbers, as one: "8–12 %".
FindingWords words_of_range(const Finding& low, const Finding& high, Face face);

inline std::string sentence_of(const Finding& finding, Face face = Face::Page) {
    return words_of(finding, face).all();
}

std::vector<std::string> sentences_of(const std::vector<Finding>& findings, Face face = Face::Page);

/// Bad input that a face may say in its own words; what() is the terminal's.
class Refused : public BadInput {
public:
    explicit Refused(Finding finding)
        : BadInput(sentence_of(finding, Face::Terminal)), finding_(std::move(finding)) {}
    const Finding& finding() const { return finding_; }

private:
    Finding finding_;
};

}  // namespace kwb
