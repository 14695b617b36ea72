// Runs the clang that PoCL depends on, in a disposable, confined process, to get the syntax tree of a source.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "source/syntax.hpp"

namespace kwb::source {

/// The newest clang of a distribution package: /usr/bin/clang-N or /usr/lib/llvm-N/bin/clang, N ≥ 14.
/// KWB_CLANG selects another one.
std::optional<std::string> find_compiler();

/// The clang of the same version as the LLVM that the installed PoCL uses: only it reads PoCL's library of
/// built-in functions. KWB_CLANG selects another one.
/// @return  nullopt: there is no PoCL, or its clang is not installed
std::optional<std::string> find_pocl_compiler();

/// "OpenCL C cannot be read before it is built, because no clang of version 14 or later is installed; …"
std::string explain_missing_compiler();

/// Why find_pocl_compiler() found none: another clang may well be installed.
std::string explain_missing_pocl_compiler();

/// Limits for hostile sources. An ordinary kernel takes 65 ms and 400 KB.
struct ReadingLimits {
    double milliseconds = 5'000;
    std::size_t output_bytes = std::size_t{24} << 20;
    std::size_t memory_bytes = std::size_t{2} << 30;
    std::size_t source_bytes = std::size_t{1} << 20;  ///< of the main file
};

/// The failure of a reading that its caller stopped.
inline constexpr const char* kStopped = "reading it was stopped";

struct CompilerAnswer {
    std::string output;    ///< record layouts, then the tree as JSON; complete only if `failure` is empty
    std::string messages;  ///< errors, one per line: "FILE:LINE:COLUMN: error: …"
    std::string folder;    ///< the folder of the files, with a '/' at the end; already removed
    std::string failure;   ///< why there is no tree, as a clause: "reading it took more than 5 s"
};

/// The name of the main file in the folder.
inline constexpr const char* kMainName = "kwb_main.cl";

/// Writes the source as kMainName, and its included files, into a folder; empty files for missing ones.
/// @throws EnvironmentError  a file cannot be written
void write_source(const std::filesystem::path& folder, const SourceText& text);

/// Runs `compiler` on `text`. The compiler can read only its own installation, system libraries and a folder
/// with the source and its included files, if the machine's kernel supports Landlock; it cannot write.
/// Blocks; never throws because of the text.
CompilerAnswer run_compiler(const std::string& compiler, const SourceText& text,
                            const ReadingLimits& limits = {}, const std::stop_token& stop = {});

}  // namespace kwb::source
