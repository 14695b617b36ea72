#include "ocl/program.hpp"

#include <algorithm>
#include <utility>

#include "ocl/build_log.hpp"
#include "ocl/errors.hpp"
#include "ocl/include_folder.hpp"

namespace kwb {
namespace {

bool is_rejection(int status) {
    return status == CL_BUILD_PROGRAM_FAILURE || status == CL_COMPILE_PROGRAM_FAILURE ||
           status == CL_LINK_PROGRAM_FAILURE || status == CL_INVALID_BUILD_OPTIONS ||
           status == CL_INVALID_COMPILER_OPTIONS || status == CL_INVALID_LINKER_OPTIONS;
}

std::string build_log(const cl::Program& program, const cl::Device& device) {
    try {
        return program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
    } catch (const cl::Error&) {
        return {};  // no log is no reason to fail
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

/// @return  nothing where the driver does not tell
std::optional<std::vector<KernelParameter>> ask_parameters(const cl::Kernel& kernel, cl_uint count) try {
    std::vector<KernelParameter> parameters;
    for (cl_uint i = 0; i < count; ++i) {
        KernelParameter parameter;
        parameter.name = kernel.getArgInfo<CL_KERNEL_ARG_NAME>(i);
        parameter.type_name = plain_type_name(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(i));
        parameter.space =
            space_of(kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(i), parameter.type_name);
        parameter.is_const =
            (kernel.getArgInfo<CL_KERNEL_ARG_TYPE_QUALIFIER>(i) & CL_KERNEL_ARG_TYPE_CONST) != 0 ||
            parameter.space == AddressSpace::Constant;
        parameters.push_back(parameter);
    }
    return parameters;
} catch (const cl::Error&) {
    return std::nullopt;
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
    std::string options = "-cl-kernel-arg-info";
    if (!folder.option().empty()) options += " " + folder.option();
    if (!source.options.empty()) options += " " + source.options;

    BuildOutcome outcome;
    outcome.program = cl::Program(context, line_directive(source.file_name) + std::string(text));
    // The C call: the bindings' error would have to be taken apart again for its log.
    const cl_device_id target = device();
    const int status = ::clBuildProgram(outcome.program(), 1, &target, options.c_str(), nullptr, nullptr);
    if (status != CL_SUCCESS && !is_rejection(status)) throw explain_status("clBuildProgram", status);
    outcome.accepted = status == CL_SUCCESS;
    outcome.log = clean_build_log(build_log(outcome.program, device), source.file_name);
    if (!outcome.accepted) {
        outcome.program = {};
        if (outcome.log.empty()) outcome.log = explain_status("clBuildProgram", status).what();
    }
    return outcome;
}

std::vector<KernelFunction> list_functions(const cl::Program& program, const cl::Device& device) {
    cl_uint count = 0;
    // A program without a kernel function is no error; drivers say it in two ways.
    const int status = ::clCreateKernelsInProgram(program(), 0, nullptr, &count);
    if (status != CL_SUCCESS && status != CL_INVALID_PROGRAM_EXECUTABLE)
        throw explain_status("clCreateKernelsInProgram", status);
    std::vector<cl::Kernel> kernels;
    cl::Program same = program;  // the bindings' call is not const
    if (count > 0) same.createKernels(&kernels);

    std::vector<KernelFunction> functions;
    for (const cl::Kernel& kernel : kernels) {
        KernelFunction function;
        function.name = kernel.getInfo<CL_KERNEL_FUNCTION_NAME>();
        const cl_uint arguments = kernel.getInfo<CL_KERNEL_NUM_ARGS>();
        function.argument_count = arguments;
        auto parameters = ask_parameters(kernel, arguments);
        if (parameters) function.parameters = std::move(*parameters);
        function.info = {ask_size<CL_KERNEL_WORK_GROUP_SIZE>(kernel, device),
                         ask_size<CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE>(kernel, device),
                         ask_size<CL_KERNEL_LOCAL_MEM_SIZE>(kernel, device),
                         ask_size<CL_KERNEL_PRIVATE_MEM_SIZE>(kernel, device)};
        function.required_local = required_local(kernel, device);
        functions.push_back(std::move(function));
    }
    return functions;
}

}  // namespace kwb
