#include "judge/verify/unchecked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "judge/in_steps.hpp"

namespace kwb {

std::vector<std::string> describe_unchecked(const PassData& data, const Checkpoint& checkpoint) {
    std::vector<std::string> sentences;
    for (const auto& [name, reference] : data.outputs) {
        std::ptrdiff_t unfinite = 0;
        in_steps(reference.expected.size(), checkpoint,
                 [&, &values = reference.expected](std::size_t first, std::size_t count) {
                     const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
                     unfinite += std::count_if(begin, begin + static_cast<std::ptrdiff_t>(count),
                                               [](double value) { return !std::isfinite(value); });
                 });
        if (unfinite > 0)
            sentences.push_back(fmt::format(
                "{} of {} expected values of {} are not finite: nothing but that is checked there; fill the "
                "inputs with other numbers to see more",
                unfinite, reference.expected.size(), name));
    }
    return sentences;
}

}  // namespace kwb
