// SPDX-License-Identifier: Apache-2.0
// Pairs of kernels that differ in exactly one thing (tests/reasons): the planted cause is the first reason,
// and beside it stands only what follows from it.
#include "reason/reasons.hpp"

#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/kwb.hpp"
#include "model/json.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

/// Of the line "// cause atomicity contention": the planted kind, and what is inevitable beside it.
std::vector<std::string> causes_in(const std::string& source) {
    constexpr std::string_view kKey = "// cause ";
    const std::size_t begin = source.find(kKey) + kKey.size();
    const std::string causes = source.substr(begin, source.find('\n', begin) - begin);
    return causes == "none" ? std::vector<std::string>() : split(causes, ' ');
}

/// What differs in the sources and in their code for a GPU. The time on it follows from these.
std::vector<std::string> differences(const KernelResult& faster, const KernelResult& slower, bool is_for) {
    std::vector<std::string> kinds;
    for (const Reason& reason : reasons_of(faster, slower)) {
        if (reason.kind == ReasonKind::GpuTime || reason.kind == ReasonKind::Occupancy) continue;
        kinds.push_back(to_string(reason.kind));
        CHECK(reason.is_for == is_for);
    }
    return kinds;
}

/// Only NVIDIA's ptxas tells which private variables are in memory.
bool knows_scratch(const KernelResult& result) {
    return result.gpus && !result.gpus->empty() && result.gpus->front().launches.front().scratch_bytes;
}

}  // namespace

TEST_CASE("the cause that was planted is the one that is found") {
    std::vector<fs::path> cases;
    for (const fs::directory_entry& entry : fs::directory_iterator(KWB_REASONS))
        if (entry.path().extension() == ".cl") cases.push_back(entry.path());
    std::ranges::sort(cases);
    REQUIRE(cases.size() >= 34);
    for (const fs::path& path : cases) {
        INFO(path.string());
        const nlohmann::json document =
            kwb_json({"run", path.string(), "--param", "SLOW=0,1", "--size", "4096", "--rounds", "1",
                      "--target", "a100", "--json", "-"});
        std::vector<KernelResult> results;
        for (const nlohmann::json& result : document.at("results"))
            results.push_back(kwb::from_json<KernelResult>(result));
        REQUIRE(results.size() == 2);
        const std::vector<std::string> causes = causes_in(read_file(path));
        if (std::ranges::find(causes, "private_memory") != causes.end() && !knows_scratch(results[0])) {
            MESSAGE("without ptxas, private memory is unknown");
            continue;
        }
        // From the other side, all of them speak against the faster kernel.
        CHECK(differences(results[0], results[1], true) == causes);
        CHECK(differences(results[1], results[0], false) == causes);
    }
}
