// SPDX-License-Identifier: Apache-2.0
// Descriptions (base/record.hpp) of compiled kernels, occupancy and lower bounds on GPUs.
#pragma once

#include "base/record.hpp"
#include "model/gpu_profile.hpp"
#include "model/hot_loop.hpp"
#include "model/machine_code.hpp"
#include "model/xray_fields.hpp"

namespace kwb {

template <class Fields>
void describe(Fields& f, AssemblyLine& line) {
    f.record("assembly_line", "A line of assembly.");
    f("text", line.text, "An instruction, or a label with its colon.");
    f("place", line.place, "The source that it comes from.");
    f("is_label", line.is_label, "It is a label.");
}

template <class Fields>
void describe(Fields& f, MachineCode& code) {
    f.record("machine_code", "A kernel function, compiled.");
    f("kernel", code.kernel, "Its name.");
    f("registers", code.registers, "32-bit registers per work-item; null: unknown.");
    f("scalar_registers", code.scalar_registers, "AMD: registers that a sub-group shares.");
    f("local_bytes", code.local_bytes, "Local memory that the kernel declares; null: unknown.");
    f("scratch_bytes", code.scratch_bytes, "Memory per work-item for values that are not in registers.");
    f("spilled_bytes", code.spilled_bytes, "NVIDIA: stores and loads of spilled registers.");
    f("sub_groups_per_simd", code.sub_groups_per_simd,
      "AMD: sub-groups that a quarter of a compute unit holds at once, as the compiler computes it.");
    f("instructions", code.instructions, "Instructions in the code.");
    f("assembly", code.assembly, "Its lines.");
}

template <class Fields>
void describe(Fields& f, HotLoop& loop) {
    f.record("hot_loop",
             "The loop in which a kernel spends most of its time, in the machine code of the device. Samples "
             "show where it "
             "is.");
    f("share", loop.share, between(0, 1), "Share of the samples in the kernel's code.");
    f("lanes", loop.lanes, between(0, 64),
      "Most floating-point numbers that one of its arithmetic instructions computes; 0: it has none.");
    f("instructions_per_operation", loop.instructions_per_operation,
      "Instructions of any kind by floating-point operations; a fused multiply-add is two operations. null: "
      "there are "
      "none, or the loop contains others.");
}

template <class Fields>
void describe(Fields& f, CompilerError& error) {
    f.record("compiler_error", "An error of a compiler.");
    f("place", error.place, "Its place; line 0: it has none.");
    f("words", error.words, "The compiler's words.");
}

template <class Fields>
void describe(Fields& f, TargetReport& report) {
    f.record("target", "A kernel file, compiled for a GPU.");
    f("target", report.target, "The compiler's name of the GPU.");
    f("compiler", report.compiler, "Name of the compiler.");
    f("errors", report.errors, "Why the source was rejected.");
    f("failure", report.failure, "Why nothing was compiled, and what to do.");
    f("remark", report.remark, "What is missing, and how to get it.");
    f("kernels", report.kernels, "Kernel functions, in the order of the source.");
    f("compile_ms", report.compile_ms, kDuration, "Time of the compilers.");
}

template <class Fields>
void describe(Fields& f, Occupancy& occupancy) {
    f.record("occupancy", "How many work-groups a compute unit holds at once.");
    f("group_items", occupancy.group_items, "Work-items of a work-group.");
    f("groups", occupancy.groups, "Work-groups; 0: not even one fits.");
    f("sub_groups", occupancy.sub_groups, "Their sub-groups.");
    f("percent", occupancy.percent, between(0, 100),
      "Share of the most sub-groups that a compute unit can hold.");
    f("binding", occupancy.binding, "The limits that each prevent another work-group.");
    f("knows_registers", occupancy.knows_registers,
      "False: the registers are unknown and not counted, so this is an upper bound.");
}

template <class Fields>
void describe(Fields& f, LowerBound& bound) {
    f.record(
        "lower_bound",
        "Milliseconds that a GPU takes at least. Latency, synchronisation, cache misses and start-up come "
        "on top.");
    f("ms", bound.ms, kDuration, "The largest of the following.");
    f("by", bound.by, "Name of the largest; null: another one is nearly as large.");
    f("memory_ms", bound.memory_ms, kDuration,
      "What the problem must move and the last-level cache does not hold, over the bandwidth.");
    f("last_level_ms", bound.last_level_ms, kDuration,
      "What the problem must move, and stores that are written through, over the bandwidth of the last-level "
      "cache.");
    f("cache_ms", bound.cache_ms, kDuration,
      "Accesses to global memory, over the rate of the first-level cache.");
    f("local_ms", bound.local_ms, kDuration, "Bank cycles of local memory.");
    f("issue_ms", bound.issue_ms, kDuration, "Accesses and multiply-adds, over the rate of issue.");
    f("arithmetic_ms", bound.arithmetic_ms, kDuration, "Operations over the peak.");
}

template <class Fields>
void describe(Fields& f, GpuView::Launch& launch) {
    f.record("gpu_launch", "A launch on a GPU.");
    f("kernel", launch.kernel, "Name of the kernel function.");
    f("registers", launch.registers,
      "Registers per work-item; null: unknown, or they never limit the occupancy.");
    f("local_bytes", launch.local_bytes, "Local memory of a work-group.");
    f("occupancy", launch.occupancy);
    f("better", launch.better, "The nearest work-group that holds more sub-groups.");
    f("scratch_bytes", launch.scratch_bytes,
      "Memory per work-item for values that are not in registers; null: unknown.");
    f("double_share", launch.double_share, between(0, 1),
      "Share of the floating-point instructions of its code that compute in double precision; null: there "
      "are none, or unknown.");
}

template <class Fields>
void describe(Fields& f, GpuView& view) {
    f.record("gpu_view", "A kernel on a GPU, which need not be in this machine.");
    f("gpu", view.gpu, "Name of the GPU.");
    f("launches", view.launches, "In the order in which they run.");
    f("at_least", view.at_least, "Lower bound of its time; null: unknown.");
}

}  // namespace kwb
