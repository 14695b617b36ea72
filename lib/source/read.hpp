// The only parser of OpenCL C: returns a source as its compiler understands it.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "source/syntax.hpp"
#include "source/text.hpp"

namespace kwb {

/// The result of parsing a source.
struct Reading {
    std::shared_ptr<const source::Program> program;  ///< null if the source could not be parsed
    std::string failure;                             ///< the reason, as a clause
};

/// Runs the compiler, or returns the cached result: the compiler runs once for each combination of source,
/// included files, macros and compiler. Starts a process for about 65 ms (at most five seconds), so do not
/// call this in the UI thread. Thread-safe. Never throws because of the text.
/// @param stop  ends the compiler early; that failure is not cached
Reading read_source(const SourceText& text, const std::stop_token& stop = {});

/// The cached result; does not run the compiler. @return  neither program nor failure if there is none yet
Reading recall_source(const SourceText& text);

}  // namespace kwb
