// The syntax tree parser and the hints: any output of a compiler gives at most 20 hints, on existing lines of
// the source, quickly and without exceptions.
#include "hints/hints.hpp"

#include <algorithm>

#include "properties.hpp"
#include "source/builder.hpp"
#include "source/kernels.hpp"

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
    const std::vector<Hint> hints = find_hints(*program, {64, 128});
    must(hints.size() <= 20, "there are at most 20 hints");
    std::uint32_t last = 1;
    for (const Hint& hint : hints) {
        must(hint.line >= last, "hints come in order of the source's lines");
        must(!hint.sentence.empty(), "a hint is a sentence");
        last = hint.line;
    }
    must(find_hints(*program, {64, 128}).size() == hints.size(), "the same tree gives the same hints");
    for (const SourceKernel& kernel : kernel_functions_of(*program))
        must(kernel.dimensions <= 3, "an NDRange has at most three dimensions");
}

}  // namespace
}  // namespace kwb::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    kwb::fuzz::try_tree(kwb::fuzz::as_text(data, size));
    return 0;
}
