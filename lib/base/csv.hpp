// SPDX-License-Identifier: Apache-2.0
// Comma-separated values (RFC 4180).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kwb {

/// A text from another person as a field that no spreadsheet takes for a formula: an apostrophe before what
/// begins one. Source: OWASP, "CSV Injection".
std::string no_formula(const std::string& text);

/// One record, its fields quoted where needed, with CR LF.
std::string csv_line(const std::vector<std::string>& fields);

/// Reads records whose fields may be quoted and then hold line ends. Lines may end with LF or CR LF; empty
/// ones are left out.
/// @param separator  ',', ';' or a tab
std::vector<std::vector<std::string>> read_csv(std::string_view text, char separator);

}  // namespace kwb
