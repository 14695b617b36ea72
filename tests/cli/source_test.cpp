// Kernel files that are found wanting once the device looks at them: verdicts, exit code 1.
#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("source that does not compile is shown at its own line, with a caret") {
    const TempFolder folder;
    const auto file = folder.write("mine.cl", replaced(kernel_source("matmul/01_naive.cl"),
                                                       "float sum = 0.0f;", "float sum = nothing;"));
    CHECK_TELLS(run_kwb({"run", file.string(), "--size", "16"}), 1, "compile_error", file.string() + ":31:17",
                "nothing", "31 |     float sum = nothing;\n", "   |                 ^");
}

TEST_CASE("an error in an included neighbour is placed in that neighbour") {
    const TempFolder folder;
    folder.write("helper.h", "// a helper\nfloat twice(float x) { return 2 * y; }\n");
    const auto file = folder.write("mine.cl", replaced(kernel_source("matmul/01_naive.cl"), "__kernel",
                                                       "#include \"helper.h\"\n__kernel"));
    CHECK_TELLS(run_kwb({"run", file.string(), "--size", "16"}), 1, "compile_error", "helper.h:2:", "'y'");
}

TEST_CASE("a kernel function that is not there is named beside those that are") {
    const TempFolder folder;
    const auto file =
        folder.write("mine.cl", replaced(kernel_source("matmul/01_naive.cl"), "kernel = \"matmul_naive\"",
                                         "kernel = \"matmul_niave\""));
    CHECK_REFUSED(run_kwb({"run", file.string(), "--size", "16"}), 2, "no kernel function `matmul_niave`",
                  "Did you mean matmul_naive?");
}

TEST_CASE("an argument that the problem does not know is named beside those it knows") {
    const TempFolder folder;
    const auto file = folder.write("mine.cl", replaced(kernel_source("matmul/01_naive.cl"), "const int K) {",
                                                       "const int K, __global float* X) {"));
    CHECK_TELLS(run_kwb({"run", file.string(), "--size", "16"}), 1, "'X' of matmul_naive", "A, B, C, M, N, K",
                "bind it with args");
}

TEST_CASE("what a kernel prints is shown as its output, not mixed with the table or the JSON") {
    const TempFolder folder;
    const auto file = folder.write(
        "mine.cl",
        replaced(kernel_source("matmul/01_naive.cl"), "float sum = 0.0f;",
                 "if (row == 0 && col == 0) printf(\"hello from %d\\n\", N);\n float sum = 0.0f;"));
    CHECK_TELLS(run_kwb({"check", file.string(), "--size", "5"}), 0, "printed by", "hello from 5");
    const nlohmann::json document = kwb_json({"check", file.string(), "--size", "5", "--json", "-"});
    CHECK_SAYS(document["results"][0]["output"].get<std::string>(), "hello from 5");
}
