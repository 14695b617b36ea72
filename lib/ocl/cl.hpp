// The OpenCL C++ bindings in one configuration: with exceptions, and versions detected at run time.
// Included by lib/ocl and lib/runner only.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
// Not 120: with it the bindings of Debian 12 (2023.02.06) do not compile.
#define CL_HPP_MINIMUM_OPENCL_VERSION 110
#include <CL/opencl.hpp>
