// SPDX-License-Identifier: Apache-2.0
// kwb docs, with a stand-in for the browser.
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "base/file.hpp"
#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

/// A workbench with two pages of documentation. The programs xdg-open and my-browser tell what they open.
struct Workbench {
    Workbench() {
        fs::create_directory(folder / "bin");
        fs::copy_file(KWB_PROGRAM, folder / "bin/kwb");
        folder.write("share/kwb/README.md", "# The workbench\n");
        folder.write("share/kwb/docs/xray.md", "# X-ray\n\n## Verdicts\n");
        REQUIRE(::mkfifo((folder / "opened").c_str(), 0600) == 0);  // reading it waits for the browser
        for (const char* browser : {"xdg-open", "my-browser"})
            program(browser, "echo \"${0##*/} $*\" >'" + (folder / "opened").string() + "'");
    }
    void program(const std::string& name, const std::string& script) const {
        fs::permissions(folder.write("programs/" + name, "#!/bin/sh\n" + script + "\n"),
                        fs::perms::owner_all);
    }
    void build_site() const {
        folder.write("share/kwb/site/index.html", "");
        folder.write("share/kwb/site/docs/xray.html", "");
    }
    std::string path(const std::string& page) const {
        return fs::canonical(folder / "share/kwb" / page).string();
    }
    Finished docs(const Args& topic, const NamedList<std::string>& environment = {{"DISPLAY", ":77"}}) const {
        ProcessOptions options = kwb_command({"docs"});
        options.command.front() = (folder / "bin/kwb").string();
        options.command.insert(options.command.end(), topic.begin(), topic.end());
        for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"})
            options.unset.push_back(variable);
        options.environment.push_back({"PATH", (folder / "programs").string() + ":/usr/bin:/bin"});
        for (const auto& [name, value] : environment) {
            std::erase(options.unset, name);
            std::erase_if(options.environment,
                          [&wanted = name](const auto& other) { return other.name == wanted; });
            options.environment.push_back({name, value});
        }
        return run_process(options);
    }
    std::string opened() const {
        std::ifstream file(folder / "opened");
        return {std::istreambuf_iterator<char>(file), {}};
    }
    TempFolder folder;
};

void check_path(const Finished& done, const std::string& path, const std::string& reason) {
    INFO(done.err);
    CHECK(done.exit_code == 0);
    CHECK(done.out == path + "\n");
    CHECK_SAYS(done.err, reason);
}

}  // namespace

TEST_CASE("docs opens the page of a topic in the browser") {
    const Workbench bench;
    bench.build_site();
    const std::string xray = bench.path("site/docs/xray.html");
    CHECK_TELLS(bench.docs({"xray"}), 0, "\"X-ray\" in the browser", xray);
    CHECK(bench.opened() == "xdg-open " + xray + "\n");
    CHECK_TELLS(bench.docs({"verdicts"}, {{"WAYLAND_DISPLAY", "wayland-7"}}), 0, "section \"Verdicts\"");
    CHECK(bench.opened() == "xdg-open " + xray + "\n");
    CHECK_TELLS(bench.docs({}), 0, "\"The workbench\"");
    CHECK(bench.opened() == "xdg-open " + bench.path("site/index.html") + "\n");
    CHECK_TELLS(bench.docs({"the", "workbench"}, {{"DISPLAY", ":77"}, {"BROWSER", "none-such:my-browser"}}),
                0, "The workbench");
    CHECK(bench.opened() == "my-browser " + bench.path("site/index.html") + "\n");
}

TEST_CASE("without a display, docs prints the path, or starts the browser of the terminal") {
    const Workbench bench;
    bench.build_site();
    const std::string xray = bench.path("site/docs/xray.html");
    check_path(bench.docs({"xray"}, {}), xray, "no display");
    bench.program("in-terminal", "echo shown \"$1\"");
    CHECK_TELLS(bench.docs({"xray"}, {{"BROWSER", "in-terminal"}}), 0, "shown " + xray);
}

TEST_CASE("docs prints where the text is, if the pages for the browser are not built") {
    const Workbench bench;
    check_path(bench.docs({"xray"}), bench.path("docs/xray.md"), "./workbench docs");
    check_path(bench.docs({}), bench.path("README.md"), "./workbench docs");
}

TEST_CASE("docs prints the path if no program opens pages") {
    const Workbench bench;
    bench.build_site();
    fs::remove(bench.folder / "programs/xdg-open");
    const std::string programs = (bench.folder / "programs").string();
    check_path(bench.docs({"xray"}, {{"DISPLAY", ":77"}, {"PATH", programs}}),
               bench.path("site/docs/xray.html"), "xdg-utils");
}

TEST_CASE("docs names the nearest page if it knows no such topic, and says that the pages are missing") {
    const Workbench bench;
    const Finished refused = bench.docs({"xrya"});
    CHECK_REFUSED(refused, 2, "'xrya'", "Did you mean xray?", "'kwb docs' opens the list of all pages");
    CHECK(refused.err.find("README") == std::string::npos);
    fs::remove_all(bench.folder / "share");
    CHECK_REFUSED(bench.docs({"xray"}), 3, "documentation is missing", "install the workbench again");
}

TEST_CASE("this build has the pages that the help names") {
    for (const char* topic : {"xray", "verdicts", "tuning", "matmul", "own-kernels"}) {
        CAPTURE(topic);
        CHECK(
            run_kwb({"docs", topic}, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}, {"BROWSER", ""}}).exit_code ==
            0);
    }
}
