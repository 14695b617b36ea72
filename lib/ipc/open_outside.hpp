// SPDX-License-Identifier: Apache-2.0
// Opens a file or a page in another program, such as the browser.
#pragma once

#include <filesystem>
#include <string>

namespace kwb {

/// Whether a browser can open a window: DISPLAY or WAYLAND_DISPLAY is set.
bool has_display();

/// The program for a page of the site: the first of the colon-separated programs in $BROWSER that exists;
/// empty: none.
std::string browser_of_user();

/// Open a file with a program, without waiting until that program ends.
/// @return  false: there is no such program
bool open_outside(const std::string& program, const std::filesystem::path& file);

}  // namespace kwb
