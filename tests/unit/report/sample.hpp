// SPDX-License-Identifier: Apache-2.0
// Sample results for the tests in this folder.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "model/result.hpp"
#include "report/text_layout.hpp"

namespace kwb::sample {

/// A correct result with all measurements.
inline KernelResult naive() {
    KernelResult result;
    result.kernel = "matmul/naive";
    result.file = "kernels/matmul/01_naive.cl";
    result.source_sha256 = std::string(64, 'a');
    result.problem = "matmul";
    result.size = {{"M", 512}, {"N", 512}, {"K", 512}};
    result.launches = {{"matmul_naive", {512, 512}, {16, 16}, 12.3}};
    result.device = "pocl:0";
    result.verdict = Verdict::Correct;
    result.build_ms = 98.7;
    result.upload_ms = 0.4;
    result.download_ms = 0.2;
    result.first_run_ms = 45.1;
    result.samples_ms = {12.2, 12.3, 12.4, 12.1, 12.6, 12.3};
    result.median_ms = 12.3;
    result.ci95_ms = Interval{12.1, 12.6};
    result.gflops = 21.82;
    result.gbytes_s = 0.2557;
    result.wrong_elements = 0;
    result.max_error_share = 0.0123;
    result.kernel_info = KernelInfo{4096, 8, 0, 0};
    return result;
}

/// A correct result that is faster than naive().
inline KernelResult tiled() {
    KernelResult result = naive();
    result.kernel = "matmul/tiled";
    result.file = "kernels/matmul/02_tiled.cl";
    result.params = {{"TILE", std::int64_t{16}}};
    result.build_ms = 130.4;
    result.first_run_ms = 40.0;
    result.median_ms = 2.41;
    result.ci95_ms = Interval{2.35, 2.46};
    result.gflops = 111.4;
    result.gbytes_s = 1.305;
    result.speedup = Speedup{"matmul/naive", 5.1, Interval{4.9, 5.3}};
    return result;
}

/// Wrong, not timed, and one element was never written.
inline KernelResult wrong() {
    KernelResult result = tiled();
    result.kernel = "matmul/unguarded";
    result.verdict = Verdict::Wrong;
    result.reason = "17 elements of C differ from the reference.";
    result.samples_ms.clear();
    result.median_ms = result.gflops = result.gbytes_s = std::nullopt;
    result.ci95_ms.reset();
    result.speedup.reset();
    result.wrong_elements = 17;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    result.first_wrong = {{{16, 0}, 12, nan, "C"}, {{16, 1}, -3.5, 1e30, "C"}};
    result.max_error_share = std::numeric_limits<double>::infinity();
    return result;
}

/// Rejected by the compiler, so without measurements.
inline KernelResult rejected() {
    KernelResult result;
    result.kernel = "mine.cl";
    result.file = "mine.cl";
    result.source_sha256 = std::string(64, 'b');
    result.problem = "matmul";
    result.size = {{"M", 512}, {"N", 512}, {"K", 512}};
    result.device = "pocl:0";
    result.verdict = Verdict::CompileError;
    result.reason =
        "mine.cl:3:13: use of undeclared identifier 'acc'\n    3 |     C[i] = acc;\n      |            ^";
    result.evidence = Evidence{"compile", std::nullopt, std::nullopt, std::nullopt, std::nullopt};
    result.diagnostics = {{Severity::Error, "mine.cl", 3, 13, "use of undeclared identifier 'acc'"},
                          {Severity::Warning, "mine.cl", 2, 9, "unused variable 'j'"}};
    result.log = "error: use of undeclared identifier 'acc'\nwarning: unused variable 'j'\n";
    return result;
}

/// The runner process died during a launch.
inline KernelResult crashed() {
    KernelResult result = naive();
    result.kernel = "matmul/wild";
    result.verdict = Verdict::KernelCrashed;
    result.reason = "The kernel's process ended with SIGSEGV during the launch.";
    result.evidence = Evidence{"launch", "SIGSEGV", "C", "write", -1};
    result.samples_ms.clear();
    result.median_ms = result.gflops = result.gbytes_s = result.first_run_ms = std::nullopt;
    result.ci95_ms.reset();
    result.wrong_elements.reset();
    result.max_error_share.reset();
    return result;
}

inline Environment environment() {
    return {"pthread-Some CPU",
            "Portable Computing Language",
            "3.1",
            "OpenCL C 1.2",
            "Some CPU",
            "0.1.0",
            "none"};
}

}  // namespace kwb::sample

// Helpers for properties of all lines of a report.

namespace kwb {

/// The lines of the table: those before the first empty line.
inline std::vector<std::string> table_lines(const std::string& text) {
    std::vector<std::string> lines = split_lines(text);
    lines.erase(std::find(lines.begin(), lines.end(), ""), lines.end());
    return lines;
}

inline std::size_t widest(const std::vector<std::string>& lines) {
    std::size_t width = 0;
    for (const std::string& line : lines) width = std::max(width, display_width(line));
    return width;
}

inline bool is_ascii(const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

inline std::size_t occurrences(const std::string& text, const std::string& piece) {
    std::size_t count = 0;
    for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++count;
    return count;
}

}  // namespace kwb
