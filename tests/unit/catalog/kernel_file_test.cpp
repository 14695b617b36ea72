// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/error.hpp"
#include "catalog/catalogue.hpp"
#include "catalog/kernel_file.hpp"
#include "support/temp_folder.hpp"

namespace kwb {
namespace {

using test::TempFolder;

// --- catalog/kernel_file.hpp ---

std::string guard_error(const std::string& source) {
    try {
        check_param_guards("k.cl", source, {"TILE", "PAD"});
    } catch (const BadInput& error) {
        return error.what();
    }
    return "";
}

std::string include_error(const TempFolder& folder, const std::string& source) {
    try {
        collect_includes(folder.path() / "k.cl", source);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "";
}

TEST_CASE("a parameter defined without #ifndef is refused with its line") {
    CHECK(guard_error("int x;\n  #define TILE 16\n").find("k.cl:2:3: this #define overrides") == 0);
    CHECK(guard_error("# define TILE 16") != "");
    CHECK(guard_error("#ifndef PAD\n#define TILE 16\n#endif") != "");
    CHECK(guard_error("#ifdef TILE\n#define TILE 16\n#endif") != "");
    CHECK(guard_error("#ifndef TILE\n#endif\n#define TILE 16") != "");
    CHECK(guard_error("#ifndef TILE\n#else\n#define TILE 16\n#endif") != "");
    CHECK(guard_error("#if !defined(TILE) || FAST\n#define TILE 16\n#endif") != "");
    CHECK(guard_error("#if defined(TILE)\n#define TILE 16\n#endif") != "");
    CHECK(guard_error("#undef TILE").find("this #undef overrides") != std::string::npos);
    CHECK(guard_error("#define F(x) x\n#define TILE(x) x").find("k.cl:2:1") == 0);
}

TEST_CASE("a parameter defined where it is not yet defined is taken") {
    for (const char* source :
         {"#ifndef TILE\n#define TILE 16\n#endif", "#if !defined(TILE)\n#define TILE 16\n#endif",
          "#if ! defined TILE\n#define TILE 16\n#endif",
          "#if !defined(TILE) && FAST\n#define TILE 16\n#endif",
          "#ifdef TILE\n#else\n#define TILE 16\n#endif",
          "#ifndef TILE\n#if 1\n#define TILE 16\n#endif\n#endif",
          "// #define TILE 16\n/* \n#define TILE 16\n*/\n", "#define TILES 3\n#define MY_TILE 3\n",
          "#define X \\\n#define TILE 3\n"}) {
        CAPTURE(source);
        CHECK(guard_error(source) == "");
    }
}

TEST_CASE("neighbours are collected with what they include, once, from the kernel's folder and below") {
    const TempFolder folder;
    folder.write("tile.h", "#include \"parts/load.h\"\n");
    folder.write("parts/load.h", "#include \"store.h\"\n#include \"common.h\"\n#include \"../tile.h\"\n");
    folder.write("parts/store.h", "store");
    folder.write("common.h", "common");
    const auto includes =
        collect_includes(folder.path() / "k.cl",
                         "#include \"./tile.h\"\n#include <stddef.h>\n// #include \"no.h\"\n"
                         "/*\n#include \"no.h\"\n*/\n# include \"common.h\"\n");
    CHECK(names_of(includes) ==
          std::vector<std::string>{"tile.h", "parts/load.h", "parts/store.h", "common.h"});
    CHECK(*find_named(includes, "parts/store.h") == "store");
}

TEST_CASE("a file that includes itself is told from one that includes a neighbour twice") {
    const TempFolder folder;
    const auto path = folder.write("k.cl", "#include \"a.h\"\n#include \"a.h\"\n");
    folder.write("a.h", "int x;\n");
    const auto told = [&] {
        const KernelFile file = open_kernel_file(path, "k.cl");
        return find_self_inclusion(path, file.spec.source_text, file.includes);
    };
    CHECK(told() == std::nullopt);
    folder.write("a.h", "int x;\n#include \"b.h\"\n");
    folder.write("b.h", "#include \"a.h\"\n");
    REQUIRE(told());
    CHECK(told()->find("b.h:1: includes a.h, which includes this file again") != std::string::npos);
    folder.write("k.cl", "\n#include \"k.cl\"\n");
    REQUIRE(told());
    CHECK(told()->find("k.cl:2: includes itself") != std::string::npos);
}

TEST_CASE("an include that is absolute, leaves the folder or is missing is refused with its line") {
    const TempFolder outside;
    outside.write("secret.h", "secret");
    const TempFolder folder;
    folder.write("deep/up.h", "\n#include \"../../secret.h\"\n");
    std::filesystem::create_symlink(outside.path() / "secret.h", folder.path() / "link.h");
    const std::string file = (folder.path() / "k.cl").string();
    CHECK(include_error(folder, "#include \"/etc/passwd\"")
              .find(file + ":1:1: \"/etc/passwd\" is an absolute") == 0);
    CHECK(include_error(folder, "\n #include \"../x.h\"").find(file + ":2:2: \"../x.h\" is outside") == 0);
    CHECK(include_error(folder, "#include \"deep/../../x.h\"").find("is outside") != std::string::npos);
    CHECK(include_error(folder, "#include \"deep/up.h\"").find("deep/up.h:2:1: ") != std::string::npos);
    CHECK(include_error(folder, "#include \"link.h\"").find("is outside") != std::string::npos);
    CHECK(include_error(folder, "#include \"none.h\"").find("Put the file next to the kernel") !=
          std::string::npos);
    CHECK(include_error(folder, "#include \"deep\"").find("cannot read") != std::string::npos);
    // What is advised works.
    CHECK(include_error(folder, "#include \"../common/defs.h\"")
              .ends_with("Copy the file next to the kernel, and write #include \"defs.h\""));
    folder.write("defs.h", "#define TWO 2");
    CHECK(include_error(folder, "#include \"defs.h\"").empty());
}

TEST_CASE("a kernel file is read from its front matter, or its side-car, or with nothing declared") {
    const TempFolder folder;
    const auto with = folder.write("a.cl", "/*+++\ntitle = \"inside\"\n+++*/\n");
    CHECK(read_kernel_file(with, "a").spec.title == "inside");
    folder.write("a.cl.toml", "title = \"beside\"");
    CHECK_THROWS_WITH_AS(read_kernel_file(with, "a"),
                         doctest::Contains("a.cl.toml declares the kernel as well"), BadInput);

    const auto beside = folder.write("b.cl", "kernel void b() {}");
    folder.write("b.cl.toml", "title = \"beside\"\n[params]\nTILE = 8\n");
    const KernelFile b = read_kernel_file(beside, "b");
    CHECK(b.spec.title == "beside");
    CHECK(b.spec.name == "b");
    CHECK(b.spec.file == beside.string());
    CHECK(b.declared_in == beside.string() + ".toml");
    CHECK(b.spec.source_text == "kernel void b() {}");

    folder.write("b.cl.toml", "titel = \"beside\"");
    CHECK_THROWS_WITH_AS(read_kernel_file(beside, "b"), doctest::Contains("b.cl.toml:1:1: "), BadInput);
    CHECK(read_kernel_file(folder.write("c.cl", "kernel void c() {}"), "c").spec.launches.empty());
    CHECK_THROWS_WITH_AS(read_kernel_file(folder.path() / "none.cl", "none"), doctest::Contains("none.cl"),
                         BadInput);
}

TEST_CASE("a file without text, or with bytes that are none, is refused as such") {
    const TempFolder folder;
    for (const char* blank : {"", " \n\t\n"})
        CHECK_THROWS_WITH_AS(read_kernel_file(folder.write("e.cl", blank), "e"),
                             doctest::Contains("e.cl: the file is empty"), BadInput);
    CHECK_THROWS_WITH_AS(read_kernel_file(folder.write("b.cl", std::string("\x7f"
                                                                           "ELF\0\1",
                                                                           6)),
                                          "b"),
                         doctest::Contains("b.cl: not a text file"), BadInput);
    CHECK_THROWS_WITH_AS(read_kernel_file(folder.write("s.cl", std::string("\x03\x02#\x07\0\0\1\0", 8)), "s"),
                         doctest::Contains("s.cl: SPIR-V is not supported"), BadInput);
    CHECK(read_kernel_file(folder.write("l.cl",
                                        "// \xfc"
                                        "ber\nkernel void l() {}"),
                           "l")
              .spec.title == "");
}

TEST_CASE("a side-car that is a link out of its folder is refused, whoever asks for the kernel") {
    const TempFolder outside, folder;
    const auto secret = outside.write("secret.toml", "title = 'secret'\n");
    const auto kernel = folder.write("k.cl", "__kernel void k() {}\n");
    std::filesystem::create_symlink(secret, folder.path() / "k.cl.toml");
    const auto refused = doctest::Contains("k.cl.toml: is a link that leads out of its folder");
    CHECK_THROWS_WITH_AS(read_kernel_file(kernel, "k"), refused, BadInput);
    CHECK_THROWS_WITH_AS(open_problem(kernel), refused, BadInput);
    folder.write("other.cl", "/*+++\nproblem = 'k.cl'\n+++*/\n__kernel void k() {}\n");
    CHECK_THROWS_WITH_AS(read_kernel_file(folder.path() / "other.cl", "k"),
                         doctest::Contains("or a link that leads there"), BadInput);
    std::filesystem::remove(folder.path() / "k.cl.toml");
    folder.write("inside.toml", "title = 'mine'\n");
    std::filesystem::create_symlink("inside.toml", folder.path() / "k.cl.toml");
    CHECK(read_kernel_file(kernel, "k").spec.title == "mine");
}

TEST_CASE("a file whose name has a line break is refused by a sentence without one") {
    const TempFolder folder;
    const auto kernel = folder.write("a\nkwb: b.cl", "__kernel void k() {}\n");
    CHECK_THROWS_WITH_AS(read_kernel_file(kernel, "k"),
                         doctest::Contains("a?kwb: b.cl: the name contains a line"), BadInput);
}

TEST_CASE("a hostile source is read or refused at once") {
    const TempFolder folder;
    folder.write("x.h", "\n");
    std::string includes, conditions;
    for (int i = 0; i < 100'000; ++i) includes += "#include \"x.h\"\n";
    for (int i = 0; i < 20'000; ++i) conditions += "#if 1\n";
    for (int i = 0; i < 20'000; ++i) conditions += "#define TILE 1\n";
    CHECK(collect_includes(folder.path() / "k.cl", includes).size() == 1);
    includes.clear();
    for (int i = 0; i < 100'000; ++i) includes += fmt::format("#include \"d{}/../x.h\"\n", i);
    CHECK(include_error(folder, includes).find("k.cl:65:1: more than 64 files") != std::string::npos);
    CHECK_THROWS_WITH_AS(check_param_guards("k.cl", conditions, {"TILE"}),
                         doctest::Contains("k.cl:20001:1: more than 256 conditions"), BadInput);
    CHECK_THROWS_WITH_AS(
        read_kernel_file(folder.write("large.cl", "/*+++\n+++*/" + std::string(5u << 20, ' ') + "x"), "k"),
        doctest::Contains("large.cl: larger than"), BadInput);
}

TEST_CASE("a byte order mark before the first word is skipped, in neighbours too") {
    const TempFolder folder;
    const std::string mark = "\xEF\xBB\xBF";
    folder.write("part.h", mark + "int x;\n");
    const auto path = folder.write("k.cl", mark + "#include \"part.h\"\n");
    const KernelFile file = open_kernel_file(path, "k.cl");
    CHECK(file.spec.source_text == "#include \"part.h\"\n");
    REQUIRE(file.includes.size() == 1);
    CHECK(file.includes[0].value == "int x;\n");
    folder.write("k.cl.toml", mark + "problem = \"matmul\"\n");
    CHECK(open_kernel_file(path, "k.cl").spec.problem == "matmul");
}

TEST_CASE("what a kernel file declares has its place, launches by number") {
    const TempFolder folder;
    const auto path = folder.path() / "a.cl";
    const KernelFile file = read_kernel_file(
        folder.write("a.cl",
                     "\n/*+++\nproblem = \"p\"\n[[launch]]\nkernel = \"f\"\nglobal = 1\n[[launch]]\n"
                     "kernel = \"f\"\nglobal = 1\n  swap = [\"A\", \"B\"]\n[params]\n TILE = 8\n[init]\nD = "
                     "0\n+++*/\n"),
        "a");
    const auto place = [&](const std::string& key) {
        try {
            refuse_key(file, key, "!");
        } catch (const BadInput& error) {
            return std::string(error.what()).substr(path.string().size());
        }
    };
    CHECK(place("problem") == ":3:1: !");
    CHECK(place("launch.1.swap") == ":10:3: !");
    CHECK(place("params.TILE") == ":12:2: !");
    CHECK(place("init.D") == ":14:1: !");
    CHECK(place("flops") == ":2:1: !");  // a missing key has the position of the front matter
    CHECK_THROWS_WITH_AS(
        refuse_key(KernelFile{.spec = {}, .declared_in = "k.cl", .places = {}, .includes = {}}, "problem",
                   "!"),
        "k.cl: !", BadInput);
}

TEST_CASE("a parameter defined unguarded in a neighbour is refused too") {
    const TempFolder folder;
    const auto file = folder.write("a.cl", "/*+++\n[params]\nTILE = 8\n+++*/\n#include \"tile.h\"\n");
    folder.write("tile.h", "\n#define TILE 16\n");
    CHECK_THROWS_WITH_AS(open_kernel_file(file, "a"), doctest::Contains("tile.h:2:1: "), BadInput);
    folder.write("tile.h", "#ifndef TILE\n#define TILE 16\n#endif\n");
    CHECK(open_kernel_file(file, "a").includes.size() == 1);
}

TEST_CASE(
    "an edited text stands in for a kernel's file, its side-car and its neighbours, also for missing ones") {
    const TempFolder folder;
    const auto file = folder.write("a.cl", "/*+++\ntitle = \"old\"\n+++*/\n#include \"tile.h\"\n");
    folder.write("tile.h", "// old\n");
    EditedTexts edited;
    CHECK(open_kernel_file(file, "a", edited).spec.title == "old");

    edited.put(folder.path() / "tile.h", "#include \"new.h\"\n");
    edited.put(folder.path() / "sub" / ".." / "new.h", "// new\n");
    const KernelFile neighbours = open_kernel_file(file, "a", edited);
    CHECK(neighbours.spec.title == "old");
    REQUIRE(neighbours.includes.size() == 2);
    CHECK(neighbours.includes[0].value == "#include \"new.h\"\n");
    CHECK(neighbours.includes[1].name == "new.h");
    CHECK(neighbours.includes[1].value == "// new\n");

    edited.put(file, "kernel void a() {}\n");
    edited.put(file.string() + ".toml", "title = \"beside\"\n");
    const KernelFile whole = open_kernel_file(file, "a", edited);
    CHECK(whole.spec.source_text == "kernel void a() {}\n");
    CHECK(whole.spec.title == "beside");
    CHECK(whole.includes.empty());
    CHECK_FALSE(std::filesystem::exists(file.string() + ".toml"));
}

TEST_CASE("a kernel's files are its own, its side-car and its neighbours") {
    KernelFile kernel;
    kernel.spec.file = "kernels/a.cl";
    kernel.includes = {{"tile.h", ""}, {"parts/load.h", ""}};
    CHECK(files_of(kernel) == std::vector<std::filesystem::path>{"kernels/a.cl", "kernels/a.cl.toml",
                                                                 "kernels/tile.h", "kernels/parts/load.h"});
}

// --- catalog/catalogue.hpp ---

std::string kernel_titled(const std::string& title) {
    return "/*+++\ntitle = \"" + title + "\"\n+++*/\n";
}

std::vector<std::string> names_in(const Catalogue& catalogue) {
    std::vector<std::string> names;
    for (const CatalogueEntry& entry : catalogue.entries()) names.push_back(entry.name);
    return names;
}

TEST_CASE("kernels are named by folder and idea, and listed in the order of their numbers") {
    const TempFolder folder;
    folder.write("matmul/02_tiled.cl", kernel_titled("Tiled"));
    folder.write("matmul/01_naive.cl", kernel_titled("Naive"));
    folder.write("add/10_plain.cl", "");
    folder.write("loose.cl", "");
    folder.write("matmul/README.md", "story");
    folder.write("matmul/tile.h", "");
    folder.write(".git/x.cl", "");
    const Catalogue catalogue({folder.path()});
    CHECK(names_in(catalogue) ==
          std::vector<std::string>{"add/plain", "loose", "matmul/naive", "matmul/tiled"});
    CHECK(catalogue.find("matmul/tiled").kernel->spec.title == "Tiled");
    CHECK(catalogue.find("matmul/02_tiled").name == "matmul/tiled");
}

TEST_CASE("only a leading number with an underscore is dropped from a name") {
    CHECK(catalogue_name("matmul/02_tiled.cl") == "matmul/tiled");
    CHECK(catalogue_name("matmul/2d.cl") == "matmul/2d");
    CHECK(catalogue_name("matmul/02_.cl") == "matmul/02_");
    CHECK(catalogue_name("07.cl") == "07");
    CHECK(catalogue_name("a/b/003_x_4.cl") == "a/b/x_4");
}

TEST_CASE("the first folder wins a name, and within a folder the later file keeps its number") {
    const TempFolder mine;
    const TempFolder shipped;
    mine.write("matmul/05_tiled.cl", kernel_titled("mine"));
    shipped.write("matmul/02_tiled.cl", kernel_titled("shipped"));
    shipped.write("matmul/03_naive.cl", "");
    shipped.write("matmul/04_naive.cl", "");
    const Catalogue catalogue({mine.path(), shipped.path()});
    CHECK(names_in(catalogue) == std::vector<std::string>{"matmul/tiled", "matmul/naive", "matmul/04_naive"});
    CHECK(catalogue.find("matmul/tiled").kernel->spec.title == "mine");
}

TEST_CASE("a broken file is listed with its error and hides no other") {
    const TempFolder folder;
    const auto broken = folder.write("matmul/01_broken.cl", "/*+++\ntitel = 1\n+++*/");
    folder.write("matmul/02_tiled.cl", kernel_titled("Tiled"));
    folder.write("matmul/03_binary.cl", std::string("/*+++\0\xff\xfe+++*/", 13));
    const Catalogue catalogue({folder.path()});
    REQUIRE(catalogue.entries().size() == 3);
    const CatalogueEntry& entry = catalogue.find("matmul/broken");
    CHECK_FALSE(entry.kernel);
    CHECK(entry.error.find(broken.string() + ":2:1: ") == 0);
    CHECK(catalogue.find("matmul/tiled").kernel);
    CHECK_FALSE(catalogue.find("matmul/binary").kernel);
    CHECK_THROWS_WITH_AS(catalogue.open("matmul/broken"), doctest::Contains(":2:1: "), BadInput);
}

TEST_CASE("an unknown name is answered with the nearest ones") {
    const TempFolder folder;
    folder.write("matmul/02_tiled.cl", "");
    const Catalogue catalogue({folder.path()});
    CHECK_THROWS_WITH_AS(
        catalogue.find("matmul/tield"),
        "there is no kernel 'matmul/tield'. Did you mean matmul/tiled? 'kwb kernels' lists them.", BadInput);
    CHECK_THROWS_WITH_AS(catalogue.open("tiled"), doctest::Contains("Did you mean matmul/tiled?"), BadInput);
}

TEST_CASE("a kernel is opened by its name or by the path of its file") {
    const TempFolder folder;
    folder.write("matmul/02_tiled.cl", kernel_titled("Tiled") + "#include \"tile.h\"\n");
    folder.write("matmul/tile.h", "tile");
    const TempFolder elsewhere;
    const std::string own = elsewhere.write("own.cl", kernel_titled("Own")).string();
    const Catalogue catalogue({folder.path()});

    const KernelFile tiled = catalogue.open("matmul/tiled");
    CHECK(tiled.spec.name == "matmul/tiled");
    CHECK(names_of(tiled.includes) == std::vector<std::string>{"tile.h"});
    CHECK(catalogue.open(own).spec.title == "Own");
    CHECK(catalogue.open(own).spec.name == own);
    CHECK_THROWS_WITH_AS(catalogue.open("gone.cl"), doctest::Contains("gone.cl: cannot read"), BadInput);
}

TEST_CASE("a missing folder is bad input") {
    CHECK_THROWS_WITH_AS(Catalogue({"/nowhere/kernels"}), doctest::Contains("/nowhere/kernels"), BadInput);
}

}  // namespace
}  // namespace kwb
