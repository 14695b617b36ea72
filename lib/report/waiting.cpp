#include "report/waiting.hpp"

#include <fmt/format.h>

namespace kwb {

std::string waiting_words(const Progress& progress) {
    if (progress.elapsed_ms < 1000) return "";
    std::string words = fmt::format("{:.0f} s", progress.elapsed_ms / 1000);
    if (progress.limit_ms) words += fmt::format(" of at most {:g} s", *progress.limit_ms / 1000);
    return words;
}

}  // namespace kwb
