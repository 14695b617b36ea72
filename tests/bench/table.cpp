#include "table.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "stats/interval.hpp"

namespace kwb::bench {
namespace {

std::string load_average() {
    double loads[3] = {};
    if (::getloadavg(loads, 3) != 3) return "unknown";
    return fmt::format("{:.2f} {:.2f} {:.2f}", loads[0], loads[1], loads[2]);
}

}  // namespace

std::string describe(std::span<const double> values, const char* unit) {
    std::string text = fmt::format("median {:.4g} {}", stats::median(values), unit);
    if (const auto interval = stats::median_interval(values))
        text += fmt::format(" ({:.4g} to {:.4g})", interval->low, interval->high);
    return text + fmt::format(", worst {:.4g}, n = {}", std::ranges::max(values), values.size());
}

void print_heading(const std::string& device, const std::string& host) {
    fmt::print("Measured {:%Y-%m-%d %H:%M} UTC\n\n* device: {}\n* host: {}, {} cores\n* load average: {}\n\n",
               fmt::gmtime(std::time(nullptr)), device, host, std::thread::hardware_concurrency(),
               load_average());
}

void print_rows(const std::vector<Row>& rows) {
    fmt::print("| goal | limit | measured | met? |\n|---|---|---|---|\n");
    for (const Row& row : rows)
        fmt::print("| {} | {} | {} | {} |\n", row.goal, row.limit, row.measured, row.met ? "yes" : "**no**");
    fmt::print("\nLoad average at the end: {}\n", load_average());
}

void announce(const std::string& what) {
    fmt::print(stderr, "bench: {}\n", what);
}

}  // namespace kwb::bench
