// The figures of a result that have their own column in the terminal, the window and the HTML page.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/result.hpp"

namespace kwb {

/// To add a figure, add one line to figures.cpp.
struct ResultFigure {
    enum class Kind {
        Cost,  ///< one-time cost in milliseconds; shown before the median, or after all other columns
        Rate   ///< per second; shown after the median
    };
    const char* id;      ///< "first_run", identifies the column
    const char* header;  ///< "1st run"
    Kind kind;
    unsigned worth;  ///< columns of lower worth are dropped first if there is no room
    std::optional<double> KernelResult::*value;
};

/// In the order of columns.
std::span<const ResultFigure> result_figures();

/// "12.3 ms", "45.6"; empty if the figure was not measured. An absurdly large number from a corrupt record is
/// written in short form.
std::string figure_text(const ResultFigure& figure, const KernelResult& result);

}  // namespace kwb
