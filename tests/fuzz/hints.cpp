// The hint lexer: any source ends in at most 20 hints on lines that it has, quickly, and without a throw.
#include "hints/hints.hpp"

#include <algorithm>

#include "hints/kernel_functions.hpp"
#include "properties.hpp"

namespace kwb::fuzz {
namespace {

void try_source(std::string_view text) {
    HintSource source;
    source.text = text;
    source.includes = {{"tile.h", "#define WIDTH 4\nvoid wait(void) { barrier(CLK_LOCAL_MEM_FENCE); }\n"},
                       {"self.h", "#include \"self.h\"\n"}};
    source.macros = {{"TILE", "16"}, {"TWICE", "TILE * 2"}, {"EMPTY", ""}};
    source.sizes = {64, 128};
    const std::vector<Hint> hints = find_hints(source);
    must(hints.size() <= 20, "there are at most 20 hints");
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    std::uint32_t last = 1;
    for (const Hint& hint : hints) {
        must(hint.line >= last && hint.line <= lines, "hints come in order of the source's lines");
        must(!hint.sentence.empty() && hint.sentence.find('\n') == std::string::npos, "a hint is a sentence");
        last = hint.line;
    }
    must(find_hints(source).size() == hints.size(), "the same source gives the same hints");
    if (const auto kernels = find_kernel_functions(source))
        for (const SourceKernel& kernel : *kernels) {
            must(!kernel.name.empty() && kernel.line >= 1 && kernel.line <= lines,
                 "a kernel function has a name and stands in the source");
            must(kernel.dimensions <= 3, "an NDRange has at most three dimensions");
        }
}

}  // namespace
}  // namespace kwb::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    kwb::fuzz::try_source(kwb::fuzz::as_text(data, size));
    return 0;
}
