// SPDX-License-Identifier: Apache-2.0
// Programs: built so that the driver reports the parameters of kernels, and timed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/layer/hooks.hpp"
#include "capture/layer/launch_files.hpp"

namespace kwb::capture {
namespace {

constexpr const char* kArgumentInfo = "-cl-kernel-arg-info";

thread_local char* widened_options = nullptr;

/// Add the option to those of the program, which it does not change otherwise.
void widen(cl_program program, const char*& options) {
    size_t bytes = 0;
    // A binary has been compiled before.
    if (next.clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, &bytes) != CL_SUCCESS || bytes <= 1)
        return;
    const char* const given = options != nullptr ? options : "";
    if (::strstr(given, kArgumentInfo) != nullptr) return;
    const size_t room = ::strlen(given) + ::strlen(kArgumentInfo) + 2;
    auto* const longer = static_cast<char*>(::realloc(widened_options, room));
    if (longer == nullptr) return;
    widened_options = longer;
    ::snprintf(longer, room, "%s%s%s", given, *given != '\0' ? " " : "", kArgumentInfo);
    options = longer;
}

}  // namespace

void before(KWB_AT(clBuildProgram), cl_program& program, cl_uint&, const cl_device_id*&, const char*& options,
            void(CL_CALLBACK*&)(cl_program, void*), void*&) {
    widen(program, options);
}

void before(KWB_AT(clCompileProgram), cl_program& program, cl_uint&, const cl_device_id*&,
            const char*& options, cl_uint&, const cl_program*&, const char**&,
            void(CL_CALLBACK*&)(cl_program, void*), void*&) {
    widen(program, options);
}

void after(KWB_AT(clCompileProgram), cl_int, cl_program program, cl_uint, const cl_device_id*,
           const char* options, cl_uint headers, const cl_program*, const char**,
           void(CL_CALLBACK*)(cl_program, void*), void*) {
    if (output_folder() == nullptr || headers > 0) return;
    char* const source = source_of(program);
    if (source == nullptr) return;
    {
        const Lock locked;
        if (Object* const object = find_object(program)) keep_source(*object, source, options);
    }
    ::free(source);
}

void after(KWB_AT(clLinkProgram), cl_program made, cl_context, cl_uint, const cl_device_id*, const char*,
           cl_uint count, const cl_program* programs, void(CL_CALLBACK*)(cl_program, void*), void*, cl_int*) {
    if (count != 1 || programs == nullptr) return;
    const Lock locked;
    const Object* const from = find_object(programs[0]);
    Object* const to = find_object(made);
    if (from != nullptr && to != nullptr && from->source != nullptr)
        keep_source(*to, from->source, from->options);
}

void record_build(const Call& call, cl_int code, const char* options, bool is_background) {
    const Addresses addresses = caller();
    const Lock locked;
    Recording* const into = current();
    if (into == nullptr) return;
    if (into->builds == kMostBuilds) {
        ++into->lost_builds;
        return;
    }
    into->build_rows[into->builds] = {.function = functions[call.function].text,
                                      .options = add_text(options),
                                      .code = code,
                                      .is_background = is_background,
                                      .host_ns = call.end_ns - call.begin_ns,
                                      .place = place_of(addresses.frames, addresses.count)};
    ++into->builds;
}

}  // namespace kwb::capture
