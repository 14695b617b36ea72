// SPDX-License-Identifier: Apache-2.0
#include "xray/compile.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/text.hpp"
#include "source/compiler.hpp"
#include "xray/prelude.hpp"

namespace kwb::xray {
namespace fs = std::filesystem;
namespace {

constexpr const char* kPoclFolder = "/usr/share/pocl";
constexpr const char* kPreludeName = "kwb_prelude.h";
constexpr std::size_t kMostMessageBytes = std::size_t{64} << 10;

/// The compiler documents each option: clang, docs/AddressSanitizer.rst,
/// docs/UndefinedBehaviorSanitizer.rst, docs/SanitizerCoverage.rst. No optimisation, so that the observed
/// accesses are those of the source. Accesses call a function (threshold 0). Private variables have no
/// margins, since the engine watches the stack in another way. -Bsymbolic binds the source's functions to
/// themselves, so that one named `wait` or `index` does not become that of the C library.
constexpr const char* kArguments =
    "-x cl -target x86_64-pc-linux-gnu -march=x86-64 -fPIC -shared -nostdlib -nostartfiles -O0 -gdwarf-4 "
    "-fno-builtin -ffp-contract=off -fvisibility=default -fno-omit-frame-pointer "
    "-fno-caret-diagnostics -fno-color-diagnostics -fno-crash-diagnostics -Wno-everything -Wuninitialized "
    "-D__ENDIAN_LITTLE__=1 -DPOCL_DEVICE_ADDRESS_BITS=64 -D__USE_CLANG_OPENCL_C_H -Dcl_khr_int64 "
    "-Dcl_khr_fp64 -D__OPENCL_VERSION__=300 -Dinline= "
    "-ftrivial-auto-var-init=pattern "
    "-Xclang -fsanitize=address,signed-integer-overflow,integer-divide-by-zero,array-bounds,alignment "
    "-Xclang "
    "-fsanitize-recover=address,signed-integer-overflow,integer-divide-by-zero,array-bounds,alignment "
    "-mllvm -asan-instrumentation-with-call-threshold=0 -mllvm -asan-stack=0 -mllvm -asan-opt-same-temp=0 "
    "-mllvm -asan-opt-globals=0 -mllvm -asan-use-stack-safety=0 "
    "-Xclang -fsanitize-coverage-type=2 -Xclang -fsanitize-coverage-trace-pc-guard "
    "-Xclang -fsanitize-coverage-no-prune "
    "-Wl,-z,now -Wl,-z,relro -Wl,-Bsymbolic";

/// The functions of hooks.cpp that replace the compiler's runtimes.
constexpr std::array kWrapped = {
    "asan_init",
    "asan_version_mismatch_check_v8",
    "asan_handle_no_return",
    "asan_register_globals",
    "asan_unregister_globals",
    "asan_load1_noabort",
    "asan_load2_noabort",
    "asan_load4_noabort",
    "asan_load8_noabort",
    "asan_load16_noabort",
    "asan_loadN_noabort",
    "asan_store1_noabort",
    "asan_store2_noabort",
    "asan_store4_noabort",
    "asan_store8_noabort",
    "asan_store16_noabort",
    "asan_storeN_noabort",
    "asan_memcpy",
    "asan_memmove",
    "asan_memset",
    "sanitizer_cov_trace_pc_guard",
    "sanitizer_cov_trace_pc_guard_init",
    "ubsan_handle_add_overflow",
    "ubsan_handle_sub_overflow",
    "ubsan_handle_mul_overflow",
    "ubsan_handle_negate_overflow",
    "ubsan_handle_divrem_overflow",
    "ubsan_handle_out_of_bounds",
    "ubsan_handle_type_mismatch_v1",
};

/// PoCL's built-in functions for a CPU type that runs on every x86-64 machine.
fs::path find_library() {
    std::error_code error;
    fs::path found;
    for (const fs::directory_entry& entry : fs::directory_iterator(kPoclFolder, error)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("kernel-x86_64") || !name.ends_with(".bc")) continue;
        if (found.empty() || name.find("sse2") != std::string::npos) found = entry.path();
    }
    if (found.empty())
        throw std::runtime_error(fmt::format(
            "PoCL's library of built-in functions is missing from {}. Install pocl-opencl-icd", kPoclFolder));
    return found;
}

/// A function for each kernel, which takes the addresses of its arguments.
std::string calls_of(const ObserveRequest& request) {
    std::string text = "\n#line 1 \"kwb_calls\"\n";
    std::set<std::string> done;
    for (const Launch& launch : request.launches) {
        if (!done.insert(launch.kernel).second) continue;
        const auto function = std::ranges::find(request.functions, launch.kernel, &FunctionInfo::name);
        if (function == request.functions.end())
            throw std::runtime_error("unknown kernel function " + launch.kernel);
        text += "__attribute__((no_sanitize(\"address\", \"undefined\", \"coverage\"))) void __kwb_call_" +
                launch.kernel + "(__private ulong* a) { " + launch.kernel + "(";
        for (std::size_t i = 0; i < function->arguments.size(); ++i) {
            const KernelParameter& parameter = function->arguments[i];
            if (i > 0) text += ", ";
            switch (parameter.space) {
                case AddressSpace::Global:
                    text += fmt::format("(__global void*)a[{}]", i);
                    break;
                case AddressSpace::Constant:
                    text += fmt::format("(__constant void*)a[{}]", i);
                    break;
                case AddressSpace::Local:
                    text += fmt::format("(__local void*)a[{}]", i);
                    break;
                case AddressSpace::Private:
                    text += fmt::format("*(__private {}*)a[{}]", parameter.type_name, i);
                    break;
                default:
                    throw std::runtime_error(
                        fmt::format("X-ray does not support images, samplers or pipes, and {} takes {}",
                                    launch.kernel, parameter.name));
            }
        }
        text += "); }\n";
    }
    return text;
}

/// A run with a group to record is followed by its recording, which then needs no other program.
bool is_for_recording(const ObserveRequest& request) {
    return request.xray.aim == XrayAim::Record ||
           (request.xray.aim == XrayAim::Run && request.xray.trace_group);
}

std::vector<std::string> command_line(const ObserveRequest& request, const fs::path& folder) {
    std::vector<std::string> command = split(kArguments, ' ');
    command.insert(command.begin(), request.compiler);
    std::istringstream words(request.options);
    bool has_version = false;
    for (std::string word; words >> word;) {
        has_version = has_version || word.starts_with("-cl-std=");
        if (word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-cl-"))
            command.push_back(word);
    }
    if (!has_version) command.emplace_back("-cl-std=CL1.2");
    // Also call a function for accesses to variables that could be registers.
    if (is_for_recording(request)) {
        command.emplace_back("-mllvm");
        command.emplace_back("-asan-skip-promotable-allocas=0");
    }
    command.push_back("-I" + folder.string());
    // Debug information names files relative to this folder; the default is the current folder.
    command.push_back("-fdebug-compilation-dir=" + folder.string());
    for (const char* name : kWrapped) command.push_back(std::string("-Wl,--wrap=__") + name);
    for (const char* header : {"/usr/share/pocl/include/_kernel.h"}) {
        command.emplace_back("-include");
        command.emplace_back(header);
    }
    command.emplace_back("-include");
    command.push_back((folder / kPreludeName).string());
    for (const std::string& word : {std::string("-mlink-builtin-bitcode"), find_library().string()}) {
        command.emplace_back("-Xclang");
        command.push_back(word);
    }
    command.emplace_back("-o");
    command.push_back((folder / "kernel.so").string());
    command.push_back((folder / source::kMainName).string());
    return command;
}

/// Runs the compiler and reads its messages until it exits. Uses plain system calls, because the sandbox
/// refuses those that Child needs to supervise a process; the judge supervises both processes.
/// @return  true: the exit code is 0
bool run(const ObserveRequest& request, const fs::path& folder, std::string& messages) {
    std::vector<std::string> command = command_line(request, folder);
    std::vector<std::string> environment = {"LC_ALL=C", "PATH=/usr/bin:/bin", "TMPDIR=" + folder.string()};
    const auto pointers = [](std::vector<std::string>& texts) {
        std::vector<char*> all;
        for (std::string& text : texts) all.push_back(text.data());
        all.push_back(nullptr);
        return all;
    };
    Pipe pipe = make_pipe();
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, pipe.write.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, pipe.write.get(), STDERR_FILENO);
    pid_t pid = 0;
    const int error = ::posix_spawn(&pid, command.front().c_str(), &actions, nullptr,
                                    pointers(command).data(), pointers(environment).data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw EnvironmentError("cannot start " + command.front() + ": " + std::strerror(error));
    pipe.write.reset();
    std::array<char, 4096> piece;
    for (ssize_t got = 1; got != 0;) {
        got = ::read(pipe.read.get(), piece.data(), piece.size());
        if (got < 0 && errno != EINTR) throw_errno("read");
        if (got > 0 && messages.size() < kMostMessageBytes)
            messages.append(piece.data(), static_cast<std::size_t>(got));
    }
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) throw_errno("waitpid");
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// "FOLDER/kwb_main.cl:12:5: warning: variable 'sum' is uninitialized when used here [-Wuninitialized]"
std::vector<Compiled::Unset> find_unset(const std::string& messages, const std::string& folder) {
    constexpr std::string_view kWords = ": warning: variable '";
    std::vector<Compiled::Unset> found;
    for (const std::string& line : split_lines(messages)) {
        const std::size_t words = line.find(kWords);
        const std::size_t end = words == std::string::npos ? words : line.find('\'', words + kWords.size());
        if (end == std::string::npos || line.find("is uninitialized when used here") == std::string::npos)
            continue;
        const std::vector<std::string> place = split(line.substr(0, words), ':');
        if (place.size() != 3 || !place[0].starts_with(folder)) continue;
        std::string file = place[0].substr(folder.size() + 1);
        if (file == source::kMainName) file.clear();
        found.push_back({line.substr(words + kWords.size(), end - words - kWords.size()),
                         {file, static_cast<std::uint32_t>(std::strtoul(place[1].c_str(), nullptr, 10)),
                          static_cast<std::uint32_t>(std::strtoul(place[2].c_str(), nullptr, 10))}});
    }
    return found;
}

}  // namespace

void Program::Closer::operator()(void* handle) const {
    ::dlclose(handle);
}

Program::Program(const fs::path& file) {
    take_program_variables();
    handle_.reset(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!handle_) {
        // "…/kernel.so: undefined symbol: _Z10read_imagef…"
        const std::string error = ::dlerror();
        const std::size_t at = error.find("undefined symbol: ");
        throw std::runtime_error(at == std::string::npos ? "the compiled kernel cannot be loaded: " + error
                                                         : "X-ray does not support " + error.substr(at + 18));
    }
    variables_ = take_program_variables();
    link_map* map = nullptr;
    ::dlinfo(handle_.get(), RTLD_DI_LINKMAP, &map);
    base_ = map->l_addr;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& self = *static_cast<Program*>(data);
            if (info->dlpi_addr != self.base_) return 0;
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const auto& segment = info->dlpi_phdr[i];
                if (segment.p_type != PT_LOAD) continue;
                self.bytes_ = std::max<std::uint64_t>(self.bytes_, segment.p_vaddr + segment.p_memsz);
                if ((segment.p_flags & PF_W) != 0)
                    self.writable_.push_back({self.base_ + segment.p_vaddr, segment.p_memsz});
            }
            return 1;
        },
        this);
}

Program::Call Program::find_call(const std::string& kernel) const {
    void* const symbol = ::dlsym(handle_.get(), ("__kwb_call_" + kernel).c_str());
    if (symbol == nullptr) throw std::runtime_error("the compiled kernel has no function " + kernel);
    return reinterpret_cast<Call>(symbol);
}

bool Program::is_writable(std::uintptr_t address) const {
    return std::ranges::any_of(writable_,
                               [&](const Range& range) { return address - range.begin < range.bytes; });
}

/// All inputs that determine the result.
std::string inputs_of(const ObserveRequest& request, const SourceText& text) {
    std::string inputs = request.compiler + '\0' + request.options + '\0' +
                         (is_for_recording(request) ? "values" : "") + '\0' + text.text;
    for (const auto& [name, content] : text.includes) inputs += '\0' + name + '\0' + content;
    return inputs;
}

std::string content_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Compiled compile(const ObserveRequest& request) {
    const fs::path folder = request.folder;
    SourceText text{request.source_text + calls_of(request), request.includes};
    // The judge requests several sizes, which mostly need the same code. A kernel could change these files,
    // but would only distort its own observation.
    const std::string inputs = inputs_of(request, text);
    if (fs::exists(folder / "kernel.so") && content_of(folder / "inputs") == inputs) {
        const std::string messages = content_of(folder / "messages");
        return {folder / "kernel.so", messages, find_unset(messages, folder.string())};
    }
    std::error_code error;
    fs::remove(folder / "kernel.so", error);
    source::write_source(folder, text);
    {
        std::ofstream prelude(folder / kPreludeName);
        prelude << kPrelude;
        if (!prelude.flush()) throw EnvironmentError("cannot write " + (folder / kPreludeName).string());
    }
    Compiled compiled;
    if (run(request, folder, compiled.messages)) {
        compiled.file = folder / "kernel.so";
        std::ofstream(folder / "messages", std::ios::binary) << compiled.messages;
        std::ofstream(folder / "inputs", std::ios::binary) << inputs;
    }
    compiled.unset = find_unset(compiled.messages, folder.string());
    return compiled;
}

}  // namespace kwb::xray
