// SPDX-License-Identifier: Apache-2.0
// Runs the clang that PoCL depends on, and other compilers, in a disposable, confined process.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
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

/// Explains why find_pocl_compiler() found none; another clang may be installed.
std::string explain_missing_pocl_compiler();

/// Limits for hostile sources. An ordinary kernel takes 65 ms and 400 KB.
struct ReadingLimits {
    double milliseconds = 5'000;
    std::size_t output_bytes = std::size_t{24} << 20;
    std::size_t memory_bytes = std::size_t{2} << 30;
    std::size_t source_bytes = std::size_t{1} << 20;  ///< of the main file
};

/// The failure of a reading that its caller stopped.
inline constexpr const char* kStopped = "reading was stopped";

struct CompilerAnswer {
    std::string output;        ///< of standard output; complete only if `failure` is empty
    std::string messages;      ///< errors, one per line: "FILE:LINE:COLUMN: error: …"
    std::string folder;        ///< the folder of the files, with a '/' at the end; already removed
    std::string failure;       ///< why there is no answer, as a clause: "the compiler exceeded 5 s"
    bool is_rejected = false;  ///< the exit code is 1: the source has errors
    bool has_crashed = false;  ///< a signal or another exit code; `messages` may hold the cause
};

/// The name of the main file in the folder.
inline constexpr const char* kMainName = "kwb_main.cl";

/// Writes the source as kMainName, and its included files, into a folder; empty files for missing ones.
/// @throws EnvironmentError  a file cannot be written
void write_source(const std::filesystem::path& folder, const SourceText& text);

/// The program and its arguments, given the folder of the source.
using CommandFor = std::function<std::vector<std::string>(const std::filesystem::path& folder)>;

/// clang with these arguments, the macros of `text`, and those of its options that clang knows.
std::vector<std::string> clang_command(const std::string& compiler, const std::vector<std::string>& arguments,
                                       const SourceText& text, const std::filesystem::path& folder);

/// Runs a compiler on `text`. It can read only its own installation, system libraries and a folder with the
/// source and its included files, if the machine's kernel supports Landlock; it cannot write.
/// Blocks; never throws because of the text.
CompilerAnswer run_compiler(const SourceText& text, const CommandFor& command_for,
                            const ReadingLimits& limits = {}, const std::stop_token& stop = {});

/// The output is the layouts of structs, then the tree as JSON, also if the source is rejected.
CompilerAnswer read_syntax_tree(const std::string& compiler, const SourceText& text,
                                const ReadingLimits& limits = {}, const std::stop_token& stop = {});

}  // namespace kwb::source
