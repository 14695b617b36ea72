#include "report/grid.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "unit/report/lines.hpp"

using namespace kwb;

namespace {

Grid small_grid() {
    Grid grid;
    grid.add_column("name", Align::Left);
    grid.add_column("time", Align::Right);
    grid.add_column("", Align::Left);
    grid.add_row({{"a"}, {"1 µs"}, {"██"}});
    grid.add_row({{"longer"}, {"12345 ms"}, {""}});
    return grid;
}

}  // namespace

TEST_CASE("columns line up, and lines have no blanks at their end") {
    CHECK(small_grid().render({}) ==
          "name        time\n"
          "a           1 µs  ██\n"
          "longer  12345 ms\n");
    CHECK(small_grid().width() == 20);
}

TEST_CASE("colour does not move a column") {
    Grid plain;
    Grid coloured;
    for (Grid* grid : {&plain, &coloured}) {
        grid->add_column("verdict", Align::Right);
        grid->add_column("x", Align::Left);
        grid->add_row({{"wrong", grid == &plain ? Tone::Plain : Tone::Bad}, {"y"}});
    }
    const TableOptions colour{true, true, 80};
    CHECK(coloured.render({}) == plain.render({}));
    CHECK(display_width(split_lines(coloured.render(colour))[1]) ==
          display_width(split_lines(plain.render({}))[1]));
}

TEST_CASE("the first column gives way, down to its least width") {
    Grid grid = small_grid();
    grid.fit_first_column(18, 3, true);
    CHECK(grid.width() == 18);
    grid.fit_first_column(5, 3, true);
    CHECK(grid.width() == 17);
    CHECK(grid.render({}).find("lo…") != std::string::npos);
}

TEST_CASE("a row with another number of cells is refused") {
    Grid grid = small_grid();
    CHECK_THROWS_AS(grid.add_row({{"alone"}}), ContractError);
}
