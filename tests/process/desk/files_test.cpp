// SPDX-License-Identifier: Apache-2.0
// Files that are opened: many, huge, recent ones, and kernels from the clipboard.
#include <doctest/doctest.h>

#include "base/file.hpp"
#include "catalog/kernel_file.hpp"
#include "process/desk/scene.hpp"

namespace kwb::test {

TEST_CASE("a hundred files at once are opened, eight kernels are compared, and one sentence says so") {
    Scene scene("timed", {"matmul/mine"});
    scene.rest();
    std::vector<fs::path> files;
    for (int i = 0; i < 100; ++i)
        files.push_back(scene.folder.write("many/" + std::to_string(i) + ".cl", kKernel));
    scene.perform(command::OpenFiles{files});
    CHECK(scene.state().choices.contestants.size() == kMostContestants);
    CHECK(scene.state().documents.size() == 101);
    CHECK(scene.notices("93 of the files are open but not compared: 8 kernels are chosen already"));
    CHECK(scene.state().notices.size() == 1);
    CHECK(scene.state().settings.recent_files.size() == kMostRecentFiles);
    scene.run();
    CHECK(scene.state().shown->run.results.size() == kMostContestants);
}

TEST_CASE("a kernel file of a gibibyte is not read, which a sentence says, and the others run") {
    Scene scene("timed", {"matmul/mine"});
    scene.rest();
    const fs::path huge = scene.folder.write("huge.cl", kKernel);
    fs::resize_file(huge, std::uintmax_t{1} << 30);
    scene.perform(command::OpenFiles{{huge}});
    const auto shown = scene.document(huge);
    REQUIRE(shown != nullptr);
    CHECK(shown->on_disk() == Document::OnDisk::Unread);
    CHECK_MESSAGE(mentions(shown->notice(), "huge.cl"), shown->notice());
    CHECK(shown->buffer().text().empty());
    REQUIRE(scene.state().preview.contestants.size() == 2);
    REQUIRE(scene.state().preview.contestants[1].obstacle);
    CHECK(mentions(*scene.state().preview.contestants[1].obstacle, "huge.cl"));
    scene.run();
    CHECK(scene.state().shown->run.results.at(0).verdict == Verdict::Correct);
    CHECK(fs::file_size(huge) == std::uintmax_t{1} << 30);
}

TEST_CASE("a recent file is opened again, and one that is gone leaves the list with a sentence") {
    Scene scene("good");
    scene.rest();
    scene.perform(command::OpenFiles{{scene.outside, scene.other}});
    scene.perform(command::CloseDocument{scene.document(scene.outside)->id()});
    scene.perform(command::ListRecent{});
    REQUIRE(scene.state().recent.size() == 2);
    CHECK(scene.state().recent[0].path == scene.other);
    CHECK(scene.state().recent[1].is_there);
    scene.perform(command::OpenRecent{scene.outside});
    CHECK(scene.document(scene.outside) != nullptr);
    CHECK(scene.state().recent[0].path == scene.outside);
    fs::remove(scene.other);
    scene.perform(command::ListRecent{});
    CHECK_FALSE(scene.state().recent[1].is_there);
    scene.perform(command::OpenRecent{scene.other});
    CHECK(scene.notices(scene.other.string() + " no longer exists"));
    CHECK(scene.state().recent.size() == 1);
    CHECK(scene.state().settings.recent_files == std::vector<std::string>{scene.outside.string()});
}

TEST_CASE("a kernel from the clipboard becomes a file and takes part, and replaces no other") {
    Scene scene("good");
    scene.rest();
    const fs::path file = scene.folder / "pasted.cl";
    scene.perform(command::NewKernel{file, kKernel});
    CHECK(read_text(file) == kKernel);
    CHECK(scene.state().choices.contestants.back().kernel == file.string());
    CHECK(scene.document(file) != nullptr);
    scene.perform(command::NewKernel{scene.mine, "__kernel void other() {}"});
    CHECK(scene.notices("01_mine.cl already exists and was not changed"));
    CHECK(read_text(scene.mine) == kKernel);
    scene.perform(command::NewKernel{scene.folder / "prose.cl", "a shopping list"});
    CHECK(scene.notices("has no OpenCL kernel"));
    CHECK_FALSE(fs::exists(scene.folder / "prose.cl"));
}

}  // namespace kwb::test
