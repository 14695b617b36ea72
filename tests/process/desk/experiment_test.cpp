// SPDX-License-Identifier: Apache-2.0
// Experiments in files: saved, opened, damaged, of another version; and the way back.
#include <doctest/doctest.h>

#include "experiment/preset.hpp"
#include "process/desk/scene.hpp"

namespace kwb::test {
namespace {

/// Experiment that all differ from those of a new scene.
Experiment unusual(const Scene& scene) {
    Experiment choices = scene.state().choices;
    choices.contestants = {{"matmul/other", {{"TILE", "8"}}, "8x8"}, {scene.outside.string(), {}, "auto"}};
    choices.baseline = 1;
    choices.own = {{scene.outside.string(), {"k", "C", "N, M", "8x8", "", "TILE = 8", ""}}};
    choices.sizes = {{"M", 32}, {"N", 48}, {"K", 16}};
    choices.sweep_edges = {16, 100};
    choices.time_budget_ms = 500;
    choices.timeout_ms = 700;
    choices.unreadable_pages = true;
    return choices;
}

/// A new scene whose experiment was saved as "one.kwb", and then reset.
struct SavedScene : Scene {
    fs::path file = folder / "one.kwb";
    Experiment saved;
    SavedScene() : Scene("good") {
        rest();
        perform(to_choices(unusual(*this)));
        saved = state().choices;
        perform(command::SaveExperiment{file});
        perform(command::ResetExperiment{});
    }
    /// The file with `part` replaced.
    fs::path changed(const std::string& part, const std::string& by) {
        std::string text = read_text(file);
        const std::size_t at = text.find(part);
        REQUIRE(at != std::string::npos);
        return folder.write("changed.kwb", text.replace(at, part.size(), by));
    }
};

}  // namespace

TEST_CASE("an experiment that was saved is opened again, all of it") {
    SavedScene scene;
    CHECK(scene.state().choices.contestants != scene.saved.contestants);
    CHECK(scene.state().choices.time_budget_ms == Experiment{}.time_budget_ms);
    CHECK(scene.state().choices.own.empty());
    scene.perform(command::OpenExperiment{scene.file});
    CHECK(scene.state().choices == scene.saved);
    CHECK(scene.state().experiment == scene.file);
    CHECK(scene.document(scene.outside) != nullptr);
    CHECK(scene.state().settings.recent_files.at(0) == scene.file.string());
}

TEST_CASE("an experiment and its kernels move together to another folder") {
    SavedScene scene;
    CHECK(mentions(read_text(scene.file), "\"outside.cl\""));
    CHECK(!mentions(read_text(scene.file), scene.folder.path().string()));
    fs::create_directory(scene.folder / "elsewhere");
    fs::copy_file(scene.file, scene.folder / "elsewhere/one.kwb");
    const fs::path kernel = scene.folder.write("elsewhere/outside.cl", kKernel);
    scene.perform(command::OpenExperiment{scene.folder / "elsewhere/one.kwb"});
    REQUIRE(scene.state().choices.contestants.size() == 2);
    CHECK(scene.state().choices.contestants[1].kernel == kernel.string());
    CHECK(scene.state().choices.baseline == 1);
    CHECK(find_named(scene.state().choices.own, kernel.string()) != nullptr);
}

TEST_CASE("a reset keeps edited documents, and the former choices can be taken back") {
    Scene scene("good");
    scene.rest();
    scene.perform(to_choices(unusual(scene)));
    const Experiment before = scene.state().choices;
    scene.type(scene.outside, "// precious");
    scene.perform(command::ResetExperiment{});
    REQUIRE(scene.document(scene.outside) != nullptr);
    CHECK(scene.document(scene.outside)->is_modified());
    CHECK(scene.state().choices.problem == "matmul");
    CHECK(scene.state().choices.contestants.size() == 2);
    CHECK(scene.state().choices.contestants[0].kernel == "matmul/naive");
    CHECK(scene.state().has_former_choices);
    scene.perform(command::TakeFormerChoices{});
    CHECK(scene.state().choices == before);
    scene.perform(command::TakeFormerChoices{});
    CHECK(scene.state().choices.contestants[0].kernel == "matmul/naive");
}

TEST_CASE("a damaged experiment, one of another version, or none at all changes nothing, and says why") {
    SavedScene scene;
    const Experiment before = scene.state().choices;
    const struct {
        fs::path file;
        const char* says;
    } kCases[] = {
        {scene.folder.write("a.kwb", "version = 1\nproblem = \"matmul\n"), "a.kwb:2: invalid TOML: "},
        {scene.folder.write("b.kwb", "version = 1\ntimeout_ms = 3\nsize = 3\n"),
         "b.kwb:2: timeout_ms must be a number from 100 to 3600000, and 1 more like it; correct the file"},
        {scene.folder.write("c.kwb", "version = 1\nsize = 3\n"), "c.kwb:2: unknown key size"},
        {scene.folder.write("d.kwb", "problem = \"matmul\"\n"), "d.kwb:1: not an experiment"},
        {scene.folder.write("e.kwb", "\nversion = 7\ntimeout_ms = \"new\"\n"),
         "e.kwb:2: this experiment has version 7, but this program reads version 1"},
        {scene.folder.write("f.kwb", "version = 1\nproblem = \"sudoku\"\n"),
         "f.kwb:2: there is no problem 'sudoku'"},
        {scene.folder.write("h.kwb", "version = 1\n[[kernels]]\nname = \"matmul/mine\"\nlocl = \"8x8\"\n"),
         "h.kwb:4: unknown key kernels.locl"},
        {scene.folder.write("i.kwb", "version = 1\n[[kernels]]\nlocal = \"8x8\"\n"),
         "i.kwb:2: this kernel has no name"},
        {scene.folder.write("g.kwb", std::string(2 << 20, '#')), "g.kwb"},
        {scene.folder / "missing.kwb", "missing.kwb"},
        {scene.folder.path() / "kernels", "kernels"}};
    for (const auto& [file, says] : kCases) {
        const auto& shown_says = says;
        CAPTURE(shown_says);
        scene.perform(command::OpenExperiment{file});
        CHECK(scene.notices(says));
        CHECK(scene.state().choices == before);
        CHECK(scene.state().experiment.empty());
    }
}

TEST_CASE("a folder with the name of an experiment is told of") {
    SavedScene scene;
    fs::create_directory(scene.folder / "folder.kwb");
    scene.perform(command::OpenFiles{{scene.folder / "folder.kwb"}});
    CHECK(scene.notices("folder.kwb"));
    scene.perform(command::SaveExperiment{scene.folder / "folder.kwb"});
    CHECK(fs::is_directory(scene.folder / "folder.kwb"));
    CHECK(scene.state().experiment.empty());
}

TEST_CASE("what an experiment names and is not there is left out with its line, and the rest is taken") {
    SavedScene scene;
    fs::remove(scene.outside);
    scene.perform(command::OpenExperiment{scene.file});
    CHECK(scene.notices(scene.outside.string() + " does not exist and was left out"));
    REQUIRE(scene.state().choices.contestants.size() == 1);
    CHECK(scene.state().choices.contestants[0] == scene.saved.contestants[0]);
    CHECK(scene.state().choices.sizes == scene.saved.sizes);
    CHECK(scene.state().choices.baseline == 0);
    scene.perform(command::OpenExperiment{scene.changed("\"M\" = 32", "rows = 32")});
    CHECK(scene.notices("the sizes of matmul are M, N, K; their defaults are used"));
    scene.perform(command::OpenExperiment{scene.changed("device = \"\"", "device = 'gone:7'")});
    CHECK(scene.notices("was not found; the fake device is used instead"));
    CHECK(scene.state().device != nullptr);
}

TEST_CASE("an opened experiment does not follow its file, which counts when it is opened again") {
    SavedScene scene;
    scene.perform(command::OpenExperiment{scene.file});
    scene.folder.write("one.kwb", read_text(scene.changed("timeout_ms = 700", "timeout_ms = 900")));
    (**scene.desk).update();
    CHECK(scene.state().choices == scene.saved);
    scene.perform(command::OpenExperiment{scene.file});
    CHECK(scene.state().choices.timeout_ms == 900);
}

TEST_CASE("an experiment among the files of the command line or of a drop is opened, and kernels join it") {
    SavedScene scene;
    scene.open("good", {scene.file});
    CHECK(scene.state().choices == scene.saved);
    scene.perform(command::ResetExperiment{});
    scene.perform(command::OpenFiles{{scene.file, scene.mine}});
    REQUIRE(scene.state().choices.contestants.size() == 3);
    CHECK(scene.state().choices.contestants[2].kernel == "matmul/mine");
}

TEST_CASE("edits that an experiment does not contain are named when it is saved") {
    Scene scene("good");
    scene.rest();
    scene.perform(command::SaveExperiment{scene.folder / "saved.kwb"});
    CHECK_FALSE(scene.notices("unsaved edits"));
    scene.type(scene.mine, "// edited");
    scene.perform(command::SaveExperiment{scene.folder / "edited.kwb"});
    CHECK(scene.notices("edited.kwb refers to 01_mine.cl without the unsaved edits"));
    CHECK(scene.document(scene.mine)->is_modified());
}

TEST_CASE("an experiment is never written over a kernel's source") {
    Scene scene("good");
    scene.rest();
    scene.perform(command::SaveExperiment{scene.mine});
    CHECK(read_text(scene.mine) == kKernel);
    CHECK(scene.notices("is a kernel's source"));
}

TEST_CASE("two edits of one frame are both kept, of choices as of settings") {
    Scene scene("good");
    scene.rest();
    const Experiment before = scene.state().choices;
    Experiment one = before, other = before;
    one.time_budget_ms = 700;
    one.contestants.push_back({kHostBlasName, {}, ""});
    other.timeout_ms = 900;
    other.sizes[0].value = 32;
    (**scene.desk)
        .perform(Commands{command::Edit{change_between(before, one)},
                          command::Edit{change_between(before, other)},
                          command::ChangeSettings{[](Settings& kept) { kept.scale = 2; }},
                          command::ChangeSettings{[](Settings& kept) {
                              kept.tabs = {{"a", "b"}};
                          }}});
    const DeskState& state = scene.state();
    CHECK(state.choices.time_budget_ms == 700);
    CHECK(state.choices.timeout_ms == 900);
    CHECK(state.choices.contestants.size() == 2);
    CHECK(state.choices.sizes[0].value == 32);
    CHECK(state.settings.scale == 2);
    CHECK(state.settings.tabs == NamedList<std::string>{{"a", "b"}});
}

TEST_CASE("two edits of different kernels in one frame are both kept") {
    Scene scene("good", {"matmul/mine", "matmul/other"});
    scene.rest();
    const Experiment before = scene.state().choices;
    Experiment one = before, other = before;
    one.contestants[0].local = "4x4";
    other.contestants[1].local = "8x8";
    (**scene.desk)
        .perform(Commands{command::Edit{change_between(before, one)},
                          command::Edit{change_between(before, other)}});
    CHECK(scene.state().choices.contestants[0].local == "4x4");
    CHECK(scene.state().choices.contestants[1].local == "8x8");
}

}  // namespace kwb::test
