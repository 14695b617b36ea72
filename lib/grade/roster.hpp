// SPDX-License-Identifier: Apache-2.0
// The list of a class, as a teacher or a learning platform keeps it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grade/deadline.hpp"

namespace kwb {

/// A table with one row for each student. All its columns are kept, because a platform takes back the file
/// that it gave: Moodle's grading worksheet, or the export of Canvas' gradebook.
struct Roster {
    enum class Kind { Plain, Moodle, Canvas };
    Kind kind = Kind::Plain;
    std::string file;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;  ///< each as long as `columns`
    std::vector<bool> is_student;                ///< of each row; Canvas has a row with possible points

    std::string name(std::size_t row) const;
    std::string id(std::size_t row) const;
    /// When the student handed in, from Moodle's "Last modified (submission)" or a column "submitted".
    /// @throws BadInput  it is no time
    std::optional<std::chrono::sys_seconds> handed_in(std::size_t row, const TimeZone& zone) const;
    /// From a column "extension": a number of days, or a time. @throws BadInput  it is neither
    Extension extension(std::size_t row, const TimeZone& zone) const;
    /// Days late, a started day counting in full, from a column "days late"; 0 without one.
    double days_late(std::size_t row) const;
    /// Reads all of the above. @throws BadInput
    void require_times(const std::optional<DueDate>& deadline) const;

    std::optional<std::size_t> find_column(const std::vector<std::string>& names) const;

private:
    /// The trimmed cell; empty: nothing, also if there is no such column
    std::string_view cell(std::size_t row, const std::vector<std::string>& columns) const;
    [[noreturn]] void refuse(std::size_t row, const std::string& why) const;
};

/// Reads comma, semicolon or tab separated values in UTF-8, UTF-16 or Western European letters, with a header
/// line. A column is needed that names a student: "name", "full name", "first name" and "last name",
/// "Student", or "id", "Identifier", "email", "login", "username".
/// @throws BadInput  with the line: no such column, no student, a student twice, a wrong number of fields
Roster read_roster(const std::filesystem::path& file);

/// The rows of the students who may have handed in a submission: by id, else by name, e-mail address or
/// login. If the id is that of one student and the name that of another, both.
std::vector<std::size_t> find_students(const Roster& roster, const std::string& name, const std::string& id);

}  // namespace kwb
