// SPDX-License-Identifier: Apache-2.0
#include "report/html.hpp"

#include <doctest/doctest.h>

#include "sample.hpp"
#include "support/sample_xray.hpp"

using namespace kwb;

namespace {

using Results = std::vector<KernelResult>;
using Texts = NamedList<std::string>;

struct Page {
    Results results = {sample::naive(), sample::tiled(), sample::wrong(), sample::rejected()};
    std::vector<Texts> sources = {{{"01_naive.cl", "one\ntwo\n"}},
                                  {{"02_tiled.cl", "a\n"}, {"tile.h", "b\n"}},
                                  {},
                                  {{"mine.cl", "x\nint j;\n    C[i] = acc;\n"}}};
    HtmlReport report;

    std::string render() {
        HtmlSection section;
        section.environment = sample::environment();
        section.results = {results};
        section.sources = sources;
        report.title = "Matrix multiplication, size 512";
        report.made = "today";
        report.sections = {section};
        return html_report(report);
    }
};

bool has(const std::string& page, std::string_view piece) {
    return page.find(piece) != std::string::npos;
}

/// Find an unclosed element; sufficient for this page, whose void elements are known.
std::string first_unclosed(const std::string& page) {
    std::vector<std::string> open;
    for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
        const std::size_t end = page.find('>', at);
        if (end == std::string::npos) return "a tag without end";
        const std::string tag = page.substr(at + 1, end - at - 1);
        if (tag.starts_with("!") || tag.ends_with("/")) continue;
        const std::string name =
            tag.substr(tag.starts_with("/"), tag.find_first_of(" \n") - tag.starts_with("/"));
        if (name == "meta") continue;
        if (!tag.starts_with("/")) {
            open.push_back(name);
        } else {
            if (open.empty() || open.back() != tag.substr(1)) return tag;
            open.pop_back();
        }
    }
    return open.empty() ? "" : open.back();
}

}  // namespace

TEST_CASE("the page stands alone: no script, nothing from elsewhere") {
    const std::string page = Page().render();
    CHECK(page.starts_with("<!DOCTYPE html>"));
    CHECK(!has(page, "<script"));
    CHECK(!has(page, "src="));
    CHECK(!has(page, "href="));
    CHECK(!has(page, "url("));
    CHECK(!has(page, "@import"));
    CHECK(has(page, "prefers-color-scheme: dark"));
    CHECK(first_unclosed(page) == "");
}

TEST_CASE("the page has heading, table, charts, verdicts, sources and environment") {
    const std::string page = Page().render();
    CHECK(has(page, "<h1>Matrix multiplication, size 512</h1>"));
    for (const char* words :
         {"12.3 ms (12.1 – 12.6)", "5.1 (4.9 – 5.3)<", "98.7 ms", "compile error",
          "17 elements of C differ from the reference.", "C[16][0]", "1e+30", "pthread-Some CPU",
          "Speed-ups are against matmul/naive", "Kernel time", "Rounds in order", "01_naive.cl", "tile.h",
          "<i>2</i>two", "use of undeclared identifier"}) {
        CAPTURE(words);
        CHECK(has(page, words));
    }
    CHECK(occurrences(page, "<figure") == 5);
    CHECK(occurrences(page, "<div class=\"light\">") == 5);
    CHECK(occurrences(page, "<div class=\"dark\">") == 5);
}

TEST_CASE("what is wrong is open, what is right is folded") {
    const std::string page = Page().render();
    CHECK(occurrences(page, "<details open>") == 2);
}

TEST_CASE("messages and hints stand below their lines") {
    Page page;
    page.results[1].hints = {{1, "Neighbours read distant elements."}};
    const std::string text = page.render();
    CHECK(has(text,
              "<span class=\"row marked\"><i>3</i>    C[i] = acc;\n</span><span class=\"row remark "
              "bad\">error: use of undeclared identifier &apos;acc&apos;"));
    CHECK(has(text, "<li>Line 1: Neighbours read distant elements.</li>"));
    CHECK(occurrences(text, "hint: Neighbours read") == 1);  // not in the included file
}

TEST_CASE("foreign text cannot become a part of the page") {
    Page page;
    const std::string evil = "</pre><script>alert('x')</script>&amp;{{title}}{{{title}}}\"<\xFF\x01\x1b[31m";
    for (KernelResult& result : page.results) {
        result.kernel = result.problem + "/" + evil;
        result.file = result.reason = result.output = result.log = evil;
        result.verdict = Verdict::Wrong;
        result.device = evil;
        result.warnings = {remark(evil)};
        result.hints = {{1, evil}};
        result.diagnostics = {{Severity::Error, "01_naive.cl", 1, 1, evil}};
        result.first_wrong = {{{1}, 1, 2, evil}};
        result.evidence = Evidence{evil, evil, evil, evil, 3};
        result.error_map = ErrorMap{evil, 1, 1, {2.0f}};
        result.speedup = Speedup{evil, 1, Interval{0.9, 1.1}};
        result.expected = Expectation{{Verdict::Wrong}, evil};
    }
    for (Texts& source : page.sources) source = {{evil, evil}};
    const std::string text = page.render();
    CHECK(!has(text, "<script"));
    CHECK(!has(text, "{{{title}}}Matrix"));
    CHECK(has(text, "{{title}}"));
    CHECK(has(text, "&lt;script&gt;"));
    CHECK(text.find_first_of(std::string("\x01\x1b\xFF", 3)) == std::string::npos);
    CHECK(first_unclosed(text) == "");
}

TEST_CASE("the error map is drawn for wrong results") {
    Page page;
    page.results[2].error_map = ErrorMap{"C", 2, 2, {0, 2, 3, INFINITY}};
    const std::string text = page.render();
    CHECK(has(text, "Errors in C of unguarded"));
    CHECK(has(text, "data:image/png;base64,"));
}

TEST_CASE("a sweep is a table with sizes and charts over them") {
    std::vector<Results> lists(3, Results{sample::naive(), sample::tiled()});
    std::vector<Sizes> sizes;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        sizes.push_back({{"M", 64 << i}, {"N", 64 << i}, {"K", 64 << i}});
        for (KernelResult& result : lists[i]) result.size = sizes.back();
    }
    lists[1][1] = sample::wrong();
    lists[1][1].size = sizes[1];
    HtmlSection section;
    section.heading = "Sweep";
    section.sizes = sizes;
    for (const Results& results : lists) section.results.push_back(results);
    const std::string text = html_report({.title = "Sweep", .sections = {section}});
    CHECK(has(text, "Speed by size"));
    CHECK(has(text, "Time by size"));
    CHECK(has(text, "<td>256</td>"));
    CHECK(has(text, "At size 128."));
    CHECK(occurrences(text, "<summary>") == 2);
    CHECK(first_unclosed(text) == "");
}

TEST_CASE("charts of times are left out where nothing was timed") {
    Page page;
    page.results = {sample::wrong(), sample::wrong()};
    const std::string text = page.render();
    CHECK(!has(text, "Kernel time"));
    CHECK(has(text, "One-time costs"));
    page.results = {sample::wrong()};
    CHECK(!has(page.render(), "One-time costs"));  // one kernel, nothing to compare
}

TEST_CASE("nothing to report is a page, too") {
    CHECK(first_unclosed(html_report({})) == "");
    CHECK(first_unclosed(html_report({.title = "x", .sections = {HtmlSection{}}})) == "");
}

TEST_CASE("the section of X-ray has its tables, and a map of loads and stores of each buffer that is used") {
    HtmlReport report;
    report.observed = {{"tiled", "tiled.cl", {}, 1e6, 1e3, test::sample_xray()}};
    const std::string page = html_report(report);
    CHECK(first_unclosed(page) == "");
    for (const char* words : {"global traffic, by sectors", "A: loads", "B: loads", "C: stores",
                              "__local a: loads", "__local a: stores", "Loads and stores per element"}) {
        CAPTURE(words);
        CHECK(has(page, words));
    }
    CHECK(!has(page, "C: loads"));
    CHECK(occurrences(page, "<figure") == 5);
    report.observed[0].report = {};
    CHECK(!has(html_report(report), "Loads and stores per element"));
}

TEST_CASE("the page marks the figures of X-ray that the window marks, and explains the marks") {
    HtmlReport report;
    report.observed = {{"k", "k.cl", {}, 1e6, 1e3, test::sample_xray()}};
    const auto marks = [&](std::uint64_t factor) {
        for (XraySite& site : report.observed[0].report.sites) {
            site.sub_group_accesses = 10;
            site.requested_bytes = 10 * 32 * 4;
            site.sectors = factor * site.requested_bytes / 32;
            site.bank_cycles = site.ideal_bank_cycles;
        }
        const std::string page = html_report(report);
        CHECK(has(page, "Marked figures") == has(page, "number warning"));
        return has(page, "number warning");
    };
    CHECK(marks(2));
    CHECK_FALSE(marks(1));
}
