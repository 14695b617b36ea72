// SPDX-License-Identifier: Apache-2.0
// Includes the OpenCL C++ bindings in one configuration: with exceptions, and versions detected at run time.
// Only lib/ocl and lib/runner include this file.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
// Not 120: with that value the bindings of Debian 12 (2023.02.06) do not compile.
#define CL_HPP_MINIMUM_OPENCL_VERSION 110
#include <CL/opencl.hpp>
