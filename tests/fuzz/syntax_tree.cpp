// SPDX-License-Identifier: Apache-2.0
// The syntax tree parser and what is read in its trees: any output of a compiler gives at most 20 suspicions,
// in the order of lines, quickly and without exceptions.
#include "properties.hpp"
#include "source/builder.hpp"
#include "source/kernels.hpp"
#include "source/suspicions.hpp"

namespace kwb::fuzz {
namespace {

/// The input is taken as the syntax tree of this source; its files are in /f/.
constexpr const char* kSource =
    "#define T 16\n#include \"tile.h\"\n__kernel void k(__global float* x, int n) {\n"
    "    __local float t[T][T];\n    for (int i = 0; i < n; ++i) t[i][0] += x[i];\n}\n";

void try_tree(std::string_view printed) {
    const SourceText text{kSource, {{"tile.h", "#define WIDTH 4\n"}, {"self.h", "#include \"self.h\"\n"}}};
    source::CompilerAnswer answer;
    answer.output = printed;
    answer.messages = std::string(printed.substr(0, 1000));
    answer.folder = "/f/";
    const auto program = source::build_program(text, answer);
    if (!program) return;
    std::vector<std::string> launched;
    for (const source::Function& function : program->functions) launched.emplace_back(function.name);
    const std::vector<Finding> found = source::find_suspicions(*program, launched);
    must(found.size() <= 20, "there are at most 20 suspicions");
    unsigned long last = 1;
    for (const Finding& one : found) {
        const unsigned long line = std::stoul(one.place);
        must(line >= last, "suspicions come in the order of the source's lines");
        last = line;
    }
    must(source::find_suspicions(*program, launched) == found, "the same tree gives the same suspicions");
    for (const SourceKernel& kernel : kernel_functions_of(*program))
        must(kernel.dimensions <= 3, "an NDRange has at most three dimensions");
}

}  // namespace
}  // namespace kwb::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    kwb::fuzz::try_tree(kwb::fuzz::as_text(data, size));
    return 0;
}
