// The lessons that are shipped, as kwb learn --verify tests them.
#include <filesystem>
#include <set>

#include "kwb.hpp"

namespace kwb::test {

TEST_CASE("every lesson keeps what it promises") {
    std::set<std::string> lessons;
    for (const auto& entry : std::filesystem::directory_iterator(KWB_SHIPPED_LESSONS))
        if (entry.is_directory()) lessons.insert(entry.path().filename().string());
    REQUIRE(lessons.size() >= 14);
    const Finished verified = run_kwb({"learn", "--verify", KWB_SHIPPED_LESSONS});
    INFO(verified.out << verified.err);
    CHECK(verified.exit_code == 0);
    for (const std::string& lesson : lessons) CHECK_SAYS(verified.out, "✓ " + lesson);
}

}  // namespace kwb::test
