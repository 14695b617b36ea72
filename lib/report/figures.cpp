#include "report/figures.hpp"

#include <array>
#include <cmath>

#include "plot/numbers.hpp"
#include "report/numbers.hpp"

namespace kwb {
namespace {

using Kind = ResultFigure::Kind;

/// Larger than any real measurement. Such values come from corrupt records and can have hundreds of digits.
constexpr double kAbsurd = 1e9;

constexpr std::array kFigures = {
    ResultFigure{"build", "build", Kind::Cost, 2, &KernelResult::build_ms},
    ResultFigure{"first_run", "1st run", Kind::Cost, 3, &KernelResult::first_run_ms},
    ResultFigure{"gflops", "GFLOP/s", Kind::Rate, 4, &KernelResult::gflops},
    ResultFigure{"gbytes_s", "GB/s", Kind::Rate, 1, &KernelResult::gbytes_s},
};

}  // namespace

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
