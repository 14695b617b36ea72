// SPDX-License-Identifier: Apache-2.0
// Check for well-formed XML, sufficient for the workbench's own output: elements, attributes, text.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace kwb::test {

/// @return  the first error and its position; empty if there is none
inline std::string find_xml_fault(std::string_view xml) {
    std::vector<std::string> open;
    std::size_t roots = 0;
    const auto fault = [&](std::size_t at, const std::string& what) {
        return what + " at byte " + std::to_string(at) + ": " + std::string(xml.substr(at, 60));
    };
    const auto bad_text = [](std::string_view text) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto byte = static_cast<unsigned char>(text[i]);
            if (byte == '<' || (byte < ' ' && byte != '\n' && byte != '\t' && byte != '\r')) return true;
            if (byte == '&') {
                const std::string_view entity = text.substr(i, text.find(';', i) - i + 1);
                if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;" &&
                    entity != "&apos;")
                    return true;
            }
        }
        return false;
    };
    std::size_t at = 0;
    while (at < xml.size()) {
        const std::size_t tag = std::min(xml.find('<', at), xml.size());
        const std::string_view text = xml.substr(at, tag - at);
        if (bad_text(text)) return fault(at, "bad text");
        if (open.empty() && text.find_first_not_of(" \n\t\r") != std::string_view::npos)
            return fault(at, "text outside");
        if (tag == xml.size()) break;
        std::size_t i = tag + 1;
        const auto name = [&] {
            const std::size_t begin = i;
            while (i < xml.size() && (std::isalnum(static_cast<unsigned char>(xml[i])) || xml[i] == '-' ||
                                      xml[i] == ':' || xml[i] == '_'))
                ++i;
            return std::string(xml.substr(begin, i - begin));
        };
        if (i < xml.size() && xml[i] == '/') {
            ++i;
            const std::string closing = name();
            if (open.empty() || open.back() != closing || xml.substr(i, 1) != ">")
                return fault(tag, "unbalanced end");
            open.pop_back();
            at = i + 1;
            continue;
        }
        const std::string opening = name();
        if (opening.empty()) return fault(tag, "no name");
        if (open.empty() && ++roots > 1) return fault(tag, "second root");
        std::vector<std::string> attributes;
        while (i < xml.size() && xml[i] == ' ') {
            while (i < xml.size() && xml[i] == ' ') ++i;
            if (i < xml.size() && (xml[i] == '/' || xml[i] == '>')) break;
            const std::string attribute = name();
            if (attribute.empty() || xml.substr(i, 2) != "=\"") return fault(i, "bad attribute");
            for (const std::string& other : attributes)
                if (other == attribute) return fault(i, "attribute twice");
            attributes.push_back(attribute);
            const std::size_t end = xml.find('"', i + 2);
            if (end == std::string_view::npos || bad_text(xml.substr(i + 2, end - i - 2)))
                return fault(i, "bad value");
            i = end + 1;
        }
        const bool lone = xml.substr(i, 2) == "/>";
        if (!lone && xml.substr(i, 1) != ">") return fault(tag, "unfinished tag");
        if (!lone) open.push_back(opening);
        at = i + (lone ? 2 : 1);
    }
    if (!open.empty()) return "never closed: " + open.back();
    return roots == 1 ? "" : "no root";
}

}  // namespace kwb::test
