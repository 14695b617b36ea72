// SPDX-License-Identifier: Apache-2.0
// kwb docs: opens a page of the documentation in the browser, offline.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/documentation.hpp"
#include "ipc/open_outside.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace {

constexpr const char* kDesktopOpener = "xdg-open";

/// @param pages  receives all pages, to which the result points
FoundPage find_topic(const std::string& topic, std::vector<DocumentationPage>& pages) {
    if (topic.empty()) {
        if (auto start = documentation_start(shipped_documentation())) pages = {std::move(*start)};
    } else {
        pages = documentation_pages(shipped_documentation());
    }
    if (pages.empty())
        throw EnvironmentError("the documentation is missing from " + shipped_documentation().string() +
                               "; install the workbench again");
    if (topic.empty()) return {&pages.front(), ""};
    if (auto found = find_page(pages, topic)) return *found;
    std::vector<std::string> names;
    for (const DocumentationPage& page : pages) names.push_back(page.name);
    throw BadInput("no page and no heading of the documentation is called '" + topic + "'." +
                   did_you_mean(topic, names) + " The pages are " + enumerate(names));
}

/// The path alone on standard output, for less "$(kwb docs xray)".
int print_path(const DocumentationPage& page, const std::string& reason) {
    print(page.best().string() + "\n");
    print_error(reason + "\n");
    return kExitGood;
}

}  // namespace

int open_documentation(const Options& options) {
    std::vector<DocumentationPage> pages;
    const auto [page, heading] = find_topic(join(options.topic, " "), pages);
    if (page->site.empty()) return print_path(*page, kHowToBuildSite);
    std::string browser = browser_of_user();
    if (!has_display()) {
        if (browser.empty())
            return print_path(
                *page,
                "There is no display for a browser; set BROWSER to one for the terminal, such as w3m.");
        std::string file = page->site.string();
        char* const words[] = {browser.data(), file.data(), nullptr};
        ::execvp(browser.c_str(), words);  // it needs the terminal
        throw EnvironmentError("cannot start " + browser + " (BROWSER): " + std::strerror(errno));
    }
    if (browser.empty()) browser = kDesktopOpener;
    if (!open_outside(browser, page->site))
        return print_path(*page, std::string("There is no program ") + kDesktopOpener +
                                     "; install it (xdg-utils), or set BROWSER to your browser.");
    print("Opening \"" + page->title + "\" in the browser" +
          (heading.empty() ? "" : "; look for the section \"" + heading + "\"") + ": " + page->site.string() +
          "\n");
    return kExitGood;
}

}  // namespace kwb::cli
