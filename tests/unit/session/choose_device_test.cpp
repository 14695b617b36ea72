#include <doctest/doctest.h>

#include "base/error.hpp"
#include "session/experiment.hpp"

using namespace kwb;

namespace {

DeviceInfo device_of(const std::string& id, const std::string& name, DeviceKind kind) {
    DeviceInfo device;
    device.id = id;
    device.name = name;
    device.kind = kind;
    return device;
}

DeviceList cpu_alone() {
    DeviceList list;
    list.devices = {device_of("pocl:0", "pthread-some CPU", DeviceKind::Cpu)};
    return list;
}

DeviceList gpu_alone() {
    DeviceList list;
    list.devices = {device_of("nvidia:0", "Some GeForce", DeviceKind::Gpu)};
    return list;
}

template <class Error>
std::string complaint(const DeviceList& list, const std::string& wanted) {
    try {
        choose_device(list, wanted);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("the best device is taken where none is named, and kinds, ids and names find theirs") {
    DeviceList both = cpu_alone();
    both.devices.push_back(gpu_alone().devices[0]);
    CHECK(choose_device(both, std::nullopt).id == "nvidia:0");
    CHECK(choose_device(both, "cpu").id == "pocl:0");
    CHECK(choose_device(both, "GPU").id == "nvidia:0");
    CHECK(choose_device(both, "pocl:0").id == "pocl:0");
    CHECK(choose_device(both, "geforce").id == "nvidia:0");
}

TEST_CASE("a kind of device that this machine lacks is told as such, with those there are and the remedy") {
    CHECK(
        complaint<EnvironmentError>(cpu_alone(), "gpu") ==
        "--device gpu: no GPU here that OpenCL knows of, only pocl:0 (pthread-some CPU); choose from these, "
        "or leave --device out. If this machine has one, its vendor's OpenCL driver is missing or broken: "
        "'kwb doctor' looks into it.");
    CHECK(
        complaint<EnvironmentError>(gpu_alone(), "cpu") ==
        "--device cpu: no CPU here that OpenCL knows of, only nvidia:0 (Some GeForce); choose from these, or "
        "leave --device out. PoCL makes one of the processor: apt-get install pocl-opencl-icd.");
    CHECK(complaint<EnvironmentError>(cpu_alone(), "Accelerator").find("no accelerator here") !=
          std::string::npos);
}

TEST_CASE("the driver that failed is told to who misses a device of its kind") {
    DeviceList list = cpu_alone();
    list.failures = {{"/etc/OpenCL/vendors/gpu.icd", "libgpu.so cannot be loaded"}};
    CHECK(complaint<EnvironmentError>(list, "gpu")
              .ends_with("\n/etc/OpenCL/vendors/gpu.icd: libgpu.so cannot be loaded"));
}

TEST_CASE("a driver that was asked for by name and is of no use says why, and which devices there are") {
    DeviceList list = cpu_alone();
    list.idle_drivers = {{"/etc/OpenCL/vendors/mesa.icd", "Clover"}};
    list.failures = {{"/etc/OpenCL/vendors/odd.icd", "it crashes; remove it", DriverFailure::Kind::Crashed},
                     {"x.icd", "it has no compiler", DriverFailure::Kind::NoCompiler, "Bare Device"}};
    const std::string clover =
        ": Clover (/etc/OpenCL/vendors/mesa.icd) has no device in this machine; there is pocl:0";
    for (const char* name : {"clover", "Clover:0", "mesa"})
        CHECK(complaint<EnvironmentError>(list, name) == "--device " + std::string(name) + clover);
    CHECK(complaint<EnvironmentError>(list, "odd").find("it crashes; remove it; there is pocl:0") !=
          std::string::npos);
    CHECK(complaint<EnvironmentError>(list, "bare").find("it has no compiler") != std::string::npos);
    CHECK(complaint<BadInput>(list, ":0").find("unknown device") == 0);
}

TEST_CASE("a word that is no kind of device stays unknown") {
    CHECK(complaint<BadInput>(cpu_alone(), "pocl:7").find("unknown device 'pocl:7'") == 0);
}
