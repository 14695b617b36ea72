#include <algorithm>
#include <array>

#include "model/json.hpp"

namespace kwb {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {"cpu", "gpu", "accelerator", "other"};
constexpr std::array<std::string_view, 5> kFailures = {"not_loaded", "refused", "crashed", "hung",
                                                       "no_compiler"};

DeviceKind kind_from(const JsonReader& reader) {
    const std::string name = reader.text("kind");
    for (std::size_t i = 0; i < kKinds.size(); ++i)
        if (kKinds[i] == name) return static_cast<DeviceKind>(i);
    reader.refuse("kind", "a kind of device");
}

DriverFailure failure_from(const Json& json) {
    const JsonReader reader(json, "failure");
    const std::string name = reader.text("kind");
    const auto known = std::find(kFailures.begin(), kFailures.end(), name);
    if (known == kFailures.end()) reader.refuse("kind", "a kind of failure");
    return {reader.text("driver_file"), reader.text("reason"),
            static_cast<DriverFailure::Kind>(known - kFailures.begin()), reader.text("name")};
}

}  // namespace

std::string to_string(DeviceKind kind) {
    return std::string(kKinds[static_cast<std::size_t>(kind)]);
}

std::string to_string(DriverFailure::Kind kind) {
    return std::string(kFailures[static_cast<std::size_t>(kind)]);
}

Json to_json(const DeviceInfo& device) {
    return {{"id", device.id},
            {"name", device.name},
            {"vendor", device.vendor},
            {"kind", to_string(device.kind)},
            {"platform", device.platform},
            {"platform_version", device.platform_version},
            {"device_version", device.device_version},
            {"driver_version", device.driver_version},
            {"opencl_c", device.opencl_c},
            {"driver_file", device.driver_file},
            {"compute_units", device.compute_units},
            {"max_clock_mhz", device.max_clock_mhz},
            {"max_work_group_size", device.max_work_group_size},
            {"max_work_item_sizes", device.max_work_item_sizes},
            {"local_mem_bytes", device.local_mem_bytes},
            {"local_mem_dedicated", device.local_mem_dedicated},
            {"global_mem_bytes", device.global_mem_bytes},
            {"max_alloc_bytes", device.max_alloc_bytes},
            {"max_constant_bytes", device.max_constant_bytes},
            {"base_align_bytes", device.base_align_bytes},
            {"cache_line_bytes", device.cache_line_bytes},
            {"native_float_width", device.native_float_width},
            {"timer_resolution_ns", device.timer_resolution_ns},
            {"has_fp64", device.has_fp64},
            {"has_fp16", device.has_fp16},
            {"has_work_group_functions", device.has_work_group_functions},
            {"extensions", device.extensions},
            {"sandbox", device.sandbox}};
}

DeviceInfo device_from_json(const Json& json) {
    const JsonReader reader(json, "device");
    DeviceInfo device;
    device.id = reader.text("id");
    device.name = reader.text("name");
    device.vendor = reader.text("vendor");
    device.kind = kind_from(reader);
    device.platform = reader.text("platform");
    device.platform_version = reader.text("platform_version");
    device.device_version = reader.text("device_version");
    device.driver_version = reader.text("driver_version");
    device.opencl_c = reader.text("opencl_c");
    device.driver_file = reader.text("driver_file");
    device.compute_units = reader.unsigned_integer("compute_units");
    device.max_clock_mhz = reader.unsigned_integer("max_clock_mhz");
    device.max_work_group_size = reader.unsigned_integer("max_work_group_size");
    device.max_work_item_sizes = reader.unsigned_integers("max_work_item_sizes");
    device.local_mem_bytes = reader.unsigned_integer("local_mem_bytes");
    device.local_mem_dedicated = reader.boolean("local_mem_dedicated");
    device.global_mem_bytes = reader.unsigned_integer("global_mem_bytes");
    device.max_alloc_bytes = reader.unsigned_integer("max_alloc_bytes");
    device.max_constant_bytes = reader.unsigned_integer("max_constant_bytes");
    device.base_align_bytes = reader.unsigned_integer("base_align_bytes", 1u << 20);
    device.cache_line_bytes = reader.unsigned_integer("cache_line_bytes");
    device.native_float_width = reader.unsigned_integer("native_float_width");
    device.timer_resolution_ns = reader.unsigned_integer("timer_resolution_ns");
    device.has_fp64 = reader.boolean("has_fp64");
    device.has_fp16 = reader.boolean("has_fp16");
    device.has_work_group_functions = reader.boolean("has_work_group_functions");
    device.extensions = reader.text("extensions");
    device.sandbox = reader.text("sandbox");
    return device;
}

Json to_json(const DeviceList& list) {
    Json devices = Json::array();
    for (const DeviceInfo& device : list.devices) devices.push_back(to_json(device));
    Json failures = Json::array();
    for (const DriverFailure& failure : list.failures)
        failures.push_back({{"driver_file", failure.driver_file},
                            {"reason", failure.reason},
                            {"kind", to_string(failure.kind)},
                            {"name", failure.name}});
    Json idle = Json::array();
    for (const IdleDriver& driver : list.idle_drivers)
        idle.push_back({{"driver_file", driver.driver_file}, {"name", driver.name}});
    Json starting = Json::array();
    for (const StartingDriver& driver : list.starting)
        starting.push_back({{"driver_file", driver.driver_file},
                            {"waited_ms", driver.waited_ms},
                            {"most_ms", driver.most_ms}});
    return {{"devices", devices},        {"failures", failures},
            {"idle_drivers", idle},      {"starting", starting},
            {"is_whole", list.is_whole}, {"free_memory_bytes", list.free_memory_bytes}};
}

DeviceList device_list_from_json(const Json& json) {
    const JsonReader reader(json, "devices");
    DeviceList list;
    list.free_memory_bytes = reader.unsigned_integer("free_memory_bytes");
    for (const Json& device : reader.array("devices")) list.devices.push_back(device_from_json(device));
    for (const Json& item : reader.array("failures")) list.failures.push_back(failure_from(item));
    for (const Json& item : reader.array("idle_drivers")) {
        const JsonReader driver(item, "idle driver");
        list.idle_drivers.push_back({driver.text("driver_file"), driver.text("name")});
    }
    for (const Json& item : reader.array("starting")) {
        const JsonReader driver(item, "starting driver");
        list.starting.push_back(
            {driver.text("driver_file"), driver.number("waited_ms"), driver.number("most_ms")});
    }
    list.is_whole = reader.boolean("is_whole");
    return list;
}

}  // namespace kwb
