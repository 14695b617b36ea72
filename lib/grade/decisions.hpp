// SPDX-License-Identifier: Apache-2.0
// What a teacher decides about submissions that cannot be graded, and about appeals: decisions.toml.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace kwb {

/// One [[decision]]. It names a submission or a student; one that names both assigns the submission.
struct Decision {
    std::string file;     ///< the submission's folder, file or archive
    std::string student;  ///< name, id, e-mail address or login
    std::string kernel;   ///< the file of the submission to grade
    std::optional<double> points;
    std::string remark;  ///< for the student
    std::string by;
    Place place;

    /// False: an entry of the template that nobody has filled in.
    bool is_made() const { return points || !kernel.empty() || (!file.empty() && !student.empty()); }
};

struct Decisions {
    std::string file;  ///< empty: there are none
    std::vector<Decision> list = {};

    /// @throws BadInput  with the place of the decision
    [[noreturn]] void refuse(const Decision& decision, const std::string& why) const;
};

/// @param most_points  of the rubric
/// @throws BadInput  "file:line:column: …"; also if one submission or student is decided twice
Decisions read_decisions(const std::filesystem::path& file, double most_points);

/// The same from its text, which need not be in a file yet.
Decisions parse_decisions(const std::filesystem::path& file, std::string text, double most_points);

/// Something that only the teacher can decide.
struct OpenQuestion {
    std::string file;     ///< the submission; empty: it is about a student
    std::string student;  ///< "" or a name
    std::string why;      ///< a sentence without its full stop
    /// Lines of a decision that would answer it, e.g. `kernel = "a.cl"`.
    std::vector<std::string> answers;
};

/// Entries to fill in, for questions that the decisions do not mention yet; empty if there are none.
std::string decision_template(const std::vector<OpenQuestion>& questions, const Decisions& known);

}  // namespace kwb
