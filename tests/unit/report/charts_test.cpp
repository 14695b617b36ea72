// SPDX-License-Identifier: Apache-2.0
#include "report/charts.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "plot/draw.hpp"
#include "sample.hpp"

using namespace kwb;

namespace {

using Results = std::vector<KernelResult>;
using Labels = std::vector<std::string>;

struct Sample {
    Results results = {sample::naive(), sample::tiled(), sample::wrong(), sample::rejected()};
    Labels labels = {"naive", "tiled", "unguarded", "mine"};

    ChartedRun run(std::size_t baseline = 0) const { return {results, labels, baseline, "Some CPU"}; }
};

const plot::Bar& only_bar(const plot::Chart& chart, std::size_t series) {
    return std::get<plot::Bars>(chart.series.at(series).data).bars.at(0);
}

bool notes_say(const plot::Chart& chart, std::string_view words) {
    for (const std::string& note : chart.notes)
        if (note.find(words) != std::string::npos) return true;
    return false;
}

/// Check that the chart can be rendered.
void draw_it(const plot::Chart& chart) {
    CHECK(plot::render_svg(chart).find("<svg") != std::string::npos);
}

std::vector<double> around(double value, std::size_t n) {
    std::vector<double> samples;
    for (std::size_t i = 0; i < n; ++i) samples.push_back(value * (1 + 0.001 * static_cast<double>(i % 5)));
    return samples;
}

}  // namespace

TEST_CASE("times: one bar a kernel in its own colour, with interval and samples, or its verdict") {
    const Sample sample;
    const plot::Chart chart = time_chart(sample.run());
    REQUIRE(chart.series.size() == 4);
    CHECK(chart.y.categories == sample.labels);
    CHECK(chart.x.unit == "ms");
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(chart.series[i].color_slot == i);
        CHECK(chart.series[i].name == sample.labels[i]);
        CHECK(only_bar(chart, i).category == i);
    }
    CHECK(only_bar(chart, 0).value == 12.3);
    CHECK(only_bar(chart, 0).interval == Interval{12.1, 12.6});
    CHECK(only_bar(chart, 0).samples.size() == 6);
    CHECK(!only_bar(chart, 2).value);
    CHECK(only_bar(chart, 2).missing == "wrong");
    CHECK(only_bar(chart, 3).missing == "compile error");
    CHECK(notes_say(chart, "6 rounds per kernel"));
    CHECK(notes_say(chart, "95 % intervals of the median, within this run"));
    CHECK(notes_say(chart, "Some CPU"));
    draw_it(chart);
}

TEST_CASE("a chart becomes logarithmic and linear again, and says what that means") {
    const Sample sample;
    plot::Chart chart = time_chart(sample.run());
    CHECK(!is_logarithmic(chart));
    set_logarithmic(chart, true);
    CHECK(is_logarithmic(chart));
    CHECK(chart.x.kind == plot::ScaleKind::Log10);
    CHECK(notes_say(chart, "dots replace bars"));
    draw_it(chart);
    set_logarithmic(chart, false);
    CHECK(chart.x.kind == plot::ScaleKind::Linear);
    CHECK(chart.x.from_zero);
    plot::Chart speedup = speedup_chart(sample.run());
    set_logarithmic(speedup, true);
    draw_it(speedup);

    const Labels labels = {"naive", "tiled"};
    const std::vector<Sizes> sizes = {{{"N", 64}}, {{"N", 128}}};
    const std::vector<Results> results(2, Results{sample::naive(), sample::tiled()});
    plot::Chart speed = sweep_chart({sizes, results, labels, ""});
    CHECK(!is_logarithmic(speed));
    set_logarithmic(speed, true);
    CHECK(speed.y.kind == plot::ScaleKind::Log10);
    CHECK(!notes_say(speed, "bars"));
    draw_it(speed);
    std::vector<Results> wide = results;
    wide[0][0].gflops = *wide[1][1].gflops / 31;
    CHECK(is_logarithmic(sweep_chart({sizes, wide, labels, ""})));
    plot::Chart time = sweep_chart({sizes, results, labels, ""}, SweepMeasure::Time);
    CHECK(is_logarithmic(time));
    set_logarithmic(time, false);
    CHECK(time.y.from_zero);
    draw_it(time);
}

TEST_CASE("times are in a unit that suits the longest") {
    Sample sample;
    for (KernelResult& result : sample.results) {
        if (!result.median_ms) continue;
        *result.median_ms /= 1000;
        for (double& sample_ms : result.samples_ms) sample_ms /= 1000;
        result.ci95_ms = Interval{*result.median_ms * 0.5, *result.median_ms * 2};
    }
    const plot::Chart chart = time_chart(sample.run());
    const std::string picture = plot::render_svg(chart);
    CHECK(picture.find(">time of one run [µs]</text>") != std::string::npos);
    CHECK(picture.find(">12.3 µs</text>") != std::string::npos);
    CHECK(only_bar(chart, 0).interval->high == doctest::Approx(0.0246));
}

TEST_CASE("a time of a kernel that gave a wrong answer is not shown") {
    Sample sample;
    sample.results[1].verdict = Verdict::OutOfBounds;
    CHECK(only_bar(time_chart(sample.run()), 1).missing == "out of bounds");
    CHECK(!only_bar(time_chart(sample.run()), 1).value);
    CHECK(only_bar(speedup_chart(sample.run()), 1).missing == "out of bounds");
    CHECK(rounds_chart(sample.run()).series.size() == 2);  // naive, and the line at 0
}

TEST_CASE("an earlier run is a ghost of the bars with the same labels") {
    const Sample sample;
    Sample other;
    other.results = {sample::tiled(), sample::naive()};
    other.labels = {"tiled", "gone"};
    ChartedRun before = other.run();
    before.name = "12:30";
    const plot::Chart chart = time_chart(sample.run(), &before);
    REQUIRE(chart.series.size() == 5);
    CHECK(chart.series[4].name == "12:30");
    CHECK(chart.series[4].color_slot == 1);
    CHECK(chart.series[4].ghost);
    CHECK(chart.series[4].in_legend);
    CHECK(!chart.series[1].in_legend);
    const auto& bars = std::get<plot::Bars>(chart.series[4].data).bars;
    REQUIRE(bars.size() == 1);
    CHECK(bars[0].category == 1);
    CHECK(notes_say(chart, "drift between them"));
    draw_it(chart);
    other.labels = {"a", "b"};
    before.labels = other.labels;
    CHECK(notes_say(time_chart(sample.run(), &before), "12:30: it has no time for any of these"));
    other.labels = {"tiled", "naive"};
    other.results[0].verdict = Verdict::Wrong;
    before.labels = other.labels;
    CHECK(time_chart(sample.run(), &before).series.size() == 5);  // a wrong result has no time
}

TEST_CASE("without results every chart says what to do") {
    const ChartedRun none{};
    for (const plot::Chart& chart :
         {time_chart(none), distribution_chart(none), rounds_chart(none), speedup_chart(none),
          phases_chart(none), sweep_chart({}), roofline_chart(none, {}), error_map_chart({}, "mine")}) {
        CAPTURE(chart.title);
        CHECK(!plot::has_data(chart));
        CHECK(chart.empty_text != "");
        draw_it(chart);
    }
}

TEST_CASE("a run in which nothing was timed has no axis, but says why") {
    Sample sample;
    for (KernelResult& result : sample.results) result = sample::wrong();
    for (const plot::Chart& chart : {time_chart(sample.run()), distribution_chart(sample.run()),
                                     rounds_chart(sample.run()), speedup_chart(sample.run())}) {
        CAPTURE(chart.title);
        CHECK(!plot::has_data(chart));
        CHECK(chart.empty_text ==
              "No kernel was timed. The verdicts give the reasons. Fix one and run again.");
    }
    for (KernelResult& result : sample.results) result.verdict = Verdict::Skipped;
    CHECK(time_chart(sample.run()).empty_text == "The run ended before any kernel was timed. Run it again.");
}

TEST_CASE("labels that do not fit the results are refused") {
    Sample sample;
    sample.labels.pop_back();
    CHECK_THROWS_AS(time_chart(sample.run()), ContractError);
    CHECK_THROWS_AS(roofline_chart(sample.run(), {}), ContractError);
}

TEST_CASE("distribution: a box of the samples with the median's interval, or the verdict") {
    const Sample sample;
    const plot::Chart chart = distribution_chart(sample.run());
    const plot::Bar& box = only_bar(chart, 0);
    CHECK(chart.x.unit == "%");
    CHECK(box.spread);
    CHECK(*box.value == doctest::Approx(0));
    REQUIRE(box.samples.size() == 6);
    CHECK(box.samples[0] == doctest::Approx(100 * (12.2 / 12.3 - 1)));
    REQUIRE(box.interval);
    CHECK(box.interval->low == doctest::Approx(100 * (12.1 / 12.3 - 1)));
    CHECK(only_bar(chart, 2).missing == "wrong");
    draw_it(chart);
}

TEST_CASE("rounds: fast and slow kernels show the same drift alike") {
    Sample sample;
    sample.results.resize(2);
    sample.labels.resize(2);
    for (KernelResult& result : sample.results) {
        result.samples_ms.clear();
        for (const double drift : {0.9, 0.95, 1.0, 1.05, 1.1})
            result.samples_ms.push_back(drift * *result.median_ms);
    }
    const plot::Chart chart = rounds_chart(sample.run());
    const auto& slow = std::get<plot::Line>(chart.series.at(0).data).points;
    const auto& fast = std::get<plot::Line>(chart.series.at(1).data).points;
    REQUIRE(slow.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(slow[i].x == static_cast<double>(i + 1));
        CHECK(slow[i].y == doctest::Approx(fast[i].y));
    }
    CHECK(slow[0].y == doctest::Approx(-10));
    CHECK(std::holds_alternative<plot::Rule>(chart.series.at(2).data));
    draw_it(chart);
}

TEST_CASE("speed-ups are made of the ratios within each round, against any baseline") {
    Sample sample;
    sample.results[0].samples_ms = around(12, 20);
    sample.results[1].samples_ms = around(3, 12);
    const plot::Chart chart = speedup_chart(sample.run());
    CHECK(chart.subtitle.find("against naive") != std::string::npos);
    CHECK(only_bar(chart, 0).value == 1);
    CHECK(!only_bar(chart, 0).interval);
    CHECK(*only_bar(chart, 1).value == doctest::Approx(4));
    CHECK(only_bar(chart, 1).interval->contains(4));
    CHECK(only_bar(chart, 1).samples.size() == 12);
    CHECK(only_bar(chart, 3).missing == "compile error");
    const auto& one = std::get<plot::Rule>(chart.series.back().data);
    CHECK(one.kind == plot::Rule::Kind::Vertical);
    CHECK(one.value == 1);
    draw_it(chart);
    CHECK(*only_bar(speedup_chart(sample.run(1)), 0).value == doctest::Approx(0.25));

    sample.results[1].samples_ms = around(12, 12);
    CHECK(notes_say(speedup_chart(sample.run()), "No difference seen: tiled"));
}

TEST_CASE("a ratio without interval, and a baseline without time, are no speed-up") {
    Sample sample;
    sample.results[1].samples_ms = {2.4, 2.5};
    CHECK(only_bar(speedup_chart(sample.run()), 1).missing == "too few rounds");
    CHECK(!only_bar(speedup_chart(sample.run()), 1).value);
    const plot::Chart chart = speedup_chart(sample.run(2));
    CHECK(!plot::has_data(chart));
    CHECK(chart.empty_text == "The baseline unguarded has no time (wrong). Choose another baseline.");
}

TEST_CASE("phases: a group a phase, logarithmic where they are far apart, a verdict where one got stuck") {
    const Sample sample;
    const plot::Chart chart = phases_chart(sample.run());
    CHECK(chart.x.kind == plot::ScaleKind::Log10);
    CHECK(chart.y.categories ==
          Labels{"build", "to the device", "first run", "later run", "from the device"});
    const auto& tiled = std::get<plot::Bars>(chart.series.at(1).data).bars;
    REQUIRE(tiled.size() == 5);
    CHECK(chart.x.unit == "ms");
    CHECK(*tiled[0].value == 130.4);
    CHECK(*tiled[3].value == 2.41);
    const auto& wrong = std::get<plot::Bars>(chart.series.at(2).data).bars;
    REQUIRE(wrong.size() == 5);
    CHECK(wrong[3].missing == "unguarded: wrong");
    const auto& rejected = std::get<plot::Bars>(chart.series.at(3).data).bars;
    REQUIRE(rejected.size() == 1);
    CHECK(rejected[0].category == 0);
    CHECK(rejected[0].missing == "mine: compile error");
    draw_it(chart);
}

TEST_CASE("a sweep is a line a kernel over the size, with bands, gaps and their reasons") {
    const Labels labels = {"naive", "tiled"};
    const std::vector<Sizes> sizes = {{{"M", 512}, {"N", 512}, {"K", 512}},
                                      {{"M", 64}, {"N", 64}, {"K", 64}},
                                      {{"M", 128}, {"N", 128}, {"K", 128}}};
    const std::vector<Results> results = {{sample::naive(), sample::tiled()},
                                          {sample::naive(), sample::wrong()}};
    const plot::Chart chart = sweep_chart({sizes, results, labels, "Some CPU"});
    CHECK(chart.x.kind == plot::ScaleKind::Log2);
    CHECK(chart.x.label == "size M = N = K");
    CHECK(chart.y.unit == "GFLOP/s");
    const auto& naive = std::get<plot::Line>(chart.series.at(0).data).points;
    REQUIRE(naive.size() == 2);
    CHECK(naive[0].x == 64);
    CHECK(naive[1].x == 512);
    CHECK(naive[1].y == 21.82);
    CHECK(naive[1].band->low == doctest::Approx(21.82 * 12.3 / 12.6));
    CHECK(naive[1].band->high == doctest::Approx(21.82 * 12.3 / 12.1));
    CHECK(std::isnan(std::get<plot::Line>(chart.series.at(1).data).points.at(0).y));
    CHECK(notes_say(chart, "tiled: wrong at 64."));
    draw_it(chart);
    CHECK(sweep_chart({sizes, results, labels, ""}, SweepMeasure::Time).y.unit == "ms");
}

TEST_CASE(
    "an earlier sweep is dashed, in the colours of the same kernels, over one axis with the present one") {
    const Labels labels = {"naive", "tiled"}, earlier_labels = {"tiled", "gone"};
    const std::vector<Sizes> sizes = {{{"M", 64}, {"N", 64}}, {{"M", 128}, {"N", 128}}},
                             earlier_sizes = {{{"M", 32}, {"N", 64}}};
    const std::vector<Results> results(2, Results{sample::naive(), sample::tiled()});
    const std::vector<Results> earlier_results = {{sample::tiled(), sample::wrong()}};
    const ChartedSweep earlier{earlier_sizes, earlier_results, earlier_labels, "", "sweep of 14:02"};
    const plot::Chart chart = sweep_chart({sizes, results, labels, ""}, SweepMeasure::Auto, &earlier);
    REQUIRE(chart.series.size() == 4);
    CHECK(chart.series[2].name == "sweep of 14:02");
    CHECK(chart.series[2].subject == "tiled");
    CHECK(chart.series[2].ghost);
    CHECK(!chart.series[1].ghost);
    CHECK(chart.series[2].color_slot == 1);
    CHECK(chart.series[3].color_slot == 2);
    const auto& line = std::get<plot::Line>(chart.series[2].data);
    CHECK(line.dashed);
    CHECK(!line.points.at(0).band);
    CHECK(!std::get<plot::Line>(chart.series[1].data).dashed);
    CHECK(chart.x.label == "geometric mean of M and N");
    CHECK(line.points[0].x == doctest::Approx(std::sqrt(32.0 * 64.0)));
    CHECK(notes_say(chart, "gone, sweep of 14:02: wrong at M=32 N=64."));
    CHECK(notes_say(chart, "Dashed: sweep of 14:02;"));
    draw_it(chart);
}

TEST_CASE("a sweep over one extent is drawn over that one, over several over their mean") {
    const Labels labels = {"naive"};
    const std::vector<Results> results(2, Results{sample::naive()});
    std::vector<Sizes> sizes = {{{"M", 64}, {"N", 16}}, {{"M", 128}, {"N", 16}}};
    plot::Chart chart = sweep_chart({sizes, results, labels, ""});
    CHECK(chart.x.label == "size M");
    CHECK(std::get<plot::Line>(chart.series.at(0).data).points.at(1).x == 128);
    sizes[1].back().value = 32;
    chart = sweep_chart({sizes, results, labels, ""});
    CHECK(chart.x.label == "geometric mean of M and N");
    CHECK(std::get<plot::Line>(chart.series.at(0).data).points.at(1).x == doctest::Approx(64));
}

TEST_CASE("a problem without arithmetic is swept in GB/s") {
    const Labels labels = {"copy"};
    KernelResult copy = sample::naive();
    copy.gflops = std::nullopt;
    const std::vector<Sizes> sizes = {{{"N", 64}}};
    const std::vector<Results> results = {{copy}};
    CHECK(sweep_chart({sizes, results, labels, ""}).y.unit == "GB/s");
}

TEST_CASE("the roofline has two ceilings that meet at the ridge, and kernels at their intensity") {
    const Sample sample;
    const plot::Chart chart = roofline_chart(sample.run(), {200.0, 20.0});
    REQUIRE(chart.series.size() == 4);  // naive, tiled, two ceilings
    const auto& point = std::get<plot::ScatterPoint>(chart.series[1].data);
    CHECK(chart.series[1].color_slot == 1);
    CHECK(point.x == doctest::Approx(111.4 / 1.305));
    CHECK(point.y == 111.4);
    CHECK(point.label == "tiled");
    CHECK(point.interval);
    const auto& roof = std::get<plot::Rule>(chart.series[2].data);
    const auto& slope = std::get<plot::Rule>(chart.series[3].data);
    CHECK(roof.value == 200);
    CHECK(roof.from == 10.0);
    CHECK(slope.value == 20);
    CHECK(slope.to == 10.0);
    CHECK(*chart.x.low < 10);
    CHECK(*chart.x.high > point.x);
    draw_it(chart);
    const plot::Chart bare = roofline_chart(sample.run(), {});
    CHECK(bare.series.size() == 2);
    CHECK(notes_say(bare, "Measure the device's ceilings"));
    draw_it(bare);
    draw_it(roofline_chart({}, {200.0, 20.0}));
}

TEST_CASE("a kernel that X-ray observed has a second point on the roofline, and a note says what it is") {
    const Sample sample;
    ChartedRun run = sample.run();
    const double flops = 111.4e6 * *sample.results[1].median_ms;
    run.sector_bytes = {std::nullopt, flops / 4};
    const plot::Chart chart = roofline_chart(run, {200.0, 20.0});
    REQUIRE(chart.series.size() == 5);
    const auto& observed = std::get<plot::ScatterPoint>(chart.series[2].data);
    CHECK(chart.series[2].color_slot == 1);
    CHECK(chart.series[2].ghost);
    CHECK(observed.label == "tiled, by X-ray");
    CHECK(observed.x == doctest::Approx(4));
    CHECK(observed.y == 111.4);
    CHECK(notes_say(chart, "without caches"));
    CHECK(!notes_say(roofline_chart(sample.run(), {200.0, 20.0}), "X-ray"));
    CHECK(!notes_say(chart, "lies above"));  // a ring above a ceiling is no fault
    run.sector_bytes = {0.0, 0.0, 0.0};
    CHECK(roofline_chart(run, {200.0, 20.0}).series.size() == 4);
    draw_it(chart);
}

TEST_CASE("what lies above a ceiling is named, with what may explain it") {
    const Sample sample;
    CHECK(!notes_say(roofline_chart(sample.run(), {200.0, 20.0}), "above the"));
    // tiled does 111.4 GFLOP/s and moves at least 1.305 GB/s, naive 21.82 and less.
    const plot::Chart memory = roofline_chart(sample.run(), {200.0, 1.2});
    CHECK(notes_say(memory, "tiled lies above the memory ceiling"));
    CHECK(!notes_say(memory, "compute ceiling"));
    const plot::Chart compute = roofline_chart(sample.run(), {10.0, 0.1});
    CHECK(notes_say(compute, "naive and tiled lie above the compute ceiling"));
    CHECK(!notes_say(compute, "memory ceiling"));
    Sample noisy;
    noisy.results[1].ci95_ms = Interval{1, 4};  // of 2.41 ms: it may be below 100 GFLOP/s
    CHECK(!notes_say(roofline_chart(noisy.run(), {100.0, 20.0}), "above the"));
}

TEST_CASE("a run under way shows the times that there are, and names no verdict") {
    Sample sample;
    sample.results = {sample::naive(), sample::tiled(), sample::naive(), {}};
    for (KernelResult& result : sample.results) {
        result.judged = false;
        result.verdict = Verdict::Skipped;
    }
    sample.results[2].samples_ms = {12.5};  // the first round
    sample.results[2].median_ms = 12.5;
    sample.results[2].ci95_ms.reset();
    const ChartedRun run = sample.run();
    const plot::Chart times = time_chart(run);
    CHECK(only_bar(times, 0).value == 12.3);
    CHECK(only_bar(times, 0).samples.size() == 6);
    CHECK(only_bar(times, 2).value == 12.5);
    CHECK(!only_bar(times, 2).interval);
    CHECK(only_bar(times, 3).missing == "not yet timed");
    CHECK(notes_say(times, "1 to 6 rounds"));
    CHECK(notes_say(times, "no kernel is judged yet"));
    CHECK(rounds_chart(run).series.size() == 4);  // three lines and the zero
    const plot::Chart distribution = distribution_chart(run);
    CHECK(only_bar(distribution, 2).samples.size() == 1);
    CHECK(only_bar(distribution, 3).missing == "not yet timed");
    const plot::Chart speedup = speedup_chart(run);
    CHECK(only_bar(speedup, 0).value == 1);
    CHECK(only_bar(speedup, 1).interval);
    CHECK(only_bar(speedup, 2).missing == "too few rounds");
    CHECK(only_bar(speedup, 3).missing == "not yet timed");
    CHECK(speedup_chart(sample.run(3)).empty_text ==
          "The comparison appears once the baseline mine has been timed.");
    CHECK(error_map_chart(sample.results[0], "naive").empty_text ==
          "The error map of naive appears at the end of the run.");
    for (const plot::Chart& chart :
         {times, rounds_chart(run), distribution, speedup, phases_chart(run), roofline_chart(run, {})})
        draw_it(chart);
}

TEST_CASE("the error map stands for the indices of its buffer") {
    KernelResult wrong = sample::wrong();
    CHECK(!plot::has_data(error_map_chart(wrong, "unguarded")));
    wrong.error_map = ErrorMap{"C", 2, 4, {0, 0.1f, 0.5f, 1, 2, 3, INFINITY, 0}, MapExtents{8, 10}};
    wrong.wrong_elements = 1700;
    const plot::Chart chart = error_map_chart(wrong, "unguarded");
    CHECK(chart.title == "Errors in C of unguarded");
    const auto& map = std::get<plot::HeatMap>(chart.series.at(0).data);
    CHECK(map.rows == 2);
    CHECK(map.columns == 4);
    CHECK(map.rows_a_cell == 4);
    CHECK(map.columns_a_cell == 2.5);
    CHECK(notes_say(chart, "1,700 wrong elements in all"));
    CHECK(notes_say(chart, "Beyond any bound: never written"));
    draw_it(chart);
    wrong.error_map->extents.reset();  // a record from before the extents were stored: indices count cells
    const plot::Chart coarse = error_map_chart(wrong, "unguarded");
    CHECK(std::get<plot::HeatMap>(coarse.series.at(0).data).rows_a_cell == 1);
    CHECK(coarse.x.label == "column of cells");
    wrong.error_map->worst_share.pop_back();
    CHECK(!plot::has_data(error_map_chart(wrong, "unguarded")));
}
