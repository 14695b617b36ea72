// SPDX-License-Identifier: Apache-2.0
#include "desk/window_settings.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

#include "support/bad_places.hpp"
#include "support/skip.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

/// Settings that all differ from the defaults.
Settings unusual() {
    Settings s;
    s.theme = Theme::Light;
    s.scale = 1.25;
    s.window_width = 1024;
    s.window_height = 640;
    s.maximised = s.full_screen = s.live = true;
    s.splits = {{"source | times", 0.375}, {"a", 0.5}, {"list", 1.0 / 3}};
    s.switches = {{"log", false}, {"hints", true}};
    s.tabs = {{"lower", "Error map"}};
    s.areas = {{"3/times", "left"}};
    s.layouts = {
        {"Teaching, \"large\"", {{{"a", 0.25}}, {{"panel/history", false}}, {{"area/left", "times"}}, {}}},
        {"empty", {}}};
    Experiment& e = s.experiment;
    e.device = "pocl:0";
    e.problem = "transpose";
    e.contestants = {{"matmul/tiled", {{"TILE", "8"}, {"PAD", "1"}}, "8x8", "gpu:0"},
                     {"/home/she/a \"quoted\" \\ name\twith\nall.cl", {}, ""},
                     {"größe.cl", {}, "auto"}};
    e.sizes = {{"M", 17}, {"K", 2147483647}, {"A", 1}};
    e.baseline = 2;
    e.sweep_from = 3;
    e.sweep_to = 1 << 30;
    e.sweep_edges = {3, 5};
    e.time_budget_ms = 2500;
    e.timeout_ms = 5000;
    e.unreadable_pages = true;
    e.xray = false;
    e.own = {{"größe.cl", {"k", "A, B", "N, M", "8", "", "TILE = 16", ""}}};
    s.recent_files = {"/a.cl", "/b.cl"};
    s.last_folder = "/home/she";
    return s;
}

bool holds(const std::optional<std::string>& notice, std::string_view part) {
    return notice && notice->find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("settings that were saved are loaded again, every one of them") {
    const TempFolder folder;
    const fs::path file = folder / "new/kwb/window.toml";
    const Settings settings = unusual();
    CHECK(save_settings(settings, file) == std::nullopt);
    const LoadedSettings loaded = load_settings(file);
    CHECK(!loaded.notice);
    CHECK(loaded.settings == settings);
    CHECK(fs::status(file.parent_path()).permissions() == fs::perms(0700));
    CHECK(std::distance(fs::directory_iterator(file.parent_path()), fs::directory_iterator()) == 1);
}

TEST_CASE("a missing file gives the defaults without a word, and the defaults survive a round trip") {
    const TempFolder folder;
    const fs::path file = folder / "window.toml";
    CHECK(load_settings(file).settings == Settings{});
    CHECK(!load_settings(file).notice);
    save_settings({}, file);
    CHECK(load_settings(file).settings == Settings{});
    CHECK(!load_settings(file).notice);
}

TEST_CASE("a file that is no TOML gives the defaults, a notice with the line, and a copy") {
    const TempFolder folder;
    for (const std::string_view text :
         {std::string_view("theme = \"light\"\nscale = = 2\n"), std::string_view("scale = 2\n\0\0\0\0", 14),
          std::string_view("scale = 2\n\xff\xfe"), std::string_view("scale = 2\n[splits\n")}) {
        const fs::path file = folder.write("window.toml", text);
        const LoadedSettings loaded = load_settings(file);
        CHECK(loaded.settings == Settings{});
        REQUIRE(loaded.notice);
        CAPTURE(*loaded.notice);
        // toml++ reports invalid UTF-8 one line too early.
        const char* line = text.find('\xff') == std::string_view::npos ? ":2: " : ":1: ";
        CHECK(holds(loaded.notice, file.string() + line + "invalid TOML: "));
        CHECK(holds(loaded.notice, ". The default settings are used. The old file is kept as "));
        const fs::path copy = loaded.notice->substr(loaded.notice->rfind(' ') + 1);
        CHECK(copy.string().starts_with(file.string() + ".damaged-"));
        CHECK(read_text(copy) == text);
        CHECK(read_text(file) == text);
    }
}

TEST_CASE("a value out of range or of another type resets only its own key") {
    const TempFolder folder;
    const fs::path file = folder.write("window.toml",
                                       "theme = \"light\"\nscale = 9\nwindow_width = \"wide\"\n"
                                       "window_height = 700\nseed = -1\nlive = true\n"
                                       "time_budget_ms = nan\n"
                                       "[sizes]\nM = 0\nN = 64\nK = 99999999999\n[splits]\na = 1.5\nb = 0.5\n"
                                       "[[kernels]]\nname = \"a\"\nlocal = 3\n[[kernels]]\nname = \"b\"\n");
    const LoadedSettings loaded = load_settings(file);
    Settings expected;
    expected.theme = Theme::Light;
    expected.window_height = 700;
    expected.live = true;
    expected.experiment.contestants = {{"a", {}, ""}, {"b", {}, ""}};
    expected.experiment.sizes = {{"N", 64}};
    expected.splits = {{"b", 0.5}};
    CHECK(loaded.settings == expected);
    CHECK(loaded.notice == file.string() +
                               ":2: scale must be a number from 0.5 to 3, and 6 more like it. Defaults are "
                               "used instead. The old file is kept as " +
                               file.string() + ".damaged-1");
}

TEST_CASE("every key with an invalid value is reported and keeps its default") {
    const std::string keys = settings_to_toml(unusual());
    std::size_t tried = 0;
    for (std::size_t at = 0; at < keys.size(); at = keys.find('\n', at) + 1) {
        const std::string key = keys.substr(at, keys.find_first_of(" \n", at) - at);
        if (key == "#") continue;
        if (key.empty() || key[0] == '[') break;  // the tables follow
        ++tried;
        const ParsedSettings parsed = parse_settings(key + " = 1979-05-27\n");
        CAPTURE(key);
        REQUIRE(parsed.findings.size() == 1);
        CHECK(parsed.findings[0].starts_with("1: " + key + " must be "));
        CHECK(parsed.settings == Settings{});
    }
    CHECK(tried == 20);
    for (const char* table : {"own", "sizes", "splits", "switches", "tabs", "areas", "layouts"}) {
        CHECK(parse_settings(std::string(table) + " = 3\n").findings.size() == 1);
        CHECK(parse_settings(std::string(table) + ".x = 1979-05-27\n").findings.size() == 1);
    }
}

TEST_CASE("a damaged layout or launch costs only what is wrong in it") {
    const ParsedSettings parsed = parse_settings(
        "areas = {\"3/times\" = \"left\", \"3/history\" = 4}\n[layouts]\nbad = 3\n[layouts.good.splits]\n"
        "a = 0.5\nb = 7\n[layouts.good.switches]\nx = \"on\"\n[own.\"/k.cl\"]\nentry = \"k\"\nargs = 1\n");
    CHECK(parsed.findings ==
          std::vector<std::string>{"1: areas.3/history must be a text of at most 4096 bytes",
                                   "3: layouts.bad must be a table",
                                   "6: layouts.good.splits.b must be a number from 0.02 to 0.98",
                                   "8: layouts.good.switches.x must be true or false",
                                   "11: own./k.cl.args must be a text of at most 4096 bytes"});
    CHECK(parsed.settings.areas == NamedList<std::string>{{"3/times", "left"}});
    REQUIRE(parsed.settings.layouts.size() == 1);
    CHECK(parsed.settings.layouts[0].value.splits == NamedList<double>{{"a", 0.5}});
    REQUIRE(parsed.settings.experiment.own.size() == 1);
    CHECK(parsed.settings.experiment.own[0].value.entry == "k");
}

TEST_CASE("unknown keys do no harm and are not kept") {
    const TempFolder folder;
    const fs::path file =
        folder.write("window.toml", "tomorrow = 3\nscale = 2\n[later]\nscale = \"x\"\n[[more]]\na = 1\n");
    const LoadedSettings loaded = load_settings(file);
    CHECK(!loaded.notice);
    CHECK(loaded.settings.scale == 2);
    CHECK(!save_settings(loaded.settings, file));
    CHECK(read_text(file).find("tomorrow") == std::string::npos);
}

TEST_CASE("values are clamped to their range when saved, so that the next start reports nothing") {
    Settings wild;
    wild.scale = std::numeric_limits<double>::quiet_NaN();
    wild.window_width = -5;
    wild.window_height = 1 << 30;
    wild.experiment.time_budget_ms = std::numeric_limits<double>::infinity();
    wild.splits = {{"a", -1}, {"a", 0.5}, {"", 2}};
    wild.experiment.sizes.assign(30, {"M", 0});
    wild.recent_files.assign(50, "/a.cl");
    wild.experiment.device = "bytes \xff that are no text";
    wild.experiment.problem = std::string(1 << 20, 'x');
    const ParsedSettings parsed = parse_settings(settings_to_toml(wild));
    CHECK(parsed.findings.empty());
    CHECK(parsed.settings.scale == 0.5);
    CHECK(parsed.settings.window_width == 320);
    CHECK(parsed.settings.window_height == 16384);
    CHECK(parsed.settings.experiment.time_budget_ms == 3'600'000);
    CHECK(parsed.settings.splits == NamedList<double>{{"a", 0.02}, {"", 0.98}});
    CHECK(parsed.settings.experiment.sizes == Sizes{{"M", 1}});
    CHECK(parsed.settings.recent_files.size() == kMostRecentFiles);
    CHECK(parsed.settings.experiment.device == "bytes \xEF\xBF\xBD that are no text");
    CHECK(parsed.settings.experiment.problem.empty());
}

TEST_CASE("where settings cannot be saved a sentence says why, and the old file stays whole") {
    const TempFolder folder;
    const fs::path file = folder / "window.toml";
    REQUIRE(!save_settings(unusual(), file));
    const std::string before = read_text(file);
    fs::permissions(file, fs::perms(0666));
    {
        const ReadOnlyFolder read_only(folder.path());
        const WithoutPrivileges me;
        CHECK(holds(save_settings({}, file), "the settings cannot be saved: " + file.string()));
        CHECK(holds(save_settings({}, file), "Permission denied"));
        CHECK(load_settings(file).settings == unusual());
    }
    {
        const FileSizeLimit limit(100);
        CHECK(holds(save_settings({}, file), "File too large"));
    }
    CHECK(read_text(file) == before);
    CHECK(folder.count_files() == 1);
    CHECK(holds(save_settings({}, folder.write("file", "") / "window.toml"), "the folder cannot be created"));
}

TEST_CASE("on a full disk the old settings stay whole") {
    const TempFolder folder;
    const TinyDisk disk(folder.path(), 16 << 10);
    if (!disk.is_there()) return kwb::test::skip("no small disk can be mounted here");
    const fs::path file = folder / "window.toml";
    REQUIRE(!save_settings(unusual(), file));
    folder.write("filler", std::string(1 << 20, 'x'));
    CHECK(holds(save_settings({}, file), "No space left on device"));
    CHECK(load_settings(file).settings == unusual());
}

TEST_CASE("a file that cannot be read gives the defaults and a notice, and so does a folder in its place") {
    const TempFolder folder;
    fs::permissions(folder.path(), fs::perms(0755));
    const fs::path file = folder.write("window.toml", "scale = 2\n");
    fs::permissions(file, fs::perms::none);
    const WithoutPrivileges me;
    const LoadedSettings loaded = load_settings(file);
    CHECK(loaded.settings == Settings{});
    CHECK(loaded.notice == file.string() + ": cannot read: Permission denied. The default settings are used");
    CHECK(holds(load_settings(folder.path()).notice, "Is a directory"));
}

TEST_CASE("damaged settings in a read-only folder are told, though no copy can be made") {
    const TempFolder folder;
    const fs::path file = folder.write("window.toml", "scale = 99\n");
    const ReadOnlyFolder read_only(folder.path());
    const WithoutPrivileges me;
    CHECK(holds(load_settings(file).notice, ":1: scale must be a number from 0.5 to 3"));
    CHECK(holds(load_settings(file).notice, "The file is replaced when the settings are next saved"));
}

TEST_CASE("a remembered file comes first, once, and the oldest of more than twenty goes") {
    Settings settings;
    for (int i = 0; i < 25; ++i) remember_file(settings, "/k/" + std::to_string(i) + ".cl");
    CHECK(settings.recent_files.size() == 20);
    CHECK(settings.recent_files.front() == "/k/24.cl");
    CHECK(settings.recent_files.back() == "/k/5.cl");
    remember_file(settings, "/k/x/../10.cl");
    CHECK(settings.recent_files.size() == 20);
    CHECK(settings.recent_files.front() == "/k/10.cl");
    CHECK(settings.recent_files.back() == "/k/5.cl");
}
