// SPDX-License-Identifier: Apache-2.0
// A compiled kernel: its machine code, and the registers and memory that it needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/record.hpp"
#include "model/xray.hpp"

namespace kwb {

/// The name of the target that is the device on which kernels run, compiled by its own driver.
inline constexpr const char* kDeviceTarget = "device";

/// A line of assembly.
struct AssemblyLine {
    std::string text;      ///< an instruction, or a label with its colon
    XrayPlace place = {};  ///< the source that it comes from; line 0: unknown
    bool is_label = false;
    std::uint64_t address = 0;  ///< in its library; 0: unknown

    friend bool operator==(const AssemblyLine&, const AssemblyLine&) = default;
};

/// One kernel function, compiled.
struct MachineCode {
    std::string kernel;
    /// 32-bit registers per work-item; nullopt: the compiler does not report them (PTX has virtual
    /// registers).
    std::optional<std::uint32_t> registers = {};
    std::optional<std::uint32_t> scalar_registers = {};  ///< AMD: those that a sub-group shares
    std::optional<std::uint64_t> local_bytes = {};       ///< declared in the kernel; `__local` arguments not
    /// Memory per work-item for values that are not in registers: arrays with computed indices, and spills.
    std::optional<std::uint64_t> scratch_bytes = {};
    std::optional<std::uint64_t> spilled_bytes = {};  ///< NVIDIA: stores and loads of spilled registers
    /// AMD: sub-groups that a quarter of a compute unit holds at once, as the compiler computes it.
    std::optional<std::uint32_t> sub_groups_per_simd = {};
    std::uint32_t instructions = 0;
    std::vector<AssemblyLine> assembly = {};
};

/// An error of a compiler.
struct CompilerError {
    XrayPlace place;  ///< line 0: it has no place
    std::string words;
};

/// A kernel file compiled for one target.
struct TargetReport {
    std::string target;                      ///< "gfx906", "sm_80"; a DeviceInfo::id
    std::string compiler = {};               ///< "clang-15", "clang-15 and ptxas"
    std::vector<CompilerError> errors = {};  ///< why the source was rejected
    std::string failure = {};                ///< why nothing was compiled, a sentence with the remedy
    std::string remark = {};                 ///< what is missing, and how to get it; a sentence
    std::vector<MachineCode> kernels = {};
    double compile_ms = 0;
};

/// @return  nullptr: `report` is null, or has no such kernel
inline const MachineCode* find_code(const TargetReport* report, const std::string& kernel) {
    if (report == nullptr) return nullptr;
    for (const MachineCode& code : report->kernels)
        if (code.kernel == kernel) return &code;
    return nullptr;
}

}  // namespace kwb
