// SPDX-License-Identifier: Apache-2.0
// Descriptions (base/record.hpp) of a built program.
#pragma once

#include "model/launch.hpp"
#include "model/result_fields.hpp"

namespace kwb {

inline void describe(auto& f, KernelParameter& parameter) {
    f("name", parameter.name);
    f("type", parameter.type_name);
    f("space", parameter.space);
    f("const", parameter.is_const);
}

inline void describe(auto& f, FunctionInfo& function) {
    f("name", function.name);
    f("arguments", function.arguments);
    describe(f, function.info);
    f("required_local", function.required_local);
}

}  // namespace kwb
