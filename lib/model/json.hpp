// SPDX-License-Identifier: Apache-2.0
// The model's records as JSON, for messages between processes and for exported files.
//
// to_json() and from_json() of base/json.hpp take DeviceInfo, DeviceList, Environment, KernelPlan,
// KernelResult, DeclaredInstance, Progress, RunRequest, Sizes and lists of Sizes. Their fields are described
// in *_fields.hpp.
#pragma once

#include "base/json.hpp"
#include "model/declared_instance.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"
#include "model/result.hpp"
#include "model/sandbox.hpp"
