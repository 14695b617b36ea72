// Drivers that abort or hang while they are loaded do not hide the others. Takes the probe's timeout.
#include <filesystem>

#include "base/file.hpp"
#include "cli/kwb.hpp"
#include "support/schema_check.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("a driver that aborts and one that hangs are reported, and PoCL is there all the same") {
    REQUIRE(!pocl_icd().empty());
    const TempFolder folder;
    folder.write("a_aborts.icd", KWB_ICD_ABORTS "\n");
    folder.write("b_hangs.icd", KWB_ICD_HANGS "\n");
    folder.write("pocl.icd", read_file(pocl_icd()));
    const std::string json_file = (folder.path() / "devices.json").string();
    const Finished told =
        run_kwb({"devices", "--json", json_file}, {{"OCL_ICD_VENDORS", folder.path().string()}});
    CHECK_TELLS(told, 0, "pocl:0", "a_aborts.icd", "SIGABRT", "b_hangs.icd", "did not answer within");

    const auto document = nlohmann::json::parse(read_file(json_file));
    CHECK(schema_complaints("devices.schema.json", document) == "");
    CHECK(document["devices"].size() == 1);
    CHECK(document["failures"].size() == 2);
}

TEST_CASE("a driver that aborts does not stop a run") {
    REQUIRE(!pocl_icd().empty());
    const TempFolder folder;
    folder.write("a_aborts.icd", KWB_ICD_ABORTS "\n");
    folder.write("pocl.icd", read_file(pocl_icd()));
    CHECK_TELLS(
        run_kwb({"check", "matmul/naive", "--size", "5"}, {{"OCL_ICD_VENDORS", folder.path().string()}}), 0,
        "1 of 1 size correct");
}
