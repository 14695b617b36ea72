// SPDX-License-Identifier: Apache-2.0
#include "model/json.hpp"

#include "model/device_fields.hpp"
#include "model/request_fields.hpp"
#include "model/result_fields.hpp"

namespace kwb {

template Json to_json(const DeviceInfo&);
template DeviceInfo from_json(const Json&, std::string_view);
template Json to_json(const DeviceList&);
template DeviceList from_json(const Json&, std::string_view);
template Json to_json(const DeclaredInstance&);
template DeclaredInstance from_json(const Json&, std::string_view);
template Json to_json(const Environment&);
template Environment from_json(const Json&, std::string_view);
template Json to_json(const Finding&);
template Finding from_json(const Json&, std::string_view);
template Json to_json(const KernelPlan&);
template KernelPlan from_json(const Json&, std::string_view);
template Json to_json(const KernelResult&);
template KernelResult from_json(const Json&, std::string_view);
template Json to_json(const Progress&);
template Progress from_json(const Json&, std::string_view);
template Json to_json(const RunRequest&);
template RunRequest from_json(const Json&, std::string_view);
template Json to_json(const Sizes&);
template Json to_json(const std::vector<Sizes>&);
template Sizes from_json(const Json&, std::string_view);
template std::vector<Sizes> from_json(const Json&, std::string_view);

}  // namespace kwb
