#include "report/waiting.hpp"

#include <fmt/format.h>

namespace kwb {

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

}  // namespace kwb
