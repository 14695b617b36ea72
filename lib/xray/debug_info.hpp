// SPDX-License-Identifier: Apache-2.0
// Reads the compiler's debug information (DWARF): places of instructions, variables and parameters.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/recording.hpp"

namespace kwb::xray {

/// The parts of a type that findings name.
struct TypeInfo {
    std::string name;  ///< of an element: "float", "struct P"
    std::uint64_t element_bytes = 1;
    std::uint64_t number_bytes = 1;      ///< the smallest number in an element
    std::vector<std::uint64_t> extents;  ///< of an array, outermost first
    std::uint32_t whole = kUnknownType;  ///< in DebugInfo::types(): of the array

    std::uint64_t bytes() const;
};

/// A variable with a fixed address: a `__local` one, or a constant of the program.
struct StaticVariable {
    std::string name;
    std::string function;      ///< empty: of the whole program
    std::uint64_t offset = 0;  ///< in the program
    TypeInfo type;
};

/// The position of a function's frame. The stack pointer is its lowest address.
struct FramePlace {
    std::uintptr_t base = 0;
    std::uintptr_t stack_pointer = 0;
};

class DebugInfo {
public:
    /// @param program  a shared object that this process has loaded at `base`, `bytes` long
    /// @throws std::runtime_error  it has no debug information
    DebugInfo(const std::filesystem::path& program, std::uintptr_t base, std::uint64_t bytes);

    /// @param pc  the return address of a call
    XrayPlace place_of(const void* pc) const;
    /// @param file  as the compiler printed it
    XrayPlace place_of(const std::string& file, std::uint32_t line, std::uint32_t column) const;

    const std::vector<StaticVariable>& variables() const { return variables_; }
    /// The target type of a pointer parameter; null if unknown.
    const TypeInfo* pointee(const std::string& function, const std::string& parameter) const;
    /// The types of all variables with this name, in any function.
    std::vector<const TypeInfo*> types_of(const std::string& variable) const;
    /// The variable of the function around `pc` that lies at `address`.
    struct Private {
        const FrameVariable* variable = nullptr;  ///< null: none
        const TypeInfo* type = nullptr;
    };
    Private find_private(const void* pc, std::uintptr_t address, FramePlace frame) const;

    /// The integers whose blocks contain `pc`, the inner ones last.
    std::vector<const FrameVariable*> integers_at(const void* pc) const;

    /// All types; the first is kUnknownType.
    const std::vector<ValueType>& types() const { return types_; }
    /// Functions with their variables, by the number that function_of() gives.
    std::vector<RecordedFunction> functions() const;
    /// Lines with code of functions of the source, without columns.
    std::vector<XrayPlace> code_lines() const;

    /// A number for the function around `pc`, or around a line of the source; nullopt: unknown.
    std::optional<std::size_t> function_of(const void* pc) const;
    std::optional<std::size_t> function_of(const XrayPlace& place) const;
    const std::string& name_of_function(std::size_t function) const { return functions_[function].name; }

    std::uintptr_t base() const { return base_; }
    /// True for an address in the program.
    bool holds(std::uintptr_t address) const { return address - base_ < bytes_; }
    /// All code lies below this offset.
    std::uint64_t code_bytes() const { return code_bytes_; }

private:
    struct Row {
        std::uint64_t offset;
        std::uint32_t file;
        std::uint32_t line;
        std::uint32_t column;
    };
    struct Function {
        std::string name;
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::vector<FrameVariable> variables;
        std::vector<TypeInfo> types;  ///< of the variables
    };
    class Reader;

    /// Relative to the program's folder; empty: the kernel's own file.
    std::string short_name(const std::string& path) const;
    const Function* find_function(std::uint64_t offset) const;
    std::uint32_t file_number(const std::string& path);

    std::uintptr_t base_;
    std::uint64_t bytes_;
    std::filesystem::path folder_;
    std::uint64_t code_bytes_ = 0;
    std::vector<std::string> files_;  ///< relative to the folder; empty: the kernel's own
    std::vector<Row> rows_;           ///< by offset
    std::vector<StaticVariable> variables_;
    std::vector<Function> functions_;
    std::vector<ValueType> types_{1};
    std::map<std::pair<std::string, std::string>, TypeInfo> pointees_;  ///< by function and parameter
};

}  // namespace kwb::xray
