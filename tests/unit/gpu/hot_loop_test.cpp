// SPDX-License-Identifier: Apache-2.0
// The loop with most samples, in x86-64 code.
#include "gpu/hot_loop.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

namespace kwb::test {
namespace {

/// Lines that end with ':' are labels; the others have the addresses 1, 2, …
MachineCode code_of(const std::vector<std::string>& lines) {
    MachineCode code;
    std::uint64_t address = 0;
    for (const std::string& line : lines) {
        const bool is_label = line.ends_with(':');
        code.assembly.push_back({line, {}, is_label, is_label ? 0 : ++address});
    }
    return code;
}

/// A scalar loop around one of vectors.
const std::vector<std::string> kNested = {".L1:",
                                          "vmulss (%rax),%xmm0,%xmm1",  // 1
                                          ".L2:",
                                          "vmovups (%rax,%rcx,4),%ymm0",            // 2
                                          "vfmadd231ps (%rdx,%rcx,4),%ymm1,%ymm0",  // 3
                                          "add $0x8,%rcx",                          // 4
                                          "jne .L2",                                // 5
                                          "vaddss %xmm1,%xmm2,%xmm2",               // 6
                                          "jne .L1",                                // 7
                                          "ret"};                                   // 8

std::vector<std::uint64_t> samples(std::size_t count, std::uint64_t address) {
    return std::vector<std::uint64_t>(count, address);
}

TEST_CASE("the hot loop is the smallest with half of the samples") {
    std::vector<std::uint64_t> inner = samples(15, 3);
    inner.insert(inner.end(), 5, 6);
    inner.insert(inner.end(), 5, 999);  // in other code
    const std::optional<HotLoop> found = find_hot_loop(code_of(kNested), inner);
    REQUIRE(found);
    CHECK(found->share == 0.75);
    CHECK(found->lanes == 8);
    CHECK(found->instructions_per_operation == 4.0 / 16);  // eight multiply-adds
    const std::optional<HotLoop> outer = find_hot_loop(code_of(kNested), samples(20, 6));
    REQUIRE(outer);
    CHECK(outer->share == 1);
    CHECK_FALSE(outer->instructions_per_operation);  // how often the inner loop runs is not known
}

TEST_CASE("no hot loop without enough samples in one") {
    CHECK_FALSE(find_hot_loop(code_of(kNested), samples(19, 3)));
    CHECK_FALSE(find_hot_loop(code_of(kNested), samples(100, 8)));
    CHECK_FALSE(find_hot_loop(code_of({"vaddss %xmm1,%xmm2,%xmm2", "ret"}), samples(100, 1)));
    CHECK_FALSE(find_hot_loop({}, samples(100, 1)));
}

TEST_CASE("arithmetic instructions have lanes by their types and registers") {
    const auto lanes = [](const std::string& instruction) {
        const auto found = find_hot_loop(code_of({".L1:", instruction, "jne .L1"}), samples(20, 1));
        REQUIRE(found);
        return found->lanes;
    };
    CHECK(lanes("mulss %xmm1,%xmm2") == 1);
    CHECK(lanes("addps %xmm1,%xmm2") == 4);
    CHECK(lanes("vsubpd %ymm1,%ymm2,%ymm3") == 4);
    CHECK(lanes("vfnmadd213ps %zmm1,%zmm2,%zmm3") == 16);
    CHECK(lanes("vmaxps (%rax),%zmm2,%zmm3{%k1}") == 16);
    // These compute nothing that counts: integers, logic, moves.
    for (const char* const other : {"vpaddd %ymm1,%ymm2,%ymm3", "xorps %xmm0,%xmm0", "vmovups %ymm0,(%rax)",
                                    "vbroadcastss (%rax),%ymm1", "addl $1,%eax", "ret"})
        CHECK(lanes(other) == 0);
}

}  // namespace
}  // namespace kwb::test
