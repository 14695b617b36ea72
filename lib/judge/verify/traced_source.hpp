// A kernel's source in which every work-item notes itself before each of its statements.
#pragma once

#include <string>
#include <string_view>

namespace kwb {

/// What stands before the traced main file: the function that notes the calling work-item's global ids in the
/// TraceRecord at kTraceAddress. Works on devices that run in the host's memory, e.g. CPUs. Ends so that the
/// text behind it keeps its line numbers.
std::string trace_prelude();

/// Put a call of that function before every statement of every function body. A driver may run the part of a
/// kernel between two barriers for one work-item after the other (PoCL does), so that noting once a
/// kernel would name whoever came last to the barrier.
/// Goes by braces, parentheses and semicolons, and leaves preprocessor lines, comments and strings alone;
/// where that goes wrong the result does not compile, which costs only the name of the work-item.
/// @param source  a file with the kernel, or a neighbour that it includes
/// @return  with as many lines
std::string add_trace_calls(std::string_view source);

}  // namespace kwb
