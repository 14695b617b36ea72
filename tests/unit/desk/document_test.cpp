// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "catalog/kernel_file.hpp"
#include "desk/document.hpp"
#include "desk/state.hpp"
#include "support/temp_folder.hpp"

// --- documents ---

using namespace kwb;
using test::read_text;
using test::TempFolder;
namespace fs = std::filesystem;
using OnDisk = Document::OnDisk;

namespace {

bool says(const Document& document, std::string_view words) {
    return document.notice().find(words) != std::string::npos;
}

mode_t mode_of(const fs::path& file) {
    struct stat info {};
    REQUIRE(::lstat(file.c_str(), &info) == 0);
    return info.st_mode & 07777;
}

/// Run `deed` in a child process without root privileges.
/// @return  its result
template <class Deed>
bool as_nobody(Deed&& deed) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        constexpr uid_t kNobody = 65534;
        if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) ::_exit(2);
        ::_exit(deed() ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) != 2);
    return WEXITSTATUS(status) == 0;
}

/// Limits the size of written files while it exists: longer writes fail, as on a full disk.
class SmallFiles {
public:
    explicit SmallFiles(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        former_ = ::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{bytes, before_.rlim_max};
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    }
    ~SmallFiles() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        ::signal(SIGXFSZ, former_);
    }

private:
    rlimit before_{};
    sighandler_t former_;
};

LineMark mark_at(std::size_t line) {
    return {LineMark::Kind::Error, line, 0, "here", "tiled"};
}

std::vector<std::size_t> lines_of(const Document& document) {
    std::vector<std::size_t> lines;
    for (const LineMark& mark : document.marks()) lines.push_back(mark.line);
    return lines;
}

using Lines = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a file is read, edited and saved, with its permissions and line ends") {
    const TempFolder folder;
    const fs::path file = folder.write("a.cl", "one\r\ntwo\r\n");
    REQUIRE(::chmod(file.c_str(), 0640) == 0);
    Document document(7, file, false);
    CHECK(document.id() == 7);
    CHECK(document.name() == "a.cl");
    CHECK(document.notice() == "");
    CHECK(document.colors().line_count() == 3);
    CHECK(!document.is_modified());

    document.buffer().replace({{0, 0}, {0, 3}}, "1");
    CHECK(document.is_modified());
    REQUIRE(document.save());
    CHECK(read_text(file) == "1\r\ntwo\r\n");
    CHECK(mode_of(file) == 0640);
    CHECK(!document.is_modified());
    CHECK(document.on_disk() == OnDisk::Same);
    CHECK(folder.count_files() == 1);
    document.buffer().undo();
    REQUIRE(document.save());
    CHECK(read_text(file) == "one\r\ntwo\r\n");
}

TEST_CASE("a link stays a link, also one to a file that is not there yet") {
    const TempFolder folder;
    const fs::path file = folder.write("real/a.cl", "x\n");
    fs::create_symlink("real/a.cl", folder / "link.cl");
    fs::create_symlink("real/b.cl", folder / "dangling.cl");
    Document document(1, folder / "link.cl", false);
    document.buffer().type("y");
    REQUIRE(document.save());
    CHECK(fs::is_symlink(folder / "link.cl"));
    CHECK(read_text(file) == "yx\n");
    REQUIRE(document.save_as(folder / "dangling.cl"));
    CHECK(fs::is_symlink(folder / "dangling.cl"));
    CHECK(read_text(folder / "real/b.cl") == "yx\n");
}

TEST_CASE("a file that cannot be read is told, and what is there is not replaced") {
    const TempFolder folder;
    Document missing(1, folder / "none.cl", false);
    CHECK(missing.on_disk() == OnDisk::Unread);
    CHECK(says(missing, "none.cl: cannot read: No such file"));
    folder.write("none.cl", "somebody else's\n");
    missing.buffer().type("mine");
    CHECK(!missing.save());
    CHECK(read_text(folder / "none.cl") == "somebody else's\n");
    Document a_folder(2, folder.path(), false);
    CHECK(a_folder.on_disk() == OnDisk::Unread);
    CHECK(!a_folder.save());
}

TEST_CASE("what changed on disk is taken over where nothing was edited, as one step of undo") {
    const TempFolder folder;
    const fs::path file = folder.write("a.cl", "one\ntwo\n");
    Document document(1, file, false);
    CHECK(!document.look_at_disk());
    folder.write("a.cl", "one\nTWO\n");
    CHECK(document.look_at_disk());
    CHECK(document.buffer().text() == "one\nTWO\n");
    CHECK(!document.is_modified());
    CHECK(!document.look_at_disk());
    document.buffer().undo();
    CHECK(document.buffer().text() == "one\ntwo\n");
    CHECK(document.is_modified());
}

TEST_CASE("what changed on disk and here is never overwritten silently") {
    const TempFolder folder;
    const fs::path file = folder.write("a.cl", "one\n");
    Document document(1, file, false);
    document.buffer().type("my ");
    folder.write("a.cl", "theirs\n");
    SUBCASE("it is seen when the file is looked at") {
        CHECK(!document.look_at_disk());
        CHECK(document.on_disk() == OnDisk::Changed);
    }
    SUBCASE("it is seen when it is saved, without anybody having looked") {}
    CHECK(!document.save());
    CHECK(document.on_disk() == OnDisk::Changed);
    CHECK(says(document, "a.cl changed on disk"));
    CHECK(read_text(file) == "theirs\n");
    CHECK(document.buffer().text() == "my one\n");
    SUBCASE("the user may keep the edited text") {
        CHECK(document.save(true));
        CHECK(read_text(file) == "my one\n");
        CHECK(document.notice() == "");
    }
    SUBCASE("the user may take the file's text, and undo that") {
        document.take_from_disk();
        CHECK(document.buffer().text() == "theirs\n");
        CHECK(document.on_disk() == OnDisk::Same);
        CHECK(!document.is_modified());
        document.buffer().undo();
        CHECK(document.buffer().text() == "my one\n");
    }
    SUBCASE("the file comes back to what it was") {
        folder.write("a.cl", "one\n");
        CHECK(!document.look_at_disk());
        CHECK(document.on_disk() == OnDisk::Same);
        CHECK(document.notice() == "");
        CHECK(document.save());
    }
    SUBCASE("the file becomes equal to the edited text") {
        folder.write("a.cl", "my one\n");
        document.look_at_disk();
        CHECK(document.on_disk() == OnDisk::Same);
        CHECK(!document.is_modified());
    }
}

TEST_CASE("a file that is gone leaves its text here, and saving makes it again") {
    const TempFolder folder;
    const fs::path file = folder.write("sub/a.cl", "one\n");
    Document document(1, file, false);
    fs::remove(file);
    CHECK(!document.look_at_disk());
    CHECK(document.on_disk() == OnDisk::Gone);
    CHECK(says(document, "no longer on disk"));
    document.take_from_disk();
    CHECK(document.buffer().text() == "one\n");
    CHECK(document.save());
    CHECK(read_text(file) == "one\n");
    fs::remove_all(file.parent_path());
    CHECK(!document.save());
    CHECK(says(document, "your text is still here"));
    CHECK(document.buffer().text() == "one\n");
}

TEST_CASE("a full disk is told in a sentence, and nothing is lost") {
    const TempFolder folder;
    const fs::path file = folder.write("a.cl", "short\n");
    Document document(1, file, false);
    document.buffer().type(std::string(100'000, 'x'));
    {
        const SmallFiles disk(4096);
        CHECK(!document.save());
        CHECK(!document.save_as(folder / "b.cl"));
    }
    CHECK(says(document, "cannot write: File too large; your text is still here"));
    CHECK(document.save_failed());
    CHECK(document.path() == file);
    CHECK(document.is_modified());
    CHECK(read_text(file) == "short\n");
    CHECK(folder.count_files() == 1);
    CHECK(document.save());
    CHECK(!document.save_failed());
    CHECK(read_text(file).size() == 100'006);
}

TEST_CASE("a device without room is told in a sentence") {
    const TempFolder folder;
    Document document(1, folder.write("a.cl", "x\n"), false);
    CHECK(!document.save_as("/dev/full"));
    CHECK(says(document, "No space left on device; your text is still here"));
    CHECK(document.name() == "a.cl");
}

TEST_CASE("a read-only folder and a read-only file are told in a sentence, and nothing is lost") {
    const TempFolder folder;
    const fs::path file = folder.write("shut/a.cl", "x\n");
    const fs::path alone = folder.write("b.cl", "x\n");
    REQUIRE(::chmod(file.c_str(), 0666) == 0);
    REQUIRE(::chmod(alone.c_str(), 0444) == 0);
    REQUIRE(::chmod((folder / "shut").c_str(), 0555) == 0);
    REQUIRE(::chmod(folder.path().c_str(), 0777) == 0);
    for (const fs::path& path : {file, alone}) {
        CAPTURE(path.string());
        CHECK(as_nobody([&] {
            Document document(1, path, false);
            document.buffer().type("y");
            return !document.save() && says(document, "Permission denied") &&
                   says(document, "your text is still here") && document.buffer().text() == "yx\n";
        }));
        CHECK(read_text(path) == "x\n");
    }
    REQUIRE(::chmod((folder / "shut").c_str(), 0755) == 0);
}

TEST_CASE("a shipped kernel is saved under another name only") {
    const TempFolder folder;
    const fs::path file = folder.write("a.cl", "x\n");
    Document document(1, file, true);
    document.buffer().type("y");
    CHECK(!document.save());
    CHECK(!document.save(true));
    CHECK(says(document, "under another name"));
    CHECK(!document.save_as(folder / "../" / folder.path().filename() / "a.cl"));
    CHECK(read_text(file) == "x\n");
    REQUIRE(document.save_as(folder / "b.cl"));
    CHECK(!document.read_only());
    CHECK(document.name() == "b.cl");
    CHECK(read_text(folder / "b.cl") == "yx\n");
    document.buffer().type("z");
    CHECK(document.save());
    CHECK(read_text(file) == "x\n");
}

TEST_CASE("saving under the same name does not overwrite changes by other programs") {
    const TempFolder folder;
    const fs::path file = folder.write("a.cl", "x\n");
    Document document(1, file, false);
    folder.write("a.cl", "theirs\n");
    CHECK(!document.save_as(file));
    CHECK(read_text(file) == "theirs\n");
}

TEST_CASE("changes made while reading are reported before saving") {
    const TempFolder folder;
    const Document document(1, folder.write("a.cl", "\tint a;\xE9\n"), false);
    CHECK(says(
        document,
        "a.cl: 1 byte not allowed in UTF-8 text is shown as \xEF\xBF\xBD; saving writes these changes."));
    CHECK(!document.is_modified());
}

TEST_CASE("marks move with edits") {
    const TempFolder folder;
    Document document(1, folder.write("a.cl", "a\nb\nc\nd\ne\n"), false);
    editor::TextBuffer& text = document.buffer();
    document.set_marks({mark_at(1), mark_at(3)});
    SUBCASE("lines before them come and go") {
        text.replace({{0, 0}, {0, 0}}, "x\ny\n");
        document.refresh();
        CHECK(lines_of(document) == Lines{3, 5});
        text.undo();
        document.refresh();
        CHECK(lines_of(document) == Lines{1, 3});
    }
    SUBCASE("lines behind them do not matter") {
        text.replace({{4, 0}, {4, 0}}, "x\ny\n");
        document.refresh();
        CHECK(lines_of(document) == Lines{1, 3});
    }
    SUBCASE("their own line is edited") {
        text.replace({{1, 0}, {1, 1}}, "bee");
        document.refresh();
        CHECK(lines_of(document) == Lines{1, 3});
    }
    SUBCASE("a line is put before theirs from its own start") {
        text.set_caret({1, 0});
        text.new_line();
        document.refresh();
        CHECK(lines_of(document) == Lines{2, 4});
    }
    SUBCASE("their line is joined with the one before") {
        text.replace({{0, 1}, {1, 0}}, "");
        document.refresh();
        CHECK(lines_of(document) == Lines{0, 2});
    }
    SUBCASE("their line is deleted") {
        text.set_caret({1, 0});
        text.delete_lines();
        document.refresh();
        CHECK(lines_of(document) == Lines{2});
    }
    SUBCASE("their line is moved") {
        text.set_caret({1, 0});
        text.move_lines(1);
        document.refresh();
        CHECK(lines_of(document) == Lines{2, 3});
    }
    SUBCASE("the file is replaced by one with more lines") {
        folder.write("a.cl", "a\nnew\nb\nnew\nc\nd\ne\n");
        CHECK(document.look_at_disk());
        document.refresh();
        CHECK(lines_of(document) == Lines{2, 5});
    }
    SUBCASE("everything goes") {
        text.select_all();
        text.backspace();
        document.refresh();
        CHECK(lines_of(document) == Lines{});
    }
    SUBCASE("so many edits that they are no longer known") {
        for (int i = 0; i < 5000; ++i) text.replace({{4, 0}, {4, 0}}, "z");
        document.refresh();
        CHECK(lines_of(document) == Lines{1, 3});
    }
}

TEST_CASE("marks about an earlier text come to where its lines are now") {
    const TempFolder folder;
    Document document(1, folder.write("a.cl", "a\nb\nc\n"), false);
    const std::uint64_t built = document.buffer().revision();
    document.buffer().replace({{0, 0}, {0, 0}}, "x\n");
    document.set_marks({mark_at(2)}, built);
    CHECK(lines_of(document) == Lines{3});
    document.set_marks({mark_at(99)});
    CHECK(lines_of(document) == Lines{4});
}

TEST_CASE(
    "what X-ray found in an earlier text comes to where its lines are now, and replaces only its own marks") {
    const TempFolder folder;
    Document document(1, folder.write("a.cl", "a\nb\nc\n"), false);
    const auto of_xray = [](std::size_t line) {
        LineMark mark = mark_at(line);
        mark.origin = LineMark::Origin::Xray;
        return std::vector{mark};
    };
    LineMark warning = mark_at(0);
    warning.kind = LineMark::Kind::Warning;
    document.set_marks({warning});
    document.set_edited_marks(of_xray(1), document.buffer().revision());
    CHECK(lines_of(document) == Lines{0, 1});
    const std::uint64_t observed = document.buffer().revision();
    document.buffer().replace({{0, 0}, {0, 0}}, "x\n");
    document.set_edited_marks(of_xray(2), observed);
    CHECK(lines_of(document) == Lines{1, 3});
    document.set_edited_marks({}, document.buffer().revision());
    CHECK(lines_of(document) == Lines{1});
    document.set_edited_marks(of_xray(2), document.buffer().revision());
    document.set_marks({});  // of a run, which observes by itself
    CHECK(document.marks().empty());
    document.set_marks({mark_at(0)});  // an error, which was read anew
    document.set_edited_marks({}, document.buffer().revision());
    CHECK(document.marks().empty());
}

TEST_CASE("cpu:blas is listed for the problems that the library solves, and a broken file for each") {
    const KernelEntry library{kHostBlasName, "", "", "", "", true};
    for (const char* problem : {"matmul", "transpose", "copy"}) CHECK(library.may_solve(problem));
    CHECK_FALSE(library.may_solve("scan"));
    CHECK_FALSE(library.may_solve("blur"));  // declared by the user
    const KernelEntry kernel{"copy/plain", "", "copy", "", "", true};
    CHECK(kernel.may_solve("copy"));
    CHECK_FALSE(kernel.may_solve("scan"));
    CHECK(KernelEntry{"mine.cl", "", "", "broken", "", false}.may_solve("scan"));
}

// --- pasted kernels ---

TEST_CASE("a text with a kernel function is a kernel, and its file is named after the function") {
    CHECK(look_at_pasted("__kernel void blur(__global float* a) {}").name == "blur.cl");
    CHECK(look_at_pasted("kernel\nvoid\tsharpen (global int* a) {}").name == "sharpen.cl");
    CHECK(
        look_at_pasted("float f(void);\n__kernel __attribute__((reqd_work_group_size(8, 8, 1)))\nvoid k() {}")
            .name == "k.cl");
    CHECK(look_at_pasted("__kernel void NAME(blur)()").flaw.empty());
    CHECK(look_at_pasted("__kernel void").name == "pasted.cl");
}

TEST_CASE("what is no kernel is refused with a sentence") {
    CHECK(look_at_pasted("").flaw.starts_with("The clipboard is empty"));
    CHECK(look_at_pasted(" \n\t").flaw.starts_with("The clipboard is empty"));
    for (const char* text : {"milk, eggs", "int main() { return 0; }", "void kernels(int a)",
                             "my_kernel void", "void before the kernel"})
        CHECK_MESSAGE(look_at_pasted(text).flaw.starts_with("The clipboard has no OpenCL kernel"), text);
    const std::string huge = "__kernel void k() {}" + std::string(kMostSourceBytes, ' ') + "x";
    CHECK(look_at_pasted(huge).flaw.starts_with("The clipboard holds 4"));
}
