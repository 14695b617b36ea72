// SPDX-License-Identifier: Apache-2.0
#include "ocl/program.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "ocl/build_log.hpp"
#include "ocl/errors.hpp"

namespace kwb {

namespace fs = std::filesystem;

namespace {

using Tokens = std::vector<std::string>;

/// Splits into words and stars; other characters do not occur in types and are skipped.
Tokens tokenize(std::string_view text) {
    Tokens tokens;
    std::string word;
    for (const char c : std::string(text) + ' ') {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
            word += c;
            continue;
        }
        if (!word.empty()) tokens.push_back(std::exchange(word, ""));
        if (c == '*') tokens.emplace_back("*");
    }
    return tokens;
}

std::string_view without_underscores(std::string_view word) {
    while (word.starts_with('_')) word.remove_prefix(1);
    return word;
}

/// A word about the location or use of a parameter, not about its type.
bool is_qualifier(std::string_view word) {
    constexpr std::array<std::string_view, 12> kQualifiers = {
        "global",   "constant",  "local",      "private",    "const",    "restrict",
        "volatile", "read_only", "write_only", "read_write", "register", "generic"};
    return std::ranges::find(kQualifiers, without_underscores(word)) != kQualifiers.end();
}

/// The C type of words such as "unsigned long int", in any order; nullopt for other types.
std::optional<std::string> integer_name(const Tokens& words) {
    const auto count = [&](std::string_view word) { return std::ranges::count(words, word); };
    const auto longs = count("long");
    const auto others = count("signed") + count("int");
    const bool is_unsigned = count("unsigned") > 0;
    const auto known = longs + others + count("unsigned") + count("char") + count("short");
    if (words.empty() || known != static_cast<std::ptrdiff_t>(words.size())) return std::nullopt;
    if (longs > 1) return is_unsigned ? "unsigned long long" : "long long";
    const std::string plain = count("char") > 0    ? "char"
                              : count("short") > 0 ? "short"
                              : longs > 0          ? "long"
                                                   : "int";
    return (is_unsigned ? "u" : "") + plain;
}

}  // namespace

std::string plain_type_name(std::string_view type) {
    Tokens words;
    std::string stars;
    for (const std::string& token : tokenize(type)) {
        if (token == "*")
            stars += '*';
        else if (!is_qualifier(token))
            words.push_back(token);
    }
    std::string name;
    for (const std::string& word : words) name += (name.empty() ? "" : " ") + word;
    return integer_name(words).value_or(name) + stars;
}

namespace {

void require_inside(const std::string& name) {
    const fs::path path(name);
    bool inside =
        !name.empty() && path.is_relative() && path.has_filename() && name.find('\0') == std::string::npos;
    for (const fs::path& part : path) inside = inside && part != ".." && part != ".";
    if (!inside)
        throw ClError::refusal("the included file '" + name + "' is outside the kernel's folder",
                               "Put it next to the kernel");
}

void write_text(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush()) throw EnvironmentError("cannot write " + path.string() + ": is the disk full?");
}

std::string make_root() {
    std::error_code error;
    fs::path folder = fs::temp_directory_path(error);
    if (error) folder = "/tmp";
    std::string root = (folder / "kwb-build-XXXXXX").string();
    if (::mkdtemp(root.data()) == nullptr)
        throw EnvironmentError("cannot create a folder in " + folder.string() +
                               ". Set TMPDIR to a writable folder");
    return root;
}

/// A private temporary folder with the included files, removed with the object. Meanwhile it is the working
/// directory of the process, so that the compiler always gets the same relative path and a driver that caches
/// programs by their options (PoCL) finds them again. Only one object may exist at a time.
class IncludeFolder {
public:
    /// @param files  name in the #include directive ("tile.h", "sub/tile.h") → text; if empty, no folder is
    ///               created
    /// @throws ClError  a name that leads out of the folder
    /// @throws EnvironmentError  the folder cannot be created
    explicit IncludeFolder(const NamedList<std::string>& files) : IncludeFolder() {
        if (files.empty()) return;
        for (const auto& file : files) require_inside(file.name);
        root_ = make_root();
        for (const auto& [name, text] : files) write_text(fs::path(root_) / kIncludeFolderName / name, text);
        previous_ = Fd(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (::chdir(root_.c_str()) != 0) throw_errno("chdir");
    }
    IncludeFolder(const IncludeFolder&) = delete;
    IncludeFolder& operator=(const IncludeFolder&) = delete;
    ~IncludeFolder() {
        if (root_.empty()) return;
        if (!previous_ || ::fchdir(previous_.get()) != 0) [[maybe_unused]]
            const int ignored = ::chdir("/");
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }

    /// " -Ikwb-included", or empty without files.
    std::string option() const { return root_.empty() ? "" : std::string(" -I") + kIncludeFolderName; }

private:
    IncludeFolder() = default;  ///< with it the destructor runs if the other constructor throws

    std::string root_;
    Fd previous_;  ///< the previous working directory
};

bool is_rejection(int status) {
    return status == CL_BUILD_PROGRAM_FAILURE || status == CL_COMPILE_PROGRAM_FAILURE ||
           status == CL_LINK_PROGRAM_FAILURE || status == CL_INVALID_BUILD_OPTIONS ||
           status == CL_INVALID_COMPILER_OPTIONS || status == CL_INVALID_LINKER_OPTIONS;
}

std::string build_log(const cl::Program& program, const cl::Device& device) {
    try {
        return program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
    } catch (const cl::Error&) {
        return {};  // a missing log is not a failure
    }
}

AddressSpace space_of(cl_kernel_arg_address_qualifier qualifier, const std::string& type_name) {
    if (type_name.starts_with("image")) return AddressSpace::Image;
    switch (qualifier) {
        case CL_KERNEL_ARG_ADDRESS_GLOBAL:
            return AddressSpace::Global;
        case CL_KERNEL_ARG_ADDRESS_CONSTANT:
            return AddressSpace::Constant;
        case CL_KERNEL_ARG_ADDRESS_LOCAL:
            return AddressSpace::Local;
        case CL_KERNEL_ARG_ADDRESS_PRIVATE:
            return type_name == "sampler_t" ? AddressSpace::Other : AddressSpace::Private;
        default:
            return AddressSpace::Other;
    }
}

/// @return  empty if the driver does not report them: this process cannot parse the source
std::vector<KernelParameter> ask_parameters(const cl::Kernel& kernel) try {
    std::vector<KernelParameter> parameters(kernel.getInfo<CL_KERNEL_NUM_ARGS>());
    for (cl_uint i = 0; i < parameters.size(); ++i) {
        KernelParameter& parameter = parameters[i];
        parameter.name = kernel.getArgInfo<CL_KERNEL_ARG_NAME>(i);
        parameter.type_name = plain_type_name(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(i));
        parameter.space =
            space_of(kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(i), parameter.type_name);
        parameter.is_const =
            (kernel.getArgInfo<CL_KERNEL_ARG_TYPE_QUALIFIER>(i) & CL_KERNEL_ARG_TYPE_CONST) != 0 ||
            parameter.space == AddressSpace::Constant ||
            kernel.getArgInfo<CL_KERNEL_ARG_ACCESS_QUALIFIER>(i) == CL_KERNEL_ARG_ACCESS_READ_ONLY;
    }
    return parameters;
} catch (const cl::Error&) {
    return {};
}

template <int kParameter>
std::uint64_t ask_size(const cl::Kernel& kernel, const cl::Device& device) {
    try {
        return kernel.getWorkGroupInfo<kParameter>(device);
    } catch (const cl::Error&) {
        return 0;
    }
}

std::vector<std::uint64_t> required_local(const cl::Kernel& kernel, const cl::Device& device) {
    try {
        const auto sizes = kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device);
        if (sizes[0] != 0) return {sizes[0], sizes[1], sizes[2]};
    } catch (const cl::Error&) {
    }
    return {};
}

}  // namespace

BuildOutcome build_program(const cl::Context& context, const cl::Device& device,
                           const ProgramSource& source) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    std::string_view text = source.text;
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());

    const IncludeFolder folder(source.includes);
    std::string options = "-cl-kernel-arg-info" + folder.option();
    if (!source.options.empty()) options += " " + source.options;

    cl::Program program(context, line_directive(source.file_name) + std::string(text));
    // The C call, because the exception of the bindings contains a log that would have to be extracted.
    const cl_device_id target = device();
    const int status = ::clBuildProgram(program(), 1, &target, options.c_str(), nullptr, nullptr);
    if (status != CL_SUCCESS && !is_rejection(status)) throw explain_status("clBuildProgram", status);
    std::string log = clean_build_log(build_log(program, device), source.file_name);
    if (status == CL_SUCCESS) return {std::move(log), std::move(program)};
    if (log.empty()) log = explain_status("clBuildProgram", status).what();
    return {std::move(log), {}};
}

std::vector<FunctionInfo> list_functions(cl::Program& program, const cl::Device& device) {
    cl_uint count = 0;
    // A program without kernel functions is not an error; drivers report it in two ways.
    const int status = ::clCreateKernelsInProgram(program(), 0, nullptr, &count);
    if (status != CL_SUCCESS && status != CL_INVALID_PROGRAM_EXECUTABLE)
        throw explain_status("clCreateKernelsInProgram", status);
    std::vector<cl::Kernel> kernels;
    if (count > 0) program.createKernels(&kernels);

    std::vector<FunctionInfo> functions;
    for (const cl::Kernel& kernel : kernels)
        functions.push_back({kernel.getInfo<CL_KERNEL_FUNCTION_NAME>(),
                             ask_parameters(kernel),
                             {ask_size<CL_KERNEL_WORK_GROUP_SIZE>(kernel, device),
                              ask_size<CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE>(kernel, device),
                              ask_size<CL_KERNEL_LOCAL_MEM_SIZE>(kernel, device),
                              ask_size<CL_KERNEL_PRIVATE_MEM_SIZE>(kernel, device)},
                             required_local(kernel, device)});
    return functions;
}

}  // namespace kwb
