// SPDX-License-Identifier: Apache-2.0
// Pixels of the source panel, kept as build artefacts for inspection.
#include <doctest/doctest.h>

#include <set>

#include "gui/picture_stage.hpp"
#include "gui/source_stage.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

constexpr std::string_view kTiled = R"(/*+++
title = "Tiles in local memory"
problem = "matmul"
[params]
TILE = { values = [8, 16, 32], default = 16 }
+++*/
// Each work-group computes one TILE x TILE block of C.
#ifndef TILE
#define TILE 16
#endif

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul_tiled(__global const float* restrict A,
                  __global const float* restrict B,
                  __global float* restrict C, const int N)
{
    __local float As[TILE][TILE + 1];  // +1 column: no bank conflicts
    __local float Bs[TILE][TILE];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int x = get_global_id(0), y = get_global_id(1);
    float acc = 0.0f;

    for (int t = 0; t < N / TILE; ++t) {
        As[ly][lx] = A[y * N + t * TILE + lx];
        Bs[ly][lx] = B[(t * TILE + ly) * N + x];
        barrier(CLK_LOCAL_MEM_FENCE);

        #pragma unroll
        for (int k = 0; k < TILE; ++k)
            acc = fma(As[ly][k], Bs[k][lx], acc);
        barrier(CLK_LOCAL_MEM_FENCE);  /* all reads done before
                                          the next tile is loaded */
    }
    C[y * N + x] = acc;
    printf("done %d\n", resutl);
}
)";

std::string changed_text() {
    std::string text(kTiled);
    const auto replace = [&](std::string_view from, std::string_view to) {
        text.replace(text.find(from), from.size(), to);
    };
    replace("        #pragma unroll\n", "");
    replace("As[TILE][TILE + 1];  // +1 column: no bank conflicts", "As[TILE][TILE];");
    replace("    C[y * N + x] = acc;\n", "    if (x < N && y < N)\n        C[y * N + x] = acc;\n");
    return text;
}

std::size_t count_colors(const PictureStage::Picture& picture, const ImRect& rect) {
    std::set<unsigned> colors;
    for (int y = static_cast<int>(rect.Min.y); y < static_cast<int>(rect.Max.y); ++y)
        for (int x = static_cast<int>(rect.Min.x); x < static_cast<int>(rect.Max.x); ++x)
            colors.insert(picture.at(x, y));
    return colors.size();
}

TEST_CASE("the source panel while one edits, searches and compares") {
    const struct {
        const char* name;
        int width, height;
        float scale;
        gui::Theme theme;
    } kPictures[] = {
        {"dark", 900, 760, 1, gui::Theme::Dark},
        {"light", 900, 760, 1, gui::Theme::Light},
        {"small", 620, 560, 1, gui::Theme::Dark},
        {"lecture", 1600, 1000, 1.5f, gui::Theme::Light},
    };
    for (const auto& wanted : kPictures) {
        CAPTURE(wanted.name);
        const std::string prefix = std::string("source_") + wanted.name;
        PictureStage stage(wanted.width, wanted.height, {.theme = wanted.theme, .scale = wanted.scale});
        SourceProgram program;
        Document& tiled = program.open("03_tiled.cl", kTiled);
        program.open("04_vector.cl", changed_text(), true);
        program.state.front = 1;
        tiled.set_marks(
            {{LineMark::Kind::Hint, 16, 0, "TILE + 1 columns cost local memory: 1 KiB more a work-group",
              "tiled"},
             {LineMark::Kind::Warning, 22, 4, "N is not a multiple of TILE at 3 of 5 sizes", "tiled"},
             {LineMark::Kind::Error, 34, 23, "use of undeclared identifier 'resutl'; did you mean 'result'?",
              "tiled"}});
        tiled.buffer().set_caret({25, 16});
        GuiDriver driver(stage, program);
        program.panel.take_keyboard();
        driver.settle();
        CHECK(count_colors(stage.picture(), driver.at("source/text").rect) > 40);
        stage.keep(prefix + "_text");

        driver.key(ctrl(Key::F));
        driver.type("tile");
        driver.park_pointer();
        stage.keep(prefix + "_find");
        driver.key(plain(Key::Escape));

        tiled.buffer().type("// mine\n");
        tiled.refresh();
        program.folder.write("03_tiled.cl", changed_text());
        tiled.look_at_disk();
        driver.click("source/close/1");
        driver.park_pointer();
        stage.keep(prefix + "_banners");
        driver.click("source/keep_open");
        driver.click("source/take_theirs");

        tiled.buffer().undo();
        tiled.refresh();
        program.state.beside = 2;
        driver.park_pointer();
        CHECK(driver.has("source/diff"));
        stage.keep(prefix + "_side_by_side");
    }
}

}  // namespace
}  // namespace kwb::test
