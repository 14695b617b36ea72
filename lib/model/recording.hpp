// SPDX-License-Identifier: Apache-2.0
// What the work-items of one work-group did, step by step, with the values of their variables: recorded by
// X-ray, so that it can be followed forwards and backwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.hpp"
#include "model/kernel_spec.hpp"
#include "model/xray.hpp"

namespace kwb {

/// Of the first type of a recording, which stands for every type that the debug information does not
/// describe.
inline constexpr std::uint32_t kUnknownType = 0;
inline constexpr std::uint32_t kNoFrame = UINT32_MAX;
inline constexpr std::uint32_t kNoFunction = UINT32_MAX;

enum class ValueKind { Unknown, Signed, Unsigned, Floating, Pointer, Array, Vector, Struct };

template <>
inline constexpr auto kEnumNames<ValueKind> = std::to_array<std::string_view>(
    {"unknown", "signed", "unsigned", "floating", "pointer", "array", "vector", "struct"});

/// A type of the kernel's source; types refer to each other by their number in Recording::types.
struct ValueType {
    struct Member {
        std::string name;
        std::uint64_t offset = 0;  ///< bytes
        std::uint32_t type = kUnknownType;
    };
    std::string name;  ///< as the source names it: "float4"; empty for arrays and pointers
    ValueKind kind = ValueKind::Unknown;
    std::uint64_t bytes = 0;
    std::uint32_t element = kUnknownType;  ///< of arrays and vectors; of pointers: what they point to
    std::uint64_t count = 0;               ///< elements of arrays and vectors
    std::vector<Member> members;           ///< of structures and unions
};

/// A variable or parameter in the frame of a function.
struct FrameVariable {
    std::string name;
    std::uint32_t type = kUnknownType;
    std::int64_t offset = 0;              ///< from the frame's base, or from its stack pointer
    bool is_above_stack_pointer = false;  ///< frames with vectors of 32 bytes and more
    bool is_parameter = false;
    std::uint32_t line = 0;   ///< of its declaration
    std::uint64_t begin = 0;  ///< the code of its block: offsets in the program
    std::uint64_t end = 0;
};

struct RecordedFunction {
    std::string name;
    std::vector<FrameVariable> variables;  ///< in the order of their declarations
};

/// An instruction that accesses memory, begins a basic block or waits.
struct RecordedSite {
    XrayPlace place;
    std::uint32_t function = kNoFunction;
    std::uint64_t code = 0;  ///< its offset in the program
    /// The private variable that it always reads: offset from the frame's base, and bytes. Such reads are no
    /// events of their own. 0 bytes: none.
    std::int64_t read_offset = 0;
    std::uint32_t read_bytes = 0;
};

/// A buffer, or a variable with a fixed address.
struct RecordedRegion {
    std::string name;
    std::string function;  ///< of a variable that is declared in one
    AddressSpace space = AddressSpace::Global;
    std::uint32_t type = kUnknownType;  ///< of the variable; of a buffer: of an element
    bool is_variable = false;           ///< declared in the source, not an argument
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::vector<std::uint64_t> extents;  ///< in elements, outermost first
    bool is_set = false;                 ///< before the launches; else it was filled with kXrayFilling
};

/// A call of a function by a work-item.
struct RecordedFrame {
    std::uint32_t caller = kNoFrame;
    std::uint32_t function = 0;
    std::uint32_t site = 0;  ///< of the call, in the caller
    std::uint32_t unused = 0;
    std::uint64_t base = 0;
    std::uint64_t stack_pointer = 0;
};

enum class RecordedKind : std::uint8_t {
    Step,     ///< a work-item begins a line, or once more a line that is a loop
    Read,     ///< value: what it reads
    Write,    ///< value: the old bytes, then the new ones
    Atomic,   ///< likewise
    Unset,    ///< a variable without a value comes into being; value as for Write
    Barrier,  ///< all work-items have passed one; no item
    Print     ///< printf; value: the text, as untrusted as all that a kernel makes
};

struct RecordedEvent {
    std::uint64_t address = 0;
    std::uint32_t value = 0;  ///< offset in Recording::values
    std::uint32_t site = 0;
    std::uint32_t frame = kNoFrame;
    std::uint32_t bytes = 0;
    std::uint16_t item = 0;  ///< local linear id, or kGroupCopy
    RecordedKind kind = RecordedKind::Step;
    std::uint8_t unused = 0;
    std::uint32_t also_unused = 0;

    bool stores() const {
        return kind == RecordedKind::Write || kind == RecordedKind::Atomic || kind == RecordedKind::Unset;
    }
};
static_assert(sizeof(RecordedEvent) == 32 && sizeof(RecordedFrame) == 32);

/// The item of an asynchronous copy, and of barriers.
inline constexpr std::uint16_t kGroupCopy = UINT16_MAX;

/// Memory that the group has touched, as it was at the end of the recording.
struct RecordedPage {
    std::uint64_t address = 0;
    std::uint64_t value = 0;  ///< offset in Recording::values
    std::uint64_t bytes = 0;
};

/// What X-ray fills memory with that nobody has set.
inline constexpr char kXrayFilling = '\xCB';

/// A work-group, or a part of one that does too much to be recorded as a whole. A part begins with the
/// earlier stores that show what memory holds then, and with the step that each work-item is in.
struct Recording {
    std::string kernel;
    std::uint32_t launch = 0;
    std::vector<std::uint64_t> global;
    std::vector<std::uint64_t> local;
    std::vector<std::uint64_t> group;  ///< id
    std::vector<ValueType> types;      ///< at least the unknown one
    std::vector<RecordedFunction> functions;
    std::vector<RecordedSite> sites;
    std::vector<XrayPlace> code_lines;  ///< all lines with code, without columns
    std::vector<RecordedRegion> regions;
    std::vector<RecordedPage> pages;
    std::uint64_t stacks = 0;                      ///< address of the work-items' private memory
    std::uint64_t begin = 0;                       ///< events of the group before this part
    std::uint64_t barriers = 0;                    ///< that it has passed before this part
    bool goes_on = false;                          ///< the group does more after this part
    std::vector<std::uint64_t> steps_before = {};  ///< by work-item: begun before this part; empty: none
    std::vector<std::uint32_t> unfinished = {};    ///< work-items that may do more after this part
    // Sent as bytes, not as JSON.
    std::vector<RecordedFrame> frames;
    std::vector<RecordedEvent> events;  ///< in the order in which they happened
    std::vector<std::uint64_t>
        earlier;  ///< the numbers, in the group, of the first events: those before this part
    std::string values;
    std::string packed = {};  ///< recorded_bytes(), instead of these, where they are only passed on

    bool is_whole() const { return begin == 0 && !goes_on; }
    /// Of the group: the number of the first event after this part.
    std::uint64_t end() const { return begin + events.size() - earlier.size(); }
    std::uint64_t items() const {
        std::uint64_t items = 1;
        for (const std::uint64_t extent : local) items *= extent;
        return items;
    }
};

/// The frames, events and values.
std::string recorded_bytes(const Recording& recording);
/// Adds them to a recording that was read from JSON.
/// @throws ProtocolError  they are not those of a recording, or refer to something that it does not have
void put_recorded_bytes(Recording& recording, std::string_view bytes);
/// Checks them all the same, and keeps them as they are, to be sent on.
void pass_recorded_bytes(Recording& recording, std::string_view bytes);

}  // namespace kwb
