// What the history keeps of a run, whole and in short.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "model/result.hpp"

namespace kwb {

/// The texts of one contestant: its file first, then the neighbours that it includes; name → text.
/// Empty for cpu:blas.
using SourceTexts = NamedList<std::string>;

/// All results of one request, or of the requests of one sweep, with all that is needed to show them again.
struct PastRun {
    std::int64_t id = 0;                         ///< given by History::add()
    std::chrono::system_clock::time_point when;  ///< UTC, kept to the millisecond
    Environment environment;
    std::string problem;
    Sizes sizes;               ///< of a sweep: its last step
    std::vector<Sizes> steps;  ///< of a sweep: what was measured, in that order; empty: a run, no sweep
    /// In the order of the request; error maps with their cells. Of a sweep: all of the first step, then all
    /// of the second, as many for each.
    std::vector<KernelResult> results;
    std::vector<SourceTexts> sources;  ///< one for each of `results`, or empty: not known

    bool is_sweep() const { return !steps.empty(); }
};

/// One line of a past run's summary.
struct PastKernel {
    std::string kernel;
    std::string source_sha256;
    Verdict verdict = Verdict::Skipped;
    bool as_expected = false;  ///< see KernelResult::as_expected()
    std::optional<double> median_ms;
};

/// A past run for a list: without samples, logs and texts; some hundred bytes.
struct RunSummary {
    std::int64_t id = 0;
    std::chrono::system_clock::time_point when;  ///< UTC
    std::string device;
    std::string driver;
    std::string problem;
    Sizes sizes;  ///< of a sweep: its last step
    /// Of a sweep: a line a contestant, as it was at the last step, or where it first was not as expected.
    std::vector<PastKernel> kernels;
    std::vector<Sizes> steps = {};  ///< as in PastRun

    bool is_sweep() const { return !steps.empty(); }
};

/// Which past runs are wanted: those that fulfil everything that is said here.
/// Texts are looked for anywhere in the value, without regard to the case of ASCII letters.
struct HistoryFilter {
    std::string text;     ///< in the device, the problem or the name of a kernel
    std::string device;   ///< in the device's name
    std::string driver;   ///< in the driver's version
    std::string kernel;   ///< in the name of one of the kernels
    std::string problem;  ///< in the problem's name
    std::optional<Sizes> sizes;
    std::optional<std::string> source_sha256;  ///< one of the kernels had exactly this source
    std::optional<Verdict> verdict;            ///< one of the kernels came to this
};

}  // namespace kwb
