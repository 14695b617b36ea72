// SPDX-License-Identifier: Apache-2.0
#include "desk/document.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "catalog/kernel_file.hpp"

namespace kwb {
namespace {

bool is_identifier(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The end of the word's first occurrence from `begin` on that is not part of a longer word; npos: none.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t begin) {
    for (std::size_t at = text.find(word, begin); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_identifier(text[at - 1])) && (end == text.size() || !is_identifier(text[end])))
            return end;
    }
    return text.npos;
}

}  // namespace

PastedKernel look_at_pasted(std::string_view text) {
    PastedKernel pasted{"pasted.cl", ""};
    if (trim(text).empty()) {
        pasted.flaw = "The clipboard is empty; copy the text of an OpenCL kernel first.";
        return pasted;
    }
    if (text.size() > kMostSourceBytes) {
        pasted.flaw = "The clipboard holds " + format_bytes(text.size()) +
                      ", but a kernel's source has at most " + format_bytes(kMostSourceBytes) +
                      "; copy only the kernel.";
        return pasted;
    }
    const std::size_t kernel = std::min(find_word(text, "__kernel", 0), find_word(text, "kernel", 0));
    const std::size_t result = kernel == text.npos ? kernel : find_word(text, "void", kernel);
    if (result == text.npos) {
        pasted.flaw =
            "The clipboard has no OpenCL kernel (a function that begins with __kernel void); copy one "
            "first.";
        return pasted;
    }
    std::size_t begin = result;
    while (begin < text.size() && !is_identifier(text[begin])) ++begin;
    std::size_t end = begin;
    while (end < text.size() && is_identifier(text[end])) ++end;
    constexpr std::size_t kMostName = 100;
    if (end > begin && end - begin <= kMostName)
        pasted.name = std::string(text.substr(begin, end - begin)) + ".cl";
    return pasted;
}

}  // namespace kwb
