// SPDX-License-Identifier: Apache-2.0
// What editors read: VS Code's manifest, messages like a compiler's, settings for clangd.
#include <regex>
#include <sstream>

#include "base/file.hpp"
#include "base/text.hpp"
#include "kwb.hpp"
#include "source/compiler.hpp"

namespace kwb::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kRoot = fs::path(KWB_SHIPPED_KERNELS).parent_path();

json manifest() {
    return json::parse(read_file(kRoot / "editors" / "vscode" / "package.json"))["contributes"];
}

std::string front_matter(const std::string& kernel) {
    return "/*+++\nproblem = \"copy\"\n[launch]\nkernel = \"" + kernel +
           "\"\nlocal = 64\nglobal = \"round_up(N, 64)\"\n+++*/\n";
}

}  // namespace

TEST_CASE("VS Code finds kwb's problems, whatever they are, in the lines that kwb check prints") {
    const json pattern = manifest()["problemMatchers"][0]["pattern"];
    const std::regex matcher(pattern["regexp"].get<std::string>());
    const TempFolder folder;
    struct Case {
        std::string text, line, severity, says;
    };
    const std::string kHead =
        "__kernel void f(__global const float* X, __global float* Y, int N) {\n"
        "    int i = get_global_id(0);\n";
    const Case cases[] = {
        {kHead + "    Y[i] = X[i]\n}\n", "10", "error", "expected ';'"},
        {kHead + "    if (i <= N) Y[i] = X[i];\n}\n", "10", "error", "reads element"},
        {kHead + "    if (i < N) Y[i] = 2 * X[i];\n}\n", "1", "error", "wrong at size"},
    };
    for (const Case& one : cases) {
        const std::string file = folder.write("mine.cl", front_matter("f") + one.text).string();
        const Finished finished = run_kwb({"check", file, "--lines"});
        INFO(finished.out);
        CHECK(finished.exit_code == 1);
        CHECK(finished.err == "");
        std::istringstream lines(finished.out);
        std::size_t matched = 0;
        bool is_found = false;
        for (std::string line; std::getline(lines, line); ++matched) {
            std::smatch parts;
            REQUIRE(std::regex_match(line, parts, matcher));
            CHECK(parts[pattern["file"].get<std::size_t>()] == file);
            is_found = is_found || (parts[pattern["line"].get<std::size_t>()] == one.line &&
                                    parts[pattern["severity"].get<std::size_t>()] == one.severity &&
                                    says(parts[pattern["message"].get<std::size_t>()].str(), one.says));
        }
        CHECK(is_found);
        CHECK(matched > 0);
    }
    CHECK_TELLS(run_kwb({"check", "matmul/naive", "--size", "33", "--lines"}), 0, "");
}

TEST_CASE("VS Code starts kwb, and knows the arguments that the documents name") {
    const json debugger = manifest()["debuggers"][0];
    CHECK(debugger["runtime"] == "kwb");
    CHECK(debugger["runtimeArgs"] == json({"debug", "--dap"}));
    const std::string documents = read_file(kRoot / "docs" / "debug.md");
    for (const auto& [name, about] : debugger["configurationAttributes"]["launch"]["properties"].items())
        CHECK_SAYS(documents, "`" + name + "`");
}

TEST_CASE("a new kernel comes with settings with which clang understands it, which are never replaced") {
    const TempFolder folder;
    const std::string file = (folder / "scan.cl").string();
    CHECK(run_kwb({"new", "scan", file, "--solved"}).exit_code == 0);
    const std::string settings = read_file(folder / ".clangd");
    const std::size_t open = settings.find("Add: [") + 6;
    std::vector<std::string> command{source::find_compiler().value(), "-fsyntax-only"};
    for (const std::string& flag : split(settings.substr(open, settings.find(']', open) - open), ','))
        command.emplace_back(trim(flag));
    command.push_back(file);
    ProcessOptions options;
    options.command = command;
    const Finished finished = run_process(options);
    CHECK(finished.err == "");
    CHECK(finished.exit_code == 0);

    folder.write(".clangd", "kept");
    CHECK(run_kwb({"new", "sum", (folder / "sum.cl").string()}).exit_code == 0);
    CHECK(read_file(folder / ".clangd") == "kept");
}

}  // namespace kwb::test
