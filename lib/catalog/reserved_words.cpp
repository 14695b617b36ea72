#include "catalog/reserved_words.hpp"

#include <algorithm>
#include <array>

#include "model/element.hpp"

namespace kwb {
namespace {

constexpr std::array<std::string_view, 68> kWords = {"__constant",
                                                     "__generic",
                                                     "__global",
                                                     "__kernel",
                                                     "__local",
                                                     "__private",
                                                     "__read_only",
                                                     "__read_write",
                                                     "__write_only",
                                                     "_Bool",
                                                     "_Complex",
                                                     "_Imaginary",
                                                     "auto",
                                                     "bool",
                                                     "break",
                                                     "case",
                                                     "clk_event_t",
                                                     "const",
                                                     "constant",
                                                     "continue",
                                                     "default",
                                                     "do",
                                                     "else",
                                                     "enum",
                                                     "event_t",
                                                     "extern",
                                                     "for",
                                                     "global",
                                                     "goto",
                                                     "if",
                                                     "image1d_array_t",
                                                     "image1d_buffer_t",
                                                     "image1d_t",
                                                     "image2d_array_depth_t",
                                                     "image2d_array_t",
                                                     "image2d_depth_t",
                                                     "image2d_t",
                                                     "image3d_t",
                                                     "inline",
                                                     "intptr_t",
                                                     "kernel",
                                                     "local",
                                                     "ndrange_t",
                                                     "pipe",
                                                     "private",
                                                     "ptrdiff_t",
                                                     "queue_t",
                                                     "read_only",
                                                     "read_write",
                                                     "register",
                                                     "reserve_id_t",
                                                     "restrict",
                                                     "return",
                                                     "sampler_t",
                                                     "signed",
                                                     "size_t",
                                                     "sizeof",
                                                     "static",
                                                     "struct",
                                                     "switch",
                                                     "typedef",
                                                     "uintptr_t",
                                                     "union",
                                                     "unsigned",
                                                     "void",
                                                     "volatile",
                                                     "while",
                                                     "write_only"};

}  // namespace

bool is_reserved_word(std::string_view name) {
    return parse_element_type(name).has_value() ||
           std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

}  // namespace kwb
