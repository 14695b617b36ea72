// The one reader of OpenCL C: a source as its compiler understands it.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "source/syntax.hpp"
#include "source/text.hpp"

namespace kwb {

/// What came of reading a source.
struct Reading {
    std::shared_ptr<const source::Program> program;  ///< none: it could not be read
    std::string failure;                             ///< why not, in plain words
};

/// Ask the compiler, or remember what it said: a source, its neighbours, its macros and the compiler being
/// the same, it is asked once. Starts a process for about 65 ms (five seconds at most), so never on a thread
/// that draws. May be called by several threads at once. Never throws because of the text.
/// @param stop  ends the reading early, with a failure that is not remembered
Reading read_source(const SourceText& text, const std::stop_token& stop = {});

/// What is remembered of it, without asking anybody. @return  no program and no failure: not asked yet
Reading recall_source(const SourceText& text);

}  // namespace kwb
