// SPDX-License-Identifier: Apache-2.0
// Descriptions (base/record.hpp) of results. Each new field of KernelResult needs a line here.
#pragma once

#include "base/record.hpp"
#include "model/finding_words.hpp"
#include "model/gpu_fields.hpp"
#include "model/plan_fields.hpp"
#include "model/result.hpp"
#include "model/xray_fields.hpp"

namespace kwb {

template <class Fields>
void describe(Fields& f, Environment& e) {
    f.record("environment", "Where the measurement was made. An empty text means unknown.");
    f("device", e.device, "Name of the device.");
    f("platform", e.platform, "Name of the OpenCL platform.");
    f("driver", e.driver, "Version of its driver.");
    f("opencl_c", e.opencl_c, "Newest version of OpenCL C that the device compiles.");
    f("host_cpu", e.host_cpu, "Model of the host's CPU.");
    f("kwb_version", e.kwb_version, "Version of the workbench.");
    f("sandbox", e.sandbox,
      "Isolation of the processes that ran the kernels, as a clause: what it blocks and by which means, then "
      "what it could not block; \"none (--no-sandbox)\" if it was switched off.");
}

template <class Fields>
void describe(Fields& f, Evidence& e) {
    f.record("evidence", "Evidence of a fault.");
    f("stage", e.stage,
      "Last step that the process started: \"compile\", \"first launch\" (in which drivers finish compiling) "
      "or \"launch\".");
    f("signal", e.signal, "The signal that ended the process, e.g. \"SIGSEGV\".");
    f("buffer", e.buffer, "The buffer that was accessed.");
    f("access", e.access, matching("^(read|write)$"), "Kind of access.");
    f("element", e.element, "Element of the buffer; negative: before the first.");
    f("work_item", e.work_item,
      "Global id of that work-item, one number per dimension, x first; null: unknown.");
}

template <class Fields>
void describe(Fields& f, WrongElement& wrong) {
    f.record("wrong_element", "A wrong element.");
    f("index", wrong.index, "Position in the buffer's shape, outermost dimension first.");
    f("expected", wrong.expected, "The reference's value.");
    f("got", wrong.got, "The kernel's value; also \"nan\" for an element that the kernel did not write.");
    f("buffer", wrong.buffer, "The output that contains it.");
}

template <class Fields>
void describe(Fields& f, MapExtents& extents) {
    f("rows", extents.rows);
    f("columns", extents.columns);
}

/// The cells are sent as an attachment: see error_map.hpp.
template <class Fields>
void describe(Fields& f, ErrorMap& map) {
    f("buffer", map.buffer);
    f("rows", map.rows, at_most(kMostMapCells));
    f("columns", map.columns, at_most(kMostMapCells));
    f("extents", map.extents);
}

inline std::optional<Flaw> check(const ErrorMap& map) {
    // Limit for a buffer: larger than any memory, and small enough that computing cell indices cannot
    // overflow.
    constexpr std::uint64_t kMostElements = std::uint64_t{1} << 48;
    if (!map.extents) return std::nullopt;
    const auto [rows, columns] = *map.extents;
    if (rows < map.rows || columns < map.columns) return Flaw{"extents", "at least one element per cell"};
    if (columns > 0 && rows > kMostElements / columns) return Flaw{"extents", "at most 2^48 elements"};
    return std::nullopt;
}

template <class Fields>
void describe(Fields& f, Picture& picture) {
    f("buffer", picture.buffer);
    f("rows", picture.rows, at_most(kMostPicturePixels));
    f("columns", picture.columns, at_most(kMostPicturePixels));
    f("pixels", picture.pixels);
}

inline std::optional<Flaw> check(const Picture& picture) {
    if (picture.pixels.empty() || picture.pixels.size() != std::size_t{picture.rows} * picture.columns)
        return Flaw{"pixels", "one for each row and column"};
    return std::nullopt;
}

template <class Fields>
void describe(Fields& f, LaunchResult& launch) {
    f.record("launch", "One kernel launch, in the order in which they run.");
    f("kernel", launch.kernel, "Name of the kernel function.");
    f("global", launch.global, items(1, 3), "Work-items in each dimension.");
    f("local", launch.local, items(0, 3),
      "Work-items of one work-group in each dimension; empty: the driver chose.");
    f("median_ms", launch.median_ms, kDuration, "Median time of all repeats of this launch together.");
}

template <class Fields>
void describe(Fields& f, KernelInfo& info) {
    f.record("kernel_info", "What the driver reports about the first kernel function of the program.");
    f("work_group_size", info.work_group_size,
      "Largest number of work-items of one work-group (CL_KERNEL_WORK_GROUP_SIZE).");
    f("preferred_multiple", info.preferred_multiple,
      "Work-group sizes should be multiples of this (CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE).");
    f("local_mem_bytes", info.local_mem_bytes,
      "Local memory of one work-group (CL_KERNEL_LOCAL_MEM_SIZE; where that is 0, what the source "
      "declares).");
    f("private_mem_bytes", info.private_mem_bytes,
      "Private memory of one work-item (CL_KERNEL_PRIVATE_MEM_SIZE).");
}

template <class Fields>
void describe(Fields& f, Speedup& speedup) {
    f.record("speedup", "Comparison with the baseline, from the ratios of the times in each round.");
    f("to", speedup.to, "Name of the baseline.");
    f("value", speedup.value, "Median ratio; above 1: this kernel is faster.");
    f("ci95", speedup.interval,
      "95 % interval of the median ratio; null: too few rounds. If it includes 1, no difference was seen.");
}

template <class Fields>
void describe(Fields& f, Diagnostic& diagnostic) {
    f.record("diagnostic", "A message of the compiler, with its place in the kernel's file.");
    f("severity", diagnostic.severity);
    f("file", diagnostic.file, "The file.");
    f("line", diagnostic.line, "Counted from 1; 0: unknown.");
    f("column", diagnostic.column, "Counted from 1; 0: unknown.");
    f("message", diagnostic.message, "The compiler's text.");
}

template <class Fields>
void describe(Fields& f, Hint& hint) {
    f.record("hint", "A remark about suspicious source code; never a verdict.");
    f("line", hint.line, "Counted from 1; 0: the whole file.");
    f("sentence", hint.sentence, "The remark.");
}

template <class Fields>
void describe(Fields& f, TooFewRounds& few) {
    f.record("too_few_rounds", "Why there is no interval.");
    f("needed_ms", few.needed_ms, kDuration,
      "A time budget for each kernel that would have been about enough; null: the rounds did not end because "
      "of the time.");
}

template <class Fields>
void describe(Fields& f, RandomCheck& check) {
    f.record("random_check",
             "A check by products with random vectors instead of a full reference (R. Freivalds, 1979); some "
             "elements are also compared one by one.");
    f("vectors", check.vectors, at_least(1), "Random vectors; the larger number of the two passes.");
    f("miss_chance", check.miss_chance, between(0, 1),
      "Upper bound of the probability that the check misses a wrong element. In the pass with integers, that "
      "is any wrong element; in the pass with random numbers, one that is off by more than visible_error.");
    f("visible_error", check.visible_error,
      "Absolute error above which the pass with random numbers detects an element; null: only the pass with "
      "integers was checked.");
    f("compared_elements", check.compared_elements,
      "Elements compared one by one, chosen at random or because they looked wrong; the larger number of the "
      "two passes.");
}

template <class Fields>
void describe(Fields& f, XrayObservation& observation) {
    f.record("xray_observation", "One observation of a kernel, work-item by work-item.");
    f("size", observation.size, at_least(1), "Extents by name.");
    f("groups", observation.groups, "Work-groups of all launches.");
    f("observed_groups", observation.observed_groups, "Those that were observed, evenly spread.");
    f("shuffled", observation.is_shuffled,
      "true: in another order of the groups, and of the work-items between two barriers.");
}

template <class Fields>
void describe(Fields& f, XrayOutcome& outcome) {
    f.record("xray_outcome",
             "X-ray's result: it runs the kernel's own source, without optimisation, under observation.");
    f("state", outcome.state,
      "left_out: the user chose so (--no-xray). not_possible: see reason. observed: see the lists.");
    f("reason", outcome.reason, "Why X-ray was not possible; empty: it ran, or was left out.");
    f("observed", outcome.observed, "The sizes, and how much was observed at each.");
    f("undefined", outcome.undefined, "Undefined behaviour.");
    f("remarks", outcome.remarks, "Gaps in the observation, and why.");
    f("counts", outcome.counts,
      "Accesses, lines and barriers of whole launches at the size of the run, scaled where only some "
      "work-groups were observed; null: not counted.");
    f("foreign", outcome.is_foreign,
      "true: an untrusted kernel; it ran in the same process as its observer, so it may have forged this.");
}

template <class Fields>
void describe(Fields& f, Effect& effect) {
    f.record(
        "effect",
        "A what-if experiment: the kernel, changed in one thing, was timed in turns with the kernel as it "
        "is. The difference is what that thing costs.");
    f("what", effect.what,
      "cache_hits: every access of a buffer hits a near cache. no_barriers: barriers do nothing. "
      "no_atomicity: atomic operations are ordinary loads and stores. together: all of these, where there "
      "are several. sorted: the elements of a buffer of integers are in ascending order. empty_kernel: "
      "kernels "
      "return at once.");
    f("buffer", effect.buffer, "Of cache_hits and sorted; empty: all buffers that are only read.");
    f("cache_level", effect.cache_level, between(1, 2),
      "Of cache_hits and together: 1 is the nearest cache.");
    f("is_by_subscripts", effect.is_by_subscripts,
      "Of cache_hits and together: the kernel's subscripts were changed; false: pages of its buffers were "
      "the same "
      "memory.");
    f("rounds", effect.rounds, "Rounds in which both were timed.");
    f("as_it_is_ms", effect.as_it_is_ms, kDuration, "Median time of the kernel as it is.");
    f("changed_ms", effect.changed_ms, kDuration, "Median time of the changed kernel.");
    f("share", effect.share,
      "Share of the kernel's time that is saved without it; of together and empty_kernel, the share that "
      "is left. A negative share: the changed kernel is slower.");
    f("ci95", effect.interval, "95 % interval of the share; null: too few rounds.");
    f("at_most", effect.at_most,
      "If it ended after its first rounds, because they showed no effect: the upper end of the 95 % interval "
      "of their mean share; null: it went on.");
    f("obstacle", effect.obstacle, "Why it was not measured, as a clause; empty: it was.");
}

template <class Fields>
void describe(Fields& f, KernelResult& r) {
    f.record("result", "One kernel at one size.");
    f("kernel", r.kernel,
      "Name in the catalogue, path as typed, or \"cpu:blas\" for the host's BLAS library.");
    f("file", r.file, "Path of the source file; empty for cpu:blas.");
    f("source_sha256", r.source_sha256, matching("^([0-9a-f]{64})?$"),
      "SHA-256 of the source in hexadecimal; empty for cpu:blas.");
    f("unsaved", r.unsaved,
      "true: the text that ran, or a file that it includes, had unsaved changes in the window.");
    f("problem", r.problem, "Name of the problem, e.g. \"matmul\".");
    f("size", r.size, at_least(1), "Extents by name, e.g. {\"M\": 512, \"N\": 512, \"K\": 512}.");
    f("seed", r.seed,
      "The random inputs are made from this number, and --seed repeats them; null: it was not kept, or "
      "nothing ran.");
    f("params", r.params, "Compile-time parameters with their chosen values.");
    f("launches", r.launches);
    f("library", r.library,
      "For cpu:blas: the library, which of its kernels ran, and how they were chosen; null: a kernel's "
      "file.");
    f("device", r.device, "Id of the device, as for --device.");
    f("place", r.place,
      "Where the device is: a name of the settings or a launch command, as for --on; empty: this machine.");
    f("verdict", r.verdict);
    f("expected", r.expected, "null: the kernel should be correct.");
    f("reason", r.reason, "The problem, its place, and what to try; empty: nothing to report.");
    f("finding", r.finding, "The reason as data; null: it is only a sentence, or there is none.");
    f("evidence", r.evidence, "null: no fault.");
    f("build_ms", r.build_ms, kDuration, "Compiling and linking.");
    f("upload_ms", r.upload_ms, kDuration, "Transfer of all inputs from host to device.");
    f("download_ms", r.download_ms, kDuration, "Transfer of all outputs from device to host.");
    f("first_run_ms", r.first_run_ms, kDuration,
      "The first run, by the wall clock, including the driver's preparations.");
    f("samples_ms", r.samples_ms, kDuration,
      "One time for each round, in order: the median of the runs recorded in the kernel's turn.");
    f("median_ms", r.median_ms, kDuration, "Median of the samples.");
    f("ci95_ms", r.ci95_ms, "95 % interval of the median within this run; null: too few rounds (below 6).");
    f("gflops", r.gflops,
      "10^9 floating-point operations per second: the problem's operations, divided by the median time; "
      "null: it has none, like a copy.");
    f("gbytes_s", r.gbytes_s,
      "10^9 bytes per second: the fewest bytes that the problem must move, divided by the median time.");
    f("speedup", r.speedup, "null: this is the baseline, or it was not compared.");
    f("wrong_elements", r.wrong_elements,
      "Number of wrong elements (with random_check, a lower bound); null: not verified.");
    f.derived("first_wrong", r.first_wrong.empty() ? std::nullopt : std::optional(r.first_wrong.front()),
              "The first wrong element in index order; null: none, or not verified.");
    f("wrong_examples", r.first_wrong, items(0, 16), "The first wrong elements in index order.");
    f("max_error_share", r.max_error_share, "Largest error as a share of the error bound; above 1 is wrong.");
    f("random_check", r.random_check,
      "How outputs too large for a full reference were checked; null: every element was compared.");
    f("kernel_info", r.kernel_info, "null: the program was not built.");
    f("diagnostics", r.diagnostics, "The compiler's messages.");
    f("hints", r.hints, "Places in the source that look wrong, found without running it. Never a verdict.");
    f("xray", r.xray, "X-ray's result; null: the run ended before X-ray, or this is cpu:blas.");
    f("effects", r.effects,
      "What-if experiments (kwb why): what single things cost this kernel; null: not measured.");
    f("hot_loop", r.hot_loop, "Where the kernel spends most of its time (kwb why); null: not known.");
    f("gpus", r.gpus,
      "Occupancy and shortest possible time on GPUs that the machine need not have; null: not computed.");
    f("too_few_rounds", r.too_few_rounds,
      "Why there is no interval; null: there were enough rounds, nothing was timed, or the user stopped the "
      "run.");
    f.derived("warnings", sentences_of(r.warnings),
              "Warnings about the measurement, and about the kernel's portability.");
    f("warning_findings", r.warnings, "The warnings as data, in the same order.");
    f("output", r.output,
      "What the program printed: the first 64 KiB of each request to the device; a last line states how much "
      "was cut.");
    f("log", r.log, "The complete log of the compiler.");
    f.sent("error_map", r.error_map);
    f.sent("picture", r.picture);
}

}  // namespace kwb
