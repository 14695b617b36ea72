#include <doctest/doctest.h>

#include "model/device_info.hpp"
#include "model/problem.hpp"
#include "model/verdict.hpp"

using namespace kwb;

TEST_CASE("equal extents are told once, others by name") {
    CHECK(to_string(Sizes{{"M", 512}, {"N", 512}, {"K", 512}}) == "512");
    CHECK(to_string(Sizes{{"M", 512}, {"N", 256}, {"K", 512}}) == "M=512 N=256 K=512");
    CHECK(to_string(Sizes{{"n", 9}}) == "n=9");
    CHECK(to_string(Sizes{}) == "");
}

TEST_CASE("a buffer's elements are the product of its shape") {
    BufferSpec buffer{"A", {Scalar::Float32, 1}, Access::Read, {3, 5}};
    CHECK(buffer.elements() == 15);
    CHECK(buffer.bytes() == 60);
}

TEST_CASE("a problem finds its buffers and scalars by name") {
    ProblemInstance problem;
    problem.buffers = {{"A", {}, Access::Read, {4}}, {"C", {}, Access::Write, {4}}};
    problem.scalars = {{"N", {Scalar::Int32, 1}, std::int64_t{4}}};
    CHECK(problem.find_buffer("C") == &problem.buffers[1]);
    CHECK(problem.find_buffer("N") == nullptr);
    CHECK(problem.find_scalar("N") == &problem.scalars[0]);
    CHECK(problem.argument_names() == std::vector<std::string>{"A", "C", "N"});
}

TEST_CASE("every verdict is read by the name that it writes") {
    const std::vector<std::string> names = enum_names<Verdict>();
    CHECK(names.size() == static_cast<std::size_t>(Verdict::Skipped) + 1);
    for (std::size_t i = 0; i < names.size(); ++i) {
        CHECK(parse_enum<Verdict>(names[i]) == static_cast<Verdict>(i));
        CHECK(to_string(static_cast<Verdict>(i)) == names[i]);
    }
    CHECK(!parse_enum<Verdict>("fine"));
    CHECK(!parse_enum<Verdict>(""));
}
