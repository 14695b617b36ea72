// SPDX-License-Identifier: Apache-2.0
// Kernel Tuner's T1 files: any text is either read, or rejected with the file's name. A text that does not
// begin with `{` is tried as a list of values.
#include "tune/t1_file.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "catalog/syntax.hpp"
#include "properties.hpp"
#include "tune/t1_values.hpp"

namespace kwb::fuzz {
namespace {

void check_values(const std::vector<ParamValue>& values) {
    must(!values.empty() && values.size() <= kMostT1Values, "a parameter has some values, but not too many");
    std::vector<ParamValue> sorted = values;
    std::ranges::sort(sorted);
    must(std::ranges::adjacent_find(sorted) == sorted.end(), "a value is there once");
}

void try_values(std::string_view text) {
    try {
        check_values(read_t1_values(text));
    } catch (const ExpressionError& error) {
        must(error.column() >= 1 && error.column() <= text.size() + 1, "the column lies within the list");
        must(!error.message().empty(), "an error says what is wrong");
    }
}

void try_file(std::string_view text) {
    const T1Case matmul{"matmul", {"M", "N", "K"}, {"N", "M"}, 2};
    try {
        const T1File file = read_t1(text, "a.json");
        must(!file.params.empty(), "a T1 file has parameters");
        for (const auto& [name, values] : file.params) check_values(values);
        must(!t1_local(file).empty(), "a work-group has dimensions");
        must(t1_global(file, matmul).size() >= matmul.dimensions, "an NDRange has those of the work-group");
        t1_size(file, matmul);
    } catch (const BadInput& error) {
        must(std::string_view(error.what()).starts_with("a.json: "), "an error names the file");
    }
}

}  // namespace
}  // namespace kwb::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = kwb::fuzz::as_text(data, size);
    text.starts_with('{') ? kwb::fuzz::try_file(text) : kwb::fuzz::try_values(text);
    return 0;
}
