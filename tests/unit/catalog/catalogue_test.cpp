#include "catalog/catalogue.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "support/temp_folder.hpp"

namespace kwb {
namespace {

using test::TempFolder;

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
