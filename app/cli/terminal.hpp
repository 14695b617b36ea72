// The terminal, if there is one.
#pragma once

#include <string>
#include <string_view>

#include "report/table_options.hpp"

namespace kwb::cli {

/// What standard output can show: width, signs beyond ASCII (by the locale), colours (a terminal, NO_COLOR
/// unset).
TableOptions table_options();

/// True if standard error is a terminal, where progress may be drawn.
bool stderr_is_terminal();

/// Write all of it. A reader that has gone (`kwb … | head`) is no error.
/// @throws BadInput  standard output takes no more, e.g. a full disk
void write_stdout(std::string_view text);

void write_stderr(std::string_view text);

/// Write to a file, or to standard output for "-". @throws BadInput
void write_output(const std::string& file, std::string_view content);

/// Find out before anything runs whether write_output() can succeed.
/// @throws BadInput  also for a .cl file that is there: nobody means to replace a kernel
void require_output(const std::string& file);

}  // namespace kwb::cli
