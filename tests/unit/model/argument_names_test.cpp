#include "model/argument_names.hpp"

#include <doctest/doctest.h>

using namespace kwb;

namespace {

constexpr ElementType kFloat{Scalar::Float32, 1};
constexpr ElementType kInt{Scalar::Int32, 1};

ProblemInstance matmul() {
    ProblemInstance instance;
    instance.problem = "matmul";
    instance.sizes = {{"M", 2}, {"N", 3}, {"K", 4}};
    instance.buffers = {{"A", kFloat, Access::Read, {2, 4}},
                        {"B", kFloat, Access::Read, {4, 3}},
                        {"C", kFloat, Access::Write, {2, 3}}};
    instance.scalars = {
        {"M", kInt, std::int64_t{2}}, {"N", kInt, std::int64_t{3}}, {"K", kInt, std::int64_t{4}}};
    return instance;
}

ProblemInstance copy() {
    ProblemInstance instance;
    instance.problem = "copy";
    instance.sizes = {{"N", 5}};
    instance.buffers = {{"X", kFloat, Access::Read, {5}}, {"Y", kFloat, Access::Write, {5}}};
    instance.scalars = {{"N", kInt, std::int64_t{5}}};
    return instance;
}

NamedArgument pointer(const std::string& name) {
    return {name, true};
}
NamedArgument number(const std::string& name) {
    return {name, false};
}

/// "C A - N": what each argument means.
std::string meanings(const std::vector<NamedArgument>& arguments, const ProblemInstance& problem,
                     const std::vector<std::string>& scratch = {}, const Spellings& spellings = {}) {
    std::string text;
    for (const auto& match : match_arguments(arguments, problem, scratch, spellings))
        text += (text.empty() ? "" : " ") + (match ? match->name : std::string("-"));
    return text;
}

}  // namespace

TEST_CASE("the same name tells, in any order, and with scratch buffers") {
    CHECK(meanings({pointer("C"), pointer("A"), number("K")}, matmul()) == "C A K");
    CHECK(meanings({pointer("packed"), pointer("B")}, matmul(), {"packed"}) == "packed B");
    // A pointer with a number's name is that number's, so that the person is told.
    CHECK(meanings({pointer("M")}, matmul()) == "M");
}

TEST_CASE("upper and lower case do not matter where the name is the same otherwise") {
    CHECK(meanings({pointer("a"), pointer("b"), pointer("c"), number("n")}, matmul()) == "A B C N");
    const auto match = match_arguments({pointer("a")}, matmul());
    CHECK(match.front()->how == NameMatch::OtherCase);
    CHECK(meanings({pointer("n"), number("a")}, matmul()) == "- -");   // a pointer is no size
    CHECK(meanings({pointer("A"), pointer("a")}, matmul()) == "A -");  // A is taken
}

TEST_CASE("usual spellings tell where they have one meaning") {
    CHECK(meanings({pointer("d_C"), pointer("A_dev"), pointer("matB")}, matmul()) == "C A B");
    CHECK(meanings({pointer("output"), pointer("input"), number("num_elements")}, copy()) == "Y X N");
    CHECK(meanings({pointer("g_odata"), pointer("g_idata"), number("size")}, copy()) == "Y X N");
    CHECK(meanings({pointer("dst"), pointer("src"), number("len")}, copy()) == "Y X N");
    CHECK(meanings({pointer("Cmat"), pointer("Avec"), number("Ndim")}, matmul()) == "C A -");
    CHECK(meanings({pointer("out"), pointer("lhs"), pointer("rhs")}, matmul()) == "C A B");
}

TEST_CASE("a spelling that fits two arguments, or an argument that fits two names, stays open") {
    CHECK(meanings({pointer("src"), pointer("in")}, copy()) == "- -");
    CHECK(meanings({pointer("foo"), number("width")}, matmul()) == "- -");
    CHECK(meanings({pointer("X"), pointer("src")}, copy()) == "X -");  // X is taken
    CHECK(meanings({pointer("y"), pointer("out")}, copy()) == "Y -");
    CHECK(meanings({}, copy()).empty());
    CHECK(meanings({pointer(""), pointer("_"), number("__")}, copy()) == "- - -");
}

TEST_CASE("the problem's own spellings tell too, and those of names that it has not are ignored") {
    const std::vector<NamedArgument> arguments = {pointer("product"), number("hA"), number("d_rows")};
    const Spellings own = {{"C", {"product"}}, {"M", {"ha"}}, {"Z", {"rows"}}};
    CHECK(meanings(arguments, matmul(), {}, own) == "C M -");
    CHECK(meanings(arguments, matmul()) == "- - -");
    // Two names of the problem that are spelled alike tell nothing.
    CHECK(meanings({number("rows")}, matmul(), {}, {{"M", {"rows"}}, {"K", {"rows"}}}) == "-");
}
