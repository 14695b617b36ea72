// SPDX-License-Identifier: Apache-2.0
// --on: judges at other places, started by launch commands that stand for ssh and srun; tests/places has the
// real ones.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "cli/kwb.hpp"
#include "support/schema_check.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

const std::string kJudge = "'" KWB_JUDGE_PROGRAM "'";

/// Places that are the same machine under several names, of which "gone" ends with the first kernel that it
/// gets.
class Places {
public:
    Places() {
        folder_.write("kwb/settings.toml",
                      "[places]\n"
                      "lab = \"env " +
                          kJudge +
                          "\"\n"
                          "box = \"nice " +
                          kJudge +
                          "\"\n"
                          "other = \"env POCL_DEVICES=basic " +
                          kJudge +
                          "\"\n"
                          "gone = \"sh -c 'dd bs=1 count=1000 status=none | \\\"$0\\\"' " +
                          kJudge + "\"\n");
    }

    Finished run(const Args& args) const {
        return run_kwb(args, {{"XDG_CONFIG_HOME", folder_.path().string()}});
    }
    std::string file(const char* name) const { return (folder_ / name).string(); }

private:
    TempFolder folder_;
};

/// Checks what a command said on standard error.
void check_aside(const Finished& finished, int exit_code, const Args& words) {
    CAPTURE(finished.err);
    CHECK(finished.exit_code == exit_code);
    for (const std::string& word : words) CHECK(finished.err.find(word) != std::string::npos);
}

/// The places of the results, by size or parameters; each is there once.
std::map<std::string, std::string> places_of(const nlohmann::json& document, const char* key) {
    std::map<std::string, std::string> places;
    for (const auto& result : document["results"]) {
        CHECK(!places.contains(result[key].dump()));
        places[result[key].dump()] = result["place"];
    }
    return places;
}

}  // namespace

TEST_CASE("a judge elsewhere is named in what it finds, by its command or by its name in the settings") {
    const TempFolder folder;
    folder.write("kwb/settings.toml",
                 "[places]\nlab = \"sh -c 'exec \\\"$0\\\"' '" KWB_JUDGE_PROGRAM "'\"\n");
    const NamedList<std::string> settings = {{"XDG_CONFIG_HOME", folder.path().string()}};
    CHECK_TELLS(run_kwb({"run", "matmul/naive", "--size", "5", "--rounds", "1", "--on", "lab"}, settings), 0,
                "(pocl:0), at lab\n", "correct");
    CHECK_TELLS(
        run_kwb({"check", "matmul/naive", "--size", "5", "--on", "sh -c '\"" KWB_JUDGE_PROGRAM "\"'"}), 0,
        "(pocl:0), at sh -c", "correct");
    CHECK_TELLS(run_kwb({"xray", "matmul/naive", "--size", "5", "--on", "lab"}, settings), 0, ", at lab\n");
    CHECK_TELLS(run_kwb({"tune", "matmul/tiled", "--size", "16", "--budget", "1", "--on", "lab"}, settings),
                0, ", at lab\n", "kwb run matmul/tiled --on lab ");
    CHECK_TELLS(run_kwb({"devices", "--on", "lab"}, settings), 0, "pocl:0");
    CHECK_TELLS(run_kwb({"doctor", "--on", "lab"}, settings), 0, "both answer at lab", "All is well");
    CHECK_REFUSED(run_kwb({"devices", "--on", "lba"}, settings), 2, "--on lba", "Did you mean lab?",
                  (folder / "kwb/settings.toml").string());
    CHECK_REFUSED(run_kwb({"devices", "--on", "lab", "--wait", "0"}, settings), 2, "--wait 0");
}

TEST_CASE("run and check do the same at each place, and say where each result is from") {
    const Places places;
    const std::string json = places.file("o.json");
    CHECK_TELLS(places.run({"run", "matmul/naive", "--size", "9", "--rounds", "1", "--on", "lab", "--on",
                            "here", "--json", json, "--report", places.file("o.html")}),
                0, "(pocl:0), at lab\n", "(pocl:0), at this machine\n");
    const nlohmann::json document = nlohmann::json::parse(read_file(json));
    CHECK(schema_complaints("results.schema.json", document) == "");
    CHECK(document["results"][0]["place"] == "lab");
    CHECK(document["results"][1]["place"] == "");
    CHECK(document["other_places"].size() == 1);
    CHECK(document["other_places"][0]["environment"]["device"] == document["environment"]["device"]);
    const std::string page = read_file(places.file("o.html"));
    CHECK(page.find("(pocl:0), at lab</h2>") != std::string::npos);
    CHECK(page.find("(pocl:0), at this machine</h2>") != std::string::npos);
    CHECK_TELLS(places.run({"check", "matmul/naive", "--size", "9", "--on", "lab", "--on", "box"}), 0,
                "at lab\n", "at box\n");
}

TEST_CASE("sweep and tune share the work; each size and each configuration is measured once") {
    const Places places;
    const std::string json = places.file("o.json");
    const auto results = [&] {
        const nlohmann::json document = nlohmann::json::parse(read_file(json));
        CHECK(schema_complaints("results.schema.json", document) == "");
        return document;
    };
    CHECK_TELLS(places.run({"sweep", "matmul/naive", "--sizes", "5,6,7,8", "--rounds", "1", "--on", "lab",
                            "--on", "box", "--json", json}),
                0, "at lab and box\n");
    auto found = places_of(results(), "size");
    CHECK(found.size() == 4);
    CHECK(found[R"({"K":5,"M":5,"N":5})"] == "lab");
    CHECK(found[R"({"K":6,"M":6,"N":6})"] == "box");
    CHECK_TELLS(places.run({"tune", "matmul/tiled", "--size", "9", "--rounds", "6", "--on", "lab", "--on",
                            "box", "--json", json}),
                0, "at lab and box\n", "3 correct", "kwb run matmul/tiled --on lab ");
    CHECK(places_of(results(), "params").size() == 3);
}

TEST_CASE("what a lost place had in hand is done at the others; without others it is skipped") {
    const Places places;
    const std::string json = places.file("o.json");
    const auto check_done_at_lab = [&](const char* key, std::size_t results) {
        const auto found = places_of(nlohmann::json::parse(read_file(json)), key);
        CHECK(found.size() == results);
        for (const auto& [what, place] : found) CHECK(place == "lab");
    };
    const auto run_there = [&](Args args, const std::string& place) {
        for (const std::string& word : {std::string("--on"), place, std::string("--on"), std::string("lab")})
            args.push_back(word);
        return places.run(args);
    };
    const Args sweep = {"sweep", "matmul/naive", "--sizes", "5,6,7", "--rounds", "1", "--json", json};
    check_aside(run_there(sweep, "gone"), 0, {"the link to gone was lost", "the other places continue"});
    check_done_at_lab("size", 3);
    check_aside(run_there({"tune", "matmul/tiled", "--size", "9", "--rounds", "6", "--json", json}, "gone"),
                0, {"tuning continues at the other places"});
    check_done_at_lab("params", 3);
    check_aside(run_there(sweep, "sh -c 'exit 3'"), 0, {"exit code 3", "this place is left out"});
    const Finished apart =
        run_there({"run", "matmul/naive", "--size", "5", "--rounds", "1", "--json", json}, "gone");
    CHECK(nlohmann::json::parse(read_file(json))["results"][0]["place"] == "gone");
    check_aside(apart, 3, {"the link to gone was lost"});
    for (const char* told : {"at gone\n", "skipped", "at lab\n", "correct"})
        CHECK(apart.out.find(told) != std::string::npos);
}

TEST_CASE("several places that cannot be used together are refused") {
    const Places places;
    const auto refused = [&](const Args& more, const std::string& words) {
        Args args = {"run", "matmul/naive", "--size", "5"};
        if (more.front() == "tune") args = {"tune", "matmul/tiled", "--size", "9"};
        if (more.front() == "xray") args.front() = "xray";
        args.insert(args.end(), more.begin() + 1, more.end());
        CHECK_REFUSED(places.run(args), 2, words);
    };
    refused({"run", "--on", "lab", "--on", "lab"}, "--on lab is given twice");
    refused({"run", "--on", "lab", "--on", "box", "--save-outputs", "d"}, "give one --on");
    refused({"xray", "--on", "lab", "--on", "box"}, "this verb takes one place");
    refused({"tune", "--on", "lab", "--on", "other"}, "must be of one kind");
}
