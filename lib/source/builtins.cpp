// SPDX-License-Identifier: Apache-2.0
#include "source/builtins.hpp"

#include <array>
#include <regex>
#include <utility>
#include <vector>

namespace kwb {
namespace {

/// Whole names, so that a user's `sub_group_sum` is not taken for a function of the language.
struct Family {
    const char* names;
    const char* home;
};

constexpr std::array kFamilies = {
    Family{"sub_group_(barrier|all|any|broadcast|(reduce|scan_(ex|in)clusive)_(add|min|max))|"
           "get_(max_|enqueued_)?(num_)?sub_group(s|_size|_id|_local_id)",
           "the extension cl_khr_subgroups, or OpenCL C 3.0 with __opencl_c_subgroups"},
    Family{"sub_group_(elect|non_uniform_(all|any|all_equal))",
           "the extension cl_khr_subgroup_non_uniform_vote"},
    Family{"sub_group_(non_uniform_broadcast|broadcast_first|ballot|inverse_ballot|"
           "ballot_(bit_extract|bit_count|inclusive_scan|exclusive_scan|find_lsb|find_msb))|"
           "get_sub_group_(eq|ge|gt|le|lt)_mask",
           "the extension cl_khr_subgroup_ballot"},
    Family{"sub_group_non_uniform_(reduce|scan_(ex|in)clusive)_(logical_)?(add|mul|min|max|and|or|xor)",
           "the extension cl_khr_subgroup_non_uniform_arithmetic"},
    Family{"sub_group_shuffle(_xor)?", "the extension cl_khr_subgroup_shuffle"},
    Family{"sub_group_shuffle_(up|down)", "the extension cl_khr_subgroup_shuffle_relative"},
    Family{"sub_group_clustered_reduce_(logical_)?(add|mul|min|max|and|or|xor)",
           "the extension cl_khr_subgroup_clustered_reduce"},
    Family{"sub_group_(clustered_)?rotate", "the extension cl_khr_subgroup_rotate"},
    Family{"intel_sub_group_(shuffle(_up|_down|_xor)?|block_(read|write)[0-9]?)",
           "the extension cl_intel_subgroups"},
    Family{"work_group_(all|any|broadcast|(reduce|scan_(ex|in)clusive)_(add|min|max))",
           "OpenCL C 2.0, or 3.0 with __opencl_c_work_group_collective_functions"},
    Family{"atomic_(init|work_item_fence|flag_(test_and_set|clear)(_explicit)?|"
           "(load|store|exchange|compare_exchange_(strong|weak)|fetch_(add|sub|or|xor|and|min|max))"
           "(_explicit)?)|atomic_(int|uint|long|ulong|float|double|flag|size_t)|"
           "memory_(order|scope)(_[a-z_]+)?",
           "OpenCL C 2.0 or newer"},
    Family{"work_group_barrier|get_(global|local)_linear_id|get_enqueued_local_size|ctz",
           "OpenCL C 2.0 or newer"},
    Family{"dot(_acc_sat)?(_4x8packed_[us][us]_u?int)", "the extension cl_khr_integer_dot_product"},
    Family{"bit_reverse|bitfield_(insert|extract_signed|extract_unsigned)",
           "the extension cl_khr_extended_bit_ops"},
};

constexpr std::array kUnsupported = {
    Family{"template|typename|class|namespace|constexpr|nullptr|decltype|operator|virtual|"
           "(static|reinterpret|const|dynamic|addrspace)_cast",
           "C++ for OpenCL, which the workbench does not support; write OpenCL C, with a function or a macro "
           "for each type instead of a template"},
    Family{"ndrange_t|ndrange_[123]D|queue_t|clk_event_t|enqueue_(kernel|marker)|get_default_queue|"
           "get_kernel_(work_group_size|preferred_work_group_size_multiple)|CLK_ENQUEUE_FLAGS_[A-Z_]+",
           "device-side enqueue, which the workbench does not support; have the front matter launch the "
           "kernels one after the other, with [[launch]], or several times, with repeat"},
    Family{"pipe|reserve_id_t|get_pipe_(num|max)_packets|(work_group_|sub_group_)?"
           "((read|write)|(reserve|commit)_(read|write))_pipe",
           "pipes, which the workbench does not support; pass the data through a __global buffer, under "
           "[scratch] if one launch writes it for the next"},
};

using Patterns = std::vector<std::pair<std::regex, std::string_view>>;

template <std::size_t n>
Patterns compile(const std::array<Family, n>& families) {
    Patterns made;
    for (const Family& family : families) made.emplace_back(family.names, family.home);
    return made;
}

std::string_view find_in(const Patterns& patterns, std::string_view name) {
    constexpr std::size_t kLongest = 64;
    if (name.size() > kLongest) return "";
    for (const auto& [pattern, home] : patterns)
        if (std::regex_match(name.begin(), name.end(), pattern)) return home;
    return "";
}

}  // namespace

std::string_view find_home(std::string_view name) {
    static const Patterns kPatterns = compile(kFamilies);
    return find_in(kPatterns, name);
}

std::string advise_argument_type(std::string_view type) {
    struct Forbidden {
        std::string_view type, instead;
    };
    constexpr Forbidden kForbidden[] = {{"size_t", "ulong"},
                                        {"uintptr_t", "ulong"},
                                        {"ptrdiff_t", "long"},
                                        {"intptr_t", "long"},
                                        {"bool", "int"}};
    for (const Forbidden& forbidden : kForbidden)
        if (forbidden.type == type)
            return "OpenCL forbids " + std::string(type) +
                   " as an argument of a kernel, because devices differ in it: use " +
                   std::string(forbidden.instead);
    return "";
}

std::string_view find_unsupported(std::string_view name) {
    static const Patterns kPatterns = compile(kUnsupported);
    return find_in(kPatterns, name);
}

}  // namespace kwb
