// SPDX-License-Identifier: Apache-2.0
#include "xray/debug_info.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>

#include "base/fd.hpp"
#include "source/compiler.hpp"

namespace kwb::xray {
namespace {

std::string name_of(Dwarf_Die& die) {
    // PoCL's headers define macros that rename its built-in functions, and with them a variable `distance`.
    constexpr std::string_view kPrefix = "_cl_";
    const char* const found = ::dwarf_diename(&die);
    const std::string_view name = found != nullptr ? found : "";
    return std::string(name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name);
}

std::optional<Dwarf_Die> type_of(Dwarf_Die& die) {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    if (::dwarf_attr_integrate(&die, DW_AT_type, &attribute) == nullptr ||
        ::dwarf_formref_die(&attribute, &type) == nullptr)
        return std::nullopt;
    return type;
}

std::uint64_t unsigned_attribute(Dwarf_Die& die, unsigned name, std::uint64_t otherwise) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (::dwarf_attr(&die, name, &attribute) == nullptr || ::dwarf_formudata(&attribute, &value) != 0)
        return otherwise;
    return value;
}

bool is_vector(Dwarf_Die& array) {
    Dwarf_Attribute attribute;
    return ::dwarf_attr(&array, DW_AT_GNU_vector, &attribute) != nullptr;
}

/// Calls `visit` with each child.
template <class Visit>
void for_children(Dwarf_Die& parent, const Visit& visit) {
    Dwarf_Die child;
    if (::dwarf_child(&parent, &child) != 0) return;
    do visit(child);
    while (::dwarf_siblingof(&child, &child) == 0);
}

std::uint64_t size_of(Dwarf_Die& type) {
    Dwarf_Word bytes = 0;
    if (::dwarf_aggregate_size(&type, &bytes) == 0 && bytes > 0) return bytes;
    return unsigned_attribute(type, DW_AT_byte_size, 1);
}

std::uint64_t smallest_number(Dwarf_Die type, int depth = 0) {
    if (depth > 8) return 1;
    switch (::dwarf_tag(&type)) {
        case DW_TAG_structure_type:
        case DW_TAG_union_type: {
            std::uint64_t least = 8;
            for_children(type, [&](Dwarf_Die& member) {
                if (::dwarf_tag(&member) != DW_TAG_member) return;
                if (const auto inner = type_of(member))
                    least = std::min(least, smallest_number(*inner, depth + 1));
            });
            return least;
        }
        case DW_TAG_base_type:
        case DW_TAG_pointer_type:
        case DW_TAG_enumeration_type:
            return std::max<std::uint64_t>(size_of(type), 1);
        default:
            if (const auto inner = type_of(type)) return smallest_number(*inner, depth + 1);
            return 1;
    }
}

TypeInfo describe_type(Dwarf_Die type) {
    TypeInfo info;
    for (int depth = 0; depth < 32; ++depth) {
        const int tag = ::dwarf_tag(&type);
        if (tag == DW_TAG_array_type && !is_vector(type)) {
            for_children(type, [&](Dwarf_Die& range) {
                if (::dwarf_tag(&range) == DW_TAG_subrange_type)
                    info.extents.push_back(unsigned_attribute(range, DW_AT_count, 0));
            });
        } else if (tag == DW_TAG_typedef) {
            if (info.name.empty()) info.name = name_of(type);
        } else if (tag != DW_TAG_const_type && tag != DW_TAG_volatile_type) {
            break;
        }
        const auto inner = type_of(type);
        if (!inner) break;
        type = *inner;
    }
    info.element_bytes = std::max<std::uint64_t>(size_of(type), 1);
    info.number_bytes = smallest_number(type);
    if (info.name.empty()) {
        info.name = name_of(type);
        if (::dwarf_tag(&type) == DW_TAG_structure_type) info.name = "struct " + info.name;
    }
    return info;
}

ValueKind kind_of_number(Dwarf_Die& type) {
    switch (unsigned_attribute(type, DW_AT_encoding, 0)) {
        case DW_ATE_signed:
        case DW_ATE_signed_char:
            return ValueKind::Signed;
        case DW_ATE_unsigned:
        case DW_ATE_unsigned_char:
        case DW_ATE_boolean:
            return ValueKind::Unsigned;
        case DW_ATE_float:
            return ValueKind::Floating;
        default:
            return ValueKind::Unknown;
    }
}

/// A location that consists of one operation.
std::optional<Dwarf_Op> simple_location(Dwarf_Die& die) {
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (::dwarf_attr(&die, DW_AT_location, &attribute) == nullptr ||
        ::dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0)
        return std::nullopt;
    return operations[0];
}

}  // namespace

std::uint64_t TypeInfo::bytes() const {
    std::uint64_t bytes = element_bytes;
    for (const std::uint64_t extent : extents) bytes *= extent;
    return bytes;
}

class DebugInfo::Reader {
public:
    explicit Reader(DebugInfo& into) : into_(into) {}

    void read_unit(Dwarf_Die& unit) {
        read_lines(unit);
        walk(unit, "", nullptr, {});
        // What pointers point to may contain such pointers.
        while (!pointers_.empty()) {
            const auto [pointer, target] = pointers_.back();
            pointers_.pop_back();
            const std::uint32_t element = add_type(target);
            into_.types_[pointer].element = element;
        }
    }

private:
    void read_lines(Dwarf_Die& unit) {
        Dwarf_Lines* lines = nullptr;
        std::size_t count = 0;
        if (::dwarf_getsrclines(&unit, &lines, &count) != 0) return;
        for (std::size_t i = 0; i < count; ++i) {
            Dwarf_Line* const line = ::dwarf_onesrcline(lines, i);
            Dwarf_Addr address = 0;
            int number = 0;
            int column = 0;
            ::dwarf_lineaddr(line, &address);
            ::dwarf_lineno(line, &number);
            ::dwarf_linecol(line, &column);
            const char* const file = ::dwarf_linesrc(line, nullptr, nullptr);
            into_.rows_.push_back({address, into_.file_number(file != nullptr ? file : ""),
                                   static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(column)});
        }
    }

    /// The code of a block.
    struct Code {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };

    void walk(Dwarf_Die& parent, const std::string& function, Function* frame, Code block) {
        for_children(parent, [&](Dwarf_Die& die) {
            const int tag = ::dwarf_tag(&die);
            if (tag == DW_TAG_subprogram) {
                Function inner;
                Dwarf_Addr begin = 0;
                Dwarf_Addr end = 0;
                if (::dwarf_lowpc(&die, &begin) != 0 || ::dwarf_highpc(&die, &end) != 0) return;
                inner.name = name_of(die);
                inner.begin = begin;
                inner.end = end;
                into_.code_bytes_ = std::max<std::uint64_t>(into_.code_bytes_, end + 1);
                walk(die, inner.name, &inner, {begin, end});
                into_.functions_.push_back(std::move(inner));
            } else if (tag == DW_TAG_lexical_block) {
                Dwarf_Addr begin = block.begin;
                Dwarf_Addr end = block.end;
                if (::dwarf_lowpc(&die, &begin) != 0 || ::dwarf_highpc(&die, &end) != 0)
                    begin = block.begin, end = block.end;
                walk(die, function, frame, {begin, end});
            } else if (tag == DW_TAG_formal_parameter && !function.empty()) {
                read_variable(die, function, frame, block);
                auto type = type_of(die);
                while (type && ::dwarf_tag(&*type) != DW_TAG_pointer_type) type = type_of(*type);
                if (type) type = type_of(*type);
                if (type) into_.pointees_[{function, name_of(die)}] = describe_whole(*type);
            } else if (tag == DW_TAG_variable) {
                read_variable(die, function, frame, block);
            }
        });
    }

    void read_variable(Dwarf_Die& die, const std::string& function, Function* frame, Code block) {
        const auto location = simple_location(die);
        const auto type = type_of(die);
        if (!location || !type) return;
        if (location->atom == DW_OP_addr) {
            into_.variables_.push_back({name_of(die), function, location->number, describe_whole(*type)});
            // In a frame that holds vectors of 32 bytes and more, only the stack pointer has their alignment.
        } else if ((location->atom == DW_OP_fbreg || location->atom == DW_OP_breg7) && frame != nullptr) {
            const TypeInfo& info = frame->types.emplace_back(describe_whole(*type));
            frame->variables.push_back(
                {.name = name_of(die),
                 .type = info.whole,
                 .offset = static_cast<std::int64_t>(location->number),
                 .is_above_stack_pointer = location->atom == DW_OP_breg7,
                 .is_parameter = ::dwarf_tag(&die) == DW_TAG_formal_parameter,
                 .line = static_cast<std::uint32_t>(unsigned_attribute(die, DW_AT_decl_line, 0)),
                 .begin = block.begin,
                 .end = block.end});
        }
    }

    TypeInfo describe_whole(Dwarf_Die type) {
        TypeInfo info = describe_type(type);
        info.whole = add_type(type);
        return info;
    }

    /// @return  its number; parts of a type have smaller ones
    std::uint32_t add_type(std::optional<Dwarf_Die> die) {
        std::string alias;
        for (; die; die = type_of(*die)) {
            const int tag = ::dwarf_tag(&*die);
            if (tag == DW_TAG_typedef && alias.empty()) alias = name_of(*die);
            if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
                tag != DW_TAG_restrict_type)
                break;
        }
        if (!die) return kUnknownType;
        const auto key = std::pair(::dwarf_dieoffset(&*die), alias);
        if (const auto known = numbers_.find(key); known != numbers_.end()) return known->second;
        ValueType type = describe_value(*die);
        if (!alias.empty()) type.name = alias;
        const std::uint32_t number = numbers_[key] = put(std::move(type));
        if (::dwarf_tag(&*die) == DW_TAG_pointer_type)
            if (const auto target = type_of(*die)) pointers_.emplace_back(number, *target);
        return number;
    }

    std::uint32_t put(ValueType type) {
        into_.types_.push_back(std::move(type));
        return static_cast<std::uint32_t>(into_.types_.size() - 1);
    }

    /// Without what a pointer points to.
    ValueType describe_value(Dwarf_Die& die) {
        ValueType type;
        type.name = name_of(die);
        type.bytes = size_of(die);
        switch (::dwarf_tag(&die)) {
            case DW_TAG_base_type:
                type.kind = kind_of_number(die);
                break;
            case DW_TAG_enumeration_type:
                type.kind = ValueKind::Signed;
                break;
            case DW_TAG_pointer_type:
                type.kind = ValueKind::Pointer;
                type.bytes = sizeof(std::uint64_t);
                break;
            case DW_TAG_structure_type:
            case DW_TAG_union_type:
                type.kind = ValueKind::Struct;
                for_children(die, [&](Dwarf_Die& member) {
                    if (::dwarf_tag(&member) == DW_TAG_member)
                        type.members.push_back({name_of(member),
                                                unsigned_attribute(member, DW_AT_data_member_location, 0),
                                                add_type(type_of(member))});
                });
                break;
            case DW_TAG_array_type:
                return describe_array(die);
            default:
                break;
        }
        return type;
    }

    ValueType describe_array(Dwarf_Die& die) {
        std::vector<std::uint64_t> counts;
        for_children(die, [&](Dwarf_Die& range) {
            if (::dwarf_tag(&range) == DW_TAG_subrange_type)
                counts.push_back(unsigned_attribute(range, DW_AT_count, 0));
        });
        ValueType type;
        type.kind = is_vector(die) ? ValueKind::Vector : ValueKind::Array;
        type.element = add_type(type_of(die));
        for (std::size_t i = counts.size(); i-- > 0;) {
            type.count = counts[i];
            type.bytes = counts[i] * into_.types_[type.element].bytes;
            if (i > 0) type.element = put(type);
        }
        // A vector of three takes the room of four.
        if (type.kind == ValueKind::Vector) type.bytes = std::max(type.bytes, size_of(die));
        return type;
    }

    DebugInfo& into_;
    std::map<std::pair<Dwarf_Off, std::string>, std::uint32_t> numbers_;  ///< of types
    std::vector<std::pair<std::uint32_t, Dwarf_Die>> pointers_;           ///< whose targets are not known yet
};

DebugInfo::DebugInfo(const std::filesystem::path& program, std::uintptr_t base, std::uint64_t bytes)
    : base_(base), bytes_(bytes), folder_(program.parent_path()) {
    const Fd file(::open(program.c_str(), O_RDONLY | O_CLOEXEC));
    const std::unique_ptr<Dwarf, int (*)(Dwarf*)> debug(::dwarf_begin(file.get(), DWARF_C_READ), ::dwarf_end);
    if (!debug) throw std::runtime_error("the compiled kernel has no debug information");
    Reader reader(*this);
    Dwarf_Off offset = 0;
    Dwarf_Off next = 0;
    std::size_t header = 0;
    while (::dwarf_nextcu(debug.get(), offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
        Dwarf_Die unit;
        if (::dwarf_offdie(debug.get(), offset + header, &unit) != nullptr) reader.read_unit(unit);
        offset = next;
    }
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const Row& a, const Row& b) { return a.offset < b.offset; });
}

std::string DebugInfo::short_name(const std::string& path) const {
    std::filesystem::path relative = std::filesystem::path(path).lexically_relative(folder_);
    if (relative.empty() || *relative.begin() == "..") relative = path;
    return relative == source::kMainName ? "" : relative.string();
}

std::uint32_t DebugInfo::file_number(const std::string& path) {
    const std::string name = short_name(path);
    const auto found = std::find(files_.begin(), files_.end(), name);
    const auto number = static_cast<std::uint32_t>(found - files_.begin());
    if (found == files_.end()) files_.push_back(name);
    return number;
}

XrayPlace DebugInfo::place_of(const void* pc) const {
    // The call itself is before its return address.
    const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(pc) - base_ - 1;
    auto row = std::upper_bound(rows_.begin(), rows_.end(), offset,
                                [](std::uint64_t at, const Row& r) { return at < r.offset; });
    // Line 0: code that the compiler has added; it belongs to the line before.
    while (row != rows_.begin() && std::prev(row)->line == 0) --row;
    if (row == rows_.begin()) return {};
    --row;
    return {files_[row->file], row->line, row->column};
}

XrayPlace DebugInfo::place_of(const std::string& file, std::uint32_t line, std::uint32_t column) const {
    return {short_name(file), line, column};
}

const TypeInfo* DebugInfo::pointee(const std::string& function, const std::string& parameter) const {
    const auto found = pointees_.find({function, parameter});
    return found != pointees_.end() ? &found->second : nullptr;
}

std::vector<const FrameVariable*> DebugInfo::integers_at(const void* pc) const {
    const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(pc) - base_ - 1;
    const Function* const function = find_function(offset);
    std::vector<const FrameVariable*> all;
    if (function != nullptr)
        for (const FrameVariable& variable : function->variables) {
            const ValueType& type = types_[variable.type];
            if (variable.begin <= offset && offset < variable.end && type.bytes <= 8 &&
                (type.kind == ValueKind::Signed || type.kind == ValueKind::Unsigned))
                all.push_back(&variable);
        }
    return all;
}

std::vector<RecordedFunction> DebugInfo::functions() const {
    std::vector<RecordedFunction> all;
    for (const Function& function : functions_) all.push_back({function.name, function.variables});
    return all;
}

std::vector<XrayPlace> DebugInfo::code_lines() const {
    std::set<XrayPlace> lines;
    for (const Row& row : rows_)
        if (row.column != 0 && find_function(row.offset) != nullptr)
            lines.insert({files_[row.file], row.line, 0});
    return {lines.begin(), lines.end()};
}

std::vector<const TypeInfo*> DebugInfo::types_of(const std::string& variable) const {
    std::vector<const TypeInfo*> types;
    for (const StaticVariable& one : variables_)
        if (one.name == variable) types.push_back(&one.type);
    for (const Function& function : functions_)
        for (std::size_t i = 0; i < function.variables.size(); ++i)
            if (function.variables[i].name == variable && !function.variables[i].is_parameter)
                types.push_back(&function.types[i]);
    return types;
}

const DebugInfo::Function* DebugInfo::find_function(std::uint64_t offset) const {
    const auto found = std::ranges::find_if(functions_, [&](const Function& function) {
        return function.begin <= offset && offset < function.end;
    });
    return found == functions_.end() ? nullptr : &*found;
}

std::optional<std::size_t> DebugInfo::function_of(const void* pc) const {
    const Function* const found = find_function(reinterpret_cast<std::uintptr_t>(pc) - base_ - 1);
    return found == nullptr ? std::nullopt : std::optional<std::size_t>(found - functions_.data());
}

std::optional<std::size_t> DebugInfo::function_of(const XrayPlace& place) const {
    for (const Row& row : rows_)
        if (row.line == place.line && files_[row.file] == place.file)
            if (const Function* const found = find_function(row.offset)) return found - functions_.data();
    return std::nullopt;
}

DebugInfo::Private DebugInfo::find_private(const void* pc, std::uintptr_t address, FramePlace frame) const {
    const Function* const function = find_function(reinterpret_cast<std::uintptr_t>(pc) - base_ - 1);
    if (function == nullptr) return {};
    for (std::size_t i = 0; i < function->variables.size(); ++i) {
        const FrameVariable& variable = function->variables[i];
        const std::uintptr_t from = variable.is_above_stack_pointer ? frame.stack_pointer : frame.base;
        const std::uintptr_t begin = from + static_cast<std::uintptr_t>(variable.offset);
        if (address - begin < function->types[i].bytes()) return {&variable, &function->types[i]};
    }
    return {};
}

}  // namespace kwb::xray
