// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/text.hpp"
#include "editor/highlight.hpp"

namespace kwb::editor {
namespace {

constexpr std::string_view kKeywords =
    "break case continue default do else enum for goto if return sizeof struct switch typedef union while "
    "alignof asm typeof true false";

constexpr std::string_view kQualifiers =
    "kernel global local constant private generic read_only write_only read_write const restrict volatile "
    "static extern inline register auto pipe __kernel __global __local __constant __private __generic "
    "__read_only __write_only __read_write __const __restrict __restrict__ __volatile__ __inline __inline__ "
    "__attribute __attribute__ __pipe";

constexpr std::string_view kVectorTypes =
    "char uchar short ushort int uint long ulong float double half bool quad";

constexpr std::string_view kTypes =
    "void signed unsigned size_t ptrdiff_t intptr_t uintptr_t image1d_t image1d_array_t image1d_buffer_t "
    "image2d_t image2d_array_t image2d_depth_t image2d_array_depth_t image2d_msaa_t image2d_array_msaa_t "
    "image2d_msaa_depth_t image2d_array_msaa_depth_t image3d_t sampler_t event_t queue_t ndrange_t "
    "clk_event_t reserve_id_t cl_mem_fence_flags memory_order memory_scope kernel_enqueue_flags_t "
    "atomic_int atomic_uint atomic_long atomic_ulong atomic_float atomic_double atomic_half atomic_flag "
    "atomic_intptr_t atomic_uintptr_t atomic_size_t atomic_ptrdiff_t";

constexpr std::string_view kBuiltins =
    // work-items, work-groups, sub-groups
    "get_work_dim get_global_size get_global_id get_local_size get_enqueued_local_size get_local_id "
    "get_num_groups get_group_id get_global_offset get_global_linear_id get_local_linear_id "
    "get_sub_group_size get_max_sub_group_size get_num_sub_groups get_enqueued_num_sub_groups "
    "get_sub_group_id get_sub_group_local_id "
    // mathematics
    "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi "
    "erfc erf exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma "
    "lgamma_r log log2 log10 log1p logb mad maxmag minmag modf nan nextafter pow pown powr remainder remquo "
    "rint rootn round rsqrt sin sincos sinh sinpi sqrt tan tanh tanpi tgamma trunc "
    // integers, common, geometry, relations
    "abs abs_diff add_sat hadd rhadd clamp clz ctz mad_hi mad_sat max min mul_hi rotate sub_sat upsample "
    "popcount mad24 mul24 dot_acc_sat degrees mix radians step smoothstep sign cross dot distance length "
    "normalize fast_distance fast_length fast_normalize isequal isnotequal isgreater isgreaterequal isless "
    "islessequal islessgreater isfinite isinf isnan isnormal isordered isunordered signbit any all bitselect "
    "select vec_step shuffle shuffle2 "
    // fences, copies, atomics
    "barrier mem_fence read_mem_fence write_mem_fence work_group_barrier sub_group_barrier "
    "async_work_group_copy async_work_group_strided_copy wait_group_events prefetch "
    "async_work_group_copy_2D2D async_work_group_copy_3D3D "
    "atomic_add atomic_sub atomic_xchg atomic_inc atomic_dec atomic_cmpxchg atomic_min atomic_max atomic_and "
    "atomic_or atomic_xor atom_add atom_sub atom_xchg atom_inc atom_dec atom_cmpxchg atom_min atom_max "
    "atom_and atom_or atom_xor atomic_init atomic_work_item_fence atomic_store atomic_store_explicit "
    "atomic_load atomic_load_explicit atomic_exchange atomic_exchange_explicit "
    "atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak "
    "atomic_compare_exchange_weak_explicit atomic_fetch_add atomic_fetch_add_explicit atomic_fetch_sub "
    "atomic_fetch_sub_explicit atomic_fetch_or atomic_fetch_or_explicit atomic_fetch_xor "
    "atomic_fetch_xor_explicit atomic_fetch_and atomic_fetch_and_explicit atomic_fetch_min "
    "atomic_fetch_min_explicit atomic_fetch_max atomic_fetch_max_explicit atomic_flag_test_and_set "
    "atomic_flag_test_and_set_explicit atomic_flag_clear atomic_flag_clear_explicit "
    // collectives
    "work_group_all work_group_any work_group_broadcast work_group_reduce_add work_group_reduce_min "
    "work_group_reduce_max work_group_scan_exclusive_add work_group_scan_exclusive_min "
    "work_group_scan_exclusive_max work_group_scan_inclusive_add work_group_scan_inclusive_min "
    "work_group_scan_inclusive_max sub_group_all sub_group_any sub_group_elect sub_group_broadcast "
    "sub_group_broadcast_first sub_group_non_uniform_broadcast sub_group_ballot sub_group_reduce_add "
    "sub_group_reduce_mul sub_group_reduce_min sub_group_reduce_max sub_group_scan_exclusive_add "
    "sub_group_scan_exclusive_min sub_group_scan_exclusive_max sub_group_scan_inclusive_add "
    "sub_group_scan_inclusive_min sub_group_scan_inclusive_max sub_group_shuffle sub_group_shuffle_xor "
    "sub_group_shuffle_up sub_group_shuffle_down sub_group_rotate sub_group_clustered_reduce_add "
    // images, output
    "read_imagef read_imagei read_imageui read_imageh write_imagef write_imagei write_imageui write_imageh "
    "get_image_width get_image_height get_image_depth get_image_channel_data_type get_image_channel_order "
    "get_image_dim get_image_array_size printf offsetof defined";

/// These also exist with the prefixes native_ and half_.
constexpr std::string_view kFastMath =
    "cos divide exp exp2 exp10 log log2 log10 powr recip rsqrt sin sqrt tan";

constexpr const char* kVectorWidths[] = {"2", "3", "4", "8", "16"};

struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
};
using Table = std::unordered_map<std::string, SpanKind, Hash, std::equal_to<>>;

Table make_table() {
    Table table;
    for (const std::string& word : split(kBuiltins, ' ')) table[word] = SpanKind::Builtin;
    for (const std::string& word : split(kFastMath, ' '))
        table["native_" + word] = table["half_" + word] = SpanKind::Builtin;
    for (const std::string& word : split(kTypes, ' ')) table[word] = SpanKind::Type;
    for (const std::string& word : split(kVectorTypes, ' ')) {
        table[word] = SpanKind::Type;
        for (const std::string width : kVectorWidths) table[word + width] = SpanKind::Type;
    }
    const auto add_load_and_store = [&](const std::string& kind) {
        table["vload" + kind] = SpanKind::Builtin;
        for (const char* rounding : {"", "_rte", "_rtz", "_rtp", "_rtn"})
            table["vstore" + kind + rounding] = SpanKind::Builtin;
    };
    add_load_and_store("_half");
    for (const std::string width : kVectorWidths)
        for (const char* half : {"", "_half", "a_half"}) add_load_and_store(half + width);
    for (const std::string& word : split(kQualifiers, ' ')) table[word] = SpanKind::Qualifier;
    for (const std::string& word : split(kKeywords, ' ')) table[word] = SpanKind::Keyword;
    return table;
}

const Table& words() {
    static const Table table = make_table();
    return table;
}

bool is_type(std::string_view word) {
    const auto found = words().find(word);
    return found != words().end() && found->second == SpanKind::Type;
}

/// as_<type>, convert_<type>, convert_<type>_sat_rte …
bool is_conversion(std::string_view word) {
    if (word.starts_with("as_")) return is_type(word.substr(3));
    if (!word.starts_with("convert_")) return false;
    word.remove_prefix(8);
    for (const std::string_view rounding : {"_rte", "_rtz", "_rtp", "_rtn"})
        if (word.ends_with(rounding)) {
            word.remove_suffix(4);
            break;
        }
    if (word.ends_with("_sat")) word.remove_suffix(4);
    return is_type(word);
}

bool is_capitals(std::string_view word) {
    return word.size() > 1 &&
           std::any_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; }) &&
           std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

SpanKind kind_of_word(std::string_view word) {
    if (is_capitals(word)) return SpanKind::Macro;
    const auto found = words().find(word);
    if (found != words().end()) return found->second;
    return is_conversion(word) ? SpanKind::Builtin : SpanKind::Identifier;
}

}  // namespace kwb::editor
