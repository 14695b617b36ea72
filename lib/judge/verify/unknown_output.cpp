// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/unknown_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "judge/verify/output_check.hpp"
#include "judge/verify/unset_output.hpp"

namespace kwb {
namespace {

using Bytes = std::span<const std::byte>;
using Pattern = std::vector<std::uint8_t>;

class UnknownOutput {
public:
    /// @param first, second  the output after the runs of the exact and of the real pass
    UnknownOutput(ContestantState& contestant, const BufferSpec& buffer, Bytes first, Bytes second,
                  const Tolerance& tolerance, std::optional<OutputReruns> reruns,
                  const Checkpoint& checkpoint)
        : contestant_(contestant),
          buffer_(buffer),
          flat_(as_scalars(buffer)),
          first_(first),
          second_(second),
          tolerance_(tolerance),
          reruns_(std::move(reruns)),
          checkpoint_(checkpoint) {}

    void judge() {
        OutputCheck difference;
        if (reruns_) {
            // The first run began with the exact pass's poison: for integers the other pattern, for
            // floating-point numbers the same NaN.
            const bool is_float = flat_.type.is_floating();
            const Pattern other =
                is_float ? Pattern(flat_.type.bytes()) : poison_pattern(buffer_.type, Pass::Exact);
            const auto changed = reruns_->from(other);
            if (!changed) return;  // it crashes only now and then; the timed runs may tell
            const OutputCheck by_content = compare(second_, *changed);
            difference = compare(first_, is_float ? second_ : Bytes(*changed));
            if (by_content.wrong > 0 && difference.wrong == 0 && repeats(other, *changed))
                return judge_undefined(by_content, *changed, other);
            if (difference.wrong == 0) difference = by_content;
        } else {
            difference = compare(first_, second_);  // what it holds before a run is set, and the same in both
        }
        warn_of_numbers();
        if (difference.wrong > 0) warn_of(difference);
    }

private:
    /// What one run gave, as if it were expected of another.
    OutputCheck compare(Bytes expected, Bytes got) const {
        const OutputReference reference = make_output_reference(buffer_, expected, tolerance_, checkpoint_);
        const Pattern none(flat_.type.bytes());  // equal NaN are equal here
        return check_output(buffer_, got, reference, none, checkpoint_);
    }

    /// A kernel whose answers depend on the order of its work-items may give only few different ones.
    bool repeats(const Pattern& other, Bytes changed) const {
        constexpr int kRuns = 4;
        for (int i = 0; i < kRuns; ++i) {
            const auto again = reruns_->from(reruns_->poison);
            if (!again || compare(second_, *again).wrong > 0) return false;
            const auto changed_again = reruns_->from(other);
            if (!changed_again || compare(changed, *changed_again).wrong > 0) return false;
        }
        return true;
    }

    /// @param check  of the run that began with the pattern `other` and gave `changed`
    void judge_undefined(const OutputCheck& check, Bytes changed, const Pattern& other) {
        const auto unwritten =
            find_unwritten(buffer_, {second_, reruns_->poison}, {changed, other}, checkpoint_);
        const std::uint64_t count = unwritten ? unwritten->elements : 0;
        if (count >= check.wrong)
            return fail(FindingCode::NeverWritten, unwritten->first, count, "unwritten");
        const auto written = std::ranges::find_if(check.first_wrong, [&](const WrongElement& element) {
            return !unwritten || place(element.index) != unwritten->first;
        });
        const auto& named = written != check.first_wrong.end() ? *written : check.first_wrong.front();
        fail(FindingCode::DependsOnUnset, place(named.index), check.wrong, "changed");
    }

    void fail(FindingCode code, std::string where, std::uint64_t wrong, const char* kind) {
        fail_unknown_output(contestant_, buffer_, code, std::move(where), wrong, kind);
    }

    void warn_of_numbers() {
        if (!flat_.type.is_floating()) return;
        std::uint64_t elements = 0;
        std::string first;
        in_steps(flat_.elements(), checkpoint_, [&](std::size_t begin, std::size_t count) {
            for (std::size_t i = begin; i < begin + count; ++i)
                if (!std::isfinite(read_scalar(flat_.type.scalar, &second_[i * flat_.type.bytes()])) &&
                    elements++ == 0)
                    first = place(index_of(i, flat_.shape));
        });
        if (elements > 0)
            contestant_.result.warnings.push_back(remark(fmt::format(
                "{} of {} of {} {}; the first is {}", elements, counted(flat_.elements(), "element"),
                buffer_.name, elements == 1 ? "is not a finite number" : "are not finite numbers", first)));
    }

    void warn_of(const OutputCheck& difference) {
        contestant_.result.warnings.push_back(
            {.code = FindingCode::NotRepeatable,
             .subject = buffer_.name,
             .place = place(difference.first_wrong.front().index),
             .numbers = {{"differing", static_cast<double>(difference.wrong)},
                         {"elements", static_cast<double>(flat_.elements())}},
             .texts = {{"first", difference.first_words.first}, {"then", difference.first_words.second}}});
    }

    /// "y[3]"
    std::string place(const std::vector<std::uint64_t>& index) const {
        return fmt::format("{}[{}]", buffer_.name, fmt::join(index, "]["));
    }

    ContestantState& contestant_;
    const BufferSpec& buffer_;
    const BufferSpec flat_;  ///< of scalars
    Bytes first_;
    Bytes second_;
    const Tolerance& tolerance_;
    std::optional<OutputReruns> reruns_;  ///< nullopt: all that the output holds before a run is set
    const Checkpoint& checkpoint_;
};

}  // namespace

void fail_unknown_output(ContestantState& contestant, const BufferSpec& buffer, FindingCode code,
                         std::string where, std::uint64_t wrong, const char* kind) {
    contestant.result.wrong_elements = wrong;
    contestant.fail(Verdict::Wrong,
                    {.code = code,
                     .subject = buffer.name,
                     .place = std::move(where),
                     .numbers = {{"wrong", static_cast<double>(wrong)},
                                 {kind, static_cast<double>(wrong)},
                                 {"elements", static_cast<double>(as_scalars(buffer).elements())}}});
}

void judge_unknown_output(ContestantState& contestant, const ProblemInstance& instance, const Slot& slot,
                          const ExecuteRequest& request, std::span<const std::byte> payload,
                          const OutputReference& reference, const Checkpoint& checkpoint) {
    const auto first = contestant.proven_outputs.find(Pass::Exact);
    if (first == contestant.proven_outputs.end()) return;
    std::size_t number = 0;  // among the outputs
    for (const BufferSpec& buffer : instance.buffers) {
        if (buffer.name == slot.name)
            return UnknownOutput(contestant, buffer, first->second.at(number), payload, reference.tolerance,
                                 reruns_of(contestant, slot, request), checkpoint)
                .judge();
        if (buffer.access != Access::Read) ++number;
    }
}

}  // namespace kwb
