// SPDX-License-Identifier: Apache-2.0
// The table of GPUs: the shipped one, the user's own, and names of targets.
#include "experiment/gpus.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "base/file.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
namespace fs = std::filesystem;

namespace {

/// The first entry of the shipped table, with one line replaced; an empty `line` removes it.
std::string own_table(const std::string& key, const std::string& line) {
    const std::string all = read_file(KWB_GPUS, 1 << 20);
    const std::size_t begin = all.find("[[gpu]]");
    std::string entry = all.substr(begin, all.find("[[gpu]]", begin + 1) - begin);
    const std::size_t at = entry.find("\n" + key + " =");
    REQUIRE(at != std::string::npos);
    const std::size_t end = entry.find('\n', at + 1);
    return entry.replace(at + 1, end - at - (line.empty() ? 0 : 1), line);
}

std::string refusal_of(const std::string& text) {
    const test::TempFolder folder;
    const fs::path file = folder.write("gpus.toml", text);
    try {
        read_gpus(file);
    } catch (const BadInput& refusal) {
        const std::string what = refusal.what();
        CHECK(what.starts_with(file.string() + ":"));
        return what.substr(file.string().size() + 1);
    }
    return "";
}

bool tells(const std::string& refusal, const char* words) {
    CAPTURE(refusal);
    return refusal.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("the shipped table has the GPUs that people ask for, and no figure that cannot be") {
    const std::vector<GpuProfile> gpus = shipped_gpus();
    CHECK(gpus.size() >= 9);
    for (const char* name :
         {"H200", "A100", "RTX A6000", "RTX 4060", "K40m", "MI210", "Radeon VII", "Arc A770", "Iris Xe"})
        CHECK_MESSAGE(choose_targets({name}, gpus).gpus.size() == 1, name);
}

TEST_CASE("a wrong table is refused with its line and what it should be") {
    CHECK(refusal_of(own_table("name", "name = \"Mine\"")).empty());
    CHECK(tells(refusal_of(own_table("clock_mhz", "")), "1: gpu.clock_mhz is missing"));
    CHECK(tells(refusal_of(own_table("clock_mhz", "clock_mhz = -3")),
                "7: gpu.clock_mhz must be a number from 50 to"));
    CHECK(tells(refusal_of(own_table("clock_mhz", "clock_mhz = 1.98")), "gpu.clock_mhz must be"));
    CHECK(tells(refusal_of(own_table("sub_group", "sub_group = \"32\"")),
                "gpu.sub_group must be a whole number"));
    CHECK(tells(refusal_of(own_table("peak_gflops", "peak_gflops = 66.9")),
                "gpu.peak_gflops must be 2 to 4096"));
    CHECK(tells(refusal_of(own_table("most_group_local_bytes", "most_group_local_bytes = 999999")),
                "gpu.most_group_local_bytes must be at most local_bytes"));
    CHECK(tells(refusal_of(own_table("target", "target = \"Hopper\"")),
                "gpu.target must be a name like gfx906"));
    CHECK(tells(refusal_of(own_table("partitions", "partitions = 4\npartition = 4")),
                "unknown key gpu.partition"));
    for (const char* name : {"all", "device", "gfx906", "sm_80"})
        CHECK(tells(refusal_of(own_table("name", std::string("name = \"") + name + '"')),
                    "already has a meaning for --target"));
    CHECK(tells(refusal_of(own_table("name", "name = \"  \"")), "gpu.name must be a name"));
    CHECK(tells(refusal_of(own_table("name", "name = \"Mine\"") + own_table("name", "name = \"Mine\"")),
                "two GPUs have the name \"Mine\""));
    CHECK(tells(refusal_of(own_table("registers", "registers = 10")), "gpu.registers must be 0, or enough"));
    CHECK(
        tells(refusal_of(own_table("sub_group", "sub_group = 48")), "gpu.sub_group must be 8, 16, 32 or 64"));
    CHECK(tells(refusal_of(own_table("partitions", "partitions = 7")), "gpu.partitions must be a divisor"));
    CHECK(tells(refusal_of(own_table("local_bytes", "local_bytes = 1024")), "local_bytes"));
    CHECK(tells(refusal_of(""), "1: the file must have one table [[gpu]]"));
    CHECK(tells(refusal_of("gpu = 3\n"), "the file must have one table [[gpu]]"));
    CHECK(tells(refusal_of("[[gpu]\n"), "invalid TOML"));
}

TEST_CASE("names of targets") {
    const std::vector<GpuProfile> gpus = shipped_gpus();
    const Targets by_code = choose_targets({"GFX906"}, gpus);
    CHECK(by_code.codes == std::vector<std::string>{"gfx906"});
    REQUIRE(by_code.gpus.size() == 1);
    CHECK(by_code.gpus[0].name == "AMD Radeon VII");
    const Targets unknown_gpu = choose_targets({"sm_70"}, gpus);
    CHECK(unknown_gpu.codes == std::vector<std::string>{"sm_70"});
    CHECK(unknown_gpu.gpus.empty());
    const Targets all = choose_targets({"all", "a100"}, gpus);
    CHECK(all.gpus.size() == gpus.size());
    CHECK(std::ranges::count(all.codes, "sm_80") == 1);
    CHECK_THROWS_WITH_AS(choose_targets({"sm_99"}, gpus), doctest::Contains("Did you mean sm_89, sm_90"),
                         BadInput);
    for (const char* name : {"", "geforce 9", "sm_"}) CHECK_THROWS_AS(choose_targets({name}, gpus), BadInput);
}
