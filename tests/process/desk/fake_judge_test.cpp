#include <doctest/doctest.h>

#include <algorithm>

#include "session/settings.hpp"
#include "support/watched_desk.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* kKernel =
    "/*+++ title = 'Mine'\nproblem = 'matmul'\n[params]\nTILE = [16, 8]\n[launch]\nkernel = 'k'\n"
    "local = ['TILE', 'TILE']\nglobal = ['round_up(N, TILE)', 'round_up(M, TILE)']\n+++*/\n"
    "__kernel void k(__global float* C) { }\n";

/// A desk with some kernels of its own.
struct Scene {
    TempFolder folder;
    fs::path mine = folder.write("kernels/matmul/01_mine.cl", kKernel);
    fs::path other = folder.write("kernels/matmul/02_other.cl", kKernel);
    fs::path outside = folder.write("outside.cl", kKernel);
    std::unique_ptr<WatchedDesk> desk;

    /// @param judges  see tests/support/fake_judge.cpp
    explicit Scene(const std::string& judges, std::vector<std::string> kernels = {"matmul/mine"}) {
        Settings settings;
        settings.kernels = std::move(kernels);
        settings.sizes = {{"M", 64}, {"N", 64}, {"K", 64}};
        save_settings(settings, folder / "settings.toml");
        open(judges);
    }
    void open(const std::string& judges, std::vector<fs::path> files = {}) {
        desk.reset();
        DeskOptions options;
        options.judge = {KWB_FAKE_JUDGE_PROGRAM, (folder / "log").string(), judges};
        options.kernel_folders = {folder / "kernels"};
        options.settings_file = folder / "settings.toml";
        options.history_file = folder / "history.sqlite";
        options.files = std::move(files);
        desk = std::make_unique<WatchedDesk>(std::move(options));
    }
    const DeskState& state() const { return desk->state(); }
    void perform(const Command& command) { (**desk).perform(command); }
    void rest() { desk->wait_for_rest(); }
    void run() {
        perform(command::Run{});
        rest();
    }
    void wait_for_progress() {
        desk->wait_until([](const DeskState& state) { return state.session->progress.has_value(); });
    }
    std::shared_ptr<Document> document(const fs::path& file) const {
        for (const auto& shown : state().documents)
            if (shown->path() == file) return shown;
        return nullptr;
    }
    bool notices(const std::string& part) const {
        return std::any_of(state().notices.begin(), state().notices.end(), [&](const Notice& notice) {
            return notice.sentence.find(part) != std::string::npos;
        });
    }
    void choose_edge(std::int64_t edge) {
        Choices choices = state().choices;
        for (auto& size : choices.sizes) size.value = edge;
        perform(command::Choose{choices});
    }
    void set_live(bool live) {
        Choices choices = state().choices;
        choices.live = live;
        perform(command::Choose{choices});
    }
};

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a desk at rest knows its device, its kernels, and what a run would be") {
    Scene scene("good");
    CHECK(scene.state().device == nullptr);
    CHECK(mentions(scene.state().preview.obstacle.value_or(""), "asked for their devices"));
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

TEST_CASE("a run comes into sight, into the history, and can be shown again and compared") {
    Scene scene("timed");
    scene.rest();
    scene.perform(command::AddKernel{"matmul/other"});
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
    CHECK(scene.notices("not in the history any more"));
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

TEST_CASE("of all changes during a live run only the last one is run, after the present one was stopped") {
    Scene scene("endless");
    scene.rest();
    scene.set_live(true);
    CHECK(!scene.state().is_busy);  // nothing changed that would run otherwise
    scene.choose_edge(32);
    scene.wait_for_progress();
    for (const std::int64_t edge : {48, 80, 96}) scene.choose_edge(edge);
    scene.desk->wait_until([](const DeskState& state) { return state.session->answered == 2; });
    CHECK(
        (!scene.state().shown || scene.state().shown->finished || scene.state().shown->run.results.empty()));
    CHECK(scene.state().history.empty());  // the one that made room is not kept
    scene.wait_for_progress();
    scene.perform(command::Stop{});
    scene.rest();
    CHECK(scene.state().session->answered == 3);
    CHECK(scene.state().shown->run.sizes[0].value == 96);
}

TEST_CASE("live runs again when a file of a contestant changes, and not because of what Run itself saved") {
    Scene scene("timed");
    scene.rest();
    scene.set_live(true);
    scene.folder.write("kernels/matmul/01_mine.cl", std::string(kKernel) + "// changed\n");
    scene.desk->wait_until([](const DeskState& state) { return state.history.size() == 1; });
    CHECK(mentions(scene.document(scene.mine)->buffer().text(), "// changed"));
    scene.rest();

    const auto edited = scene.document(scene.mine);
    edited->buffer().set_caret(edited->buffer().end());
    edited->buffer().type("// mine ");
    scene.perform(command::Edited{edited->id()});
    scene.run();
    CHECK(mentions(read_text(scene.mine), "// mine "));
    CHECK(mentions(scene.state().shown->run.sources.at(0).at(0).value, "// mine "));
    CHECK(scene.state().history.size() == 2);
    // The watch tells of the save; when the next change has come through, nothing else has run.
    scene.folder.write("outside.cl", std::string(kKernel) + "// other\n");
    scene.perform(command::OpenFiles{{scene.outside}, false});
    scene.folder.write("outside.cl", std::string(kKernel) + "// again\n");
    scene.desk->wait_until([&](const DeskState&) {
        return mentions(scene.document(scene.outside)->buffer().text(), "// again");
    });
    scene.rest();
    CHECK(scene.state().history.size() == 2);
}

TEST_CASE("a sweep grows size by size, leaves out what does not fit, and keeps what there is when stopped") {
    Scene scene("timed");
    scene.rest();
    scene.perform(command::Sweep{{16, 32, 2000000, 64}});
    scene.rest();
    REQUIRE(scene.state().sweep);
    CHECK(scene.state().sweep->finished);
    REQUIRE(scene.state().sweep->sizes.size() == 3);
    CHECK(scene.state().sweep->sizes[1][0].value == 32);
    CHECK(scene.state().sweep->results[2].at(0).size[0].value == 64);
    CHECK(mentions(scene.state().sweep->error, "Not measured: 2000000"));
    CHECK(scene.state().sweep->labels == std::vector<std::string>{"mine"});

    Scene stopped("timed,endless");
    stopped.rest();
    stopped.perform(command::Sweep{{16, 32, 64}});
    stopped.wait_for_progress();
    stopped.perform(command::Stop{});
    stopped.rest();
    CHECK(stopped.state().sweep->finished);
    CHECK(stopped.state().sweep->sizes.size() == 1);

    Scene dying("timed,run-segv;timed");
    dying.rest();
    dying.perform(command::Sweep{{16, 32, 64}});
    dying.rest();
    CHECK(dying.state().sweep->sizes.size() == 1);
    CHECK(mentions(dying.state().sweep->error, "SIGSEGV"));
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
    Choices choices = scene.state().choices;
    choices.contestants = {
        {"matmul/mine", {{"TILE", "8"}}, ""}, {scene.outside.string(), {}, "8x8"}, {kHostBlasName, {}, ""}};
    choices.baseline = 1;
    choices.seed = 9;
    scene.perform(command::Choose{choices});
    scene.open("good");
    scene.rest();
    CHECK(scene.state().choices.contestants == choices.contestants);
    CHECK(scene.state().choices.baseline == 1);
    CHECK(scene.state().choices.seed == 9);
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

TEST_CASE("an edit of the front matter is seen before it is saved, and unsaved edits are named") {
    Scene scene("good");
    scene.rest();
    const auto shown = scene.document(scene.mine);
    shown->buffer().load(std::string(kKernel));
    shown->buffer().set_caret({3, 8});
    shown->buffer().type("32, ");
    scene.perform(command::Edited{shown->id()});
    CHECK(scene.state().preview.contestants[0].params.at(0).values.front() == "32");
    CHECK((**scene.desk).unsaved() == std::vector<std::string>{"01_mine.cl"});
    scene.perform(command::CloseDocument{shown->id(), false});
    CHECK(scene.document(scene.mine) != nullptr);
    scene.perform(command::CloseDocument{shown->id(), true});
    CHECK(scene.document(scene.mine) == nullptr);
    CHECK(scene.state().preview.contestants[0].params.at(0).values.front() == "16");
}

TEST_CASE("a shipped kernel runs as it came, and its edited copy takes its place once it has a name") {
    Scene scene("timed", {"matmul/naive"});
    scene.rest();
    const auto shown = scene.state().documents.at(0);
    REQUIRE(shown->read_only());
    shown->buffer().set_caret(shown->buffer().end());
    shown->buffer().type("// edited\n");
    scene.perform(command::Edited{shown->id()});
    scene.run();
    REQUIRE(scene.state().preview.request);
    CHECK(!mentions(scene.state().preview.request->contestants[0].kernel->source_text, "// edited"));
    CHECK(scene.notices("runs as it came with the workbench"));
    CHECK(!mentions(scene.state().shown->run.sources.at(0).at(0).value, "// edited"));
    scene.perform(command::SaveDocument{shown->id()});
    CHECK(scene.notices("under a name of its own"));
    const fs::path copy = scene.folder / "copy.cl";
    scene.perform(command::SaveDocumentAs{shown->id(), copy});
    CHECK(scene.state().choices.contestants.at(0).kernel == copy.string());
    scene.run();
    CHECK(mentions(scene.state().shown->run.sources.at(0).at(0).value, "// edited"));
    CHECK(scene.state().shown->labels == std::vector<std::string>{"copy"});
}

TEST_CASE("a text that changed on disk too is not overwritten by Run, which says so and runs nothing") {
    Scene scene("timed");
    scene.rest();
    const auto shown = scene.document(scene.mine);
    shown->buffer().set_caret(shown->buffer().end());
    shown->buffer().type("// mine\n");
    scene.perform(command::Edited{shown->id()});
    scene.folder.write("kernels/matmul/01_mine.cl", std::string(kKernel) + "// theirs\n");
    scene.run();
    CHECK(mentions(read_text(scene.mine), "// theirs"));
    CHECK(scene.notices("Nothing was run"));
    CHECK(!scene.state().shown);
    scene.perform(command::SaveDocument{shown->id(), true});
    scene.run();
    REQUIRE(scene.state().shown);
    CHECK(mentions(scene.state().shown->run.sources.at(0).at(0).value, "// mine"));
}

TEST_CASE("exports write what is shown, and say what could not be written") {
    Scene scene("timed");
    scene.rest();
    scene.perform(command::ExportRun{command::ExportForm::Json, scene.folder / "run.json"});
    CHECK(scene.notices("nothing to export"));
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
    scene.folder.write("settings.toml", "this is [no TOML");
    scene.open("good");
    CHECK(scene.notices("settings.toml"));
    scene.perform(command::DismissNotice{scene.state().notices.front().number});
    CHECK(!scene.notices("settings.toml"));
}
