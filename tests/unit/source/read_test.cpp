// SPDX-License-Identifier: Apache-2.0
// Results of the source reader, with the real compiler.
#include "source/read.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "source/builder.hpp"
#include "source/compiler.hpp"

using namespace kwb;
using namespace kwb::source;

namespace {

std::shared_ptr<const Program> program_of(const SourceText& text) {
    const Reading reading = read_source(text);
    REQUIRE_MESSAGE(reading.program, reading.failure);
    return reading.program;
}

const Symbol& symbol_named(const Program& program, std::string_view name) {
    const auto found = std::ranges::find(program.symbols, name, &Symbol::name);
    REQUIRE(found != program.symbols.end());
    return *found;
}

std::vector<std::string> calls_of(const Function& function) {
    std::vector<std::string> calls;
    for (const Call& call : function.calls) calls.emplace_back(call.name);
    return calls;
}

}  // namespace

TEST_CASE("functions come with their kernels, parameters, calls and places") {
    const auto program =
        program_of({"float helper(float x) { return x * 2; }\n"
                    "int declared(int);\n"
                    "__kernel void k(__global const float* restrict A, __local float4* t,\n"
                    "                __constant int* c, uint n) {\n"
                    "    t[n].x = helper(sqrt(A[c[0]]));\n"
                    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                    "}\n"});
    REQUIRE(program->functions.size() == 2);
    const Function& k = program->functions[1];
    CHECK(k.kernel);
    CHECK(k.readable);
    CHECK(!program->functions[0].kernel);
    CHECK(program->place(k.place).line == 3);
    CHECK(calls_of(k) == std::vector<std::string>{"helper", "sqrt", "barrier"});
    CHECK(program->place(k.calls[2].place).line == 6);
    CHECK(program->place(k.calls[2].place).column == 5);
    REQUIRE(k.parameters.size() == 4);
    const Symbol& A = program->symbol(k.parameters[0]);
    CHECK((A.space == Space::Global && A.pointer && A.is_const && A.type == "float"));
    const Symbol& t = program->symbol(k.parameters[1]);
    CHECK((t.space == Space::Local && t.pointer && !t.is_const && t.type == "float4"));
    CHECK(program->symbol(k.parameters[2]).space == Space::Constant);
    const Symbol& n = program->symbol(k.parameters[3]);
    CHECK((n.type == "uint" && !n.pointer));
}

TEST_CASE("arrays have their extents, bytes and spaces") {
    const auto program =
        program_of({"#define T 16\ntypedef float row_t[8];\nstruct P { char c; short s; };\n"
                    "typedef struct { char c; float4 v; } S;\n"
                    "__kernel void k(__global float* o) {\n"
                    "    __local float t[T][T + 1];\n    __local row_t rows[4];\n"
                    "    struct P p[3];\n    __local S s[2];\n    __local float* q[2];\n"
                    "    o[0] = t[0][0] + rows[0][0] + p[0].s + s[0].c;\n}\n"});
    const Symbol& t = symbol_named(*program, "t");
    CHECK(t.extents == std::vector<std::int64_t>{16, 17});
    CHECK((t.bytes == 1088 && t.in_local && t.used));
    CHECK(symbol_named(*program, "rows").bytes == 128);
    CHECK(symbol_named(*program, "p").bytes == 12);
    CHECK(symbol_named(*program, "s").bytes == 64);
    CHECK(symbol_named(*program, "s").aggregate);
    CHECK((symbol_named(*program, "q").bytes == 16 && !symbol_named(*program, "q").in_local));
}

TEST_CASE("names from macros, arguments and include files are located where users look for them") {
    const auto program = program_of(
        {"#include \"a/n.h\"\n#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)\n"
         "__kernel void k(__global int* x) {\n    SYNC();\n    x[0] = TWICE(\n"
         "        x[GIVEN]);\n    deep();\n}\n",
         {{"a/n.h", "#include \"m.h\"\n#define TWICE(v) ((v) * 2)\n"}, {"a/m.h", "\n\nvoid deep(void) {}\n"}},
         {{"GIVEN", "7"}}});
    REQUIRE(program->functions.size() == 2);
    const source::Place& deep = program->place(program->functions[0].place);
    CHECK((!deep.own && deep.line == 1));
    const Function& k = program->functions[1];
    CHECK(program->place(k.calls[0].place).line == 4);
    const auto number = [&](std::string_view digits) -> const source::Place& {
        const auto found = std::ranges::find_if(
            program->exprs, [&](const Expr& e) { return e.kind == ExprKind::Number && e.op == digits; });
        REQUIRE(found != program->exprs.end());
        return program->place(found->place);
    };
    CHECK(number("7").given);
    CHECK(number("2").line == 5);
}

TEST_CASE("the work-group that a kernel requires is read through macros") {
    const auto size_of = [](const std::string& sizes, NamedList<std::string> macros = {}) {
        return program_of(
                   {"#ifndef T\n#define T 8\n#endif\n#define U T\n__attribute__((reqd_work_group_size(" +
                        sizes + "))) __kernel void k(void) {}",
                    {},
                    std::move(macros)})
            ->functions.at(0)
            .work_group;
    };
    CHECK(size_of("16, 4, 1") == std::array<std::uint64_t, 3>{16, 4, 1});
    CHECK(size_of("U, T, 1") == std::array<std::uint64_t, 3>{8, 8, 1});
    CHECK(size_of("T, 1, 1", {{"T", "32"}}) == std::array<std::uint64_t, 3>{32, 1, 1});
    CHECK(!size_of("2 * T, 1, 1"));
}

TEST_CASE("undeclared names are reported with their positions, and their function is not analysed") {
    const auto program =
        program_of({"__kernel void k(__global REAL* x) { x[0] = 1; }\n"
                    "__kernel void l(__global int* x) {\n    x[0] = LEN + 1;\n    gone(1);\n}\n"
                    "__kernel void good(__global int* x) { x[0] = 1; }\n"});
    REQUIRE(program->functions.size() == 3);
    REQUIRE(program->faults.size() >= 3);
    CHECK(program->faults[0].message.find("'REAL'") != std::string::npos);
    CHECK(program->faults[1].line == 3);
    CHECK(program->faults[1].message.find("'LEN'") != std::string::npos);
    CHECK(!program->functions[1].readable);
    CHECK(program->functions[2].readable);
    CHECK(program->symbol(program->functions[0].parameters.at(0)).type == "REAL");
    CHECK(std::ranges::any_of(program->faults, [](const Fault& fault) {
        return fault.line == 4 && fault.message.find("'gone'") != std::string::npos;
    }));
}

TEST_CASE("a goto to a function's end is a return, any other is not followed") {
    const auto readable = [](const std::string& body) {
        return program_of({"__kernel void k(__global int* x) {" + body + "}"})->functions.at(0).readable;
    };
    CHECK(readable("if (x[0]) goto end; x[0] = 1; end:;"));
    CHECK(!readable("if (x[0]) goto end; x[0] = 1; end: barrier(CLK_LOCAL_MEM_FENCE);"));
    CHECK(!readable("again: x[0] = 1; if (x[0]) goto again;"));
}

TEST_CASE("the same question is asked once, a changed one anew") {
    const SourceText text{"__kernel void once(__global int* x) { x[0] = 41; }"};
    CHECK(!recall_source(text).program);
    std::vector<std::shared_ptr<const Program>> seen(4);
    std::vector<std::thread> threads;
    for (auto& program : seen) threads.emplace_back([&] { program = read_source(text).program; });
    for (std::thread& thread : threads) thread.join();
    for (const auto& program : seen) CHECK((program && program == seen.front()));
    CHECK(recall_source(text).program == seen.front());
    SourceText changed = text;
    changed.macros.push_back({"A", "1"});
    CHECK(!recall_source(changed).program);
}
