// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/json.hpp"
#include "support/temp_folder.hpp"
#include "tune/cache_file.hpp"
#include "tune/kernel_tuner_files.hpp"

namespace kwb {
namespace {

using test::read_text;
using test::TempFolder;

const ParamSpace kParams = {{"block", {std::int64_t{16}, std::int64_t{32}}},
                            {"mode", {std::string("row"), std::string("column")}}};

Space space_of_params(const ParamSpace& params = kParams) {
    return Space(SpaceInput{"k.cl", params, {}, Scope{}, {}});
}

TunedCase about() {
    return {"a device", "product", {512, 512}, kParams, {{"source", "5eed"}, {"driver", "3.1"}}};
}

KernelResult blank() {
    KernelResult result;
    result.kernel = "k.cl";
    return result;
}

Trial trial(const Space& space, std::size_t configuration, std::optional<double> cost_ms,
            Verdict verdict = Verdict::Correct) {
    Trial trial{configuration, blank(), cost_ms};
    if (cost_ms) trial.least_cost_ms = *cost_ms / 2;
    trial.result.params = space.at(configuration);
    trial.result.verdict = verdict;
    trial.result.reason = is_good(verdict) ? "" : "a \"reason\"\nof two lines";
    trial.result.build_ms = 30;
    if (cost_ms) trial.result.samples_ms = {1, 2.125, 0.1};
    trial.wall_ms = 50;
    trial.ended = "2026-11-25 09:20:00+00:00";
    return trial;
}

/// As Kernel Tuner closes a cache before it reads it.
Json closed(std::string text) {
    if (text.ends_with(',')) text.pop_back();
    return parse_json(text + "}\n}");
}

CacheFile resumed(const std::filesystem::path& file, const Space& space, const TunedCase& case_ = about()) {
    return CacheFile(file, case_, space, blank());
}

/// Written by hand, as Kernel Tuner 1.4.0 writes it.
const std::string kTheirs =
    "{\n\"device_name\": \"a device\",\n\"kernel_name\": \"product\",\n\"problem_size\": [\n512,\n1\n],\n"
    "\"tune_params_keys\": [\n\"block\",\n\"mode\"\n],\n"
    "\"tune_params\": {\n\"block\": [\n16,\n32,\n64\n],\n\"mode\": [\n\"row\",\n\"column\"\n]\n},\n"
    "\"objective\": \"time\",\n\"cache\": {\n"
    "\"16,row\": {\"block\": 16, \"mode\": \"row\", \"time\": 4.5, \"times\": [9.0, 3.0, 2.0, 4.0], "
    "\"compile_time\": 20.5, \"verification_time\": 0, \"benchmark_time\": 1.5, \"strategy_time\": 0, "
    "\"framework_time\": 1.2, \"timestamp\": \"2026-11-25 08:00:00.123456+00:00\"},\n"
    "\"32,row\": {\"block\": 32, \"mode\": \"row\", \"time\": \"CompilationFailedConfig\", "
    "\"compile_time\": 3.5, \"__error__\": \"CompilationFailedConfig\"},\n"
    "\"64,row\": {\"block\": 64, \"mode\": \"row\", \"time\": 1.0},";

}  // namespace

TEST_CASE("a space finds its own configurations, and no others") {
    const Space space = space_of_params();
    for (std::size_t i = 0; i < space.size(); ++i) {
        ParamChoice choice = space.at(i);
        std::ranges::reverse(choice);
        CHECK(space.find(choice) == i);
    }
    CHECK(!space.find({{"block", std::int64_t{17}}, {"mode", std::string("row")}}));
    CHECK(!space.find({{"block", std::int64_t{16}}}));
}

TEST_CASE("what is kept is read again, and Kernel Tuner reads its own part") {
    const TempFolder folder;
    const Space space = space_of_params();
    const Trial good = trial(space, 1, 0.1);
    const Trial wrong = trial(space, 2, {}, Verdict::Wrong);
    {
        CacheFile cache(folder / "c.json", about());
        cache.keep({&good});
        cache.keep({&wrong, &good});
        CHECK(cache.waiting() == 0);
    }
    const Json theirs = closed(read_text(folder / "c.json"));
    CHECK(theirs["tune_params_keys"] == Json({"block", "mode"}));
    CHECK(theirs["tune_params"]["block"] == Json({16, 32}));
    CHECK(theirs["problem_size"] == Json({512, 512}));
    const Json& entry = theirs["cache"]["16,column"];
    CHECK(entry["block"] == 16);
    CHECK(entry["time"] == 0.1);
    CHECK(entry["times"] == Json({1, 2.125, 0.1}));
    CHECK(entry["compile_time"] == 30);
    CHECK(entry["verification_time"] == doctest::Approx(50 - 30 - 3.225));
    CHECK(theirs["cache"]["32,row"]["__error__"] == "RuntimeFailedConfig");
    CHECK(theirs["cache"].size() == 2);

    const CacheFile cache = resumed(folder / "c.json", space);
    const auto& trials = cache.recalled().trials;
    REQUIRE(trials.size() == 2);
    CHECK(trials[0].configuration == 1);
    CHECK(trials[0].cost_ms == 0.1);
    CHECK(trials[0].least_cost_ms == 0.05);
    CHECK(trials[0].result.samples_ms == good.result.samples_ms);
    CHECK(trials[0].ended == good.ended);
    CHECK(trials[1].result.verdict == Verdict::Wrong);
    CHECK(trials[1].result.reason == wrong.result.reason);
    CHECK(cache.recalled().damaged == 0);
}

TEST_CASE("of a cache that ends anywhere or has a bad line, all that is whole is kept, each key once") {
    const TempFolder folder;
    const Space space = space_of_params();
    const std::vector<Trial> all = {trial(space, 0, 3.0), trial(space, 1, 2.0), trial(space, 2, 1.0)};
    CacheFile(folder / "c.json", about()).keep({&all[0], &all[1], &all[2]});
    const std::string text = read_text(folder / "c.json");
    const std::size_t begin = text.find("\n\"16,");
    for (std::size_t length = begin; length < text.size(); length += 97) {
        const auto file = folder.write("part.json", text.substr(0, length));
        std::size_t whole = 0;  // an entry ends where its comma would follow
        for (std::size_t end = begin; end <= length; ++end)
            whole += text[end] == ',' && (end + 1 == text.size() || text[end + 1] == '\n') ? 1 : 0;
        CacheFile cache = resumed(file, space);
        INFO(length);
        CHECK(cache.recalled().trials.size() == whole);
        cache.keep({&all[0], &all[1], &all[2]});
        CHECK(closed(read_text(file))["cache"].size() == 3);
    }
    std::string torn = text;
    torn[text.find("\n\"16,column") + 3] = '"';
    const CacheFile cache = resumed(folder.write("torn.json", torn), space);
    CHECK(cache.recalled().trials.size() == 2);
    CHECK(cache.recalled().damaged == 1);
    CHECK(resumed(folder.write("twice.json", text + text.substr(begin)), space).recalled().trials.size() ==
          3);
    CHECK(resumed(folder.write("closed.json", dump_json(closed(text), 2)), space).recalled().trials.size() ==
          3);
}

TEST_CASE("an outcome that changed replaces what was kept") {
    const TempFolder folder;
    const Space space = space_of_params();
    Trial first = trial(space, 0, 3.0);
    const Trial second = trial(space, 1, 2.0);
    CacheFile cache(folder / "c.json", about());
    cache.keep({&first, &second});
    first.cost_ms = 1.5;
    cache.keep({&first});
    const Trial third = trial(space, 3, 4.0);
    cache.keep({&third});
    const Json entries = closed(read_text(folder / "c.json"))["cache"];
    CHECK(entries.size() == 3);
    CHECK(entries["16,row"]["time"] == 1.5);
    CHECK(entries["16,column"]["time"] == 2.0);
}

TEST_CASE("a cache of something else is refused with what differs, and stays as it is") {
    const TempFolder folder;
    const Space space = space_of_params();
    const auto file = folder / "c.json";
    { const CacheFile cache(file, about()); }
    const std::string text = read_text(file);
    const auto refusal = [&](const std::filesystem::path& path, const TunedCase& ours) -> std::string {
        try {
            resumed(path, space, ours);
            return "";
        } catch (const BadInput& error) {
            return error.what();
        }
    };
    const auto differs = [&](auto change, const std::string& words) {
        TunedCase ours = about();
        change(ours);
        const std::string what = refusal(file, ours);
        INFO(what);
        CHECK(what.starts_with(file.string() + ": it is the cache of another tuning ("));
        CHECK(what.find(words) != what.npos);
    };
    differs([](TunedCase& ours) { ours.device_name = "B"; }, "the device ('a device' there, 'B' here)");
    differs([](TunedCase& ours) { ours.kernel_name = "sum"; }, "the kernel function ('product' there");
    differs([](TunedCase& ours) { ours.problem_size = {512, 8}; }, "the size ('512 x 512' there, '512 x 8'");
    differs([](TunedCase& ours) { std::ranges::reverse(ours.params); }, "'block, mode' there, 'mode, block'");
    differs([](TunedCase& ours) { ours.identity[0].value = std::string(64, 'f'); }, "the source differs)");
    differs([](TunedCase& ours) { ours.identity[1].value = "4"; }, "the driver ('3.1' there, '4' here)");
    CHECK(read_text(file) == text);

    CHECK_THROWS_WITH_AS(CacheFile(file, about()), doctest::Contains("--resume"), BadInput);
    for (const char* bad : {"", "{}", "[1, 2]", "{\"cache\": 3}", "no JSON \"cache\": {", "{\"cache\": {\n"})
        CHECK(refusal(folder.write("bad.json", bad), about()).find("bad.json: it") != std::string::npos);
    const CacheFile held = resumed(file, space);
    CHECK(refusal(file, about()).find("another 'kwb tune' is writing this file") != std::string::npos);
}

TEST_CASE("a cache that Kernel Tuner wrote gives known times, if it is about the same") {
    const TempFolder folder;
    const Space space = space_of_params();
    const auto file = folder.write("theirs.json", kTheirs);
    {
        CacheFile cache = resumed(file, space);
        const auto& trials = cache.recalled().trials;
        REQUIRE(trials.size() == 2);
        CHECK(trials[0].is_imported);
        CHECK(trials[0].result.verdict == Verdict::Ran);
        CHECK(trials[0].cost_ms == 3.0);  // the median without the first run
        CHECK(trials[1].result.verdict == Verdict::CompileError);
        CHECK(cache.recalled().others == 1);
        const Trial ours = trial(space, 0, 2.5);
        cache.keep({&ours});
    }
    const Json after = closed(read_text(file));
    CHECK(after["cache"].size() == 3);
    CHECK(after["cache"]["16,row"]["time"] == 2.5);
    CHECK(after["tune_params"]["block"] == Json({16, 32, 64}));
    CHECK(after["kwb"]["source"] == "5eed");
    TunedCase other = about();
    other.problem_size = {512, 256};
    CHECK_THROWS_WITH_AS(resumed(folder.write("theirs.json", kTheirs), space, other),
                         doctest::Contains("the size ('512 x 1' there"), BadInput);
}

TEST_CASE("what cannot be written because the disk is full is written later, and no half is left") {
    const TempFolder folder;
    const Space space = space_of_params();
    const std::vector<Trial> all = {trial(space, 0, 3.0), trial(space, 1, 2.0)};
    CacheFile cache(folder / "c.json", about());
    cache.keep({&all[0]});
    const std::string before = read_text(folder / "c.json");
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit usual{};
    ::getrlimit(RLIMIT_FSIZE, &usual);
    rlimit small = usual;
    small.rlim_cur = before.size() + 10;
    ::setrlimit(RLIMIT_FSIZE, &small);
    cache.keep({&all[1]});
    ::setrlimit(RLIMIT_FSIZE, &usual);
    CHECK(cache.waiting() == 1);
    CHECK(cache.trouble().find("c.json: cannot write: ") != std::string::npos);
    CHECK(read_text(folder / "c.json") == before);
    cache.keep({});
    CHECK(cache.waiting() == 0);
    CHECK(closed(read_text(folder / "c.json"))["cache"].size() == 2);
}

TEST_CASE("a T4 document names what went wrong in the words of its schema") {
    const Space space = space_of_params();
    const std::vector<Trial> all = {trial(space, 0, 3.0), trial(space, 1, {}, Verdict::Wrong),
                                    trial(space, 2, {}, Verdict::Timeout),
                                    trial(space, 3, {}, Verdict::CompileError)};
    const Json document = parse_json(t4_document({&all[0], &all[1], &all[2], &all[3]}));
    CHECK(document["schema_version"] == "1.0.0");
    CHECK(document["metadata"]["timeunit"] == "milliseconds");
    REQUIRE(document["results"].size() == 4);
    const Json& best = document["results"][0];
    CHECK(best["configuration"] == Json({{"block", 16}, {"mode", "row"}}));
    CHECK(best["times"]["compilation"] == best["times"]["compilation_time"]);
    CHECK(best["times"]["runtimes"].size() == 3);
    CHECK(best["measurements"][0] == Json({{"name", "time"}, {"value", 3.0}, {"unit", "ms"}}));
    CHECK(best["objectives"] == Json::array({"time"}));
    const auto word = [&](std::size_t i) { return document["results"][i]["invalidity"]; };
    CHECK(word(0) == "correct");
    CHECK(word(1) == "correctness");
    CHECK(word(2) == "timeout");
    CHECK(word(3) == "compile");
    CHECK(document["results"][1]["correctness"] == 0);
}

}  // namespace kwb
