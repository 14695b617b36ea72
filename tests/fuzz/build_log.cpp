// SPDX-License-Identifier: Apache-2.0
// Compiler logs: cleaned by the runner, parsed by the judge, shown with a caret.
#include "judge/build/build_log.hpp"

#include "base/text.hpp"
#include "ocl/build_log.hpp"
#include "properties.hpp"

namespace kwb::fuzz {
namespace {

/// Parsing takes quadratic time in the log's length. The judge limits the length, so longer logs test nothing
/// new.
constexpr std::size_t kMostLogBytes = 1u << 16;

KernelPlan make_kernel_plan() {
    KernelPlan plan;
    plan.file = "k.cl";
    plan.source_text = "__kernel void k(__global float* a)\n{\n\ta[0] = t\xC3\xA4gl();\n}";
    plan.includes = {{"tile.h", "#define TILE 16"}, {"parts/load.h", ""}};
    return plan;
}

void try_diagnostics(std::string_view log) {
    static const KernelPlan plan = make_kernel_plan();
    const std::vector<Diagnostic> diagnostics = parse_build_log(log);
    must(diagnostics.size() <= 200, "a flood of messages is cut");
    std::string as_written(log);  // functions of OpenCL C as a person writes them
    for (std::size_t at = 0; (at = as_written.find("'_cl_", at)) != std::string::npos; ++at)
        as_written.erase(at + 1, 4);
    for (const Diagnostic& diagnostic : diagnostics) {
        must(log.find(diagnostic.file) != std::string_view::npos, "a file's name comes from the log");
        must(as_written.find(diagnostic.message) != std::string::npos, "a message comes from the log");
    }
    must(!describe_build_errors(diagnostics, plan).empty(), "there is always a sentence");
}

void try_log(std::string_view log) {
    if (log.size() > kMostLogBytes) return;
    try_diagnostics(log);
    const std::string cleaned = clean_build_log(log, "k.cl");
    must(to_utf8(cleaned) == cleaned, "a cleaned log is UTF-8");
    try_diagnostics(cleaned);
    const std::string directive = line_directive(log);
    must(directive.find('\n') + 1 == directive.size(), "a line directive is one line");
}

}  // namespace
}  // namespace kwb::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    kwb::fuzz::try_log(kwb::fuzz::as_text(data, size));
    return 0;
}
