// SPDX-License-Identifier: Apache-2.0
// Output to the terminal or to files.
#pragma once

#include <string>
#include <string_view>

#include "report/tables.hpp"

namespace kwb::cli {

/// The capabilities of standard output: width, non-ASCII characters (by the locale), colours (on a terminal,
/// unless NO_COLOR is set).
TableOptions table_options();

/// True if standard error is a terminal, where progress can be drawn.
bool stderr_is_terminal();

/// Write text for a person: made printable, except for the colours of paint(), and limited to the locale's
/// characters. Untrusted text must already be printable(), or it could contain colours. A closed pipe (`kwb …
/// | head`) is not an error.
/// @throws BadInput  if standard output cannot be written, e.g. because the disk is full
void print(std::string_view text);
/// The same on standard error, without colours.
void print_error(std::string_view text);

/// Replace the line that show_progress() drew; with an empty text, erase it.
void show_progress(std::string_view text);

/// Write data, unchanged, to a file, or to standard output for "-". @throws BadInput
void write_output(const std::string& file, std::string_view content);

/// Check before anything runs whether write_output() can succeed.
/// @throws BadInput  also for an existing .cl file: replacing a kernel is never intended
void require_output(const std::string& file);

}  // namespace kwb::cli
