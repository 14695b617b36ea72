// SPDX-License-Identifier: Apache-2.0
// X-ray's observations of one or several kernels, as tables for the terminal and the HTML page, and as JSON.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/gpu_profile.hpp"
#include "model/machine_code.hpp"
#include "model/problem.hpp"
#include "model/xray.hpp"
#include "report/tables.hpp"
#include "report/text_layout.hpp"

namespace kwb {

/// A kernel that was observed.
struct ObservedKernel {
    std::string label;  ///< "matmul/tiled TILE=16"
    std::string file;
    Sizes size;
    std::optional<double> flops;             ///< of the problem; nullopt: not known
    std::optional<double> compulsory_bytes;  ///< that the problem must move at least
    XrayReport report;
    std::vector<TargetReport> targets = {};  ///< the targets it was compiled for
    std::vector<GpuView> gpus = {};
    bool is_multiply_adds = false;  ///< `flops` are those of multiply-adds
};

/// Text cells under headers; numbers are aligned to the right.
struct XrayTable {
    struct Column {
        std::string header;
        bool is_number = false;
        std::vector<std::string> cells = {};
        std::vector<std::string> links = {};  ///< of the first cells, for pages; an empty one: none
        std::string meaning = {};             ///< of the figures: a sentence; empty: the header is enough
        std::string term = {};                ///< that the glossary explains; empty: none
        std::vector<bool> bad = {};           ///< of the first cells: at least twice what is necessary

        bool is_bad(std::size_t row) const { return row < bad.size() && bad[row]; }
    };
    std::string title;
    std::vector<Column> columns;             ///< each with as many cells
    std::size_t keys = 1;                    ///< the leading columns, which name a row
    std::vector<XrayPlace> places = {};      ///< of each row, if the rows are about places
    std::optional<std::size_t> kernel = {};  ///< index of the kernel; nullopt: it is about all
};

/// Tables of observed kernels: totals and buffers of all kernels side by side, of two kernels with the ratio
/// of the second to the first; then for each kernel its accesses in the order of the source, and the lines in
/// which lanes of a sub-group diverge.
std::vector<XrayTable> xray_tables(std::span<const ObservedKernel> kernels);

/// What the marks in tables of xray_tables() mean; empty if no figure is bad.
std::string explain_marks(std::span<const XrayTable> tables, std::size_t kernels);

/// Kernels on GPUs: registers for each target; occupancy and the shortest possible time on each GPU.
std::vector<XrayTable> gpu_tables(std::span<const ObservedKernel> kernels);

/// The machine code of a kernel, with the places of the source.
XrayTable assembly_table(const TargetReport& report, const MachineCode& code);

/// Explains the terms in the tables of xray_tables(), and reports whether their counts are scaled: those of
/// totals and buffers, of accesses, and of all.
std::string totals_terms(std::span<const ObservedKernel> kernels);
std::string access_terms(std::span<const ObservedKernel> kernels);
std::string xray_terms(std::span<const ObservedKernel> kernels);

/// Findings and remarks: "matmul/tiled: …", one sentence each.
std::vector<std::string> xray_findings(const ObservedKernel& kernel);
std::vector<std::string> xray_remarks(const ObservedKernel& kernel);
/// The remarks about targets: code that a compiler rejected, or tools that are not installed.
std::vector<std::string> target_remarks(const ObservedKernel& kernel);

bool has_undefined(std::span<const ObservedKernel> kernels);

/// The machine code of every target, with the place of the source before each instruction.
std::string assembly_text(std::span<const ObservedKernel> kernels, const TableOptions& options);

/// True if a target's compiler rejected a kernel, or is missing.
bool has_failed_targets(std::span<const ObservedKernel> kernels);

/// The tables for a terminal, with findings and remarks.
std::string xray_text(std::span<const ObservedKernel> kernels, const TableOptions& options);

/// {schema_version, kernels[]}
std::string xray_to_json(std::span<const ObservedKernel> kernels);
std::string xray_schema();

}  // namespace kwb
