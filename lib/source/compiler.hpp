// The clang that PoCL depends on, asked for the syntax tree of a source in a disposable, confined process.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "source/text.hpp"

namespace kwb::source {

/// The newest clang of a distribution package: /usr/bin/clang-N or /usr/lib/llvm-N/bin/clang, N from 14 on.
/// KWB_CLANG names another one.
std::optional<std::string> find_compiler();

/// "OpenCL C cannot be read here: there is no clang; install the package clang-15 …"
std::string explain_missing_compiler();

/// What a hostile source may cost. An ordinary kernel takes 65 ms and 400 KB.
struct ReadingLimits {
    double milliseconds = 5'000;
    std::size_t output_bytes = std::size_t{24} << 20;
    std::size_t memory_bytes = std::size_t{2} << 30;
    std::size_t source_bytes = std::size_t{1} << 20;  ///< of the main file
};

struct CompilerAnswer {
    std::string output;    ///< record layouts, then the tree as JSON; complete only if `failure` is empty
    std::string messages;  ///< errors, a line each: "FILE:LINE:COLUMN: error: …"
    std::string folder;    ///< in which the files lay, with a '/' at its end; it is gone
    std::string failure;   ///< why there is no tree, in plain words: "reading it took more than 5 s"
};

/// The main file's name in the folder.
inline constexpr const char* kMainName = "kwb_main.cl";

/// Run `compiler` on `text`. It sees its own installation and a folder with the text and its neighbours, and
/// nothing else of the file system where the machine's kernel knows Landlock; it cannot write.
/// Blocks; never throws because of the text.
CompilerAnswer run_compiler(const std::string& compiler, const SourceText& text,
                            const ReadingLimits& limits = {}, const std::stop_token& stop = {});

}  // namespace kwb::source
