#include "hints/race_remarks.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"

namespace kwb::hints {

void RaceRemarks::note(const LocalAccess& before, const LocalAccess& now) {
    if (!reported_.insert({before.place, now.store}).second) return;
    if (!program_.place(now.place).own) return;
    // For reads, one hint per line. For stores, one hint per loop and line of the read.
    const std::uint32_t key = now.store ? line(before.place) : line(now.place);
    const std::int32_t loop = now.store ? before.carried_by : kNone;
    Remark& remark = remarks_[{now.store, loop, key}];
    if (remark.place == kNone || line(now.place) < line(remark.place)) remark.place = now.place;
    const std::string name = fmt::format("`{}`", program_.symbol(now.array).name);
    if (std::find(remark.arrays.begin(), remark.arrays.end(), name) == remark.arrays.end())
        remark.arrays.push_back(name);
    remark.lines.insert(line(before.place));
}

void RaceRemarks::report(Findings& findings) const {
    for (const auto& [key, remark] : remarks_) {
        const auto& [store, loop, _] = key;
        std::vector<std::string> numbers;
        for (std::uint32_t number : remark.lines) numbers.push_back(std::to_string(number));
        const std::string arrays = enumerate(remark.arrays);
        const std::string lines = (numbers.size() > 1 ? "lines " : "line ") + enumerate(numbers);
        std::string sentence;
        if (!store)
            sentence = fmt::format(
                "{} {} read here with no barrier between this and {}, where other work-items "
                "store what is read; put barrier(CLK_LOCAL_MEM_FENCE) between.",
                arrays, remark.arrays.size() > 1 ? "are" : "is", lines);
        else if (loop != kNone)
            sentence = fmt::format(
                "In the next round of the loop {} {} overwritten from here on, which slower "
                "work-items may still be reading in {}; put barrier(CLK_LOCAL_MEM_FENCE) at the "
                "end of the loop.",
                arrays, remark.arrays.size() > 1 ? "are" : "is", lines);
        else
            sentence = fmt::format(
                "{} {} overwritten here, which other work-items may still be reading in {}; put "
                "barrier(CLK_LOCAL_MEM_FENCE) between.",
                arrays, remark.arrays.size() > 1 ? "are" : "is", lines);
        findings.add(program_.place(remark.place), store ? "overwritten" : "race", std::move(sentence));
    }
}

}  // namespace kwb::hints
