// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/unset_output.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "judge/verify/output_check.hpp"

namespace kwb {
namespace {

bool is_float(Scalar scalar) {
    return ElementType{scalar, 1}.is_floating();
}

/// Scalars that a run left as garbage, or whose garbage went into the result.
class Garbage {
public:
    Garbage(Scalar scalar, const std::vector<std::uint8_t>& poison)
        : scalar_(scalar), bytes_(scalar_bytes(scalar)), poison_(poison) {}

    bool at(const std::byte* scalar) const {
        return std::memcmp(scalar, poison_.data(), bytes_) == 0 ||
               !std::isfinite(read_scalar(scalar_, scalar));
    }

private:
    Scalar scalar_;
    std::size_t bytes_;
    const std::vector<std::uint8_t>& poison_;
};

}  // namespace

std::optional<std::uint64_t> count_dependent(const OutputReruns& reruns, Scalar scalar,
                                             std::span<const std::byte> first) {
    const std::vector<std::uint8_t>& poison = reruns.poison;
    const std::size_t step = scalar_bytes(scalar);
    const auto zeros = reruns.from(std::vector<std::uint8_t>(step));
    const auto again = zeros ? reruns.from(poison) : std::nullopt;
    if (!again || zeros->size() != first.size() || again->size() != first.size()) return std::nullopt;
    const Garbage garbage(scalar, poison);
    bool repeats = true;  // a kernel with a race differs from run to run, whatever the outputs held before
    std::uint64_t changed = 0;
    in_steps(first.size() / step, reruns.checkpoint, [&](std::size_t begin, std::size_t count) {
        for (std::size_t at = begin * step; at < (begin + count) * step; at += step) {
            const bool was = garbage.at(&first[at]), is = garbage.at(&(*again)[at]);
            const bool same =
                is_float(scalar) ? was == is : std::memcmp(&first[at], &(*again)[at], step) == 0;
            repeats = repeats && same;
            if (was && is && !garbage.at(&(*zeros)[at]) && read_scalar(scalar, &(*zeros)[at]) != 0) ++changed;
        }
    });
    if (!repeats) return std::nullopt;
    if (reruns.is_right(*zeros) && !reruns.is_right(*again)) return 0;
    return changed > 0 ? std::optional(changed) : std::nullopt;
}

std::optional<OutputReruns> reruns_of(ContestantState& contestant, const Slot& slot, ExecuteRequest request) {
    const auto fills = [&](const BufferOperation& operation) { return operation.buffer == slot.id; };
    const auto fill = std::ranges::find_if(request.before_run, fills);
    if (std::ranges::count_if(request.before_run, fills) != 1 || fill->pattern.empty()) return std::nullopt;
    const auto place = static_cast<std::size_t>(fill - request.before_run.begin());
    request.download = {{slot.id, slot.offset}};
    const auto run_from =
        [&contestant, &slot, place,
         request](const std::vector<std::uint8_t>& content) -> std::optional<std::vector<std::byte>> {
        DeviceBench& bench = *contestant.bench;
        ExecuteRequest again = request;
        again.before_run[place].pattern = content;
        bench.refresh_inputs();
        const auto answer = bench.execute(*contestant.plan, again);
        bench.take_output();  // what it prints is known from the run that was judged
        if (std::holds_alternative<Failure>(answer)) return std::nullopt;
        std::vector<std::byte> allocation = bench.fetch(slot);
        allocation.resize(slot.front_bytes + slot.bytes());
        allocation.erase(allocation.begin(),
                         allocation.begin() + static_cast<std::ptrdiff_t>(slot.front_bytes));
        return allocation;
    };
    OutputReruns reruns{.from = run_from, .poison = fill->pattern};
    reruns.checkpoint = [&contestant] { contestant.bench->checkpoint(); };
    return reruns;
}

void explain_unset_output(ContestantState& contestant, const Slot& slot, ExecuteRequest request,
                          std::span<const std::byte> first,
                          const std::function<bool(std::span<const std::byte>)>& is_right) {
    std::optional<Finding>& finding = contestant.result.finding;
    const bool is_reason =
        contestant.result.verdict == Verdict::Wrong && finding && finding->subject == slot.name &&
        (finding->code == FindingCode::WrongElements || finding->code == FindingCode::NeverWritten);
    if (!is_reason) return;
    if (is_float(slot.type.scalar) && finding->number("unwritten") + finding->number("not_finite") == 0)
        return;
    std::optional<OutputReruns> reruns = reruns_of(contestant, slot, std::move(request));
    if (!reruns) return;
    reruns->is_right = is_right;
    const auto changed = count_dependent(*reruns, slot.type.scalar, first);
    if (!changed) return;
    finding->code = FindingCode::DependsOnUnset;
    finding->numbers.push_back({"changed", static_cast<double>(*changed)});
    contestant.result.reason = sentence_of(*finding);
}

}  // namespace kwb
