// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "process/desk/scene.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("of all changes during a live run only the last one is run, after the present one was stopped") {
    Scene scene("endless");
    scene.rest();
    scene.set_live(true);
    CHECK(scene.state().is_busy);  // starts because there is no run yet
    scene.wait_for_progress();
    for (const std::int64_t edge : {32, 48, 80, 96}) scene.choose_edge(edge);
    scene.desk->wait_until([](const DeskState& state) { return state.session->answered == 2; });
    CHECK(
        (!scene.state().shown || scene.state().shown->finished || scene.state().shown->run.results.empty()));
    CHECK(scene.state().history.empty());  // the interrupted run is not kept
    scene.wait_for_progress();
    scene.perform(command::Stop{});
    scene.rest();
    CHECK(scene.state().session->answered == 3);
    CHECK(scene.state().shown->run.sizes[0].value == 96);
}

TEST_CASE("live runs again when a file of a contestant changes, and not for what has run") {
    Scene scene("timed");
    scene.rest();
    scene.set_live(true);
    scene.rest();
    CHECK(scene.state().history.size() == 1);
    scene.folder.write("kernels/matmul/01_mine.cl", std::string(kKernel) + "// changed\n");
    scene.desk->wait_until([](const DeskState& state) { return state.history.size() == 2; });
    CHECK(mentions(scene.document(scene.mine)->buffer().text(), "// changed"));
    scene.rest();

    scene.type(scene.mine, "// mine ");
    CHECK(!scene.state().is_busy);
    CHECK(scene.state().live_waits);
    scene.run();  // does not wait for the pause
    CHECK(!scene.state().live_waits);
    CHECK(mentions(scene.state().shown->run.sources.at(0).at(0).value, "// mine "));
    CHECK(scene.state().history.size() == 3);
    scene.perform(command::SaveDocument{scene.document(scene.mine)->id()});
    CHECK(mentions(read_text(scene.mine), "// mine "));
    CHECK(!scene.state().is_busy);
    // The file watch reports the save. Once the next change has arrived, no other run has started.
    scene.folder.write("outside.cl", std::string(kKernel) + "// other\n");
    scene.perform(command::OpenFiles{{scene.outside}, false});
    scene.folder.write("outside.cl", std::string(kKernel) + "// again\n");
    scene.desk->wait_until([&](const DeskState&) {
        return mentions(scene.document(scene.outside)->buffer().text(), "// again");
    });
    scene.rest();
    CHECK(scene.state().history.size() == 3);
    scene.type(scene.mine, "// more ");
    scene.perform(command::SaveDocument{scene.document(scene.mine)->id()});
    scene.rest();
    CHECK(scene.state().history.size() == 4);
    CHECK(mentions(scene.state().shown->run.sources.at(0).at(0).value, "// more "));
}

TEST_CASE("live runs what was typed, once, when typing has paused") {
    Scene scene("timed");
    scene.rest();
    scene.set_live(true);
    scene.rest();
    scene.type(scene.mine, "// a");
    const auto first = (**scene.desk).due();
    REQUIRE(first);
    scene.type(scene.mine, "b");
    CHECK(*(**scene.desk).due() > *first);  // each key starts the pause again
    CHECK(scene.state().history.size() == 1);
    scene.desk->wait_until([](const DeskState& state) { return state.history.size() == 2; });
    scene.rest();
    CHECK(!(**scene.desk).due());
    CHECK(scene.state().history.size() == 2);
    CHECK(mentions(scene.state().shown->run.sources.at(0).at(0).value, "// ab"));
    CHECK(scene.document(scene.mine)->is_modified());
}

TEST_CASE("what does not compile yet while it is typed is shown, and not kept in the history") {
    Scene scene("timed,compile-error");
    scene.rest();
    scene.set_live(true);
    scene.rest();
    REQUIRE(scene.state().history.size() == 1);
    scene.type(scene.mine, "half a li");
    const auto shows_error = [](const DeskState& state) {
        return state.shown && state.shown->finished && !state.shown->run.results.empty() &&
               state.shown->run.results[0].verdict == Verdict::CompileError;
    };
    scene.desk->wait_until(shows_error);
    scene.rest();
    CHECK(scene.state().history.size() == 1);
    scene.run();  // somebody asked for this one
    CHECK(scene.state().history.size() == 2);
}

TEST_CASE("live switched on runs what did not run last, and nothing else") {
    Scene scene("timed");
    scene.rest();
    scene.run();
    scene.set_live(true);
    CHECK(!scene.state().is_busy);
    scene.set_live(false);
    scene.choose_edge(32);
    CHECK(!scene.state().is_busy);
    scene.set_live(true);
    CHECK(scene.state().is_busy);
    scene.rest();
    CHECK(scene.state().history.size() == 2);
    CHECK(scene.state().shown->run.sizes[0].value == 32);
}

TEST_CASE("live switched on before a device is known runs as soon as there is one") {
    Scene scene("timed");
    REQUIRE(scene.state().device == nullptr);
    scene.set_live(true);
    scene.desk->wait_until([](const DeskState& state) { return state.history.size() == 1; });
    scene.rest();
    CHECK(scene.state().history.size() == 1);
}

TEST_CASE("a live of the last session waits for the first change") {
    Scene scene("timed");
    scene.rest();
    scene.set_live(true);
    scene.rest();
    scene.open("timed");
    scene.rest();
    CHECK(scene.state().choices.live);
    CHECK(scene.state().history.size() == 1);
    scene.choose_edge(32);
    scene.rest();
    CHECK(scene.state().history.size() == 2);
}

TEST_CASE("what changes during a sweep runs after it when live") {
    Scene scene("timed");
    scene.rest();
    scene.set_live(true);
    scene.rest();
    scene.perform(command::Sweep{{16, 32}});
    scene.choose_edge(128);
    scene.rest();
    CHECK(scene.state().sweep->sizes.size() == 2);
    CHECK(scene.state().shown->run.sizes[0].value == 128);
}

// What X-ray finds in an edited text.

TEST_CASE("what X-ray finds is marked when typing has paused, and is gone with its cause") {
    Scene scene("timed");
    scene.rest();
    const auto shown = scene.document(scene.mine);
    const auto marks = [&] { return shown->marks().size(); };
    scene.type(scene.mine, "// a race");
    REQUIRE((**scene.desk).due());
    CHECK(marks() == 0);
    scene.desk->wait_until([&](const DeskState&) { return marks() == 1; });
    const LineMark mark = shown->marks().front();
    CHECK(mark.kind == LineMark::Kind::Warning);
    CHECK(mark.origin == LineMark::Origin::Xray);
    CHECK(shown->buffer().line(mark.line).substr(mark.column) == "race");
    CHECK(mark.kernel == "mine");
    CHECK(mentions(mark.text, "t[0]"));
    CHECK(!(**scene.desk).due());
    CHECK(scene.state().history.empty());  // it is no run
    CHECK(!scene.state().is_busy);

    scene.type(scene.mine, "\n// half a li");  // does not compile: no mark stays behind
    CHECK(marks() == 1);
    scene.desk->wait_until([&](const DeskState&) { return marks() == 0; });

    scene.perform(command::OpenFiles{{scene.other}, false});
    scene.type(scene.other, "// nobody compares this race");
    CHECK(!(**scene.desk).due());
}

TEST_CASE(
    "a compiler's errors are marked when typing has paused, with and without X-ray, and are gone with their "
    "cause") {
    for (const bool xray : {true, false}) {
        Scene scene("timed");
        scene.rest();
        scene.perform(command::Edit{[&](Experiment& choices) { choices.xray = xray; }});
        const auto shown = scene.document(scene.mine);
        const std::uint64_t answered = scene.state().session->answered;
        scene.type(scene.mine, "\nint twice(int i) { return i * ; } // race");
        scene.desk->wait_until([&](const DeskState&) { return !shown->marks().empty(); });
        REQUIRE(shown->marks().size() == 1);
        const LineMark mark = shown->marks().front();
        CHECK(mark.kind == LineMark::Kind::Error);
        CHECK(mark.line == shown->buffer().line_count() - 1);
        CHECK(shown->buffer().line(mark.line).substr(mark.column).starts_with("; }"));
        CHECK(mentions(mark.text, "expected expression"));
        CHECK(mark.kernel == "mine");
        CHECK(scene.state().session->answered ==
              answered);  // no judge is needed, and X-ray would not compile it
        shown->buffer().undo();
        scene.type(scene.mine, "int twice(int i) { return i * 2; }");
        scene.desk->wait_until([&](const DeskState&) { return shown->marks().empty(); });
    }
}

TEST_CASE(
    "an error in a file whose launch is not complete is marked, too, but not what only its macros lack") {
    Scene scene("good");
    const fs::path bare = scene.folder.write(
        "bare.cl", "__kernel void k(__global float* c, float alpha) { c[SIZE] = alpha; }\n");
    scene.open("good", {bare});
    scene.rest();
    const auto shown = scene.document(bare);
    scene.type(bare, "void f() { int i = ; }");
    scene.desk->wait_until([&](const DeskState&) { return !shown->marks().empty(); });
    REQUIRE(shown->marks().size() == 1);
    CHECK(mentions(shown->marks().front().text, "expected expression"));
    CHECK(shown->marks().front().line == 1);
}

TEST_CASE("an error that a run found is gone once the edited text has none") {
    Scene scene("wrong");
    scene.rest();
    scene.run();
    const auto shown = scene.document(scene.mine);
    LineMark mark{LineMark::Kind::Error, 8, 0, "of a run", ""};
    std::vector<LineMark> of_run = {mark};
    mark.kind = LineMark::Kind::Warning;
    of_run.push_back(mark);
    shown->set_marks(of_run);
    scene.type(scene.mine, "// more");
    scene.desk->wait_until([&](const DeskState&) { return shown->marks().size() == 1; });
    CHECK(shown->marks().front().kind == LineMark::Kind::Warning);
}

TEST_CASE("an X-ray of an edited text gives way to more typing and to a run, and waits for its end") {
    Scene scene("endless");
    scene.rest();
    const auto is_observed = [](const DeskState& state) {
        return state.session->phase == Snapshot::Phase::Observing;
    };
    scene.type(scene.mine, "// slow race");
    scene.desk->wait_until(is_observed);
    CHECK(!scene.state().is_running());
    const auto shown = scene.document(scene.mine);
    const auto answered = scene.state().session->answered;
    shown->buffer().undo();
    scene.type(scene.mine, "// race");
    scene.desk->wait_until([&](const DeskState&) { return !shown->marks().empty(); });
    CHECK(scene.state().session->answered == answered + 2);

    scene.type(scene.mine, " slow");
    scene.desk->wait_until(is_observed);
    scene.perform(command::Run{});
    scene.wait_for_progress();
    scene.desk->wait_until([](const DeskState& state) { return state.is_running(); });
    scene.type(scene.mine, " again");
    CHECK(scene.state().is_busy);
    CHECK(!is_observed(scene.state()));
    scene.perform(command::Stop{});
    scene.desk->wait_until(is_observed);
}

// A file without launch information, in the window's desk.

TEST_CASE(
    "a file that cannot be completed is shown with what is missing, and its side-car makes it whole at "
    "once") {
    Scene scene("good");
    const fs::path bare =
        scene.folder.write("bare.cl", "__kernel void k(__global float* c, float alpha) { c[0] = alpha; }\n");
    scene.open("good", {bare});
    scene.rest();
    REQUIRE(scene.state().preview.contestants.size() == 1);
    scene.desk->wait_until([](const DeskState& state) {
        return state.preview.contestants[0].obstacle &&
               mentions(*state.preview.contestants[0].obstacle, "alpha");
    });
    CHECK(mentions(*scene.state().preview.contestants[0].obstacle, "It is assumed to solve matmul"));
    CHECK(scene.document(bare) != nullptr);

    scene.folder.write(
        "bare.cl.toml",
        "problem = \"matmul\"\n[launch]\nkernel = \"k\"\nglobal = [\"N\", \"M\"]\nargs = {alpha = \"1\"}\n");
    scene.desk->wait_until([](const DeskState& state) { return !state.preview.contestants[0].obstacle; });
    scene.run();
    REQUIRE(scene.state().shown);
    CHECK(scene.state().shown->run.results.size() == 1);
}

TEST_CASE("no export replaces a file of the problem that a kernel declares") {
    Scene scene("good");
    const fs::path array = scene.folder.write("x.npy", "an array");
    const fs::path declaration = scene.folder.write(
        "twice.toml",
        "[problem]\nname = 'twice'\nsizes = {N = 8}\nreference = 'simple.cl'\n[problem.buffers]\n"
        "x = {shape = ['N'], fill = 'x.npy'}\ny = {shape = ['N'], output = true}\n");
    const fs::path mine =
        scene.folder.write("mine.cl",
                           "/*+++\nproblem = 'twice.toml'\n[launch]\nkernel = 'k'\nglobal = ['N']\n+++*/\n"
                           "__kernel void k(__global const float* x, __global float* y) { }\n");
    const std::string declared = read_text(declaration);
    scene.open("good", {mine});
    scene.rest();
    scene.perform(command::ExportBytes{"<svg/>", array});
    scene.perform(command::ExportBytes{"<svg/>", declaration});
    CHECK(scene.notices("would replace " + array.string()));
    CHECK(scene.notices("would replace " + declaration.string()));
    CHECK(read_text(array) == "an array");
    CHECK(read_text(declaration) == declared);
}
