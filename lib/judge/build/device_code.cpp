// SPDX-License-Identifier: Apache-2.0
#include "judge/build/device_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/user_folders.hpp"
#include "gpu/assembly.hpp"
#include "gpu/hot_loop.hpp"
#include "judge/build/binding.hpp"
#include "judge/build/build_log.hpp"
#include "judge/build/compile_ahead.hpp"
#include "judge/build/constraints.hpp"
#include "judge/xray/observation.hpp"
#include "source/compiler.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

const TrustDomain kApart{Trust::Foreign, "machine code"};

/// Ends the processes and the compiler cache of kApart, also if Stop comes: the next request finds it empty.
struct EndOfCache {
    DevicePool& pool;
    ~EndOfCache() { pool.forget(kApart); }
};

constexpr std::uintmax_t kMostLibraryBytes = std::uintmax_t{16} << 20;

/// objdump of binutils, whose linker PoCL needs. A kernel can write what is in the cache, so objdump is
/// confined like a compiler.
/// @param function  without PoCL's prefix
void disassemble(TargetReport& report, const fs::path& library, const std::string& function,
                 const std::string& file) {
    const std::string objdump = find_in_path("objdump");
    if (objdump.empty()) {
        report.failure = "objdump, which reads the machine code, is not installed. Install binutils";
        return;
    }
    source::ReadingLimits limits;
    limits.source_bytes = kMostLibraryBytes;
    const source::CompilerAnswer answer = source::run_compiler(
        SourceText{read_file(library, kMostLibraryBytes)},
        [&](const fs::path& folder) {
            return std::vector<std::string>{objdump, "-d", "-l", "--no-show-raw-insn",
                                            (folder / source::kMainName).string()};
        },
        limits);
    if (!answer.failure.empty() || answer.is_rejected) {
        report.failure = "objdump could not read the machine code: " +
                         (answer.failure.empty() ? answer.messages : answer.failure);
        return;
    }
    MachineCode code =
        read_pocl_assembly(answer.output, function, file, kIncludeFolderName + std::string("/"));
    if (code.instructions > 0) report.kernels.push_back(std::move(code));
}

/// The library of a launch, <kernel>/<work-group>/<kernel>.so, in the cache of one program. The name of the
/// folder begins with the work-group: "16-16-1-".
std::optional<fs::path> library_of(const Launch& launch, const fs::path& cache) {
    std::string group;
    for (std::size_t i = 0; i < 3; ++i)
        if (!launch.local.empty()) group += fmt::format("{}-", i < launch.local.size() ? launch.local[i] : 1);
    std::error_code error;
    for (auto at = fs::recursive_directory_iterator(cache, error); !error && at != fs::end(at);
         at.increment(error))
        if (at->path().extension() == ".so" && at->path().stem() == launch.kernel &&
            at->path().parent_path().filename().string().starts_with(group))
            return at->path();
    return std::nullopt;
}

void compile(TargetReport& report, DeviceBench& bench, DevicePool& pool, const KernelPlan& plan,
             const ProblemInstance& instance, const PassData& inputs) {
    const auto fails = [&](const auto& answer) {
        const auto* const failure = std::get_if<Failure>(&answer);
        if (failure != nullptr) report.failure = failure->reason;
        return failure != nullptr;
    };
    const Answer<BuiltReply> answer = bench.build(plan);
    if (fails(answer)) return;
    const auto& built = std::get<BuiltReply>(answer);
    if (!built.accepted) {
        for (const Diagnostic& diagnostic : parse_build_log(built.log))
            if (diagnostic.severity == Severity::Error)
                report.errors.push_back({{diagnostic.file == plan.file ? "" : diagnostic.file,
                                          diagnostic.line, diagnostic.column},
                                         diagnostic.message});
        if (report.errors.empty()) report.failure = "the driver's compiler rejected it";
        return;
    }
    bench.use_layout(make_layout(instance, {&plan}, bench.device()));
    bench.use_inputs(inputs);
    const auto launches = bind_launches(plan, 0, built.functions, instance, bench.layout());
    if (fails(launches)) return;
    ExecuteRequest request;
    request.launches = shortest(std::get<std::vector<Launch>>(launches));
    if (const auto found =
            find_launch_constraint(request.launches, built.functions, bench.device(), &bench.layout())) {
        report.failure = *found;
        return;
    }
    const bool has_failed = fails(bench.execute(plan, request));  // the code may be there all the same
    std::set<std::string> seen;
    for (const Launch& launch : request.launches) {
        if (!seen.insert(launch.kernel).second) continue;
        const auto library = library_of(launch, pool.cache(kApart).path());
        if (!library) continue;
        if (has_failed) report.failure.clear();
        disassemble(report, *library, launch.kernel, plan.file);
    }
    if (report.kernels.empty() && report.failure.empty())
        report.failure = "the driver left no machine code in a known form";
}

}  // namespace

TargetReport code_of_device(DevicePool& pool, const DeviceInfo& device, const KernelPlan& plan,
                            const ProblemInstance& instance, const ReferenceSolver& solver, double timeout_ms,
                            const Checkpoint& checkpoint) {
    TargetReport report{.target = device.id, .compiler = device.platform + " " + device.driver_version};
    if (!is_pocl_cpu(device)) {
        report.failure =
            "the machine code of " + device.name +
            " is not shown, because only that of PoCL's CPU devices can be read. Name a GPU as target";
        return report;
    }
    const auto start = std::chrono::steady_clock::now();
    const PassData inputs{solver.make_inputs(instance, xray_pass(solver), kXraySeed, checkpoint), {}};
    KernelPlan with_lines = plan;
    with_lines.build_options += with_lines.build_options.empty() ? "-g" : " -g";
    const EndOfCache end{pool};
    DeviceBench bench(pool, device, kApart);
    bench.set_timeout_ms(timeout_ms);
    compile(report, bench, pool, with_lines, instance, inputs);
    report.compile_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return report;
}

std::optional<HotLoop> hot_loop_of(const std::vector<Launch>& launches,
                                   const std::vector<CodePlace>& samples) {
    std::map<fs::path, std::vector<std::uint64_t>> by_library;
    for (const CodePlace& place : samples) {
        const fs::path library = place.library;
        if (std::ranges::any_of(launches,
                                [&](const Launch& one) { return library.filename() == one.kernel + ".so"; }))
            by_library[library].push_back(place.offset);
    }
    const auto most =
        std::ranges::max_element(by_library, {}, [](const auto& entry) { return entry.second.size(); });
    if (most == by_library.end()) return std::nullopt;
    TargetReport report;
    disassemble(report, most->first, most->first.stem().string() + "_workgroup", "");
    return report.kernels.empty() ? std::nullopt : find_hot_loop(report.kernels.front(), most->second);
}

}  // namespace kwb
