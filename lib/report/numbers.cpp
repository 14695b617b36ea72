// SPDX-License-Identifier: Apache-2.0
#include "report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "plot/numbers.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

/// The number of decimals that gives `value` three significant digits after rounding; 0 from 100 on, at
/// most 8.
int decimals_for(double value) {
    const double size = std::abs(value);
    if (size == 0) return 0;
    for (int decimals = 8; decimals > 0; --decimals)
        if (std::round(size * std::pow(10.0, decimals)) < 1000) return decimals;
    return 0;
}

/// `value` rounded down to `decimals` decimals. The tolerance keeps a value that is already such a number,
/// apart from floating-point error. rounded_up() rounds up in the same way.
double rounded_down(double value, int decimals) {
    const double steps = value * std::pow(10.0, decimals);
    return std::floor(steps * (1 + 1e-12)) / std::pow(10.0, decimals);
}

double rounded_up(double value, int decimals) {
    const double steps = value * std::pow(10.0, decimals);
    return std::ceil(steps * (1 - 1e-12)) / std::pow(10.0, decimals);
}

using Kind = ResultFigure::Kind;

/// Larger than any real measurement. Such values come from corrupt records and can have hundreds of digits.
constexpr double kAbsurd = 1e9;

constexpr std::array kFigures = {
    ResultFigure{"build", Kind::Cost, 2, &KernelResult::build_ms},
    ResultFigure{"1st run", Kind::Cost, 3, &KernelResult::first_run_ms},
    ResultFigure{"GFLOP/s", Kind::Rate, 4, &KernelResult::gflops},
    ResultFigure{"GB/s", Kind::Rate, 1, &KernelResult::gbytes_s},
};

}  // namespace

std::string format_digits(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (value != 0 && std::abs(value) < 1e-6) return fmt::format("{:.2e}", value);
    return fmt::format("{:.{}f}", value, decimals_for(value));
}

std::string format_time_ms(double time_ms, const std::optional<Interval>& interval_ms) {
    if (!std::isfinite(time_ms)) return format_digits(time_ms);
    const auto [per_ms, unit] = plot::choose_unit("ms", time_ms);
    const double value = time_ms * per_ms;
    const int decimals = decimals_for(value);
    const std::string text = fmt::format("{:.{}f} {}", value, decimals, unit);
    if (!interval_ms) return text;
    return fmt::format("{} ({:.{}f} – {:.{}f})", text, interval_ms->low * per_ms, decimals,
                       interval_ms->high * per_ms, decimals);
}

std::string rough_duration(double ms) {
    if (ms < 90e3) return fmt::format("{:.0f} s", ms / 1e3);
    return ms < 90 * 60e3 ? fmt::format("{:.0f} min", ms / 60e3) : fmt::format("{:.1f} h", ms / 3600e3);
}

std::string format_time_interval_ms(double time_ms, const Interval& interval_ms) {
    if (!std::isfinite(time_ms) || !(interval_ms.high < kAbsurd))
        return plot::format_interval(interval_ms, "ms");
    const double per_ms = plot::choose_unit("ms", time_ms).factor;
    const int decimals = decimals_for(time_ms * per_ms);
    return fmt::format("{:.{}f} – {:.{}f}", interval_ms.low * per_ms, decimals, interval_ms.high * per_ms,
                       decimals);
}

bool is_undecided(const Speedup& speedup) {
    return !speedup.interval || (speedup.interval->low <= 1 && 1 <= speedup.interval->high);
}

RatioTexts ratio_texts(const Speedup& speedup) {
    const double low = speedup.interval.value().low, high = speedup.interval->high;
    // The last decimal shown is at most half the interval's width.
    const double half_width = (high - low) / 2;
    int decimals = speedup.value >= 99.5 ? 0 : 1;
    while (decimals < 3 && std::pow(10.0, -decimals) > half_width * (1 + 1e-9)) ++decimals;
    // From 10 on show about three significant digits, so one decimal or none.
    if (speedup.value >= 10) decimals = std::min(decimals, speedup.value >= 99.5 ? 0 : 1);
    // A figure that differs from 1 is never rounded to 1. The ends have at least the decimals of the value.
    const auto refined = [&](int of, auto&& round_to) {
        constexpr int kMostDecimals = 9;
        const auto is_hidden = [&](double shown) { return speedup.value > 1 ? shown <= 1 : shown >= 1; };
        while (!is_undecided(speedup) && of < kMostDecimals && is_hidden(round_to(of))) ++of;
        return of;
    };
    const auto text = [](double number, int of) { return fmt::format("{:.{}f}", number, of); };
    const int of_value = refined(decimals, [&](int of) { return std::stod(text(speedup.value, of)); });
    const int of_low = refined(of_value, [&](int of) { return rounded_down(low, of); });
    const int of_high = refined(of_value, [&](int of) { return rounded_up(high, of); });
    return {text(speedup.value, of_value),
            text(rounded_down(low, of_low), of_low) + " – " + text(rounded_up(high, of_high), of_high)};
}

std::string format_change(double time_ms, double other_ms) {
    const double percent = std::round(100 * (time_ms / other_ms - 1));
    if (percent == 0) return "± 0 %";
    return fmt::format("{}{:.0f} %", percent > 0 ? "+" : "\u2212", std::abs(percent));
}

std::string format_speedup(const Speedup& speedup, Wording wording) {
    if (!speedup.interval)
        return wording == Wording::Full ? "too few rounds for an interval" : "too few rounds";
    if (is_undecided(speedup))
        return stats::is_clear(*speedup.interval) ? "no difference seen" : "too noisy to compare";
    const RatioTexts texts = ratio_texts(speedup);
    return fmt::format("{} ({})", texts.value, texts.interval);
}

std::string bar(double share, unsigned cells) {
    constexpr std::array<const char*, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (!(share > 0)) return "";
    const double eighths_wanted = std::round(std::min(share, 1.0) * cells * 8);
    const auto eighths = std::max(1u, static_cast<unsigned>(eighths_wanted));
    std::string text;
    for (unsigned i = 0; i < eighths / 8; ++i) text += "█";
    return text + kEighths[eighths % 8];
}

std::string format_error_share(double share) {
    if (!std::isfinite(share)) return "-";
    if (share > 1) return format_digits(share) + " × the bound";
    return format_digits(share * 100) + " % of bound";
}

std::string waiting_words(const Progress& progress) {
    if (progress.elapsed_ms < 1000) return "";
    std::string words = fmt::format("{:.0f} s", progress.elapsed_ms / 1000);
    if (progress.limit_ms) words += fmt::format(" of at most {:g} s", *progress.limit_ms / 1000);
    return words;
}

std::string starting_words(const DeviceList& list) {
    if (list.starting.empty()) return "";
    const StartingDriver& driver = list.starting.front();
    return fmt::format("waiting for the driver {}, {:.0f} s of at most {:g} s",
                       driver.driver_file.substr(driver.driver_file.rfind('/') + 1), driver.waited_ms / 1000,
                       driver.most_ms / 1000);
}

std::span<const ResultFigure> result_figures() {
    return kFigures;
}

std::string figure_text(const ResultFigure& figure, const KernelResult& result) {
    const std::optional<double>& value = result.*figure.value;
    if (!value) return "";
    const bool is_cost = figure.kind == Kind::Cost;
    if (!(std::abs(*value) < kAbsurd))
        return is_cost ? plot::format_value(*value, "ms") : plot::format_number(*value);
    return is_cost ? format_time_ms(*value) : format_digits(*value);
}

}  // namespace kwb
