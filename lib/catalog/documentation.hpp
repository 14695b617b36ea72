// SPDX-License-Identifier: Apache-2.0
// The documentation of this build or installation: Markdown pages, and the site that ./workbench docs makes
// of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kwb {

struct DocumentationPage {
    std::string name;   ///< "xray"; for a kernel's or a lesson's page that of its folder: "matmul"
    std::string title;  ///< its first heading
    std::vector<std::string> headings;  ///< the others
    std::filesystem::path markdown;     ///< the page's text
    std::filesystem::path site;         ///< the page for the browser; empty: the site is not built

    /// The page for the browser if there is one, else the text.
    const std::filesystem::path& best() const { return site.empty() ? markdown : site; }
};

/// The folder of this build's or installation's documentation. It is laid out like the repository (README.md,
/// docs/*.md, kernels/*/README.md and so on), and its folder `site` holds the site.
std::filesystem::path shipped_documentation();

/// All pages of such a folder. Reads half a megabyte. Missing folders and pages are left out.
std::vector<DocumentationPage> documentation_pages(const std::filesystem::path& folder);

/// The page to begin with: docs/index.md, the map of all pages, else README.md; nullopt if both are missing.
std::optional<DocumentationPage> documentation_start(const std::filesystem::path& folder);

struct FoundPage {
    const DocumentationPage* page = nullptr;
    std::string heading;  ///< the heading that matched; empty if the page's name or title did
};

/// The page with this name or path, else with this title or heading, else with these words in one of them; of
/// several, the first. Case, '-' and '_' do not matter.
std::optional<FoundPage> find_page(const std::vector<DocumentationPage>& pages, std::string_view topic);

/// How to get the site where it is not built.
inline constexpr const char* kHowToBuildSite =
    "The pages for the browser are not built, only their Markdown text is here. "
    "'./workbench docs' in a clone builds them.";

}  // namespace kwb
