// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>

#include "process/desk/scene.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("a desk at rest knows its device, its kernels, and what a run would be") {
    Scene scene("good");
    CHECK(scene.state().device == nullptr);
    CHECK(mentions(scene.state().preview.obstacle.value_or(""), "looking for devices"));
    scene.rest();
    REQUIRE(scene.state().device != nullptr);
    CHECK(scene.state().device->id == "fake:0");
    CHECK(!scene.state().preview.obstacle);
    CHECK(scene.state().preview.request);
    REQUIRE(scene.state().kernels.size() >= 3);
    CHECK(scene.state().kernels[0].name == "matmul/mine");
    CHECK(scene.state().kernels[0].title == "Mine");
    CHECK(scene.state().kernels.back().name == kHostBlasName);
    CHECK(scene.document(scene.mine) != nullptr);
    CHECK(scene.state().notices.empty());
}

TEST_CASE("a size that nobody chose is the one for the device, also if that comes later") {
    Scene scene("cached");
    const auto choose = [&](const char* problem) {
        Experiment choices = scene.state().choices;
        choices.problem = problem;
        scene.perform(to_choices(choices));
    };
    const auto edge = [&] { return scene.state().choices.sizes.front().value; };
    CHECK(edge() == 64);  // chosen last time
    choose("vector_add");
    choose("matmul");
    CHECK(scene.state().device == nullptr);
    CHECK(edge() == 512);
    scene.rest();
    CHECK(edge() == 1024);
    CHECK(mentions(scene.state().size_cause, "exceed the 2 MiB second-level cache"));
    scene.choose_edge(512);
    scene.rest();
    CHECK(edge() == 512);
    CHECK(scene.state().size_cause.empty());
}

TEST_CASE("a run comes into sight, into the history, and can be shown again and compared") {
    Scene scene("timed");
    scene.rest();
    scene.add_kernel("matmul/other");
    CHECK(scene.state().front == scene.document(scene.other)->id());
    scene.run();
    REQUIRE(scene.state().shown);
    const auto first = scene.state().shown;
    CHECK(first->finished);
    CHECK(first->error.empty());
    CHECK(first->labels == std::vector<std::string>{"mine", "other"});
    REQUIRE(first->run.results.size() == 2);
    CHECK(first->run.results[1].samples_ms.size() == 12);
    CHECK(first->run.sources.at(0).at(0).value == kKernel);
    scene.choose_edge(128);
    scene.run();
    REQUIRE(scene.state().history.size() == 2);
    CHECK(scene.state().shown->run.id == scene.state().history[0].id);
    scene.perform(command::CompareWith{first->run.id});
    scene.perform(command::ShowRun{first->run.id});
    REQUIRE(scene.state().compared);
    CHECK(scene.state().compared->run.sizes == first->run.sizes);
    CHECK(scene.state().shown->labels == first->labels);
    scene.perform(command::ForgetRun{first->run.id});
    CHECK(scene.state().history.size() == 1);
    CHECK(!scene.state().compared);
    scene.perform(command::ShowRun{first->run.id + 1000});
    CHECK(scene.notices("no longer in the history"));
}

TEST_CASE("a run grows in sight with every finished turn, and a run called up meanwhile stays in sight") {
    Scene scene("timed,grows,grows", {"matmul/mine", "matmul/other"});
    scene.rest();
    scene.run();
    const auto before = scene.state().shown;
    const auto rounds_of_first = [](const DeskState& state) {
        const auto& results = state.session->results;
        return results.empty() || results[0].judged ? 0 : results[0].samples_ms.size();
    };
    scene.perform(command::Run{});
    CHECK(scene.state().shown == before);
    scene.desk->wait_until([&](const DeskState& state) { return rounds_of_first(state) == 2; });
    const auto growing = scene.state().shown;
    REQUIRE(growing->run.results.size() == 2);
    CHECK(!growing->finished);
    CHECK(growing->run.id == 0);
    CHECK(growing->labels == before->labels);
    CHECK(growing->run.results[0].samples_ms == std::vector<double>{1, 2});
    CHECK(growing->run.results[0].median_ms == 1.5);
    CHECK(!growing->run.results[0].ci95_ms);
    CHECK(growing->run.results[1].samples_ms == std::vector<double>{2});
    CHECK(growing->run.results[1].kernel == "matmul/other");
    for (const KernelResult& result : growing->run.results) CHECK(!result.judged);
    CHECK(scene.state().history.size() == 1);
    scene.perform(command::Stop{});
    scene.rest();
    CHECK(scene.state().shown->finished);
    for (const KernelResult& result : scene.state().shown->run.results) CHECK(result.judged);

    scene.perform(command::Run{});
    scene.perform(command::ShowRun{before->run.id});
    scene.desk->wait_until([&](const DeskState& state) { return rounds_of_first(state) == 2; });
    CHECK(scene.state().shown->run.id == before->run.id);
    scene.perform(command::Stop{});
    scene.rest();
    CHECK(scene.state().shown->run.id != before->run.id);
}

TEST_CASE("a verdict comes into sight while the other kernels are still checked") {
    Scene scene("timed,settles", {"matmul/mine", "matmul/other"});
    scene.rest();
    scene.run();
    scene.perform(command::Run{});
    scene.desk->wait_until([](const DeskState& state) { return !state.shown->finished; });
    const auto growing = scene.state().shown;
    REQUIRE(growing->run.results.size() == 2);
    CHECK(!growing->run.results[0].judged);
    CHECK(growing->run.results[1].judged);
    CHECK(growing->run.results[1].verdict == Verdict::Wrong);
    scene.perform(command::Stop{});
    scene.rest();
    CHECK(scene.state().shown->finished);
}

TEST_CASE("a judge that dies costs one run, says so where its results stand, and the next run works") {
    Scene scene("dies-after-first;timed", {"matmul/mine", "matmul/other"});
    scene.rest();
    scene.run();
    REQUIRE(scene.state().shown);
    CHECK(mentions(scene.state().shown->error, "ended unexpectedly"));
    REQUIRE(scene.state().shown->run.results.size() == 2);
    CHECK(scene.state().shown->run.results[1].verdict == Verdict::Skipped);
    scene.run();
    CHECK(scene.state().shown->error.empty());
    CHECK(scene.state().shown->run.results[1].verdict == Verdict::Correct);
}

TEST_CASE("a judge that cannot list devices is an obstacle, and Run asks again") {
    Scene scene("exit-at-start;timed");
    scene.rest();
    CHECK(mentions(scene.state().preview.obstacle.value_or(""), "exit code 3"));
    CHECK(!scene.state().notices.empty());
    scene.run();
    REQUIRE(scene.state().shown);
    CHECK(scene.state().shown->error.empty());
}

TEST_CASE("stop ends the run and keeps what was measured") {
    Scene scene("endless");
    scene.rest();
    scene.perform(command::Run{});
    scene.wait_for_progress();
    CHECK(scene.state().is_busy);
    scene.perform(command::Stop{});
    scene.rest();
    REQUIRE(scene.state().shown);
    CHECK(scene.state().shown->stopped);
    CHECK(scene.state().shown->run.results.size() == 1);
}

TEST_CASE("errors and hints stand at their lines, and go with the next run") {
    Scene scene("compile-error,timed");
    scene.rest();
    scene.run();
    const auto& marks = scene.document(scene.mine)->marks();
    REQUIRE(marks.size() == 2);
    const auto error = std::find_if(marks.begin(), marks.end(),
                                    [](const LineMark& mark) { return mark.kind == LineMark::Kind::Error; });
    REQUIRE(error != marks.end());
    CHECK(error->line == 1);
    CHECK(error->column == 2);
    CHECK(error->kernel == "mine");
    CHECK(mentions(error->text, "undeclared identifier"));
    scene.run();
    CHECK(scene.document(scene.mine)->marks().empty());
}

TEST_CASE("thousands of progress events and samples arrive whole") {
    Scene scene("chatty,many-samples");
    scene.rest();
    scene.run();
    CHECK(scene.state().shown->error.empty());
    scene.run();
    CHECK(scene.state().shown->run.results.at(0).samples_ms.size() == 10'000);
}

TEST_CASE("what was chosen is there again, and what is not there any more is left out with a notice") {
    Scene scene("good");
    scene.rest();
    Experiment choices = scene.state().choices;
    choices.contestants = {
        {"matmul/mine", {{"TILE", "8"}}, ""}, {scene.outside.string(), {}, "8x8"}, {kHostBlasName, {}, ""}};
    choices.baseline = 1;
    choices.seed = 9;
    scene.perform(to_choices(choices));
    scene.open("good");
    scene.rest();
    CHECK(scene.state().choices.contestants == choices.contestants);
    CHECK(scene.state().choices.baseline == 1);
    CHECK_FALSE(scene.state().choices.seed);  // a seed that somebody knows is for the runs that ask for it
    CHECK(scene.state().notices.empty());
    fs::remove(scene.outside);
    scene.open("good");
    scene.rest();
    CHECK(scene.state().choices.contestants.size() == 2);
    CHECK(scene.notices("outside.cl, chosen last time"));
}

TEST_CASE("files of the command line are what is compared, and missing ones are a notice") {
    Scene scene("good");
    scene.open("good", {scene.outside, scene.folder / "missing.cl", scene.folder.path()});
    scene.rest();
    REQUIRE(scene.state().choices.contestants.size() == 1);
    CHECK(scene.state().choices.contestants[0].kernel == scene.outside.string());
    CHECK(scene.state().find_document(*scene.state().front)->path() == scene.outside);
    CHECK(scene.notices("missing.cl: there is no such file"));
    CHECK(scene.notices("is a folder"));
    CHECK(!scene.state().preview.obstacle);
}

TEST_CASE("a contestant's file that vanishes is its obstacle, and its return mends it") {
    Scene scene("timed", {"matmul/mine", "matmul/other"});
    scene.rest();
    fs::remove(scene.mine);
    scene.desk->wait_until(
        [](const DeskState& state) { return state.preview.contestants[0].obstacle.has_value(); });
    CHECK(!scene.state().preview.obstacle);
    CHECK(mentions(*scene.state().preview.contestants[0].obstacle, "01_mine.cl"));
    CHECK(!scene.state().kernels[0].error.empty());
    scene.run();
    CHECK(scene.state().shown->run.results.size() == 2);
    scene.folder.write("kernels/matmul/01_mine.cl", kKernel);
    scene.desk->wait_until([](const DeskState& state) { return !state.preview.contestants[0].obstacle; });
}

TEST_CASE("an error in the declarations is marked at its line before anything runs, until it is mended") {
    Scene scene("timed");
    scene.rest();
    scene.perform(command::OpenFiles{{scene.mine}});
    const auto shown = scene.document(scene.mine);
    REQUIRE(shown);
    CHECK(shown->marks().empty());
    const auto replace = [&](const std::string& what, const std::string& by) {
        const auto found = editor::find_all(shown->buffer().lines(), {.needle = what});
        REQUIRE(found.size() == 1);
        shown->buffer().select({found[0].begin, found[0].end});
        shown->buffer().type(by);
        scene.perform(command::Edited{shown->id()});
    };
    replace("TILE = [16, 8]", "TILE = [16, 8");  // no TOML
    REQUIRE(shown->marks().size() == 1);
    CHECK(shown->marks()[0].kind == LineMark::Kind::Error);
    CHECK(shown->marks()[0].line == 4);  // where the next key is read as another value
    replace("[16, 8", "[16, 8]");
    CHECK(shown->marks().empty());
    replace("round_up(M, TILE)", "round_up(M, TIL)");  // an unknown name in an expression
    REQUIRE(shown->marks().size() == 1);
    CHECK(shown->marks()[0].line == 7);
    CHECK(mentions(shown->marks()[0].text, "TIL"));
    scene.run();  // the run has marks of its own, and takes these not away
    CHECK(shown->marks().size() == 1);
    replace("round_up(M, TIL)", "round_up(M, TILE)");
    CHECK(shown->marks().empty());
}

TEST_CASE("an edit of the front matter is seen before it is saved, and unsaved edits are named") {
    Scene scene("good");
    scene.rest();
    const auto shown = scene.document(scene.mine);
    shown->buffer().load(std::string(kKernel));
    shown->buffer().set_caret({3, 8});
    shown->buffer().type("32, ");
    scene.perform(command::Edited{shown->id()});
    CHECK(scene.state().preview.contestants[0].params.at(0).values.front() == "32");
    CHECK(scene.document(scene.mine)->is_modified());
    scene.perform(command::CloseDocument{shown->id(), false});
    CHECK(scene.document(scene.mine) != nullptr);
    scene.perform(command::CloseDocument{shown->id(), true});
    CHECK(scene.document(scene.mine) == nullptr);
    CHECK(scene.state().preview.contestants[0].params.at(0).values.front() == "16");
}

TEST_CASE("an edited shipped kernel runs as it stands, and its copy takes its place once it has a name") {
    Scene scene("timed", {"matmul/naive"});
    scene.rest();
    const auto shown = scene.state().documents.at(0);
    REQUIRE(shown->read_only());
    shown->buffer().set_caret(shown->buffer().end());
    shown->buffer().type("// edited\n");
    scene.perform(command::Edited{shown->id()});
    scene.run();
    REQUIRE(scene.state().preview.request);
    CHECK(scene.state().preview.request->contestants[0].kernel->trust ==
          Trust::Own);  // edited, so no longer Shipped
    CHECK(mentions(scene.state().shown->run.sources.at(0).at(0).value, "// edited"));
    CHECK(scene.state().shown->run.results.at(0).unsaved);
    CHECK(!mentions(read_text(shown->path()), "// edited"));
    scene.perform(command::SaveDocument{shown->id()});
    CHECK(scene.notices("under another name"));
    const fs::path copy = scene.folder / "copy.cl";
    scene.perform(command::SaveDocumentAs{shown->id(), copy});
    CHECK(scene.state().choices.contestants.at(0).kernel == copy.string());
    scene.run();
    CHECK(mentions(scene.state().shown->run.sources.at(0).at(0).value, "// edited"));
    CHECK(!scene.state().shown->run.results.at(0).unsaved);
    CHECK(scene.state().shown->labels == std::vector<std::string>{"copy"});
}

TEST_CASE("what is on the screen runs without being saved, and results, exports and history say so") {
    Scene scene("timed", {"matmul/mine", "matmul/other"});
    scene.rest();
    CHECK(scene.state().unsaved.empty());
    const auto shown = scene.document(scene.mine);
    scene.type(scene.mine, "// mine\n");
    CHECK(scene.state().unsaved == std::vector<DocumentId>{shown->id()});
    CHECK(scene.state().preview.contestants.at(0).unsaved);
    CHECK(!scene.state().preview.contestants.at(1).unsaved);
    scene.run();
    CHECK(read_text(scene.mine) == kKernel);
    CHECK(shown->is_modified());
    const ShownRun& run = *scene.state().shown;
    CHECK(mentions(run.run.sources.at(0).at(0).value, "// mine"));
    CHECK(run.run.results.at(0).unsaved);
    CHECK(!run.run.results.at(1).unsaved);
    scene.perform(command::ExportRun{command::ExportForm::Json, scene.folder / "run.json"});
    CHECK(mentions(read_text(scene.folder / "run.json"), "\"unsaved\": true"));
    scene.perform(command::ExportRun{command::ExportForm::Html, scene.folder / "session.html"});
    CHECK(scene.state().notices.back().written == scene.folder / "session.html");
    CHECK(mentions(read_text(scene.folder / "session.html"), "unsaved edits"));
    scene.perform(command::Sweep{{16, 32}});
    scene.rest();
    CHECK(read_text(scene.mine) == kKernel);
    CHECK(scene.state().sweep->results.at(1).at(0).unsaved);
    CHECK(!scene.state().sweep->results.at(1).at(1).unsaved);
    scene.perform(command::SaveDocument{shown->id()});
    CHECK(scene.state().unsaved.empty());
    scene.run();
    CHECK(!scene.state().shown->run.results.at(0).unsaved);
}

TEST_CASE(
    "an edited neighbour runs as it stands with every kernel that includes it, before it is in a file") {
    Scene scene("timed", {"matmul/mine", "matmul/other"});
    scene.rest();
    const fs::path neighbour = scene.folder.write("kernels/matmul/tile.h", "// old\n");
    scene.perform(command::OpenFiles{{neighbour}, false});
    scene.type(neighbour, "// new\n");
    CHECK(scene.state().unsaved.empty());  // no chosen kernel includes it
    scene.type(scene.mine, "#include \"tile.h\"\n");
    CHECK(scene.state().unsaved.size() == 2);
    scene.run();
    const auto& sources = scene.state().shown->run.sources;
    REQUIRE(sources.at(0).size() == 2);
    CHECK(sources[0][1].name == "tile.h");
    CHECK(mentions(sources[0][1].value, "// new"));
    CHECK(sources.at(1).size() == 1);
    CHECK(read_text(neighbour) == "// old\n");
}

TEST_CASE("a file that cannot be read is skipped with the reason, the others run, and no device is blamed") {
    Scene scene("timed", {"matmul/mine", "matmul/other"});
    scene.rest();
    scene.folder.write("kernels/matmul/02_other.cl", "/*+++ title = [broken +++*/");
    scene.run();
    const auto& results = scene.state().shown->run.results;
    CHECK(results.at(0).verdict == Verdict::Correct);
    CHECK(results.at(1).verdict == Verdict::Skipped);
    CHECK(mentions(results.at(1).reason, "02_other.cl:1:"));
}

TEST_CASE("what was called up from the history is told from the run that was made last") {
    Scene scene("timed");
    scene.rest();
    scene.run();
    scene.run();
    CHECK(!scene.state().shows_earlier);
    scene.perform(command::ShowRun{scene.state().history.back().id});
    CHECK(scene.state().shows_earlier);
    scene.perform(command::ShowRun{scene.state().history.front().id});
    CHECK(!scene.state().shows_earlier);
    scene.perform(command::ShowRun{scene.state().history.back().id});
    scene.run();
    CHECK(!scene.state().shows_earlier);
}

TEST_CASE("a text that changed on disk too runs as it stands here, and neither is overwritten") {
    Scene scene("timed");
    scene.rest();
    const auto shown = scene.document(scene.mine);
    shown->buffer().set_caret(shown->buffer().end());
    shown->buffer().type("// mine\n");
    scene.perform(command::Edited{shown->id()});
    scene.folder.write("kernels/matmul/01_mine.cl", std::string(kKernel) + "// theirs\n");
    scene.run();
    CHECK(mentions(read_text(scene.mine), "// theirs"));
    REQUIRE(scene.state().shown);
    CHECK(mentions(scene.state().shown->run.sources.at(0).at(0).value, "// mine"));
    scene.perform(command::SaveDocument{shown->id()});
    CHECK(shown->on_disk() == Document::OnDisk::Changed);
    CHECK(mentions(read_text(scene.mine), "// theirs"));
}

TEST_CASE("what was written is opened with the desktop's program") {
    Scene scene("good");
    const fs::path page = scene.folder.write("a page.html", ""), told = scene.folder / "told";
    REQUIRE(::mkfifo(told.c_str(), 0600) == 0);  // reading it waits for the opener
    const fs::path opener = scene.folder.write("open er", "#!/bin/sh\nprintf %s \"$1\" >\"${0%/*}/told\"\n");
    fs::permissions(opener, fs::perms::owner_all);
    scene.opener = opener.string();
    scene.open("good");
    scene.perform(command::OpenOutside{page});
    CHECK(read_text(told) == page.string());
    CHECK(scene.state().notices.empty());
    scene.folder.write("documentation/README.md", "# The workbench\n");
    scene.perform(command::OpenDocumentation{});
    CHECK(scene.notices("'./workbench docs' in a clone builds them"));
    const fs::path first = scene.folder.write("documentation/site/index.html", "");
    scene.perform(command::OpenDocumentation{});
    CHECK(read_text(told) == first.string());
    scene.opener = "no-such-program";
    scene.open("good");
    scene.perform(command::OpenOutside{page});
    CHECK(scene.notices("the program no-such-program is missing. Install it (package xdg-utils)"));
}

TEST_CASE("exports write what is shown, and say what could not be written") {
    Scene scene("timed");
    scene.rest();
    scene.perform(command::ExportRun{command::ExportForm::Json, scene.folder / "run.json"});
    CHECK(scene.notices("Nothing to export"));
    scene.run();
    scene.perform(command::ExportRun{command::ExportForm::Json, scene.folder / "run.json"});
    scene.perform(command::ExportRun{command::ExportForm::Csv, scene.folder / "run.csv"});
    scene.perform(command::ExportRun{command::ExportForm::Html, scene.folder / "session.html"});
    scene.perform(command::ExportBytes{"<svg/>", scene.folder / "chart.svg"});
    CHECK(mentions(read_text(scene.folder / "run.json"), "\"matmul/mine\""));
    CHECK(mentions(read_text(scene.folder / "run.csv"), "matmul/mine"));
    CHECK(mentions(read_text(scene.folder / "session.html"), "<svg"));
    CHECK(read_text(scene.folder / "chart.svg") == "<svg/>");
    scene.perform(command::ExportBytes{"x", scene.folder / "no/such/folder/chart.svg"});
    CHECK(scene.notices("no/such/folder"));
    scene.perform(command::ExportBytes{"x", scene.mine});
    CHECK(read_text(scene.mine) == kKernel);
}

TEST_CASE("ceilings are measured on the chosen device, or their absence is explained") {
    Scene scene("timed");
    scene.rest();
    scene.perform(command::MeasureCeilings{});
    CHECK(scene.state().measuring_ceilings);
    scene.rest();
    CHECK(!scene.state().measuring_ceilings);
    CHECK_MESSAGE(scene.state().ceilings_error.empty(), scene.state().ceilings_error);
    REQUIRE(scene.state().ceilings);
    CHECK(scene.state().ceilings->gflops.has_value());
    CHECK(scene.state().ceilings->gbytes_s.has_value());
    CHECK(!scene.state().shown);

    Scene wrong("wrong");
    wrong.rest();
    wrong.perform(command::MeasureCeilings{});
    wrong.rest();
    CHECK(!wrong.state().ceilings);
    CHECK(mentions(wrong.state().ceilings_error, "could not be measured"));
}

TEST_CASE("ceilings are there again after a new start, with the time of their measurement") {
    Scene scene("timed");
    scene.rest();
    scene.perform(command::MeasureCeilings{});
    scene.rest();
    REQUIRE(scene.state().ceilings);
    const Ceilings before = *scene.state().ceilings;
    REQUIRE(before.when);
    scene.open("timed");
    scene.rest();
    REQUIRE(scene.state().ceilings);
    CHECK(scene.state().ceilings->gflops->value == doctest::Approx(before.gflops->value));
    CHECK(scene.state().ceilings->gbytes_s->kernel == before.gbytes_s->kernel);
    CHECK(*before.when - *scene.state().ceilings->when < std::chrono::seconds(1));
    scene.desk.reset();
    scene.folder.write("ceilings", "damaged");
    scene.open("timed");
    scene.rest();
    CHECK_FALSE(scene.state().ceilings);
    CHECK(scene.notices("must be measured again"));
}

TEST_CASE("the file dialog lists folders, and a damaged settings file is a notice") {
    Scene scene("good");
    scene.perform(command::OpenDialog{FolderListing::Purpose::OpenKernels, "", {".cl"}});
    scene.perform(command::GoToFolder{scene.folder.path()});
    REQUIRE(scene.state().dialog);
    CHECK(scene.state().dialog->folder == scene.folder.path());
    CHECK(std::any_of(scene.state().dialog->entries.begin(), scene.state().dialog->entries.end(),
                      [](const FolderEntry& entry) { return entry.name == "outside.cl"; }));
    scene.perform(command::CloseDialog{});
    CHECK(!scene.state().dialog);
    scene.desk.reset();
    scene.folder.write("window.toml", "this is [no TOML");
    scene.open("good");
    CHECK(scene.notices("window.toml"));
    scene.perform(command::DismissNotice{scene.state().notices.front().number});
    CHECK(!scene.notices("window.toml"));
}
