// SPDX-License-Identifier: Apache-2.0
#include "experiment/gpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <future>
#include <map>
#include <stop_token>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/toml_record.hpp"
#include "base/user_folders.hpp"
#include "experiment/shipped_gpus.hpp"
#include "experiment/xray_request.hpp"
#include "gpu/compile_for.hpp"
#include "gpu/gpu_view.hpp"
#include "source/read.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kMostBytes = 1u << 20;

/// Finds the keys of a description that a table does not have.
class MissingKeys : public Fields<MissingKeys> {
public:
    explicit MissingKeys(const toml::table& table) : table_(table) {}
    template <class T>
    void field(const Field& about, T&) {
        if (!table_.contains(about.key))
            missing.push_back(fmt::format("{} is missing: {}", about.key, about.meaning));
    }
    std::vector<std::string> missing;

private:
    const toml::table& table_;
};

std::vector<GpuProfile> parse_gpus(const std::string& text, const std::string& file) {
    const auto refuse = [&](std::uint32_t line, const std::string& what) {
        throw BadInput(fmt::format("{}:{}: {}", file, line, what));
    };
    toml::table root;
    try {
        root = parse_toml(text);
    } catch (const toml::parse_error& fault) {
        refuse(fault.source().begin.line, "invalid TOML: " + std::string(fault.description()));
    }
    const toml::array* const entries = root["gpu"].as_array();
    if (entries == nullptr || root.size() != 1)
        refuse(1, "the file must have one table [[gpu]] per GPU, and nothing else");
    std::vector<GpuProfile> gpus;
    for (const toml::node& entry : *entries) {
        const std::uint32_t line = entry.source().begin.line;
        const toml::table* const table = entry.as_table();
        if (table == nullptr) refuse(line, "gpu must be a table: [[gpu]]");
        GpuProfile gpu;
        std::vector<std::string> findings;
        TomlRecordReader reader(*table, findings, "gpu.");
        describe(reader, gpu);
        reader.refuse_unknown();
        if (!findings.empty()) throw BadInput(file + ":" + findings.front());
        MissingKeys keys(*table);
        describe(keys, gpu);
        if (!keys.missing.empty()) refuse(line, "gpu." + keys.missing.front());
        if (const auto flaw = check(gpu)) {
            const toml::node* const node = table->get(flaw->key);
            refuse(node->source().begin.line, fmt::format("gpu.{} must be {}", flaw->key, flaw->wanted));
        }
        if (!gpu.target.empty() && normal_target(gpu.target) != gpu.target)
            refuse(table->get("target")->source().begin.line,
                   fmt::format("gpu.target must be a name like gfx906 or sm_80, or empty, not \"{}\"",
                               gpu.target));
        const std::uint32_t name_line = table->get("name")->source().begin.line;
        if (gpu.name == "all" || gpu.name == kDeviceTarget || !normal_target(gpu.name).empty())
            refuse(name_line,
                   fmt::format("gpu.name \"{}\" already has a meaning for --target; choose another name",
                               gpu.name));
        if (std::ranges::find(gpus, gpu.name, &GpuProfile::name) != gpus.end())
            refuse(name_line, fmt::format("two GPUs have the name \"{}\"", gpu.name));
        gpus.push_back(std::move(gpu));
    }
    return gpus;
}

}  // namespace

bool is_observable(std::uint32_t sub_group) {
    return sub_group == 8 || sub_group == 16 || sub_group == 32 || sub_group == 64;
}

std::vector<GpuProfile> shipped_gpus() {
    return parse_gpus(kShippedGpus, "gpus.toml");
}

std::vector<GpuProfile> read_gpus(const fs::path& file) {
    return parse_gpus(read_file(file, kMostBytes), file.string());
}

std::vector<GpuProfile> known_gpus() {
    std::vector<GpuProfile> gpus;
    const fs::path own = config_folder() / "gpus.toml";
    if (std::error_code error; fs::exists(own, error)) gpus = read_gpus(own);
    for (GpuProfile& shipped : shipped_gpus())
        if (std::ranges::find(gpus, shipped.name, &GpuProfile::name) == gpus.end())
            gpus.push_back(std::move(shipped));
    return gpus;
}

namespace {

/// Source: NVIDIA, CUDA Binary Utilities and ptxas --help, --gpu-name. clang passes any other name to ptxas
/// as the nearest earlier one, so that a typing error would go unnoticed.
constexpr std::array<const char*, 23> kNvidiaTargets = {
    "sm_35", "sm_37",  "sm_50",  "sm_52",  "sm_53",  "sm_60",  "sm_61", "sm_62",
    "sm_70", "sm_72",  "sm_75",  "sm_80",  "sm_86",  "sm_87",  "sm_88", "sm_89",
    "sm_90", "sm_100", "sm_101", "sm_103", "sm_110", "sm_120", "sm_121"};

/// @param code  of normal_target()
void refuse_unknown_nvidia(const std::string& code, const std::vector<GpuProfile>& gpus) {
    if (!code.starts_with("sm_")) return;
    std::vector<std::string> known(kNvidiaTargets.begin(), kNvidiaTargets.end());
    for (const GpuProfile& gpu : gpus)
        if (std::ranges::find(known, gpu.target) == known.end()) known.push_back(gpu.target);
    if (std::ranges::find(known, code) != known.end()) return;
    throw BadInput(
        fmt::format("--target {0}: NVIDIA's compiler knows no GPU {0}.{1} You can add a new GPU to gpus.toml "
                    "(docs/gpus.md)",
                    code, did_you_mean(code, known)));
}

}  // namespace

Targets choose_targets(const std::vector<std::string>& names, const std::vector<GpuProfile>& gpus) {
    Targets targets;
    const auto add_code = [&](const std::string& code) {
        if (!code.empty() && std::ranges::find(targets.codes, code) == targets.codes.end())
            targets.codes.push_back(code);
    };
    const auto add_gpu = [&](const GpuProfile& gpu) {
        if (std::ranges::find(targets.gpus, gpu.name, &GpuProfile::name) == targets.gpus.end())
            targets.gpus.push_back(gpu);
        add_code(gpu.target);
    };
    for (const std::string& name : names) {
        if (name == kDeviceTarget) {
            targets.is_device = true;
            continue;
        }
        const std::string code = normal_target(name);
        refuse_unknown_nvidia(code, gpus);
        bool is_known = !code.empty();
        add_code(code);
        for (const GpuProfile& gpu : gpus) {
            const bool is_meant =
                name == "all" || (code.empty() ? to_lower(gpu.name).find(to_lower(name)) != std::string::npos
                                               : gpu.target == code);
            is_known = is_known || is_meant;
            if (is_meant && !name.empty()) add_gpu(gpu);
        }
        if (is_known && !name.empty()) continue;
        std::vector<std::string> known;
        for (const GpuProfile& gpu : gpus) known.push_back(gpu.name);
        throw BadInput(
            fmt::format("--target {}: give a compiler's name for a GPU (gfx906, sm_80), device, all, or part "
                        "of one of these names: {}",
                        name, enumerate(known)));
    }
    return targets;
}

std::uint32_t common_sub_group(const std::vector<GpuProfile>& gpus) {
    constexpr std::uint32_t kUsual = 32;
    if (gpus.empty() || !is_observable(gpus.front().sub_group)) return kUsual;
    const std::uint32_t first = gpus.front().sub_group;
    const bool agree =
        std::ranges::all_of(gpus, [&](const GpuProfile& gpu) { return gpu.sub_group == first; });
    return agree ? first : kUsual;
}

std::vector<TargetReport> compile_for_targets(const std::vector<std::string>& codes, const SourceText& text) {
    std::vector<std::future<TargetReport>> compiling;
    for (const std::string& code : codes)
        compiling.push_back(std::async(std::launch::async, compile_for, code, text, std::stop_token{}));
    std::vector<TargetReport> reports;
    for (auto& report : compiling) reports.push_back(report.get());
    return reports;
}

void add_gpus(ObservedKernel& kernel, const std::vector<GpuProfile>& gpus,
              const std::function<XrayReport(std::uint32_t)>& observe) {
    for (TargetReport& report : kernel.targets)
        if (!report.kernels.empty() && !normal_target(report.target).empty() &&
            std::ranges::find(gpus, report.target, &GpuProfile::target) == gpus.end())
            report.remark += (report.remark.empty() ? "" : "; ") +
                             std::string(
                                 "occupancy and time are left out, because no GPU of this target is known; "
                                 "describe one in gpus.toml (docs/gpus.md)");
    std::map<std::uint32_t, XrayReport> reports;  // of other sub-groups than the kernel's own report
    for (const GpuProfile& gpu : gpus) {
        const auto compiled = std::ranges::find(kernel.targets, gpu.target, &TargetReport::target);
        const TargetReport* const code = compiled == kernel.targets.end() ? nullptr : &*compiled;
        if (code != nullptr && !code->errors.empty()) continue;
        const XrayReport* report = &kernel.report;
        if (gpu.sub_group != kernel.report.sub_group && is_observable(gpu.sub_group) &&
            !kernel.report.launches.empty()) {
            if (!reports.contains(gpu.sub_group)) reports.emplace(gpu.sub_group, observe(gpu.sub_group));
            report = &reports.at(gpu.sub_group);
        }
        kernel.gpus.push_back(view_on(gpu, *report, code, {kernel.flops, kernel.compulsory_bytes}));
    }
}

Targets usual_target() {
    return choose_targets({"a100"}, shipped_gpus());
}

void add_gpus(std::span<KernelResult> results, const RunRequest& run, const Targets& targets) {
    struct Counted {
        KernelResult& result;
        ObservedKernel kernel;
    };
    std::vector<Counted> counted;
    std::vector<std::future<std::vector<TargetReport>>> compiling;
    for (std::size_t i = 0; i < std::min(results.size(), run.contestants.size()); ++i) {
        const Contestant& contestant = run.contestants[i];
        if (!contestant.kernel || !results[i].xray || !results[i].xray->counts) continue;
        counted.push_back({results[i], observed_kernel("", run, contestant, *results[i].xray->counts)});
        compiling.push_back(std::async(std::launch::async, compile_for_targets, targets.codes,
                                       source_text_of(*contestant.kernel)));
    }
    for (std::size_t i = 0; i < counted.size(); ++i) {
        ObservedKernel& kernel = counted[i].kernel;
        kernel.targets = compiling[i].get();
        add_gpus(kernel, targets.gpus, [&](std::uint32_t) { return kernel.report; });
        counted[i].result.gpus = std::move(kernel.gpus);
    }
}

}  // namespace kwb
