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
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

constexpr const char* kDocsFooter =
    "Needs no network. Without a display it starts $BROWSER in the terminal if that is set, and otherwise\n"
    "prints the page's path. Where the pages for the browser are not built ('./workbench docs' in a clone\n"
    "builds them), it prints the path of the text, as in: less \"$(kwb docs xray)\".\n"
    "Exit code 0: a page was opened, or its path printed; 2: no page is about that topic.";

struct DocsOptions {
    std::vector<std::string> topic;

    void add(CLI::App& verb) {
        verb.add_option(
            "TOPIC", topic,
            "a page's name, or words of a title or heading: xray, front-matter, verdicts; default: the "
            "first page");
        verb.footer(kDocsFooter);
    }
};

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
                   did_you_mean(topic, names) + " 'kwb docs' opens the list of all pages");
}

/// The path alone on standard output, for less "$(kwb docs xray)".
int print_path(const DocumentationPage& page, const std::string& reason) {
    print(page.best().string() + "\n");
    print_error(reason + "\n");
    return kExitGood;
}

int open_documentation(const DocsOptions& options, const Folders&) {
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

}  // namespace

Verb add_docs(CLI::App& kwb) {
    return add_verb<DocsOptions>(kwb, {"docs", "open the documentation in the browser"}, open_documentation);
}

}  // namespace kwb::cli
