// Tests of the experiment panel with sample states, without a window.
#include <doctest/doctest.h>

#include "gui/desk_stage.hpp"
#include "gui/gui_driver.hpp"
#include "gui/panels/answer_strip.hpp"
#include "gui/panels/experiment_panel.hpp"
#include "model/request.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

DeviceInfo make_device(const std::string& id, const std::string& name) {
    DeviceInfo device;
    device.id = id;
    device.name = name;
    device.platform = "Portable Computing Language";
    device.compute_units = 8;
    device.max_work_group_size = 4096;
    device.local_mem_bytes = 512u << 10;
    device.global_mem_bytes = std::uint64_t{16} << 30;
    device.max_alloc_bytes = std::uint64_t{4} << 30;
    return device;
}

Preview::Contestant preview_of(const std::string& label) {
    Preview::Contestant preview;
    preview.label = label;
    preview.title = "Title of " + label;
    preview.locals = {"16x16", "8x8", "auto"};
    preview.geometry = "32 \u00d7 32 work-groups of 16 \u00d7 16";
    return preview;
}

/// Two kernels on one device. Commands that change the choices take effect immediately, as with a desk.
struct Scene {
    DeskState state = make_state();
    std::shared_ptr<Snapshot> session = std::make_shared<Snapshot>();
    PendingSave pending;
    Hovered hovered;
    ExperimentPanel panel{pending, hovered};
    DeskProgram program{state, [this](const DeskState& s, Commands& c) {
                            panel.draw_bar(s, c, ImGui::GetContentRegionAvail().x);
                            panel.draw(s, c);
                            panel.end_frame();
                        }};
    WindowlessStage stage{1500, 1000};
    GuiDriver driver{stage, program};

    Scene() {
        session->devices =
            DeviceList{{make_device("pocl:0", "pthread-EPYC"), make_device("pocl:1", "other")}, {}};
        state.session = session;
        state.device = &session->devices->devices.front();
        state.problems = {{"matmul",
                           "Matrix multiplication",
                           {"M", "N", "K"},
                           {},
                           {{"float", "matmul"}, {"double", "matmul:double"}}},
                          {"copy", "Copying", {"N"}, {}}};
        state.kernels = {{"matmul/naive", "One work-item an element", "matmul", "", "", true},
                         {"matmul/tiled", "Blocks in local memory", "matmul", "", "", true},
                         {"matmul/broken", "", "matmul", "line 3: there is no title", "", true},
                         {"copy/plain", "One float a work-item", "copy", "", "", true},
                         {kHostBlasName, "The host's own library", "", "", "", true}};
        state.choices.problem = "matmul";
        state.choices.sizes = {{"M", 512}, {"N", 512}, {"K", 512}};
        state.choices.contestants = {{"matmul/naive", {}, ""}, {"matmul/tiled", {}, ""}};
        state.preview.contestants = {preview_of("naive"), preview_of("tiled")};
        state.preview.contestants[1].params = {{"TILE", {"16", "8", "32"}, "16"}};
        state.preview.device_bytes = 3u << 20;
        program.perform = [this](const Command& command) {
            if (const auto* choose = std::get_if<command::Choose>(&command)) {
                state.choices = choose->choices;
                state.preview.contestants.resize(state.choices.contestants.size(), preview_of("other"));
                ++state.revision;
            }
        };
        driver.settle();
    }
    const Choices& choices() const { return state.choices; }
    /// The fields of the size are in a popup.
    void open_size() {
        if (!driver.has("experiment/size/slider")) driver.click("experiment/size");
    }
    /// Closes an open popup.
    void press_outside() {
        inject_pointer(20, 960);
        driver.pump();
        for (const bool down : {true, false}) {
            inject_button(0, down);
            driver.pump();
        }
        driver.settle();
    }
    void open_row(std::size_t index) { driver.click("experiment/contestant/" + std::to_string(index)); }
    void type_into(const std::string& id, const std::string& text) {
        if (id.starts_with("experiment/size/")) open_size();
        driver.click(id);
        driver.key(ctrl(Key::A));
        driver.key(plain(Key::Delete));
        driver.type(text);
        driver.key(plain(Key::Enter));
        driver.settle();
    }
    void keep_obstacle(std::size_t contestant, const std::string& sentence) {
        state.preview.contestants[contestant].obstacle = sentence;
        driver.settle();
    }
};

TEST_CASE("the device's limits stand in its list, and measured ceilings once there are any") {
    Scene scene;
    CHECK(scene.driver.at("experiment/device").label == "pthread-EPYC");
    scene.driver.click("experiment/device");
    CHECK(scene.driver.at("experiment/facts/0").label == "8 compute units \u00b7 work-groups up to 4096");
    CHECK(scene.driver.at("experiment/facts/1").label == "512 KiB local \u00b7 16 GiB global memory");
    CHECK(scene.driver.at("experiment/facts/2").label == "largest buffer 4 GiB");
    CHECK_FALSE(scene.driver.has("experiment/facts/3"));
    scene.state.ceilings = Ceilings{Ceiling{412, {}, "", {}}, Ceiling{38.2, {}, "", {}}};
    scene.driver.settle();
    CHECK(scene.driver.at("experiment/facts/3").label == "measured 412 GFLOP/s \u00b7 38.2 GB/s");
}

TEST_CASE("the kernels are compared with themselves on another device, and one is sent elsewhere") {
    Scene scene;
    const std::size_t count = scene.choices().contestants.size();
    scene.driver.click("experiment/device");
    scene.driver.click("experiment/device/compare/pocl:1");
    REQUIRE(scene.choices().contestants.size() == 2 * count);
    for (std::size_t i = 0; i < count; ++i) {
        CHECK(scene.choices().contestants[count + i].kernel == scene.choices().contestants[i].kernel);
        CHECK(scene.choices().contestants[i].device.empty());
        CHECK(scene.choices().contestants[count + i].device == "pocl:1");
    }
    scene.driver.click("experiment/device");
    scene.driver.click("experiment/device/compare/pocl:1");  // again: nothing is left to add
    CHECK(scene.choices().contestants.size() == 2 * count);
    scene.driver.click("experiment/contestant/0");
    scene.driver.click("experiment/contestant/0/device");
    scene.driver.click("experiment/contestant/0/device/option/pocl:1");
    CHECK(scene.choices().contestants[0].device == "pocl:1");
}

TEST_CASE("another device and another problem are chosen from lists") {
    Scene scene;
    scene.driver.click("experiment/device");
    scene.driver.click("experiment/device/option/pocl:1");
    CHECK(scene.choices().device == "pocl:1");
    scene.driver.click("experiment/problem");
    scene.driver.click("experiment/problem/option/copy");
    CHECK(scene.choices().problem == "copy");
}

TEST_CASE("other numbers of the chosen problem are chosen with it, where there are any") {
    Scene scene;
    scene.driver.click("experiment/problem");
    CHECK(scene.driver.at("experiment/problem/numbers").label == "float");
    scene.driver.click("experiment/problem/numbers");
    scene.driver.click("experiment/problem/numbers/double");
    CHECK(scene.choices().problem == "matmul:double");
    scene.driver.settle();
    scene.press_outside();
    CHECK(scene.driver.at("experiment/problem").label == "Matrix multiplication \u00b7 double");
    scene.driver.click("experiment/problem");
    CHECK(scene.driver.at("experiment/problem/numbers").label == "double");
    scene.driver.click("experiment/problem/option/copy");
    scene.driver.click("experiment/problem");
    CHECK_FALSE(scene.driver.has("experiment/problem/numbers"));
}

TEST_CASE("without a device the drivers can be asked again, and a driver that failed says why") {
    Scene scene;
    auto session = std::make_shared<Snapshot>();
    session->devices = DeviceList{{}, {{"broken.icd", "broken.icd: the driver crashed; reinstall it"}}};
    scene.state.session = session;
    scene.state.device = nullptr;
    scene.driver.settle();
    CHECK(scene.driver.at("experiment/device").label == "No device");
    scene.driver.click("experiment/device");
    CHECK(scene.driver.at("experiment/driver_failure/0").label.ends_with("reinstall it"));
    scene.driver.click("experiment/find_devices");
    CHECK(scene.program.last<command::FindDevices>() != nullptr);
}

TEST_CASE("a driver without a device is a grey line in the device's list and nothing else") {
    Scene scene;
    auto session = std::make_shared<Snapshot>(*scene.state.session);
    session->devices->idle_drivers = {{"/etc/OpenCL/vendors/mesa.icd", "Clover"}};
    session->devices->failures = {{"gone.icd", "it names 'libgone.so'", DriverFailure::Kind::NotLoaded}};
    scene.state.session = session;
    scene.state.device = &session->devices->devices.front();
    scene.driver.settle();
    scene.driver.click("experiment/device");
    CHECK(scene.driver.at("experiment/driver_failure/0").label == "gone.icd: its library cannot be loaded");
    CHECK(scene.driver.at("experiment/driver_idle/0").label == "Clover: no device in this machine");
}

TEST_CASE("a driver that fails among others is one line in the device's list, and can be asked again") {
    Scene scene;
    auto session = std::make_shared<Snapshot>(*scene.state.session);
    session->devices->failures = {
        {"/etc/OpenCL/vendors/hang.icd", "it did not answer", DriverFailure::Kind::Hung}};
    scene.state.session = session;
    scene.state.device = &session->devices->devices.front();
    scene.driver.settle();
    scene.driver.click("experiment/device");
    CHECK(scene.driver.at("experiment/driver_failure/0").label.ends_with("hang.icd: does not answer"));
    scene.driver.click("experiment/find_devices");
    CHECK(scene.program.last<command::FindDevices>() != nullptr);
}

TEST_CASE("the list of kernels is narrowed by typing, and Enter takes the first") {
    Scene scene;
    scene.open_row(0);
    scene.driver.click("experiment/contestant/0/kernel");
    const std::string list = "experiment/contestant/0/kernel/option/";
    CHECK(scene.driver.has(list + "matmul/tiled"));
    CHECK(scene.driver.has(list + kHostBlasName));
    CHECK_FALSE(scene.driver.has(list + "copy/plain"));
    CHECK_FALSE(scene.driver.at(list + "matmul/broken").enabled);
    scene.driver.type("local mem");
    scene.driver.settle();
    CHECK_FALSE(scene.driver.has(list + "matmul/naive"));
    scene.driver.key(plain(Key::Enter));
    CHECK(scene.choices().contestants[0].kernel == "matmul/tiled");
    CHECK_FALSE(scene.driver.has(list + "matmul/tiled"));
}

TEST_CASE("an unknown kernel name shows a message in the list") {
    Scene scene;
    scene.driver.click("experiment/add");
    scene.driver.type("nothing like it");
    scene.driver.settle();
    CHECK(scene.driver.has("experiment/add/none"));
}

TEST_CASE("several kernels are ticked in one list, and those of another problem are one step away") {
    Scene scene;
    scene.state.choices.contestants.resize(1);
    scene.state.preview.contestants.resize(1);
    scene.driver.settle();
    scene.driver.click("experiment/add");
    CHECK_FALSE(scene.driver.has("experiment/add/option/copy/plain"));
    scene.driver.click("experiment/add/option/matmul/tiled");
    REQUIRE(scene.program.last<command::AddKernel>() != nullptr);
    CHECK(scene.program.last<command::AddKernel>()->kernel == "matmul/tiled");
    scene.driver.click(
        "experiment/add/option/matmul/naive");  // the list is still open, and this one was ticked
    REQUIRE(scene.program.last<command::RemoveContestant>() != nullptr);
    CHECK(scene.program.last<command::RemoveContestant>()->index == 0);
    CHECK(scene.choices().problem == "matmul");
    scene.driver.click("experiment/add/problem/copy");
    CHECK(scene.choices().problem == "copy");
}

TEST_CASE("the whole ladder is chosen at once, and cleared but for what is pinned") {
    Scene scene;
    scene.driver.click("experiment/contestant/1/more");
    scene.driver.click("experiment/contestant/1/pin");
    CHECK(scene.choices().contestants[1].pinned);
    scene.driver.click("experiment/clear");
    REQUIRE(scene.choices().contestants.size() == 1);
    CHECK(scene.choices().contestants[0].kernel == "matmul/tiled");
    scene.driver.click("experiment/all");
    REQUIRE(scene.choices().contestants.size() == 2);  // not the broken one, not the host's library
    CHECK(scene.choices().contestants[1].kernel == "matmul/naive");
}

TEST_CASE("kernels change places by dragging and from the menu, and the baseline stays the same kernel") {
    Scene scene;
    scene.driver.drag("experiment/contestant/0", "experiment/contestant/1");
    REQUIRE(scene.choices().contestants[0].kernel == "matmul/tiled");
    CHECK(scene.choices().baseline == 1);
    scene.driver.click("experiment/contestant/1/more");
    scene.driver.click("experiment/contestant/1/up");
    CHECK(scene.choices().contestants[0].kernel == "matmul/naive");
    CHECK(scene.choices().baseline == 0);
}

TEST_CASE("a hint at a kernel of the answer stands beside the answer") {
    Scene scene;
    auto shown = std::make_shared<ShownRun>();
    shown->labels = {"naive", "tiled"};
    shown->run.results.resize(2);
    for (KernelResult& result : shown->run.results) {
        result.verdict = Verdict::Correct;
        result.median_ms = 1;
    }
    shown->run.results[1].speedup = Speedup{"naive", 1.5, Interval{1.4, 1.6}};
    shown->run.results[1].hints = {{3, "a barrier is missing"}};
    scene.state.shown = shown;
    Hovered hovered;
    DeskProgram program{scene.state,
                        [&](const DeskState& s, Commands& c) { draw_answer_strip(s, nullptr, hovered, c); }};
    WindowlessStage stage{1500, 400};
    GuiDriver driver{stage, program};
    driver.settle();
    CHECK(driver.at("answer/hint").label.ends_with("tiled, line 3: a barrier is missing"));
    auto without = std::make_shared<ShownRun>(*shown);
    without->run.results[1].hints.clear();
    scene.state.shown = without;
    driver.settle();
    CHECK_FALSE(driver.has("answer/hint"));
}

TEST_CASE("a row says what it launches, and how its kernel was judged") {
    Scene scene;
    CHECK(scene.driver.at("experiment/contestant/1/name").label == "tiled");
    CHECK(scene.driver.at("experiment/contestant/1/launch").label == "16\u00d716 TILE=16");
    CHECK_FALSE(scene.driver.has("experiment/contestant/1/verdict"));
    auto shown = std::make_shared<ShownRun>();
    shown->labels = {"naive", "tiled"};
    shown->run.results.resize(2);
    shown->run.results[0].verdict = Verdict::Wrong;
    shown->run.results[1].verdict = Verdict::Correct;
    shown->run.results[1].hints = {{3, "a barrier is missing"}};
    scene.state.shown = shown;
    scene.state.result_of = {0, 1};
    scene.driver.settle();
    CHECK(scene.driver.at("experiment/contestant/0/verdict").label.ends_with("wrong"));
    CHECK(scene.driver.at("experiment/contestant/1/verdict").label.ends_with("correct \u00b7 1 hint"));
    scene.state.result_of = {0, std::nullopt};  // measured with another work-group
    scene.driver.settle();
    CHECK_FALSE(scene.driver.has("experiment/contestant/1/verdict"));
    scene.session->progress = Progress{"build", "matmul/tiled", 0, 0, {}, {}, 0, {}, 1};
    scene.state.is_busy = scene.state.runs_as_chosen = true;
    scene.state.result_of = {};
    scene.driver.settle();
    CHECK(scene.driver.at("experiment/contestant/0/verdict").label.ends_with("waits"));
    CHECK(scene.driver.at("experiment/contestant/1/verdict").label.ends_with("builds"));
}

TEST_CASE("a bare file has a form for what it does not say, and Keep") {
    Scene scene;
    Preview::Contestant& shown = scene.state.preview.contestants[1];
    shown.is_bare = shown.may_keep = true;
    shown.functions = {"product", "other"};
    shown.obstacle = "say which one with --entry";
    scene.open_row(1);
    scene.driver.settle();
    const std::string own = "experiment/contestant/1/own/";
    CHECK_FALSE(scene.driver.at(own + "keep").enabled);
    scene.driver.click(own + "entry");
    scene.driver.click(own + "entry/option/product");
    scene.type_into(own + "args", "A, B, C");
    scene.type_into(own + "defines", "TILE = 16");
    const OwnText* text = find_named(scene.choices().own, std::string("matmul/tiled"));
    REQUIRE(text != nullptr);
    CHECK(*text == OwnText{"product", "A, B, C", "", "", "", "TILE = 16", ""});
    scene.state.preview.contestants[1].obstacle.reset();
    scene.state.preview.contestants[1].notes = {"tiled is run as", "  kernel  product"};
    scene.state.preview.contestants[1].completed = {
        "product", {{"a", "global const float*", "A"}, {"n", "int", ""}}, "N, M", ""};
    scene.driver.settle();
    CHECK(scene.driver.at(own + "arguments").label == "Arguments of product");
    CHECK(scene.driver.at(own + "argument/0/name").label == "a");
    CHECK(scene.driver.at(own + "argument/0/type").label == "global const float*");
    CHECK(scene.driver.at(own + "argument/0/value").label == "A");
    CHECK(scene.driver.at(own + "argument/1/value").label == "?");
    CHECK_FALSE(scene.driver.has(own + "missing"));
    scene.state.preview.contestants[1].missing_macros = {"WIDTH", "HEIGHT"};
    scene.driver.settle();
    CHECK(scene.driver.at(own + "missing").label.find("does not define WIDTH and HEIGHT") !=
          std::string::npos);
    scene.driver.click(own + "keep");
    REQUIRE(scene.program.last<command::KeepLaunch>() != nullptr);
    CHECK(scene.program.last<command::KeepLaunch>()->kernel == "matmul/tiled");
}

TEST_CASE("a line of options fills the form; a refused one changes nothing, and stays to be corrected") {
    Scene scene;
    scene.state.choices.contestants.push_back({"/theirs/mine.cl", {}, ""});
    scene.state.preview.contestants.push_back(preview_of("mine"));
    scene.state.preview.contestants.back().is_bare = true;
    scene.driver.settle();
    const std::string own = "experiment/contestant/2/own/";
    const auto text = [&] {
        const OwnText* said = find_named(scene.choices().own, "/theirs/mine.cl");
        return said != nullptr ? *said : OwnText{};
    };
    scene.type_into(own + "line", "--local 8 --lokal 8");
    REQUIRE(scene.panel.refusal() != nullptr);
    CHECK(scene.panel.refusal()->starts_with("Options, column 11, at '--lokal': "));
    CHECK_FALSE(scene.driver.at("experiment/run").enabled);
    CHECK(text() == OwnText{});
    scene.type_into(own + "line", "--problem smooth.cl --local 8");
    REQUIRE(scene.panel.refusal() != nullptr);
    CHECK(scene.panel.refusal()->find("open this file first") != std::string::npos);
    scene.state.kernels.push_back({"/theirs/smooth.cl", "", "smoothing", "", "/theirs/smooth.cl"});
    scene.type_into(own + "line", "--problem smooth.cl --local 8");
    CHECK(scene.panel.refusal() == nullptr);
    CHECK(scene.choices().problem == "smoothing");
    CHECK(text().local == "8");
    scene.type_into(own + "line", "kwb check mine.cl --problem matmul:double -D \"OP='max'\" --global M,N");
    CHECK(scene.choices().problem == "matmul:double");
    CHECK(text() == OwnText{"", "", "M,N", "", "", "OP='max'", ""});
    scene.state.kernels.push_back({"/theirs/mine.cl", "", "matmul:double", "", "/theirs/mine.cl"});
    scene.type_into(own + "line", "--problem copy");
    REQUIRE(scene.panel.refusal() != nullptr);
    CHECK(scene.panel.refusal()->find("says that it solves matmul:double") != std::string::npos);
}

TEST_CASE("a file that does not say how it is launched shows its form as soon as it takes part") {
    Scene scene;
    CHECK_FALSE(scene.driver.has("experiment/contestant/1/own/heading"));
    scene.state.choices.contestants.push_back({"/mine.cl", {}, ""});
    scene.state.preview.contestants.push_back(preview_of("mine"));
    scene.state.preview.contestants.back().is_bare = true;
    scene.driver.settle();
    CHECK(scene.driver.has("experiment/contestant/2/own/heading"));
    scene.open_row(2);  // a click closes it, and it stays closed
    scene.driver.settle();
    CHECK_FALSE(scene.driver.has("experiment/contestant/2/own/heading"));
}

TEST_CASE("one kernel is run alone from its menu") {
    Scene scene;
    scene.driver.click("experiment/contestant/1/more");
    scene.driver.click("experiment/contestant/1/run");
    REQUIRE(scene.program.last<command::Run>() != nullptr);
    CHECK(scene.program.last<command::Run>()->only == 1);
}

TEST_CASE("a contestant is duplicated, made the baseline and removed from its menu") {
    Scene scene;
    scene.driver.click("experiment/contestant/1/more");
    scene.driver.click("experiment/contestant/1/baseline");
    CHECK(scene.choices().baseline == 1);
    CHECK(scene.driver.at("experiment/contestant/1/launch").label.ends_with("baseline"));
    scene.driver.click("experiment/contestant/0/more");
    scene.driver.click("experiment/contestant/0/duplicate");
    REQUIRE(scene.choices().contestants.size() == 3);
    CHECK(scene.choices().contestants[1].kernel == "matmul/naive");
    CHECK(scene.choices().baseline == 2);
    scene.driver.click("experiment/contestant/0/more");
    scene.driver.click("experiment/contestant/0/remove");
    REQUIRE(scene.program.last<command::RemoveContestant>() != nullptr);
    CHECK(scene.program.last<command::RemoveContestant>()->index == 0);
}

TEST_CASE("with eight contestants no more can be added or duplicated") {
    Scene scene;
    scene.state.choices.contestants.assign(kMostContestants, {"matmul/naive", {}, ""});
    scene.state.preview.contestants.assign(kMostContestants, preview_of("naive"));
    scene.driver.settle();
    scene.driver.click("experiment/add");
    CHECK(scene.driver.at("experiment/add/option/matmul/naive").enabled);  // it can be removed
    CHECK_FALSE(scene.driver.at("experiment/add/option/matmul/tiled").enabled);
    scene.driver.key(plain(Key::Escape));
    scene.driver.settle();
    scene.driver.click("experiment/contestant/0/more");
    CHECK_FALSE(scene.driver.at("experiment/contestant/0/duplicate").enabled);
}

TEST_CASE("a work-group is chosen from those offered, or typed") {
    Scene scene;
    scene.open_row(0);
    CHECK(scene.driver.at("experiment/contestant/0/local").label == "16 \u00d7 16");
    scene.driver.click("experiment/contestant/0/local");
    scene.driver.click("experiment/contestant/0/local/option/8x8");
    CHECK(scene.choices().contestants[0].local == "8x8");
    scene.driver.click("experiment/contestant/0/local");
    scene.type_into("experiment/contestant/0/local/typed", "32x4");
    CHECK(scene.choices().contestants[0].local == "32x4");
    scene.driver.click("experiment/contestant/0/local");
    scene.driver.click("experiment/contestant/0/local/own");
    CHECK(scene.choices().contestants[0].local.empty());
}

TEST_CASE("a parameter is kept only where it differs from the file's first value") {
    Scene scene;
    const std::string id = "experiment/contestant/1/param/TILE";
    scene.open_row(1);
    scene.driver.click(id);
    scene.driver.click(id + "/option/32");
    REQUIRE(scene.choices().contestants[1].params.size() == 1);
    CHECK(scene.choices().contestants[1].params[0].value == "32");
    scene.state.preview.contestants[1].params[0].chosen = "32";
    scene.driver.settle();
    scene.driver.click(id);
    scene.driver.click(id + "/option/16");
    CHECK(scene.choices().contestants[1].params.empty());
}

TEST_CASE("a parameter that came from the work-group takes the work-group's place") {
    Scene scene;
    scene.state.choices.contestants[1].local = "8x8";
    scene.state.preview.contestants[1].params[0].chosen = "8";
    scene.driver.settle();
    scene.open_row(1);
    scene.driver.click("experiment/contestant/1/param/TILE");
    scene.driver.click("experiment/contestant/1/param/TILE/option/32");
    CHECK(scene.choices().contestants[1].local.empty());
    CHECK(scene.choices().contestants[1].params.size() == 1);
}

TEST_CASE("what stands against a contestant is said at it before Run is pressed") {
    Scene scene;
    scene.keep_obstacle(1, "64 x 64 work-items are more than the 1024 of this device; choose fewer");
    CHECK(scene.driver.at("experiment/contestant/1/verdict").label.ends_with("does not fit"));
    scene.open_row(1);
    // What cannot run has a look of its own: neither that of a wrong result nor that of a warning.
    CHECK(scene.driver.at("experiment/contestant/1/verdict").label.starts_with(kIconForbidden));
    CHECK(scene.driver.at("experiment/contestant/1/obstacle").label.ends_with("choose fewer"));
    CHECK(scene.driver.at("experiment/contestant/1/obstacle").label.starts_with(kIconForbidden));
    CHECK(scene.driver.at("experiment/misfits").label.starts_with(kIconForbidden));
    CHECK_FALSE(scene.driver.has("experiment/contestant/1/geometry"));
    CHECK(scene.driver.at("experiment/run").enabled);  // the other kernel can run
    scene.driver.click("experiment/run");
    CHECK(scene.program.all<command::Run>().size() == 1);
}

TEST_CASE("where nothing can run, Run is greyed out and the reason stands beside it") {
    Scene scene;
    scene.state.preview.obstacle = "No kernel is chosen: add one from the list, or open a file.";
    scene.driver.settle();
    CHECK_FALSE(scene.driver.at("experiment/run").enabled);
    CHECK_FALSE(scene.driver.at("experiment/sweep").enabled);
    CHECK(scene.driver.at("experiment/obstacle").label.find("No kernel is chosen") != std::string::npos);
    CHECK(scene.driver.at("experiment/obstacle").label.starts_with(kIconForbidden));
    CHECK_THROWS_AS(scene.driver.click("experiment/run"), CannotAct);
}

TEST_CASE("while something runs there is Stop, with how far it is") {
    Scene scene;
    scene.session->phase = Snapshot::Phase::Running;
    scene.session->progress = Progress{"time", "matmul/tiled", 12, 40, 3.214, {}, 0, {}, 1};
    scene.session->results.resize(2);
    scene.state.is_busy = true;
    scene.driver.settle();
    CHECK_FALSE(scene.driver.has("experiment/run"));
    CHECK(scene.driver.at("experiment/progress").label == "Timing tiled (2 of 2), 12 rounds: 3.21 ms");
    scene.driver.click("experiment/stop");
    CHECK(scene.program.all<command::Stop>().size() == 1);
    scene.session->phase = Snapshot::Phase::Stopping;
    scene.driver.settle();
    CHECK_FALSE(scene.driver.at("experiment/stop").enabled);
}

TEST_CASE("the slider steps over powers of two and moves extents that are alike") {
    Scene scene;
    scene.open_size();
    scene.driver.click_at("experiment/size/slider", 0.999, 0.5);
    CHECK(to_string(scene.choices().sizes) == "8192");
    scene.driver.click_at("experiment/size/slider", 0.001, 0.5);
    CHECK(to_string(scene.choices().sizes) == "16");
    scene.state.choices.sizes[2].value = 1000;
    scene.driver.settle();
    scene.driver.click_at("experiment/size/slider", 0.999, 0.5);
    CHECK(to_string(scene.choices().sizes) == "M=8192 N=8192 K=1000");
}

TEST_CASE("an extent is typed for all while they are linked, else for itself") {
    Scene scene;
    scene.open_size();
    scene.type_into("experiment/size/N", "1 000");
    CHECK(to_string(scene.choices().sizes) == "1000");
    scene.driver.click("experiment/size/linked");
    scene.type_into("experiment/size/K", "77");
    CHECK(to_string(scene.choices().sizes) == "M=1000 N=1000 K=77");
    scene.driver.click("experiment/size/linked");
    CHECK(to_string(scene.choices().sizes) == "1000");
}

TEST_CASE("an extent takes effect when it is finished, not at every key, and Escape drops it") {
    Scene scene;
    scene.open_size();
    scene.driver.click("experiment/size/M");
    scene.driver.key(ctrl(Key::A));
    scene.driver.type("64");
    scene.driver.settle();
    CHECK(scene.program.all<command::Choose>().empty());
    scene.driver.key(plain(Key::Escape));
    CHECK(scene.program.all<command::Choose>().empty());
    CHECK(to_string(scene.choices().sizes) == "512");
    scene.driver.click("experiment/size/M");
    scene.driver.key(ctrl(Key::A));
    scene.driver.type("64");
    scene.driver.click("experiment/size/N");  // losing the focus also finishes the input
    CHECK(to_string(scene.choices().sizes) == "64");
}

TEST_CASE("a number that cannot be taken stays in its field, says why, and nothing runs until it is mended") {
    Scene scene;
    const struct {
        const char *field, *typed, *why;
    } cases[] = {
        {"experiment/size/M", "many", "M: 'many' is no whole number from 1 to 2147483647"},
        {"experiment/size/M", "", "M: type a whole number from 1 to 2147483647"},
        {"experiment/seed", "-1", "Seed: '-1' is no whole number from 0 to 18446744073709551615"},
        {"experiment/budget", "0", "Seconds per kernel: '0' is no number from 0.01 to 3600"},
        {"experiment/budget", "1e9", "Seconds per kernel: '1e9' is no number from 0.01 to 3600"},
        {"experiment/sweep/to", "2e9", "Sweep: '2e9' is no whole number from 1 to 1073741824"},
    };
    for (const auto& [field, typed, why] : cases) {
        CAPTURE(field);
        CAPTURE(typed);
        const Choices before = scene.choices();
        scene.type_into(field, typed);
        scene.driver.settle();
        CHECK(scene.choices() == before);
        REQUIRE(scene.panel.refusal() != nullptr);
        CHECK(scene.panel.refusal()->find(why) != std::string::npos);
        CHECK(scene.driver.has("experiment/obstacle"));
        CHECK_FALSE(scene.driver.at("experiment/run").enabled);
        CHECK_FALSE(scene.driver.at("experiment/sweep").enabled);
        CHECK_FALSE(scene.panel.may_run());
        scene.driver.click(field);
        scene.driver.key(plain(Key::Escape));
        scene.driver.settle();
        if (scene.driver.has("experiment/size/slider")) scene.driver.key(plain(Key::Escape));  // the popup
        scene.driver.settle();
        CHECK_FALSE(scene.driver.has("experiment/obstacle"));
        CHECK(scene.driver.at("experiment/run").enabled);
        CHECK(scene.panel.may_run());
    }
    scene.type_into("experiment/size/M", "many");
    scene.type_into("experiment/size/M", "256");
    CHECK(to_string(scene.choices().sizes) == "256");
    CHECK_FALSE(scene.driver.has("experiment/obstacle"));
    scene.type_into("experiment/size/M", "many");
    scene.driver.click_at("experiment/size/slider", 0.9, 0.5);  // replaces the value
    scene.driver.settle();
    CHECK_FALSE(scene.driver.has("experiment/obstacle"));
}

TEST_CASE(
    "a size that was typed counts if the popup is left by a click elsewhere, and stays there if it is "
    "refused") {
    Scene scene;
    scene.open_size();
    scene.driver.click("experiment/size/M");
    scene.driver.type("100");
    scene.press_outside();
    CHECK(to_string(scene.choices().sizes) == "100");
    CHECK_FALSE(scene.driver.has("experiment/size/M"));
    scene.open_size();
    scene.driver.click("experiment/size/M");
    scene.driver.type("many");
    scene.press_outside();
    REQUIRE(scene.driver.has("experiment/size/M"));
    REQUIRE(scene.panel.refusal() != nullptr);
    CHECK_FALSE(scene.driver.at("experiment/run").enabled);
    scene.driver.key(plain(Key::Escape));
    scene.driver.settle();
    CHECK_FALSE(scene.driver.has("experiment/size/M"));
    CHECK(scene.panel.refusal() == nullptr);
    CHECK(to_string(scene.choices().sizes) == "100");
}

TEST_CASE("only whole numbers within the range are extents") {
    for (const char* wrong : {"0", "-1", "2147483648", "99999999999999999999", "1.5", ""})
        CHECK_FALSE(read_extent(wrong).has_value());
    CHECK(read_extent("2147483647") == 2147483647);
}

TEST_CASE("a click into a number selects it, so that what is typed takes its place") {
    Scene scene;
    scene.open_size();
    scene.driver.click("experiment/size/M");
    scene.driver.type("96");
    scene.driver.key(plain(Key::Enter));
    CHECK(to_string(scene.choices().sizes) == "96");
}

TEST_CASE("whichever field is clicked next, what was typed before is taken") {
    Scene scene;
    scene.driver.click("experiment/sweep/to");
    scene.driver.type("500");
    scene.driver.click("experiment/seed");  // drawn earlier in the frame than the sweep
    scene.driver.settle();
    CHECK(scene.choices().sweep_to == 500);
}

TEST_CASE("seed, time, unreadable pages and live are choices as well") {
    Scene scene;
    scene.type_into("experiment/seed", "42");
    CHECK(scene.choices().seed == 42);
    scene.type_into("experiment/budget", "2.5");
    CHECK(scene.choices().time_budget_ms == 2500);
    scene.type_into("experiment/timeout", "90");
    CHECK(scene.choices().timeout_ms == 90'000);
    scene.type_into("experiment/timeout", "0.05");
    CHECK(scene.choices().timeout_ms == 90'000);
    scene.driver.click("experiment/pages");
    CHECK(scene.choices().unreadable_pages);
    scene.driver.click("experiment/live");
    CHECK(scene.choices().live);
    scene.type_into("experiment/seed", "nothing");
    CHECK(scene.choices().seed == 42);
}

TEST_CASE("a sweep goes from and to what was typed, and follows the size where nothing is") {
    Scene scene;
    scene.driver.click("experiment/sweep");
    REQUIRE(scene.program.last<command::Sweep>() != nullptr);
    CHECK(scene.program.last<command::Sweep>()->edges ==
          std::vector<std::int64_t>{16, 32, 64, 128, 256, 512});
    scene.type_into("experiment/sweep/from", "100");
    scene.type_into("experiment/sweep/to", "500");
    CHECK(scene.choices().sweep_from == 100);
    CHECK(scene.choices().sweep_to == 500);
    scene.driver.click("experiment/sweep");
    CHECK(scene.program.last<command::Sweep>()->edges == std::vector<std::int64_t>{100, 200, 400, 500});
    scene.type_into("experiment/sweep/from", "many");
    CHECK(scene.choices().sweep_from == 100);
    scene.type_into("experiment/sweep/from", " ");
    CHECK_FALSE(scene.choices().sweep_from.has_value());
}

TEST_CASE("New begins with a copy or a blank of the chosen problem, or with any other problem") {
    using Start = command::NewKernel::Start;
    const struct {
        const char *option, *file, *problem;
        Start start;
    } cases[] = {{"copy", "my_matmul.cl", "matmul", Start::Copy},
                 {"blank", "my_matmul.cl", "matmul", Start::Blank},
                 {"problem/copy", "my_copy.cl", "copy", Start::Copy}};
    for (const auto& wanted : cases) {
        CAPTURE(wanted.option);
        Scene scene;
        scene.driver.click("experiment/new");
        CHECK_FALSE(scene.driver.has("experiment/new/problem/matmul"));
        scene.driver.click(std::string("experiment/new/") + wanted.option);
        REQUIRE(scene.program.last<command::OpenDialog>() != nullptr);
        CHECK(scene.program.last<command::OpenDialog>()->name == wanted.file);
        Commands commands;
        scene.pending.finish("/somewhere/mine.cl", commands);
        REQUIRE(commands.size() == 1);
        const auto& made = std::get<command::NewKernel>(commands[0]);
        CHECK(made.path == "/somewhere/mine.cl");
        CHECK(made.problem == wanted.problem);
        CHECK(made.start == wanted.start);
    }
}

TEST_CASE("Open asks for a kernel file") {
    Scene scene;
    scene.driver.click("experiment/open");
    REQUIRE(scene.program.last<command::OpenDialog>() != nullptr);
    CHECK(scene.program.last<command::OpenDialog>()->extensions == std::vector<std::string>{".cl"});
}

TEST_CASE("everything can be reached by scrolling, and nothing overlaps, at every width") {
    Scene scene;
    scene.keep_obstacle(1, "64 x 64 work-items are more than the 1024 of this device; choose fewer of them");
    scene.open_row(1);
    for (const int width : {640, 900, 1300})
        for (const int height : {240, 500, 1300})
            for (const float scale : {1.0f, 1.5f}) {
                scene.stage.resize(static_cast<int>(static_cast<float>(width) * scale), height);
                scene.stage.look().set_scale(scale);
                scene.driver.settle();
                CAPTURE(width);
                CAPTURE(height);
                CAPTURE(scale);
                for (const std::string& fault :
                     check_layout(scene.stage.look().probes(), static_cast<float>(width) * scale,
                                  static_cast<float>(height)))
                    FAIL_CHECK(fault);
            }
}

TEST_CASE("pointing at a row lights up its kernel") {
    Scene scene;
    scene.driver.hover("experiment/contestant/1", 0.3);
    scene.hovered.end_frame();
    CHECK(scene.hovered.lit() == color_slots(scene.state)[1]);
    scene.driver.park_pointer();
    scene.hovered.end_frame();
    scene.driver.pump();
    scene.hovered.end_frame();
    CHECK_FALSE(scene.hovered.lit());
}

}  // namespace
}  // namespace kwb::test
