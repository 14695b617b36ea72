// The reference of copies: the inputs themselves, and nothing near them.
#include <doctest/doctest.h>

#include <algorithm>

#include "judge/verify/output_check.hpp"
#include "sample.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("a copy is what was there, to the bit, in both passes, and the library makes one") {
    const ProblemInstance instance = get_problem("copy").at({{"N", 1009}});
    const BufferSpec& y = *instance.find_buffer("Y");
    for (const Pass pass : {Pass::Exact, Pass::Real}) {
        const PassData data = find_solver("copy")->make(instance, pass, 5, [] {});
        const OutputReference& reference = data.outputs.front().value;
        CHECK(reference.bound.empty());
        std::vector<std::vector<std::byte>> outputs = {std::vector<std::byte>(y.bytes())};
        find_solver("copy")->run_host_library(instance, data, outputs);
        CHECK(outputs[0] == *find_named(data.inputs, "X"));
        CHECK(check_output(y, outputs[0], reference, poison_pattern(y.type, pass)).wrong == 0);
    }
}

TEST_CASE("numbers from a neighbouring place show in every element of a copy") {
    const ProblemInstance instance = get_problem("copy").at({{"N", 1000}});
    const BufferSpec& y = *instance.find_buffer("Y");
    for (const Pass pass : {Pass::Exact, Pass::Real}) {
        const PassData data = find_solver("copy")->make(instance, pass, 6, [] {});
        std::vector<float> shifted = values_of<float>(*find_named(data.inputs, "X"));
        std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
        const OutputCheck check =
            check_output(y, bytes_of(shifted), data.outputs.front().value, poison_pattern(y.type, pass));
        CHECK(check.wrong == 1000);
    }
}
