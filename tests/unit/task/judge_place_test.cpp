// SPDX-License-Identifier: Apache-2.0
#include "task/judge_place.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

const NamedList<std::string> kKnown = {{"lab", "ssh gpubox kwb-judge"},
                                       {"cluster", "srun -p gpu 'kwb-judge"}};

/// The message of the BadInput that `action` throws.
template <class Action>
std::string bad_input_of(const Action& action) {
    try {
        action();
    } catch (const BadInput& error) {
        return error.what();
    }
    return "nothing was refused";
}

std::string find_refused(const char* on, const NamedList<std::string>& known = kKnown) {
    return bad_input_of([&] { find_place(on, known, "settings.toml"); });
}

}  // namespace

TEST_CASE("a launch command is split at blanks outside of quotes") {
    CHECK(split_command("ssh gpubox kwb-judge") == JudgeCommand{"ssh", "gpubox", "kwb-judge"});
    CHECK(split_command("  a\t b  ") == JudgeCommand{"a", "b"});
    CHECK(split_command("ssh box \"cd /x && ./kwb-judge\" ''") ==
          JudgeCommand{"ssh", "box", "cd /x && ./kwb-judge", ""});
    CHECK(split_command("a'b c'd\"'\"") == JudgeCommand{"ab cd'"});
    CHECK(bad_input_of([] { split_command("ssh 'box"); }).find("the quote ' is not closed") == 0);
    CHECK(bad_input_of([] { split_command(" "); }).find("the command is empty") == 0);
    CHECK(bad_input_of([] { split_command("'' x"); }).find("the command is empty") == 0);
}

TEST_CASE("a place is one of the settings or a command; anything else is refused with a list of the places") {
    const JudgePlace lab = find_place(" lab ", kKnown, "");
    CHECK(lab.name == "lab");
    CHECK(lab.command == JudgeCommand{"ssh", "gpubox", "kwb-judge"});
    CHECK(lab.is_elsewhere());
    CHECK(find_place("ssh other kwb-judge", kKnown, "").command == JudgeCommand{"ssh", "other", "kwb-judge"});
    CHECK(find_place("./my-judge", {}, "").command == JudgeCommand{"./my-judge"});
    CHECK(!find_place(kHere, kKnown, "").is_elsewhere());
    CHECK(find_refused("lba") ==
          "--on lba: no place has this name. Did you mean lab? The places are here, lab and cluster; see "
          "[places] in settings.toml");
    CHECK(find_refused("lab", {}).find("settings.toml lists none. Give the launch command itself") !=
          std::string::npos);
    CHECK(find_refused("cluster").find("settings.toml: places.cluster: the quote ' is not closed") == 0);
    CHECK(find_refused(" ").find("--on: the command is empty") == 0);
    CHECK(find_refused("gpu:0").find("no place has this name") != std::string::npos);
    CHECK(find_place("slurm:gpu:8", {}, "").command == JudgeCommand{"slurm:gpu:8"});
    const JudgePlace wordy = find_place("ssh " + std::string(200, 'x'), {}, "");
    CHECK(wordy.name.size() < 70);
    CHECK(wordy.command.at(1).size() == 200);
}

TEST_CASE("places are read from the settings, which stay as they are, and a damaged one names its line") {
    const TempFolder folder;
    CHECK(read_places(folder / "missing.toml").empty());
    const auto read = [&](const char* text) { return read_places(folder.write("settings.toml", text)); };
    CHECK(read("scale = 99\n[places]\nlab = \"ssh gpubox kwb-judge\"\n") ==
          NamedList<std::string>{kKnown[0]});
    CHECK(read("[splits]\n").empty());
    const std::string file = (folder / "settings.toml").string();
    CHECK(bad_input_of([&] { read("[places]\nlab = 3\n"); }).find(file + ":2: places.lab must be a text") ==
          0);
    CHECK(bad_input_of([&] { read("[places\n"); }).find(file + ":1: invalid TOML") == 0);
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);  // no copy
}
