// SPDX-License-Identifier: Apache-2.0
// Faults injected into kernels of every problem: none is judged correct.
#include <doctest/doctest.h>

#include "bench.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

struct Planted {
    const char* what;
    const char* kernel;
    const char* from;  ///< occurs once
    const char* to;
    Sizes sizes;
    const char* reason;  ///< substring of the reported reason
};

std::string with_fault(const std::string& source, const Planted& fault) {
    const std::size_t at = source.find(fault.from);
    REQUIRE(at != std::string::npos);
    REQUIRE(source.find(fault.from, at + 1) == std::string::npos);
    return std::string(source).replace(at, std::string(fault.from).size(), fault.to);
}

const std::vector<Planted> kPlanted = {
    {"a transposed index",
     "transpose/naive",
     "A[(size_t)row * N + column];",
     "A[(size_t)column * N + row];",
     {{"M", 61}, {"N", 61}},
     "elements of B are wrong"},
    {"an unwritten element",
     "transpose/naive",
     "row < M && column",
     "row < M - 1 && column",
     {{"M", 61}, {"N", 127}},
     "elements of B were never written"},
    {"a changed input",
     "transpose/naive",
     "if (row < M && column < N) B",
     "((__global float*)A)[0] += 1.0f;\n    if (row < M && column < N) B",
     {{"M", 61}, {"N", 127}},
     "changed its input A"},
    {"a dropped term",
     "reduce/two_launches",
     "for (; i < end; ++i) rest",
     "for (; i + 1 < end; ++i) rest",
     {{"N", 100003}},
     "1 of 1 element of R is wrong"},
    {"a changed input",
     "reduce/two_launches",
     "float rest = 0.0f;",
     "float rest = 0.0f;\n    if (first == 0) ((__global float*)X)[5] = 1e6f;",
     {{"N", 1009}},
     "changed its input X"},
    {"an answer that nobody wrote",
     "reduce/two_launches",
     "R[0] = sum;",
     "",
     {{"N", 97}},
     "R was never written"},
    {"the largest missed",
     "reduce/max_tree",
     "i < N ? X[i]",
     "i < N / 2 ? X[i]",
     {{"N", 100003}},
     "R is wrong"},
    {"an exclusive scan",
     "scan/blelloch",
     "carry + tree[lane] + own",
     "carry + tree[lane]",
     {{"N", 1009}},
     "Y are wrong"},
    {"a carry that is lost",
     "scan/three_launches",
     "carry = scanned.sf",
     "carry += 0.0f",
     {{"N", 1009}},
     "Y are wrong"},
    {"a changed input",
     "scan/hillis_steele",
     "if (i < (size_t)N) Y[i]",
     "if (i == 3) ((__global float*)X)[i] = 7.5f;\n        if (i < (size_t)N) Y[i]",
     {{"N", 1009}},
     "changed its input X"},
    {"counts that are lost",
     "histogram/global_atomics",
     "atomic_inc(&H[X[i]])",
     "++H[X[i] / 2 * 2]",
     {{"N", 100003}},
     "H are wrong"},
    {"numbers left over",
     "histogram/private_copies",
     "for (; i < end; ++i) ++a[X[i]];",
     "",
     {{"N", 1009}},
     "H is wrong"},
    {"a changed input",
     "histogram/global_atomics",
     "if (i < N) atomic_inc",
     "if (i == 7) ((__global unsigned int*)X)[i] ^= 1u;\n    if (i < N) atomic_inc",
     {{"N", 1009}},
     "input X"},
    {"a filter turned round",
     "convolution/naive",
     "filter[i * F + j];",
     "filter[(F - 1 - i) * F + F - 1 - j];",
     {{"H", 61}, {"W", 97}, {"F", 5}},
     "result are wrong"},
    {"a dropped term",
     "convolution/naive",
     "j < F; ++j) sum +=",
     "j < F - (i == 0); ++j) sum +=",
     {{"H", 61}, {"W", 97}, {"F", 17}},
     "result are wrong"},
    {"a changed input",
     "convolution/naive",
     "float sum = 0.0f;",
     "float sum = 0.0f;\n    ((__global float*)filter)[0] = 0.5f;",
     {{"H", 61}, {"W", 97}, {"F", 3}},
     "changed its input"},
    {"a border that moves",
     "stencil/naive",
     "y > 0 && y < H - 1;",
     "y > 0;",
     {{"H", 61}, {"W", 97}, {"S", 3}},
     "of X (valid 0 … 5916)"},
    {"a step too few",
     "stencil/rows",
     "repeat = \"S - 1\"\nswap   = [\"Y\", \"T\"]\n\n",
     "repeat = \"S - 1\"\n\n",
     {{"H", 61}, {"W", 97}, {"S", 3}},
     "Y are wrong"},
    {"a neighbour missed",
     "stencil/tiled",
     "block[ly + 2][lx + 1] +",
     "block[ly][lx + 1] +",
     {{"H", 61}, {"W", 97}, {"S", 1}},
     "Y are wrong"},
    {"a changed input",
     "stencil/naive",
     "bool inner = ",
     "bool inner = (((__global float*)from)[0] += 1.0f) > 0 && ",
     {{"H", 61}, {"W", 97}, {"S", 1}},
     "changed its input X"},
    {"a neighbour's term", "vector_add/elements", "B[i];", "B[max(i - 1, 0)];", {{"N", 97}}, "C are wrong"},
    {"a guard one too small",
     "vector_add/vectors",
     "i < (size_t)N; ++i) C",
     "i + 1 < (size_t)N; ++i) C",
     {{"N", 97}},
     "1 of 97 elements of C was never written"},
    {"a changed input",
     "vector_add/elements",
     "if (i < N) C[i] = A[i]",
     "if (i < N) C[i] = ((__global float*)A)[i] *= 2",
     {{"N", 97}},
     "changed its input A"},
    {"a factor forgotten",
     "vector_add/saxpy",
     "fma(alpha, X[i], Y[i])",
     "X[i] + Y[i]",
     {{"N", 97}},
     "1 of 97"},
};

}  // namespace

TEST_CASE("planted: faults in kernels of every problem are found, and told with their place") {
    for (const Planted& fault : kPlanted) {
        REQUIRE(!std::string(fault.reason).empty());
        const std::string planted = std::string(fault.kernel) + ": " + fault.what;
        CAPTURE(planted);
        const KernelFile whole = bench().catalogue.open(fault.kernel);
        REQUIRE(bench().check(whole, fault.sizes).verdict == Verdict::Correct);
        EditedTexts edited;
        edited.put(whole.spec.file, with_fault(whole.spec.source_text, fault));
        const KernelFile faulty = open_kernel_file(whole.spec.file, "faulty", edited);
        const KernelResult result = bench().check(faulty, fault.sizes);
        CHECK_MESSAGE((result.verdict == Verdict::Wrong || result.verdict == Verdict::OutOfBounds),
                      result.reason);
        CHECK_MESSAGE(result.reason.find(fault.reason) != std::string::npos, result.reason);
    }
}
