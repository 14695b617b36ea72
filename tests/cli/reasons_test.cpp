// SPDX-License-Identifier: Apache-2.0
// Pairs of kernels that differ in exactly one thing (tests/reasons): the planted cause is the first counted
// reason, and nothing stands beside it.
#include "reason/reasons.hpp"

#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "cli/kwb.hpp"
#include "model/json.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

/// "coalescing" of the line "// cause coalescing".
std::string cause_in(const std::string& source) {
    constexpr std::string_view kKey = "// cause ";
    const std::size_t begin = source.find(kKey) + kKey.size();
    return source.substr(begin, source.find('\n', begin) - begin);
}

}  // namespace

TEST_CASE("the cause that was planted is the one that is found") {
    std::vector<fs::path> cases;
    for (const fs::directory_entry& entry : fs::directory_iterator(KWB_REASONS))
        if (entry.path().extension() == ".cl") cases.push_back(entry.path());
    std::ranges::sort(cases);
    REQUIRE(cases.size() >= 13);
    for (const fs::path& path : cases) {
        INFO(path.string());
        const nlohmann::json document = kwb_json(
            {"run", path.string(), "--param", "SLOW=0,1", "--size", "4096", "--rounds", "1", "--json", "-"});
        std::vector<KernelResult> results;
        for (const nlohmann::json& result : document.at("results"))
            results.push_back(kwb::from_json<KernelResult>(result));
        REQUIRE(results.size() == 2);
        std::vector<std::string> found;
        for (const Reason& reason : counted_reasons(results[0], results[1])) {
            found.push_back(to_string(reason.kind));
            CHECK(reason.is_for);
        }
        const std::string cause = cause_in(read_file(path));
        CHECK(found == (cause == "none" ? std::vector<std::string>() : std::vector{cause}));
        // From the other side it speaks against the faster kernel.
        const std::vector<Reason> reversed = counted_reasons(results[1], results[0]);
        CHECK(reversed.size() == found.size());
        for (const Reason& reason : reversed) CHECK_FALSE(reason.is_for);
    }
}
