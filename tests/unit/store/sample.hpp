// SPDX-License-Identifier: Apache-2.0
// Sample runs for the history.
#pragma once

#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "base/sha256.hpp"
#include "model/error_map.hpp"
#include "model/json.hpp"
#include "model/result_fields.hpp"
#include "store/history.hpp"

namespace kwb::test {

/// A time in 2026, `minute` minutes after a fixed one.
inline std::chrono::system_clock::time_point at_minute(int minute) {
    return std::chrono::system_clock::time_point(std::chrono::seconds(1'780'000'000 + 60 * minute));
}

inline KernelResult sample_result(const std::string& kernel, const std::string& source) {
    KernelResult result;
    result.kernel = kernel;
    result.file = "/kernels/" + kernel + ".cl";
    result.source_sha256 = source.empty() ? "" : sha256_hex(source);
    result.problem = "matmul";
    result.size = {{"M", 512}, {"N", 256}, {"K", 1024}};
    result.params = {{"TILE", std::int64_t{16}}, {"T", std::string("float")}};
    result.launches = {{"multiply", {512, 256}, {16, 16}, 1.5}};
    result.device = "pocl:0";
    result.verdict = Verdict::Correct;
    result.samples_ms = {1.5, 1.25, 1.0 / 3, 1e-300};
    result.median_ms = 1.25;
    result.ci95_ms = Interval{1.0, 1.5};
    result.speedup = Speedup{"cpu:blas", 0.5, Interval{0.4, 0.6}};
    result.log = std::string("a null \0 in the log", 19);
    return result;
}

/// @param minute  time of the run, which makes runs distinguishable
inline PastRun sample_run(int minute = 0) {
    PastRun run;
    run.when = at_minute(minute);
    run.environment = {"Fast Device 9", "PoCL", "3.1+debian", "OpenCL C 1.2", "a cpu", "0.1.0", "none"};
    run.problem = "matmul";
    run.sizes = {{"M", 512}, {"N", 256}, {"K", 1024}};
    run.results = {sample_result("matmul/tiled", "tiled source"), sample_result("cpu:blas", "")};
    run.results[1].verdict = Verdict::Wrong;
    run.results[1].median_ms.reset();
    run.results[1].error_map =
        ErrorMap{"C", 2, 3, {0.0f, 0.5f, 1e30f, std::numeric_limits<float>::infinity(), -0.0f, 7.0f}};
    run.results[1].error_map->extents = MapExtents{2, 6};
    for (const std::uint64_t element : {0u, 3u, 5u, 6u, 8u, 10u})
        run.results[1].error_map->worst_elements.push_back({element, 1.0 / 3, -2});
    run.sources = {{{"/kernels/matmul/tiled.cl", "tiled source"}, {"tile.h", "neighbour"}}, {}};
    return run;
}

/// Two contestants at three sizes; the second is wrong at the middle size.
inline PastRun sample_sweep(int minute = 0) {
    PastRun sweep = sample_run(minute);
    sweep.results.clear();
    sweep.sources.clear();
    for (const std::int64_t edge : {16, 32, 64}) {
        sweep.sizes = {{"M", edge}, {"N", edge}, {"K", edge}};
        sweep.steps.push_back(sweep.sizes);
        for (const char* kernel : {"matmul/tiled", "matmul/naive"}) {
            KernelResult& result = sweep.results.emplace_back(sample_result(kernel, "a source"));
            result.size = sweep.sizes;
            result.median_ms = static_cast<double>(edge) / 8;
        }
    }
    sweep.results[3].verdict = Verdict::Wrong;
    sweep.results[3].median_ms.reset();
    return sweep;
}

/// Equality of everything in the JSON, of the error maps, of the sources and of the time.
inline bool same(const PastRun& a, const PastRun& b) {
    bool equal = a.when == b.when && a.problem == b.problem && a.sizes == b.sizes && a.steps == b.steps &&
                 a.sources == b.sources && to_json(a.environment) == to_json(b.environment) &&
                 a.results.size() == b.results.size();
    for (std::size_t i = 0; equal && i < a.results.size(); ++i) {
        const auto &x = a.results[i], &y = b.results[i];
        equal = to_json(x) == to_json(y) && x.error_map.has_value() == y.error_map.has_value() &&
                (!x.error_map || cell_bytes(*x.error_map) == cell_bytes(*y.error_map));
    }
    return equal;
}

}  // namespace kwb::test
