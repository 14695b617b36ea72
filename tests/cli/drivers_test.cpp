// Drivers that abort, hang or take their time do not hide the others.
#include "cli/kwb.hpp"
#include "support/odd_driver/vendors_folder.hpp"
#include "support/schema_check.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

NamedList<std::string> drivers_of(const VendorsFolder& vendors, const std::string& wait_s = "60") {
    return {{"OCL_ICD_VENDORS", vendors.path().string()}, {"KWB_DRIVER_WAIT", wait_s}};
}

}  // namespace

TEST_CASE("a driver that aborts and one that hangs are reported, and PoCL is there all the same") {
    VendorsFolder vendors;
    vendors.add_odd("aborts");
    vendors.add_odd("hangs");
    vendors.add_pocl();
    const TempFolder folder;
    const std::string json_file = (folder.path() / "devices.json").string();
    const Finished told = run_kwb({"devices", "--json", json_file}, drivers_of(vendors, "2"));
    CHECK_TELLS(told, 0, "pocl:0", "aborts.icd", "SIGABRT", "hangs.icd", "did not answer within 2 s",
                "KWB_DRIVER_WAIT=4");

    const auto document = nlohmann::json::parse(read_text(json_file));
    CHECK(schema_complaints("devices.schema.json", document) == "");
    CHECK(document["devices"].size() == 1);
    CHECK(document["failures"].size() == 2);
}

TEST_CASE(
    "a driver that aborts does not stop a run, and whoever names a device does not wait for the others") {
    VendorsFolder vendors;
    vendors.add_odd("aborts");
    vendors.add_odd("hangs");
    vendors.add_pocl();
    // By far less than the time that the driver that hangs is given.
    CHECK_TELLS(
        run_kwb({"check", "matmul/naive", "--size", "5", "--device", "pocl:0"}, drivers_of(vendors, "3600")),
        0, "1 of 1 size correct");
}

TEST_CASE("a wait that is no number of seconds is refused") {
    for (const char* wait : {"soon", "0", "-1", "3601", "5s"})
        CHECK_REFUSED(run_kwb({"devices"}, {{"KWB_DRIVER_WAIT", wait}}), 3, "KWB_DRIVER_WAIT", wait,
                      "seconds that a driver may take to start");
}
