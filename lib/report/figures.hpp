// The figures of a result that have a column of their own, in the terminal, the window and the HTML page
// alike.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/result.hpp"

namespace kwb {

/// A new figure is one line in figures.cpp.
struct ResultFigure {
    enum class Kind {
        Cost,  ///< milliseconds that are spent once; stands before the median, or after everything else
        Rate   ///< per second; stands after the median
    };
    const char* id;      ///< "first_run", for what addresses a column
    const char* header;  ///< "1st run"
    Kind kind;
    unsigned worth;  ///< where there is no room, columns of lower worth are dropped first
    std::optional<double> KernelResult::*value;
};

/// In the order of columns.
std::span<const ResultFigure> result_figures();

/// "12.3 ms", "45.6"; empty if the figure was not measured. An absurd number of a broken record stays short.
std::string figure_text(const ResultFigure& figure, const KernelResult& result);

}  // namespace kwb
