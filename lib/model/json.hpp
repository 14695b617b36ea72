// The model's records as JSON: one form for the pipes and for exported files.
//
// Readers are strict: they throw ProtocolError, naming the key, for whatever is missing, of another type or
// out of range. What was not measured is null; not-a-number is "nan".
#pragma once

#include "base/json.hpp"
#include "model/declared_instance.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"
#include "model/result.hpp"
#include "model/sandbox.hpp"

namespace kwb {

Json to_json(const DeviceInfo& device);
DeviceInfo device_from_json(const Json& json);

Json to_json(const DeviceList& list);
DeviceList device_list_from_json(const Json& json);

Json to_json(const SandboxReport& report);
SandboxReport sandbox_report_from_json(const Json& json);

Json to_json(const Sizes& sizes);
Sizes sizes_from_json(const Json& json);

Json to_json(const ParamChoice& params);
ParamChoice params_from_json(const Json& json);

Json to_json(const std::optional<Expectation>& expectation);
std::optional<Expectation> expectation_from_json(const JsonReader& reader, const char* key);

Json to_json(const KernelPlan& plan);
KernelPlan plan_from_json(const Json& json);

Json to_json(const BufferSpec& buffer);
BufferSpec buffer_from_json(const Json& json);

/// Contents of buffers travel apart, as an attachment: see put_contents(). The instance's name and sizes are
/// those of the request.
Json to_json(const DeclaredInstance& declared);
DeclaredInstance declared_from_json(const Json& json);

Json to_json(const RunRequest& request);
RunRequest request_from_json(const Json& json);

Json to_json(const Progress& progress);
Progress progress_from_json(const Json& json);

/// The error map's cells travel apart, as an attachment; the JSON holds its shape.
Json to_json(const KernelResult& result);
KernelResult result_from_json(const Json& json);

Json to_json(const Environment& environment);
Environment environment_from_json(const Json& json);

Json to_json(const Finding& finding);
Finding finding_from_json(const Json& json);

Json to_json(const Interval& interval);
Json to_json(const std::optional<Interval>& interval);
std::optional<Interval> interval_from_json(const JsonReader& reader, const char* key);

}  // namespace kwb
