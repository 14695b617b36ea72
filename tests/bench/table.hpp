// One row of the table for each goal.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace kwb::bench {

struct Row {
    std::string goal;
    std::string limit;
    std::string measured;
    bool met = false;
};

/// "median 12.3 ms (12.1 to 12.6), worst 15.0, n = 20": the interval is of the median, 95 %.
/// @param values  at least one
std::string describe(std::span<const double> values, const char* unit);

/// The table in Markdown, with its date and the machine's load.
void print_heading(const std::string& device, const std::string& host);
void print_rows(const std::vector<Row>& rows);

/// What goes on, to stderr.
void announce(const std::string& what);

}  // namespace kwb::bench
