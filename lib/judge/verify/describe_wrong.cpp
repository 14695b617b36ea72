#include "judge/verify/describe_wrong.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kwb {

std::string describe_wrong(const OutputCheck& check, const BufferSpec& spec, std::string_view inputs) {
    const WrongElement& first = check.first_wrong.front();
    std::string sentence = fmt::format(
        "{}{} of {} elements of {} are wrong with {} inputs; the first{} is {}[{}]: expected {}, got {}",
        check.counted_all ? "" : "at least ", check.wrong, as_scalars(spec).elements(), spec.name, inputs,
        check.counted_all ? "" : " known", spec.name, fmt::join(first.index, "]["), check.first_words.first,
        check.unwritten == check.wrong ? "nothing" : check.first_words.second);
    if (check.unwritten == check.wrong)
        sentence += check.wrong == as_scalars(spec).elements() ? " (the kernel wrote none of them)"
                                                               : " (none of the wrong ones was ever written)";
    else if (check.unwritten > 0)
        sentence += fmt::format(" ({} were never written)", check.unwritten);
    if (check.not_a_number > 0) sentence += fmt::format(" ({} are not finite numbers)", check.not_a_number);
    return sentence;
}

}  // namespace kwb
