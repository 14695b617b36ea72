// SPDX-License-Identifier: Apache-2.0
#include "catalog/documentation.hpp"

#include <algorithm>
#include <cctype>

#include "base/file.hpp"
#include "base/text.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// Where pages are: `page` in `folder`, or in each folder of it; without a `page`, all .md files of `folder`.
struct PagePlace {
    const char* folder;
    const char* page;
    bool in_each;
};
constexpr PagePlace kPagePlaces[] = {{"", "README.md", false},       {"docs", "", false},
                                     {"docs/results", "", false},    {"kernels", "README.md", true},
                                     {"lessons", "lesson.md", true}, {"schema", "README.md", false},
                                     {"", "CHANGELOG.md", false},    {"", "CONTRIBUTING.md", false}};

std::vector<fs::path> sorted_entries(const fs::path& folder) {
    std::error_code missing;
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder, missing)) found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

/// A heading without the marks of Markdown: "`kwb docs`, *in short*" → "kwb docs, in short".
std::string plain(std::string_view heading) {
    std::string text(trim(heading));
    std::erase_if(text, [](char c) { return c == '`' || c == '*'; });
    return text;
}

/// All headings; the first one is the title.
std::vector<std::string> headings_of(const std::string& markdown) {
    std::vector<std::string> found;
    bool in_code = false;
    for (const std::string& line : split_lines(markdown)) {
        if (trim(line).starts_with("```")) in_code = !in_code;
        const std::size_t level = line.find_first_not_of('#');
        if (!in_code && level != std::string::npos && level > 0 && line[level] == ' ')
            found.push_back(plain(std::string_view(line).substr(level)));
    }
    return found;
}

/// Lower case, with a blank before, between and after words, so that whole words can be searched for.
std::string normalized(std::string_view text) {
    std::string result = " ";
    for (const char c : to_lower(text)) {
        const auto byte = static_cast<unsigned char>(c);
        const bool separates = std::ispunct(byte) != 0 || std::isspace(byte) != 0;
        if (!separates)
            result += c;
        else if (result.back() != ' ')
            result += ' ';
    }
    if (result.back() != ' ') result += ' ';
    return result;
}

/// "docs/xray.md" is docs/xray.html on the site, and README.md and index.md of a folder are its index.html.
fs::path page_of_site(const fs::path& page) {
    const bool is_index = page.filename() == "README.md" || page.filename() == "index.md";
    return is_index ? page.parent_path() / "index.html" : fs::path(page).replace_extension(".html");
}

/// @return  nothing if there is no such page
std::optional<DocumentationPage> read_page(const fs::path& folder, const fs::path& page) {
    std::error_code missing;
    if (page.extension() != ".md" || !fs::is_regular_file(folder / page, missing)) return {};
    DocumentationPage read;
    const bool is_of_folder = page.filename() == "README.md" || page.filename() == "lesson.md";
    read.name =
        (is_of_folder && page.has_parent_path() ? page.parent_path().filename() : page.stem()).string();
    read.markdown = fs::canonical(folder / page, missing);
    read.headings = headings_of(read_file(folder / page));
    read.title = read.headings.empty() ? read.name : read.headings.front();
    if (!read.headings.empty()) read.headings.erase(read.headings.begin());
    if (const fs::path site = folder / "site" / page_of_site(page); fs::is_regular_file(site, missing))
        read.site = fs::canonical(site, missing);
    return read;
}

}  // namespace

std::vector<DocumentationPage> documentation_pages(const fs::path& folder) {
    std::vector<DocumentationPage> pages;
    const auto add = [&](const fs::path& page) {
        if (auto read = read_page(folder, page)) pages.push_back(std::move(*read));
    };
    for (const PagePlace& place : kPagePlaces) {
        const bool has_one = *place.page != '\0' && !place.in_each;
        if (has_one)
            add(fs::path(place.folder) / place.page);
        else
            for (const fs::path& entry : sorted_entries(folder / place.folder))
                add(*place.page == '\0' ? fs::path(place.folder) / entry.filename()
                                        : fs::path(place.folder) / entry.filename() / place.page);
    }
    return pages;
}

std::optional<DocumentationPage> documentation_start(const fs::path& folder) {
    auto start = read_page(folder, "docs/index.md");
    return start ? start : read_page(folder, "README.md");
}

std::optional<FoundPage> find_page(const std::vector<DocumentationPage>& pages, std::string_view topic) {
    const bool is_path = topic.find('/') != std::string_view::npos;
    const std::string wanted = normalized(topic.ends_with(".md") ? topic.substr(0, topic.size() - 3) : topic);
    if (wanted == " ") return {};
    const auto is = [&](const std::string& text) { return normalized(text) == wanted; };
    const auto has = [&](const std::string& text) {
        return normalized(text).find(wanted) != std::string::npos;
    };
    for (const DocumentationPage& page : pages)
        if (is(page.name) ||
            (is_path && normalized(fs::path(page.markdown).replace_extension().string()).ends_with(wanted)))
            return FoundPage{&page, ""};
    const auto search = [&](const auto& matches) -> std::optional<FoundPage> {
        for (const DocumentationPage& page : pages)
            if (matches(page.title)) return FoundPage{&page, ""};
        for (const DocumentationPage& page : pages)
            for (const std::string& heading : page.headings)
                if (matches(heading)) return FoundPage{&page, heading};
        return {};
    };
    if (auto found = search(is)) return found;
    for (const DocumentationPage& page : pages)
        if (has(page.name)) return FoundPage{&page, ""};
    return search(has);
}

fs::path shipped_documentation() {
    return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "share" / "kwb";
}

}  // namespace kwb
