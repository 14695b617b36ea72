// SPDX-License-Identifier: Apache-2.0
// The lessons that are shipped, as kwb learn --verify tests them.
#include <filesystem>
#include <set>

#include "kwb.hpp"

namespace kwb::test {

TEST_CASE("every lesson keeps what it promises, and one tells what is wrong with an attempt") {
    const TempFolder folder;
    const std::filesystem::path lessons = folder.path() / "lessons";
    std::filesystem::copy(KWB_SHIPPED_LESSONS, lessons, std::filesystem::copy_options::recursive);
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(lessons)) {
        if (!entry.is_directory()) continue;
        const std::string name = entry.path().filename().string();
        names.insert(name);
        // attempts_test.cpp has those of all.
        if (!name.starts_with("02")) std::filesystem::remove(entry.path() / "attempts.toml");
    }
    REQUIRE(names.size() >= 14);
    const Finished verified = run_kwb({"learn", "--verify", lessons.string()});
    INFO(verified.out << verified.err);
    CHECK(verified.exit_code == 0);
    for (const std::string& name : names) CHECK_SAYS(verified.out, "✓ " + name);
}

}  // namespace kwb::test
