// SPDX-License-Identifier: Apache-2.0
#include "task/kept_ceilings.hpp"

#include <doctest/doctest.h>

#include "support/bad_places.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

DeviceInfo device(const std::string& id, const std::string& driver_version = "5.0") {
    DeviceInfo device;
    device.id = id;
    device.name = "a \"fast\" device";
    device.driver_version = driver_version;
    return device;
}

Ceilings ceilings(double gflops) {
    Ceilings ceilings;
    ceilings.gflops = Ceiling{gflops, {}, "fma_chain/fma_chain", {}};
    ceilings.when = std::chrono::system_clock::time_point(std::chrono::seconds(1'700'000'000));
    return ceilings;
}

}  // namespace

TEST_CASE(
    "ceilings of several devices are kept, each with its date, and what was not measured stays missing") {
    const TempFolder folder;
    const fs::path file = folder / "new/ceilings.jsonl";
    CHECK(load_ceilings(file).devices.empty());
    CHECK(!load_ceilings(file).notice);
    CHECK(!save_ceilings(file, device("pocl:0"), ceilings(100)));
    CHECK(!save_ceilings(file, device("gpu:0"), ceilings(2000)));
    CHECK(!save_ceilings(file, device("pocl:0"), ceilings(101.5)));
    const LoadedCeilings loaded = load_ceilings(file);
    CHECK(!loaded.notice);
    CHECK(loaded.devices.size() == 2);
    const Ceilings* known = known_ceilings(loaded.devices, device("pocl:0"));
    REQUIRE(known != nullptr);
    CHECK(known->gflops->value == 101.5);
    CHECK(known->gflops->kernel == "fma_chain/fma_chain");
    CHECK(!known->gbytes_s);
    CHECK(known->when == ceilings(0).when);
}

TEST_CASE("another driver, or another device under the same id, drops its ceilings") {
    CeilingsByDevice devices;
    keep_ceilings(devices, device("gpu:0"), ceilings(100));
    CHECK(known_ceilings(devices, device("gpu:0")) != nullptr);
    CHECK(known_ceilings(devices, device("gpu:0", "5.1")) == nullptr);
    CHECK(known_ceilings(devices, device("gpu:1")) == nullptr);
    DeviceInfo other = device("gpu:0");
    other.name = "a slow device";
    CHECK(known_ceilings(devices, other) == nullptr);
    keep_ceilings(devices, device("gpu:0", "5.1"), ceilings(120));
    CHECK(devices.size() == 1);
    CHECK(known_ceilings(devices, device("gpu:0", "5.1"))->gflops->value == 120);
}

TEST_CASE("a damaged file of ceilings is told of with its line, and what is right in it is used") {
    const TempFolder folder;
    const fs::path file = folder / "ceilings";
    for (const char* id : {"a", "b"}) save_ceilings(file, device(id), ceilings(3));
    std::string text = read_text(file);
    folder.write("ceilings", text.replace(text.find("\"value\":3"), 9, "\"value\":-3"));
    const LoadedCeilings loaded = load_ceilings(file);
    REQUIRE(loaded.notice);
    CHECK(*loaded.notice ==
          file.string() +
              ":2: entry.record.gflops.value must be a rate from 0.000001 to 1000000000000. "
              "The ceilings saved there must be measured again");
    REQUIRE(loaded.devices.size() == 1);
    CHECK(loaded.devices[0].value.ceilings.gflops->value == 3);

    const fs::path broken = folder.write("broken", "[devices]\n= 3\n");
    CHECK(load_ceilings(broken).notice->starts_with(broken.string() + ": not a file of ceilings"));
    CHECK(!save_ceilings(broken, device("a"), ceilings(1)));
    CHECK(load_ceilings(broken).devices.size() == 1);
    CHECK(load_ceilings(folder.path()).notice);
}

TEST_CASE("where ceilings cannot be kept a sentence says so") {
    const TempFolder folder;
    const auto fault = save_ceilings(folder.write("file", "") / "ceilings.jsonl", device("a"), ceilings(1));
    REQUIRE(fault);
    CHECK(fault->starts_with("the ceilings cannot be saved: "));
}
