// SPDX-License-Identifier: Apache-2.0
#include "catalog/documentation.hpp"

#include <doctest/doctest.h>

#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

/// A small documentation; the site has one page.
struct Pages {
    Pages() {
        folder.write("README.md", "# The workbench\n\n## Start\n");
        folder.write("docs/front-matter.md", "# What a file says about itself\n\n```sh\n# no heading\n```\n");
        folder.write("docs/xray.md", "# X-ray\n\n## Verdicts\n\n## The `--check` *option*\n");
        folder.write("docs/picture.png", "");
        folder.write("kernels/matmul/README.md", "# Matrix multiplication\n\n## X-ray of a product\n");
        folder.write("lessons/01_one_work_item/lesson.md", "# 1. One work-item\n");
        folder.write("site/kernels/matmul/index.html", "");
    }
    /// "name", or "name: heading" of what is found; empty: nothing.
    std::string found(const std::string& topic) const {
        const std::vector<DocumentationPage> pages = documentation_pages(folder.path());
        const auto match = find_page(pages, topic);
        if (!match) return "";
        return match->page->name + (match->heading.empty() ? "" : ": " + match->heading);
    }
    TempFolder folder;
};

}  // namespace

TEST_CASE("the pages are those of the repository's Markdown, with the ones of the site") {
    const Pages pages;
    std::string names;
    for (const DocumentationPage& page : documentation_pages(pages.folder.path())) {
        names += page.name + " ";
        CHECK(fs::is_regular_file(page.markdown));
        CHECK(page.site.empty() == (page.name != "matmul"));
        CHECK(page.best() == (page.name == "matmul" ? page.site : page.markdown));
    }
    CHECK(names == "README front-matter xray matmul 01_one_work_item ");
    CHECK(documentation_pages(pages.folder / "none").empty());
}

TEST_CASE("the first page is the map if there is one") {
    const Pages pages;
    CHECK(documentation_start(pages.folder.path())->name == "README");
    pages.folder.write("docs/index.md", "# Map\n");
    CHECK(documentation_start(pages.folder.path())->name == "index");
    CHECK(!documentation_start(pages.folder / "none"));
}

TEST_CASE("a topic is a name or a path, else a title or a heading, else words of one of them") {
    const Pages pages;
    CHECK(pages.found("xray") == "xray");
    CHECK(pages.found("Front Matter") == "front-matter");
    CHECK(pages.found("front_matter") == "front-matter");
    CHECK(pages.found("docs/xray.md") == "xray");
    CHECK(pages.found("matmul/README.md") == "matmul");
    CHECK(pages.found("x-ray") == "xray");
    CHECK(pages.found("x-ray of a product") == "matmul: X-ray of a product");
    CHECK(pages.found("verdicts") == "xray: Verdicts");
    CHECK(pages.found("--check") == "xray: The --check option");
    CHECK(pages.found("one work-item") == "01_one_work_item");
    CHECK(pages.found("multiplication") == "matmul");
    CHECK(pages.found("says about") == "front-matter");
    CHECK(pages.found("no heading") == "");  // a comment in code
    CHECK(pages.found("verdict") == "");     // whole words
    CHECK(pages.found(" ") == "");
}
