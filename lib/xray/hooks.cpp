// SPDX-License-Identifier: Apache-2.0
#include "xray/hooks.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstring>
#include <utility>

#include "xray/engine.hpp"
#include "xray/printed_text.hpp"

// The interfaces of the compiler's runtimes: LLVM, compiler-rt/lib/asan/asan_interface_internal.h,
// compiler-rt/lib/ubsan/ubsan_handlers.h, ubsan_value.h, and clang, docs/SanitizerCoverage.rst.

namespace kwb::xray {
namespace {

Engine* engine = nullptr;
std::vector<ProgramVariable> program_variables;

struct AsanGlobal {
    std::uintptr_t begin;
    std::uintptr_t bytes;
    std::uintptr_t with_margin;
    const char* name;
    const char* module;
    std::uintptr_t has_dynamic_init;
    void* location;
    std::uintptr_t indicator;
};

struct SourceLocation {
    const char* file;
    std::uint32_t line;
    std::uint32_t column;
};

/// Integers have kind 0; the lowest bit of `info` is set for signed ones, the others hold log2 of their
/// width in bits.
struct TypeDescriptor {
    std::uint16_t kind;
    std::uint16_t info;
    char name[1];
};

struct OverflowData {
    SourceLocation place;
    const TypeDescriptor* type;
};

struct OutOfBoundsData {
    SourceLocation place;
    const TypeDescriptor* array_type;
    const TypeDescriptor* index_type;
};

struct TypeMismatchData {
    SourceLocation place;
    const TypeDescriptor* type;
    unsigned char log_alignment;
    unsigned char check_kind;
};

/// "'float'", or "'float4' (vector of 4 'float' values)"
std::string name_of(const TypeDescriptor& type) {
    const std::string name = type.name;
    if (name.empty() || name.front() != '\'') return name;
    return name.substr(1, name.find('\'', 1) - 1);
}

/// The value of an integer operand as text. The operand itself holds values of up to 64 bits.
std::string value_of(const TypeDescriptor& type, std::uintptr_t value) {
    if (type.kind != 0) return "?";
    const unsigned bits = 1u << (type.info >> 1);
    if (bits > 64) return "?";
    const bool is_signed = (type.info & 1) != 0;
    if (bits < 64) value &= (std::uintptr_t{1} << bits) - 1;
    if (!is_signed) return std::to_string(value);
    const unsigned unused = 64 - bits;
    return std::to_string(static_cast<std::int64_t>(value << unused) >> unused);
}

XrayPlace place_of(const SourceLocation& place) {
    return {place.file != nullptr ? place.file : "", place.line, place.column};
}

void overflow(const OverflowData* data, std::uintptr_t left, std::uintptr_t right, const char* operation) {
    if (engine == nullptr) return;
    engine->on_undefined({.code = FindingCode::SignedOverflow,
                          .texts = {{"operation", value_of(*data->type, left) + " " + operation + " " +
                                                      value_of(*data->type, right)},
                                    {"type", name_of(*data->type)}}},
                         place_of(data->place), false);
}

bool is_observing() {
    return engine != nullptr && engine->is_observing();
}

void access(std::uintptr_t address, std::uint64_t bytes, Access kind, const void* pc) {
    if (is_observing())
        engine->on_access(address, bytes, kind, pc);
    else if (engine != nullptr && kind != Access::Read)
        engine->on_rest_store(address, bytes, pc);
}

/// 0xFF or 0xAA in every byte: the compiler's pattern for variables without an initializer.
bool is_filling(const void* from, std::size_t bytes, unsigned char& filling) {
    const auto* const content = static_cast<const unsigned char*>(from);
    filling = *content;
    return (filling == 0xFF || filling == 0xAA) &&
           std::all_of(content, content + bytes, [&](unsigned char byte) { return byte == filling; });
}

}  // namespace

void set_engine(Engine* now) {
    engine = now;
}

std::vector<ProgramVariable> take_program_variables() {
    return std::exchange(program_variables, {});
}

}  // namespace kwb::xray

using kwb::xray::Access;
using kwb::xray::access;
using kwb::xray::engine;
using kwb::xray::is_observing;

#define KWB_RETURN_ADDRESS __builtin_return_address(0)
#define KWB_OWN_FRAME reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))
/// A hook's own frame begins with the caller's base and the return address.
#define KWB_CALLERS_FRAME                                                                \
    kwb::xray::FramePlace {                                                              \
        reinterpret_cast<std::uintptr_t>(__builtin_frame_address(1)), KWB_OWN_FRAME + 16 \
    }

#define KWB_HOOKS_OF_WIDTH(n)                                       \
    void __wrap___asan_load##n##_noabort(std::uintptr_t address) {  \
        access(address, n, Access::Read, KWB_RETURN_ADDRESS);       \
    }                                                               \
    void __wrap___asan_store##n##_noabort(std::uintptr_t address) { \
        access(address, n, Access::Write, KWB_RETURN_ADDRESS);      \
    }

// The linker sends the compiled kernel's calls of X to __wrap_X (see compile.cpp), so that these names do not
// collide with those of the sanitizers that this program may be built with.
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wframe-address"
#pragma GCC diagnostic ignored "-Wmissing-declarations"

void __wrap___asan_init() {}
void __wrap___asan_version_mismatch_check_v8() {}
void __wrap___asan_handle_no_return() {}
void __wrap___asan_unregister_globals(void*, std::uintptr_t) {}
void __wrap___asan_register_globals(const kwb::xray::AsanGlobal* globals, std::uintptr_t count) {
    for (std::uintptr_t i = 0; i < count; ++i)
        kwb::xray::program_variables.push_back(
            {globals[i].begin, globals[i].bytes, globals[i].with_margin, globals[i].name});
}

KWB_HOOKS_OF_WIDTH(1)
KWB_HOOKS_OF_WIDTH(2)
KWB_HOOKS_OF_WIDTH(4)
KWB_HOOKS_OF_WIDTH(8)
KWB_HOOKS_OF_WIDTH(16)

void __wrap___asan_loadN_noabort(std::uintptr_t address, std::uintptr_t bytes) {
    access(address, bytes, Access::Read, KWB_RETURN_ADDRESS);
}
void __wrap___asan_storeN_noabort(std::uintptr_t address, std::uintptr_t bytes) {
    access(address, bytes, Access::Write, KWB_RETURN_ADDRESS);
}
void* __wrap___asan_memcpy(void* to, const void* from, std::size_t bytes) {
    const auto to_address = reinterpret_cast<std::uintptr_t>(to);
    access(reinterpret_cast<std::uintptr_t>(from), bytes, Access::Read, KWB_RETURN_ADDRESS);
    access(to_address, bytes, Access::Write, KWB_RETURN_ADDRESS);
    std::memmove(to, from, bytes);
    unsigned char filling = 0;
    if (is_observing() && bytes > 0 && kwb::xray::is_filling(from, bytes, filling))
        engine->on_private_unset(to_address, bytes, filling == 0xFF, KWB_CALLERS_FRAME, KWB_RETURN_ADDRESS);
    return to;
}
void* __wrap___asan_memmove(void* to, const void* from, std::size_t bytes) {
    access(reinterpret_cast<std::uintptr_t>(from), bytes, Access::Read, KWB_RETURN_ADDRESS);
    access(reinterpret_cast<std::uintptr_t>(to), bytes, Access::Write, KWB_RETURN_ADDRESS);
    return std::memmove(to, from, bytes);
}
void* __wrap___asan_memset(void* to, int value, std::size_t bytes) {
    access(reinterpret_cast<std::uintptr_t>(to), bytes, Access::Write, KWB_RETURN_ADDRESS);
    const auto filling = static_cast<unsigned char>(value);
    std::memset(to, value, bytes);
    if (is_observing() && (filling == 0xFF || filling == 0xAA))
        engine->on_private_unset(reinterpret_cast<std::uintptr_t>(to), bytes, filling == 0xFF,
                                 KWB_CALLERS_FRAME, KWB_RETURN_ADDRESS);
    return to;
}

void __wrap___sanitizer_cov_trace_pc_guard_init(std::uint32_t* start, std::uint32_t* stop) {
    for (std::uint32_t number = 0; start < stop; ++start) *start = number++;
}
void __wrap___sanitizer_cov_trace_pc_guard(std::uint32_t* guard) {
    if (is_observing())
        engine->on_block(guard, KWB_RETURN_ADDRESS, KWB_OWN_FRAME);
    else if (engine != nullptr)
        engine->on_rest_block();
}

void __wrap___ubsan_handle_add_overflow(kwb::xray::OverflowData* data, std::uintptr_t left,
                                        std::uintptr_t right) {
    kwb::xray::overflow(data, left, right, "+");
}
void __wrap___ubsan_handle_sub_overflow(kwb::xray::OverflowData* data, std::uintptr_t left,
                                        std::uintptr_t right) {
    kwb::xray::overflow(data, left, right, "-");
}
void __wrap___ubsan_handle_mul_overflow(kwb::xray::OverflowData* data, std::uintptr_t left,
                                        std::uintptr_t right) {
    kwb::xray::overflow(data, left, right, "*");
}
void __wrap___ubsan_handle_negate_overflow(kwb::xray::OverflowData* data, std::uintptr_t value) {
    kwb::xray::overflow(data, 0, value, "-");
}
/// Also for the smallest number divided by -1, which overflows.
void __wrap___ubsan_handle_divrem_overflow(kwb::xray::OverflowData* data, std::uintptr_t left,
                                           std::uintptr_t right) {
    if (engine == nullptr) return;
    const bool by_zero = kwb::xray::value_of(*data->type, right) == "0";
    engine->on_undefined(
        {.code = by_zero ? kwb::FindingCode::DivisionByZero : kwb::FindingCode::SignedOverflow,
         .texts = {{"operation",
                    kwb::xray::value_of(*data->type, left) + " / " + kwb::xray::value_of(*data->type, right)},
                   {"type", kwb::xray::name_of(*data->type)}}},
        kwb::xray::place_of(data->place), true);
}
void __wrap___ubsan_handle_out_of_bounds(kwb::xray::OutOfBoundsData* data, std::uintptr_t index) {
    if (engine == nullptr) return;
    engine->on_undefined({.code = kwb::FindingCode::OutsideArray,
                          .texts = {{"index", kwb::xray::value_of(*data->index_type, index)},
                                    {"type", kwb::xray::name_of(*data->array_type)}}},
                         kwb::xray::place_of(data->place), false);
}
void __wrap___ubsan_handle_type_mismatch_v1(kwb::xray::TypeMismatchData* data, std::uintptr_t address) {
    if (engine == nullptr) return;
    const std::uintptr_t needed = std::uintptr_t{1} << data->log_alignment;
    if (address % needed == 0) return;
    engine->on_misaligned(address, needed, kwb::xray::name_of(*data->type), kwb::xray::place_of(data->place));
}

// The functions that prelude.hpp declares.

std::uint32_t __xray_work_dim() {
    return engine->geometry().dimensions;
}
std::size_t __xray_global_id(std::uint32_t d) {
    return engine->global_id(d);
}
std::size_t __xray_local_id(std::uint32_t d) {
    return engine->local_id(d);
}
std::size_t __xray_group_id(std::uint32_t d) {
    return engine->group_id(d);
}
std::size_t __xray_global_size(std::uint32_t d) {
    return d < 3 ? engine->geometry().global[d] : 1;
}
std::size_t __xray_local_size(std::uint32_t d) {
    return d < 3 ? engine->geometry().local[d] : 1;
}
std::size_t __xray_num_groups(std::uint32_t d) {
    return d < 3 ? engine->geometry().groups[d] : 1;
}
std::size_t __xray_linear_id(std::uint32_t of_group) {
    if (of_group != 0) return engine->item();
    const auto& global = engine->geometry().global;
    return (engine->global_id(2) * global[1] + engine->global_id(1)) * global[0] + engine->global_id(0);
}
/// 0: the largest size, 1: sub-groups per group, 2: index of this sub-group
std::uint32_t __xray_sub_group(std::uint32_t what) {
    const kwb::xray::Geometry& geometry = engine->geometry();
    if (what == 0) return geometry.sub_group;
    if (what == 1) return (geometry.items + geometry.sub_group - 1) / geometry.sub_group;
    return engine->item() / geometry.sub_group;
}
/// Scope 0 is the group, 1 the sub-group.
std::uint32_t __xray_count(std::uint32_t scope) {
    return scope == 0 ? engine->geometry().items : engine->sub_group_items();
}
std::uint32_t __xray_rank(std::uint32_t scope) {
    return scope == 0 ? engine->item() : engine->item() % engine->geometry().sub_group;
}
void __xray_barrier(std::uint32_t flags, std::uint32_t scope) {
    engine->on_barrier(flags, scope != 0, KWB_RETURN_ADDRESS);
}
void __xray_fence(std::uint32_t flags) {
    engine->on_fence(flags);
}
void __xray_access(std::uint64_t address, std::uint64_t bytes, std::uint32_t kind) {
    access(address, bytes, static_cast<Access>(kind), KWB_RETURN_ADDRESS);
}
void __xray_exchange(std::uint64_t address, std::uint64_t bytes, std::uint64_t expected) {
    if (is_observing())
        engine->on_compare_exchange(address, bytes, expected, KWB_RETURN_ADDRESS);
    else
        access(address, bytes, Access::CompareExchange, KWB_RETURN_ADDRESS);
}
/// A built-in function is about to store to the address; __xray_stored() reports completion.
void __xray_store(std::uint64_t address, std::uint64_t bytes) {
    if (is_observing())
        engine->on_built_in_store(address, bytes, KWB_RETURN_ADDRESS);
    else
        access(address, bytes, Access::Write, KWB_RETURN_ADDRESS);
}
void __xray_stored() {
    engine->on_built_in_stored();
}
std::uint64_t __xray_copy(std::uint64_t to, std::uint64_t from, std::uint64_t elements,
                          std::uint64_t element_bytes, std::uint64_t to_stride, std::uint64_t from_stride,
                          std::uint64_t event) {
    return engine->on_copy({to, from, elements, element_bytes, to_stride, from_stride, event},
                           KWB_RETURN_ADDRESS);
}
void __xray_wait(std::int32_t count, std::uint64_t events) {
    engine->on_wait(count, events, KWB_RETURN_ADDRESS);
}
std::uint64_t __xray_gather(std::uint64_t value, std::uint64_t bytes, std::uint32_t scope) {
    return reinterpret_cast<std::uint64_t>(
        engine->on_gather(reinterpret_cast<const void*>(value), bytes, scope != 0, KWB_RETURN_ADDRESS));
}
/// The arguments have already been read; without a recording the text is discarded.
int __xray_printf(const char* format, ...) {
    if (engine == nullptr || !engine->keeps_prints()) return 0;
    std::va_list arguments;
    va_start(arguments, format);
    engine->on_print(kwb::xray::printed_text(format, arguments), KWB_RETURN_ADDRESS);
    va_end(arguments);
    return 0;
}

#pragma GCC diagnostic pop
}
