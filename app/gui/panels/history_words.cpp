#include "gui/panels/history_words.hpp"

#include <algorithm>
#include <ctime>

#include "base/text.hpp"
#include "report/numbers.hpp"

namespace kwb::gui {
namespace {

using Moment = std::chrono::system_clock::time_point;

std::tm local_parts(Moment when) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(when);
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    return parts;
}

std::string formatted(const std::tm& parts, const char* pattern) {
    char words[64] = "";
    std::strftime(words, sizeof words, pattern, &parts);
    return words;
}

const PastKernel* best_of(const RunSummary& run) {
    const PastKernel* best = nullptr;
    for (const PastKernel& kernel : run.kernels)
        if (kernel.verdict == Verdict::Correct && kernel.median_ms &&
            (best == nullptr || *kernel.median_ms < *best->median_ms))
            best = &kernel;
    return best;
}

}  // namespace

std::string short_time(Moment when, Moment now) {
    const std::tm then = local_parts(when), today = local_parts(now);
    if (then.tm_year == today.tm_year && then.tm_yday == today.tm_yday) return formatted(then, "%H:%M");
    std::string day = formatted(then, "%e %b");
    day.erase(0, day.find_first_not_of(' '));
    return then.tm_year == today.tm_year ? day : day + formatted(then, " %Y");
}

std::string long_time(Moment when) {
    return formatted(local_parts(when), "%d %B %Y, %H:%M");
}

std::string short_kernel_name(std::string_view kernel) {
    const std::size_t slash = kernel.rfind('/');
    if (slash != std::string_view::npos && slash + 1 < kernel.size()) kernel.remove_prefix(slash + 1);
    if (kernel.ends_with(".cl")) kernel.remove_suffix(3);
    return to_utf8(kernel);
}

std::string sizes_of(const RunSummary& run) {
    if (run.steps.size() < 2) return to_string(run.sizes);
    return to_string(run.steps.front()) + " to " + to_string(run.steps.back());
}

bool has_time(const RunSummary& run) {
    return !run.is_sweep() && best_of(run) != nullptr;
}

std::string outcome_of(const RunSummary& run) {
    if (run.is_sweep()) return counted(run.steps.size(), "size");
    const PastKernel* best = best_of(run);
    return best != nullptr ? format_time_ms(*best->median_ms) : "no time";
}

std::string details_of(const RunSummary& run) {
    std::string words = formatted(local_parts(run.when), "%A, %d %B %Y, %H:%M:%S") + "\n" + run.problem +
                        "  " + sizes_of(run) + "\n" + run.device +
                        (run.driver.empty() ? "" : ", driver " + run.driver);
    if (run.is_sweep()) words += "\nA sweep over " + counted(run.steps.size(), "size") + "; at the largest:";
    for (const PastKernel& kernel : run.kernels) {
        std::string verdict = to_string(kernel.verdict);
        std::replace(verdict.begin(), verdict.end(), '_', ' ');
        words += "\n" + kernel.kernel + ": " + verdict;
        if (kernel.verdict != Verdict::Correct && kernel.as_expected) words += ", as expected";
        if (kernel.median_ms) words += ", " + format_time_ms(*kernel.median_ms);
    }
    return words;
}

std::string export_name(const RunSummary& run) {
    std::string name = run.problem + (run.is_sweep() ? "-sweep" : "");
    for (const char c : "-" + sizes_of(run)) name += c == ' ' || c == '=' || c == '/' ? '-' : c;
    return name + formatted(local_parts(run.when), "-%Y-%m-%d");
}

}  // namespace kwb::gui
