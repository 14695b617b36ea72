// SPDX-License-Identifier: Apache-2.0
#include "ci/history.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/file.hpp"
#include "base/text.hpp"
#include "plot/chart.hpp"
#include "report/charts.hpp"
#include "report/html.hpp"
#include "report/numbers.hpp"
#include "stats/interval.hpp"
#include "store/keyed_file.hpp"

namespace kwb {

template <class Fields>
void describe(Fields& f, TestTimes::Run& run) {
    f("at_s", run.at_s, between(0, 1e11));
    f("median_ms", run.median_ms, between(0, 1e12));
}

template <class Fields>
void describe(Fields& f, TestTimes& times) {
    f("runs", times.runs, items(1, TestTimes::kMostRuns));
}

namespace {

constexpr std::size_t kMostLines = 8;  ///< of a chart

const KeyedFormat kFormat{"times of kwb ci", "1", false};

/// Times of different keys are never compared.
std::string key_of(const CiOutcome& outcome) {
    return join({outcome.name(), to_string(outcome.timed->size), outcome.where.device, outcome.where.driver,
                 outcome.where.host_cpu},
                "; ");
}

std::string day_of(std::int64_t at_s) {
    return fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(at_s)));
}

/// The times of some tests of a case, the newest at the right.
plot::Chart chart_of(const std::vector<const CiOutcome*>& outcomes,
                     const std::vector<const TestTimes*>& times) {
    plot::Chart chart;
    chart.title = outcomes.front()->about + ": the last runs";
    chart.x = {"run, 0 is the last one", "", plot::ScaleKind::Linear};
    chart.x.whole = true;
    chart.y = {"kernel time", "ms"};
    chart.y.from_zero = true;
    chart.label_lines = true;
    double least = 0, most = 0;
    std::int64_t first_s = times.front()->runs.front().at_s;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        plot::Line line;
        const auto& runs = times[i]->runs;
        for (std::size_t k = 0; k < runs.size(); ++k) {
            line.points.push_back(
                {static_cast<double>(k) - static_cast<double>(runs.size() - 1), runs[k].median_ms, {}});
            least = least > 0 ? std::min(least, runs[k].median_ms) : runs[k].median_ms;
            most = std::max(most, runs[k].median_ms);
        }
        first_s = std::min(first_s, runs.front().at_s);
        chart.series.push_back(
            {outcomes[i]->name().substr(outcomes[i]->about.size() + 1), i, std::move(line)});
    }
    chart.subtitle = fmt::format("lower is better; since {}", day_of(first_s));
    chart.notes.push_back(
        "Only runs of the same device, driver and kind of processor. Times of different days also differ by "
        "load, heat and updates: only --against decides whether a kernel became slower.");
    note_device(chart, outcomes.front()->where.device);
    if (most > kTooFarApart * least) set_logarithmic(chart, true);
    return chart;
}

double median_of_earlier(const std::vector<TestTimes::Run>& runs) {
    std::vector<double> all_ms;
    for (std::size_t i = 0; i + 1 < runs.size(); ++i) all_ms.push_back(runs[i].median_ms);
    return stats::median(all_ms);
}

}  // namespace

void require_times_file(const std::filesystem::path& file) try {
    require_writable(file);
    KeyedFile<TestTimes> kept(file, kFormat);
    kept.read();
    if (!kept.damage().empty())
        throw BadInput(kept.damage().front() + ". Remove this line, or give --record another file");
} catch (const OtherContent& error) {
    throw BadInput(std::string(error.what()) + ". Give --record a new file, or one that it has written");
}

std::vector<TestTimes> record_times(const std::filesystem::path& file, const std::vector<CiOutcome>& outcomes,
                                    std::int64_t now_s) {
    KeyedFile<TestTimes> kept(file, kFormat);
    std::vector<TestTimes> times;
    for (const CiOutcome& outcome : outcomes) {
        TestTimes& of_test = times.emplace_back();
        if (!outcome.timed || !outcome.timed->median_ms) continue;
        kept.change(key_of(outcome), [&](TestTimes& known) {
            if (known.runs.size() == TestTimes::kMostRuns) known.runs.erase(known.runs.begin());
            known.runs.push_back({now_s, *outcome.timed->median_ms});
            of_test = known;
        });
    }
    return times;
}

std::string outcomes_page(const std::vector<CiOutcome>& outcomes, const std::vector<TestTimes>& times,
                          const std::string& made) {
    using Column = XrayTable::Column;
    Column test{"test", false, {}}, state{"outcome", false, {}}, time{"time", true, {}},
        change{"of the earlier median", true, {}}, reason{"reason", false, {}};
    HtmlReport report{"kwb ci", made};
    std::vector<const CiOutcome*> shown;
    std::vector<const TestTimes*> shown_times;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const CiOutcome& outcome = outcomes[i];
        const auto runs = i < times.size() ? times[i].runs : std::vector<TestTimes::Run>{};
        std::string words(to_string(outcome.state));
        std::ranges::replace(words, '_', ' ');
        test.cells.push_back(outcome.name());
        state.cells.push_back(words);
        state.bad.push_back(outcome.state == CiState::Failed);
        time.cells.push_back(runs.empty() ? "" : format_time_ms(runs.back().median_ms));
        change.cells.push_back(
            runs.size() < 2 ? "" : fmt::format("{:.2f}", runs.back().median_ms / median_of_earlier(runs)));
        reason.cells.push_back(outcome.reason);
        if (!runs.empty()) {
            shown.push_back(&outcome);
            shown_times.push_back(&times[i]);
        }
        const bool is_last = i + 1 == outcomes.size() || outcomes[i + 1].about != outcome.about;
        if (shown.empty() || (!is_last && shown.size() < kMostLines)) continue;
        report.charts.push_back(chart_of(shown, shown_times));
        shown.clear();
        shown_times.clear();
    }
    std::vector<Column> columns = {test, state, time, change, reason};
    if (report.charts.empty()) columns.erase(columns.begin() + 2, columns.begin() + 4);
    report.tables.push_back({counted(outcomes.size(), "test"), std::move(columns)});
    return html_report(report);
}

}  // namespace kwb
