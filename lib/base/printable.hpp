// SPDX-License-Identifier: Apache-2.0
// Untrusted text made safe to show.
#pragma once

#include <string>
#include <string_view>

namespace kwb {

/// Text that can neither control a terminal nor hide or reorder the text next to it: valid UTF-8; control
/// characters other than tab and newline are replaced by '?' ("\r\n" becomes "\n"); characters that have no
/// width or change the direction of writing are spelled out, e.g. <U+202E>.
/// Source: Unicode Technical Report 36, "Unicode Security Considerations"; Boucher and Anderson, "Trojan
/// Source: Invisible Vulnerabilities", 2021.
std::string printable(std::string_view text);

/// The same for a single line: a name, a path, a cell. Tabs and newlines are replaced, too.
std::string printable_line(std::string_view text);

/// printable() text for XML, between tags or in quotes.
std::string xml_text(std::string_view text);

}  // namespace kwb
