// SPDX-License-Identifier: Apache-2.0
// Kernel Tuner's T1 files: parameters, restrictions and launch of a kernel to tune. Source: Kernel Tuner
// 1.4.0, schema/T1/1.0.0 and kernel_tuner/interface.py (tune_kernel_T1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/kernel_spec.hpp"
#include "tune/strategy.hpp"
#include "tune/tuning.hpp"

namespace kwb {

/// A text with its place in the file, "KernelSpecification.LocalSize.X".
struct T1Text {
    std::string place;
    std::string text;
};

struct T1File {
    std::string name;  ///< for messages
    ParamSpace params;
    NamedList<Written> conditions;  ///< "Conditions[0] of gemm.json" → over the parameters
    std::string language;           ///< "OpenCL"; this and the next two are empty if the file lacks them
    std::string kernel_file;
    std::string kernel_name;
    std::vector<T1Text> problem_size;  ///< innermost dimension first; empty if the file lacks it
    // The same, without dimensions at the end that are 1.
    std::vector<T1Text> local_size;
    std::vector<T1Text> global_size;
    bool global_in_groups = false;                ///< global_size counts work-groups
    std::array<std::vector<T1Text>, 3> grid_div;  ///< of each dimension, to be multiplied
    std::optional<T1Text> search;                 ///< Kernel Tuner's name of a strategy
    std::optional<TuneBudget> budget;             ///< nullopt: none that `kwb tune` has
    std::vector<std::string> unused;              ///< parts that nothing uses, each with the alternative
};

/// Python in the file is parsed, never run. What Kernel Tuner does not read is ignored.
/// @param name  of the file, for messages
/// @throws BadInput  "gemm.json: ConfigurationSpace.TuningParameters[0].Values …" and what is wrong there:
/// not
///                   JSON, something missing or of the wrong type, a list or condition that cannot be parsed,
///                   an unknown name, too much of something
T1File read_t1(std::string_view text, const std::string& name);

/// The use of the file.
struct T1Case {
    std::string problem;               ///< its name, for messages
    std::vector<std::string> sizes;    ///< names of the problem's sizes
    std::vector<std::string> extents;  ///< of its output, as names of sizes, innermost first; may be empty
    std::size_t dimensions = 1;        ///< of the work-group
};

/// The work-group, as expressions over the parameters.
/// @throws BadInput the file lacks it, or uses an unknown name
std::vector<std::string> t1_local(const T1File& file);

/// The work-items, as expressions over the parameters, the problem's sizes and local.x: as Kernel Tuner, in
/// each dimension as many work-groups as the problem's size divided by GridDiv, rounded up. The extents of
/// the output stand for the problem's size, so that the launch fits every size.
/// @throws BadInput the file lacks it, or does not express it by the problem's sizes
std::vector<std::string> t1_global(const T1File& file, const T1Case& about);

/// The file's problem size in numbers. @return  empty: it has none, or computes it
/// @throws BadInput a number that is not a size
std::vector<std::int64_t> t1_numbers(const T1File& file);

/// The file's problem size as --size takes it. @return  nullopt: it has none in numbers
/// @throws BadInput  it does not determine all sizes
std::optional<std::string> t1_size(const T1File& file, const T1Case& about);

/// @return nullopt: kwb has no equivalent of Kernel Tuner's strategy
std::optional<StrategyKind> t1_strategy(const T1Text& search);

}  // namespace kwb
