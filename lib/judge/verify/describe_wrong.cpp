#include "judge/verify/describe_wrong.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kwb {

Finding find_wrong(const OutputCheck& check, const BufferSpec& spec, std::string_view inputs) {
    const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
    return {.code = check.unwritten == check.wrong ? FindingCode::NeverWritten : FindingCode::WrongElements,
            .subject = spec.name,
            .place = fmt::format("{}[{}]", spec.name, fmt::join(check.first_wrong.front().index, "][")),
            .numbers = {{"wrong", number(check.wrong)},
                        {"at_least", check.counted_all ? 0.0 : 1.0},
                        {"elements", number(as_scalars(spec).elements())},
                        {"unwritten", number(check.unwritten)},
                        {"not_finite", number(check.not_a_number)}},
            .texts = {{"inputs", std::string(inputs)},
                      {"expected", check.first_words.first},
                      {"got", check.first_words.second}}};
}

}  // namespace kwb
