// SPDX-License-Identifier: Apache-2.0
#include "gpu/compile_for.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "gpu/assembly.hpp"
#include "source/compiler.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLibraries = "/usr/lib/clc";
constexpr std::size_t kMostErrors = 20;

/// clang's own description: docs/UsersManual.rst, "OpenCL Features". The mesa environment, because libclc's
/// functions for the hsa environment are not complete.
constexpr const char* kArguments =
    "-x cl -cl-std=CL1.2 -D__OPENCL_VERSION__=300 -O3 -S -o - -nogpulib -w "
    "-fno-caret-diagnostics -fno-color-diagnostics -fno-crash-diagnostics -Xclang -fdeclare-opencl-builtins "
    "-Xclang -finclude-default-header";

/// With more than directives, clang 15 crashes where NVIDIA's back end meets a function that is called or a
/// variable whose place it does not know.
constexpr const char* kAmdLines = "-gline-tables-only -gdwarf-4";
constexpr const char* kPtxLines = "-gline-directives-only";

constexpr std::uint64_t kMostPtxLocalBytes = 48 << 10;  ///< of `__local` arrays, on every NVIDIA GPU

/// The versions that clang 15 supports, in ascending order. Code for one of these also runs on later ones.
constexpr std::array kPtxVersions = {35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86};

bool is_amd(const std::string& target) {
    return target.starts_with("gfx");
}

int version_of_sm(const std::string& target) {
    return std::atoi(target.c_str() + 3);
}

/// Code of an older version for a later device.
int ptx_version_for(int version) {
    int found = kPtxVersions.front();
    for (const int known : kPtxVersions)
        if (known <= version) found = known;
    return found;
}

std::string library_of(const std::string& target) {
    // libclc has the same functions, under many names, for every AMD target.
    return std::string(kLibraries) +
           (is_amd(target) ? "/tahiti-amdgcn-mesa-mesa3d.bc" : "/nvptx64--nvidiacl.bc");
}

std::vector<std::string> arguments_for(const std::string& target) {
    std::vector<std::string> arguments =
        split(kArguments + std::string(" ") + (is_amd(target) ? kAmdLines : kPtxLines), ' ');
    const auto add = [&](std::initializer_list<std::string> words) {
        arguments.insert(arguments.end(), words);
    };
    const std::string cpu =
        is_amd(target) ? target : fmt::format("sm_{}", ptx_version_for(version_of_sm(target)));
    add({"-target", is_amd(target) ? "amdgcn-mesa-mesa3d" : "nvptx64-nvidia-nvcl"});
    add({"-Xclang", "-target-cpu", "-Xclang", cpu});
    add({"-Xclang", "-mlink-builtin-bitcode", "-Xclang", library_of(target)});
    return arguments;
}

/// "clang-15" of "/usr/bin/clang-15" or "/usr/lib/llvm-15/bin/clang"
std::string name_of(const std::string& compiler) {
    std::error_code error;
    const fs::path real = fs::canonical(compiler, error);
    if (error) return fs::path(compiler).filename().string();
    const std::string folder = real.parent_path().parent_path().filename().string();
    return folder.starts_with("llvm-") ? "clang-" + folder.substr(5) : real.filename().string();
}

/// Errors of clang: "FOLDER/kwb_main.cl:12:5: error: words", or "error: words".
std::vector<CompilerError> errors_in(const std::string& messages, const std::string& folder) {
    constexpr std::string_view kError = "error: ";
    std::vector<CompilerError> errors;
    for (const std::string& line : split_lines(messages)) {
        const std::size_t at = line.find(kError);
        if (at == std::string::npos || errors.size() == kMostErrors) continue;
        CompilerError error;
        error.words = line.substr(at + kError.size());
        const std::vector<std::string> place = split(line.substr(0, at), ':');
        if (place.size() >= 3 && place[0].starts_with(folder)) {
            error.place.file = place[0].substr(folder.size());
            if (error.place.file == source::kMainName) error.place.file.clear();
            error.place.line = static_cast<std::uint32_t>(std::strtoul(place[1].c_str(), nullptr, 10));
            error.place.column = static_cast<std::uint32_t>(std::strtoul(place[2].c_str(), nullptr, 10));
        }
        errors.push_back(std::move(error));
    }
    return errors;
}

std::string install_libclc(const std::string& compiler) {
    const std::string name = name_of(compiler);
    return "Install lib" + (name.starts_with("clang-") ? "clc" + name.substr(5) : std::string("clc"));
}

void remark(TargetReport& report, const std::string& sentence) {
    report.remark += (report.remark.empty() ? "" : "; ") + sentence;
}

/// The back end of a GPU takes 3 s for a kernel that is unrolled as far as matmul/panels, and on a busy
/// machine several times as long.
constexpr source::ReadingLimits kLimits{.milliseconds = 20'000};

/// The value of KWB_PTXAS; empty: not set
std::string chosen_ptxas() {
    const char* const chosen = std::getenv("KWB_PTXAS");
    return chosen == nullptr ? "" : chosen;
}

void add_machine_registers(TargetReport& report, const std::string& ptx, const std::stop_token& stop) {
    const std::string ptxas = find_ptxas();
    if (ptxas.empty() && !chosen_ptxas().empty()) {
        remark(report, fmt::format("registers and spills are unknown, because KWB_PTXAS names {}, which is "
                                   "not a program. Set it to the absolute path of NVIDIA's ptxas",
                                   chosen_ptxas()));
        return;
    }
    if (ptxas.empty()) {
        remark(report,
               "registers and spills are unknown, because NVIDIA's ptxas is not installed. It is part of the "
               "CUDA toolkit and of the Python package nvidia-cuda-nvcc-cu12. Set KWB_PTXAS to its path");
        return;
    }
    const source::CompilerAnswer answer = source::run_compiler(
        SourceText{ptx_for_ptxas(ptx)},
        [&](const fs::path& folder) {
            return std::vector<std::string>{ptxas,
                                            "-v",
                                            "-arch",
                                            report.target,
                                            "-o",
                                            "/dev/null",
                                            (folder / source::kMainName).string()};
        },
        kLimits, stop);
    if (answer.failure.empty() && !answer.is_rejected) {
        add_ptxas_figures(answer.messages, report.kernels);
        const auto is_told = [](const MachineCode& code) { return code.registers.has_value(); };
        if (std::ranges::all_of(report.kernels, is_told))
            report.compiler += " and ptxas";
        else
            remark(report, fmt::format("registers and spills are unknown, because {} did not report them. "
                                       "Check that it is NVIDIA's ptxas",
                                       ptxas));
        return;
    }
    // "ptxas fatal   : Value 'sm_35' is not defined for option 'gpu-name'"
    if (answer.messages.find("Value '" + report.target + "' is not defined") != std::string::npos) {
        remark(report,
               fmt::format("registers and spills are unknown, because this ptxas no longer supports {}. Set "
                           "KWB_PTXAS to that of an older CUDA toolkit",
                           report.target));
        return;
    }
    std::string why =
        answer.failure.empty() ? "no reason given. Check that it is NVIDIA's ptxas" : answer.failure;
    for (const std::string& line : split_lines(answer.messages))
        if (line.find("fatal") != std::string::npos || line.find("error") != std::string::npos) {
            why = line;
            break;
        }
    remark(report,
           fmt::format("registers and spills are unknown, because {} rejected the code: {}", ptxas, why));
}

/// The line in which the source begins the body of a kernel function, by the first instruction that has a
/// place.
XrayPlace place_of(const MachineCode& code) {
    const auto first =
        std::ranges::find_if(code.assembly, [](const AssemblyLine& line) { return line.place.line > 0; });
    return first == code.assembly.end() ? XrayPlace{} : first->place;
}

/// Both vendors' limits are about the whole of what a work-group has, so one sentence serves.
CompilerError too_much_local_memory(const MachineCode& code, std::uint64_t bytes, std::uint64_t most) {
    return {place_of(code), fmt::format("{} needs {} bytes of local memory; a work-group can have at most {}",
                                        code.kernel, bytes, most)};
}

/// AMD's back end says "local memory (80000) exceeds limit (65536) in function 'k'", without a place.
void explain_local_memory(std::vector<CompilerError>& errors, const std::vector<MachineCode>& kernels) {
    for (CompilerError& error : errors) {
        unsigned long long bytes = 0, most = 0;
        if (std::sscanf(error.words.c_str(), "local memory (%llu) exceeds limit (%llu)", &bytes, &most) != 2)
            continue;
        const std::vector<std::string> quoted = split(error.words, '\'');
        const auto kernel =
            std::ranges::find(kernels, quoted.size() > 1 ? quoted[1] : "", &MachineCode::kernel);
        if (kernel != kernels.end()) error = too_much_local_memory(*kernel, bytes, most);
    }
}

/// The source as a GPU that has no printf runs it, with the same lines. clang 15 drops the calls, clang 18
/// does not.
SourceText without_printf(SourceText text) {
    text.text.insert(0, "#define printf(...) 0\n#line 1\n");
    return text;
}

/// Whether the source calls printf, which neither library has.
bool calls_printf(const SourceText& text) {
    constexpr std::string_view kName = "printf";
    const std::string code = blank_comments(text.text);
    for (std::size_t at = code.find(kName); at != std::string::npos; at = code.find(kName, at + 1)) {
        const std::size_t next = code.find_first_not_of(" \t\n", at + kName.size());
        const char before = at == 0 ? ' ' : code[at - 1];
        if (next != std::string::npos && code[next] == '(' && before != '_' &&
            std::isalnum(static_cast<unsigned char>(before)) == 0)
            return true;
    }
    return false;
}

TargetReport compile(const std::string& target, const SourceText& text, const std::stop_token& stop) {
    TargetReport report{.target = target};
    const std::optional<std::string> compiler = source::find_pocl_compiler();
    if (!compiler) {
        report.failure = source::explain_missing_pocl_compiler();
        return report;
    }
    report.compiler = name_of(*compiler);
    const std::string library = library_of(target);
    if (::access(library.c_str(), R_OK) != 0) {
        report.failure = fmt::format("the OpenCL C functions for {} are missing ({}). {}", target, library,
                                     install_libclc(*compiler));
        return report;
    }
    const bool has_printf = calls_printf(text);
    const source::CompilerAnswer answer = source::run_compiler(
        has_printf && is_amd(target) ? without_printf(text) : text,
        [&](const fs::path& folder) {
            return source::clang_command(*compiler, arguments_for(target), text, folder);
        },
        kLimits, stop);
    if (!answer.failure.empty() && !answer.has_crashed) {
        report.failure = answer.failure;
        return report;
    }
    // What its back end cannot do ends clang 15 like an error in the source, and clang 18 like a crash.
    if (answer.is_rejected || answer.has_crashed) {
        report.errors = errors_in(answer.messages, answer.folder);
        if (is_amd(target))
            explain_local_memory(report.errors, read_amd_assembly(answer.output, answer.folder));
        // A compiler that crashes prints its command, too, so only errors count.
        const auto is_about = [&](const char* words) {
            return std::ranges::any_of(report.errors, [&](const CompilerError& error) {
                return error.words.find(words) != std::string::npos;
            });
        };
        if (is_about(kLibraries) || is_about("Invalid bitcode") || is_about("Unknown attribute kind"))
            report.failure = fmt::format("{} belongs to another version of LLVM than {}. {}", library,
                                         report.compiler, install_libclc(*compiler));
        else if (is_about("unknown target CPU") || is_about("is not a valid GPU") ||
                 is_about("invalid target ID"))
            report.failure = fmt::format("{} does not know {}", report.compiler, target);
        else if (is_about("unable to create target") || is_about("unknown target triple"))
            report.failure = fmt::format("{} was built without the back end for {}", report.compiler, target);
        else if (answer.has_crashed || is_about("error in backend") || is_about("failed due to signal"))
            report.failure =
                fmt::format("{} cannot compile this kernel for {}: {}", report.compiler, target,
                            report.errors.empty() ? answer.failure : report.errors.front().words);
        else if (report.errors.empty())
            report.failure =
                "the compiler rejected it: " + answer.messages.substr(0, answer.messages.find('\n'));
        if (!report.failure.empty()) report.errors.clear();
        return report;
    }
    std::vector<std::string> missing =
        is_amd(target) ? undefined_functions(answer.output) : undefined_ptx_functions(answer.output);
    if (has_printf) std::erase(missing, "printf");
    if (!missing.empty()) {
        report.failure = fmt::format("libclc has no {} for {}, so this kernel cannot be analysed",
                                     enumerate(missing), target);
        return report;
    }
    if (is_amd(target)) {
        if (has_printf) remark(report, "printf is left out: this code does not call it");
        report.kernels = read_amd_assembly(answer.output, answer.folder);
        return report;
    }
    std::vector<MachineCode> kernels = read_ptx(answer.output, answer.folder);
    for (const MachineCode& kernel : kernels)
        if (kernel.local_bytes.value_or(0) > kMostPtxLocalBytes)
            report.errors.push_back(too_much_local_memory(kernel, *kernel.local_bytes, kMostPtxLocalBytes));
    if (!report.errors.empty()) return report;
    report.kernels = std::move(kernels);
    if (const int version = ptx_version_for(version_of_sm(target)); version != version_of_sm(target))
        remark(report, fmt::format("compiled for sm_{}, the nearest target that {} supports", version,
                                   report.compiler));
    if (has_printf)
        remark(report, "registers and spills are unknown, because clang does not call printf as NVIDIA does");
    else
        add_machine_registers(report, answer.output, stop);
    return report;
}

}  // namespace

std::string normal_target(const std::string& name) {
    const std::string lower = to_lower(name);
    const auto is_code = [&](std::size_t prefix) {
        return lower.size() > prefix && lower.size() < prefix + 6 &&
               std::all_of(lower.begin() + static_cast<std::ptrdiff_t>(prefix), lower.end(),
                           [](unsigned char c) { return std::isxdigit(c) != 0; });
    };
    if ((lower.starts_with("gfx") && is_code(3)) || (lower.starts_with("sm_") && is_code(3))) return lower;
    return "";
}

TargetReport compile_for(const std::string& target, const SourceText& text, const std::stop_token& stop) {
    const auto start = std::chrono::steady_clock::now();
    TargetReport report = compile(target, text, stop);
    report.compile_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return report;
}

std::string find_ptxas() {
    if (const std::string chosen = chosen_ptxas(); !chosen.empty())
        return fs::path(chosen).is_absolute() && ::access(chosen.c_str(), X_OK) == 0 ? chosen : "";
    if (std::string found = find_in_path("ptxas"); !found.empty()) return found;
    constexpr const char* kToolkit = "/usr/local/cuda/bin/ptxas";
    return ::access(kToolkit, X_OK) == 0 ? kToolkit : "";
}

}  // namespace kwb
