#include "hints/types.hpp"

#include <algorithm>
#include <array>

namespace kwb::hints {
namespace {

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 26> kQualifiers{
    "const",    "volatile",  "restrict",    "__restrict",   "__restrict__", "static",    "inline",
    "__inline", "extern",    "register",    "auto",         "__local",      "local",     "__global",
    "global",   "__private", "private",     "__constant",   "constant",     "__generic", "generic",
    "__kernel", "kernel",    "__read_only", "__write_only", "__const"};

constexpr std::array<std::string_view, 14> kIntegers{"bool",   "char",   "uchar",     "short",   "ushort",
                                                     "int",    "uint",   "long",      "ulong",   "unsigned",
                                                     "signed", "size_t", "ptrdiff_t", "intptr_t"};

constexpr std::array<std::string_view, 4> kOtherTypes{"void", "float", "double", "half"};

constexpr std::array<std::string_view, 5> kWidths{"16", "2", "3", "4", "8"};

constexpr std::array<std::string_view, 13> kKeywords{"if",       "else", "for",     "while",  "do",
                                                     "switch",   "case", "default", "return", "break",
                                                     "continue", "goto", "sizeof"};

}  // namespace

bool is_qualifier(std::string_view word) {
    return contains(kQualifiers, word);
}

bool is_integer_type(std::string_view word) {
    return contains(kIntegers, word) || word == "uintptr_t";
}

bool is_builtin_type(std::string_view word) {
    if (is_integer_type(word) || contains(kOtherTypes, word)) return true;
    if (word.size() > 2 && word.ends_with("_t")) return true;  // event_t, image2d_t, uint32_t
    for (std::string_view width : kWidths)
        if (word.ends_with(width)) {
            const std::string_view base = word.substr(0, word.size() - width.size());
            return base != "void" && base != "unsigned" && base != "signed" && base != "bool" &&
                   (contains(kIntegers, base) || contains(kOtherTypes, base));
        }
    return false;
}

bool is_keyword(std::string_view word) {
    return contains(kKeywords, word);
}

}  // namespace kwb::hints
