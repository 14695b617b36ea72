// SPDX-License-Identifier: Apache-2.0
// Drivers that abort, hang, start slowly or cannot be used do not hide the other drivers.
#include "cli/kwb.hpp"
#include "support/odd_driver/vendors_folder.hpp"
#include "support/patience.hpp"
#include "support/schema_check.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

NamedList<std::string> drivers_of(const VendorsFolder& vendors, const std::string& wait_s = "60") {
    return {{"OCL_ICD_VENDORS", vendors.path().string()}, {"KWB_DRIVER_WAIT", wait_s}};
}

}  // namespace

TEST_CASE("an aborting and a hanging driver are reported, and PoCL is still listed") {
    VendorsFolder vendors;
    vendors.add_odd("aborts");
    vendors.add_odd("hangs");
    vendors.add_pocl();
    const TempFolder folder;
    const std::string json_file = (folder.path() / "devices.json").string();
    int wait_s = 0;
    const Finished told = ask_with_growing_limit(
        2000,
        [&](double ms) {
            wait_s = static_cast<int>(ms / 1000);
            return run_kwb({"devices", "--json", json_file}, drivers_of(vendors, std::to_string(wait_s)));
        },
        [](const Finished& seen) {
            return seen.out.find("pocl:0") != std::string::npos &&
                   seen.out.find("SIGABRT") != std::string::npos;
        });
    CHECK_TELLS(told, 0, "pocl:0", "aborts.icd", "SIGABRT", "hangs.icd",
                "did not answer within " + std::to_string(wait_s) + " s",
                "KWB_DRIVER_WAIT=" + std::to_string(2 * wait_s));

    const auto document = nlohmann::json::parse(read_text(json_file));
    CHECK(schema_complaints("devices.schema.json", document) == "");
    CHECK(document["devices"].size() == 1);
    REQUIRE(document["failures"].size() == 2);
    CHECK(document["failures"][0]["kind"] == "crashed");
    CHECK(document["failures"][1]["kind"] == "hung");
}

TEST_CASE("broken, empty and missing driver libraries are each reported, and PoCL is still listed") {
    VendorsFolder vendors;
    const TempFolder folder;
    vendors.add("broken", folder.write("library.so", "no library\n").string() + "\n");
    vendors.add("empty", "");
    vendors.add("missing", "libnot-there.so.1\n");
    vendors.add_pocl();
    const auto drivers = drivers_of(vendors);
    CHECK_TELLS(run_kwb({"devices"}, drivers), 0, "pocl:0", "broken.icd\n",
                "library.so', but it cannot be loaded", "library.so: ", "empty.icd\n  it names no library",
                "missing.icd\n", "'libnot-there.so.1', but it cannot be loaded", "No such file",
                "Reinstall the driver's package");
    CHECK_TELLS(run_kwb({"doctor"}, drivers), 0, "broken.icd", "empty.icd", "missing.icd");
    CHECK_TELLS(run_kwb({"check", "matmul/naive", "--size", "5"}, drivers), 0, "1 of 1 size correct");
    CHECK_REFUSED(run_kwb({"check", "matmul/naive", "--device", "missing"}, drivers), 3, "--device missing",
                  "libnot-there.so.1", "available: pocl:0");
}

TEST_CASE("without a working driver each fault is reported, with advice on how to get a driver") {
    VendorsFolder vendors;
    vendors.add("missing", "libnot-there.so.1\n");
    const auto drivers = drivers_of(vendors);
    CHECK_REFUSED(run_kwb({"run", "matmul/naive"}, drivers), 3, "no OpenCL device", "pocl-opencl-icd",
                  "missing.icd: it names 'libnot-there.so.1'");
    CHECK_TELLS(run_kwb({"doctor"}, drivers), 3, "bad ", "missing.icd", "pocl-opencl-icd");
}

TEST_CASE("a driver without a device is no failure, and one whose device has no compiler is told apart") {
    VendorsFolder vendors;
    vendors.add_odd("no_devices");
    vendors.add_odd("no_compiler");
    vendors.add_pocl();
    const auto drivers = drivers_of(vendors);
    const TempFolder folder;
    const std::string json_file = (folder.path() / "devices.json").string();
    CHECK_TELLS(run_kwb({"devices", "--json", json_file}, drivers), 0, "pocl:0", "Odd device",
                "has no compiler");
    const auto document = nlohmann::json::parse(read_text(json_file));
    CHECK(document["idle_drivers"].size() == 1);
    REQUIRE(document["failures"].size() == 1);
    CHECK(document["failures"][0]["kind"] == "no_compiler");
    CHECK_TELLS(run_kwb({"check", "matmul/naive", "--size", "5"}, drivers), 0, "1 of 1 size correct");
    CHECK_REFUSED(run_kwb({"check", "matmul/naive", "--device", "no_devices"}, drivers), 3,
                  "--device no_devices", "available: pocl:0");
}

TEST_CASE("an aborting driver does not stop a run, and naming a device avoids waiting for other drivers") {
    VendorsFolder vendors;
    vendors.add_odd("aborts");
    vendors.add_odd("hangs");
    vendors.add_pocl();
    // Much faster than the wait allowed for the hanging driver.
    CHECK_TELLS(
        run_kwb({"check", "matmul/naive", "--size", "5", "--device", "pocl:0"}, drivers_of(vendors, "3600")),
        0, "1 of 1 size correct");
}

TEST_CASE("a wait that is no number of seconds is refused") {
    for (const char* wait : {"soon", "0", "-1", "3601", "5s"})
        CHECK_REFUSED(run_kwb({"devices"}, {{"KWB_DRIVER_WAIT", wait}}), 3, "KWB_DRIVER_WAIT", wait,
                      "seconds that a driver may take to start");
}
