#include "judge/verify/unknown_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <string>

#include "judge/verify/output_check.hpp"
#include "judge/verify/unset_output.hpp"

namespace kwb {
namespace {

class UnknownOutput {
public:
    UnknownOutput(ContestantState& contestant, const BufferSpec& buffer, std::span<const std::byte> first,
                  std::span<const std::byte> second, std::optional<OutputReruns> reruns,
                  const Checkpoint& checkpoint)
        : contestant_(contestant),
          buffer_(buffer),
          flat_(as_scalars(buffer)),
          first_(first),
          second_(second),
          reruns_(std::move(reruns)),
          checkpoint_(checkpoint) {}

    void judge(const Tolerance& tolerance) {
        const NotFinite not_finite = count_not_finite();
        if (not_finite.elements > 0 && reruns_)
            if (const auto changed = count_dependent(*reruns_, flat_.type.scalar, second_))
                return fail(FindingCode::DependsOnUnset, not_finite.first, *changed, "changed");
        const OutputReference before = make_output_reference(buffer_, first_, tolerance, checkpoint_);
        const OutputCheck check =
            check_output(buffer_, second_, before, poison_pattern(buffer_.type, Pass::Real), checkpoint_);
        const auto unwritten = reruns_ ? find_unwritten(buffer_, second_, first_, checkpoint_) : std::nullopt;
        // Where a kernel adds 0 to garbage, it seems not to write.
        if (check.wrong > (unwritten ? unwritten->elements : 0) && adds_to_garbage())
            return fail(FindingCode::DependsOnUnset, place(check.first_wrong.front().index), check.wrong,
                        "changed");
        if (unwritten)
            return fail(FindingCode::NeverWritten, unwritten->first, unwritten->elements, "unwritten");
        if (not_finite.elements > 0)
            contestant_.result.warnings.push_back(
                remark(fmt::format("{} of {} elements of {} are no finite numbers; the first is {}",
                                   not_finite.elements, flat_.elements(), buffer_.name, not_finite.first)));
        if (check.wrong > 0) warn_of_difference(check);
    }

private:
    struct NotFinite {
        std::uint64_t elements = 0;
        std::string first;
    };

    NotFinite count_not_finite() const {
        NotFinite found;
        if (!flat_.type.is_floating()) return found;
        in_steps(flat_.elements(), checkpoint_, [&](std::size_t begin, std::size_t count) {
            for (std::size_t i = begin; i < begin + count; ++i)
                if (!std::isfinite(read_scalar(flat_.type.scalar, &second_[i * flat_.type.bytes()])) &&
                    found.elements++ == 0)
                    found.first = place(index_of(i, flat_.shape));
        });
        return found;
    }

    /// Integers: the garbage differs between the two runs. From that of the first, the first repeats itself.
    bool adds_to_garbage() const {
        if (flat_.type.is_floating() || !reruns_) return false;
        const auto repeated = reruns_->from(poison_pattern(buffer_.type, Pass::Exact));
        return repeated && !first_difference(*repeated, first_, checkpoint_);
    }

    void fail(FindingCode code, std::string where, std::uint64_t wrong, const char* kind) {
        contestant_.result.wrong_elements = wrong;
        contestant_.fail(Verdict::Wrong, {.code = code,
                                          .subject = buffer_.name,
                                          .place = std::move(where),
                                          .numbers = {{"wrong", static_cast<double>(wrong)},
                                                      {kind, static_cast<double>(wrong)},
                                                      {"elements", static_cast<double>(flat_.elements())}}});
    }

    void warn_of_difference(const OutputCheck& check) {
        contestant_.result.warnings.push_back(
            {.code = FindingCode::NotRepeatable,
             .subject = buffer_.name,
             .place = place(check.first_wrong.front().index),
             .numbers = {{"differing", static_cast<double>(check.wrong)},
                         {"elements", static_cast<double>(flat_.elements())}},
             .texts = {{"first", check.first_words.first}, {"then", check.first_words.second}}});
    }

    /// "y[3]"
    std::string place(const std::vector<std::uint64_t>& index) const {
        return fmt::format("{}[{}]", buffer_.name, fmt::join(index, "]["));
    }

    ContestantState& contestant_;
    const BufferSpec& buffer_;
    const BufferSpec flat_;  ///< of scalars
    std::span<const std::byte> first_;
    std::span<const std::byte> second_;
    std::optional<OutputReruns> reruns_;  ///< nullopt: all that the output holds before a run is set
    const Checkpoint& checkpoint_;
};

}  // namespace

void judge_unknown_output(ContestantState& contestant, const ProblemInstance& instance, const Slot& slot,
                          const ExecuteRequest& request, std::span<const std::byte> payload,
                          const OutputReference& reference, const Checkpoint& checkpoint) {
    const auto first = contestant.proven_outputs.find(Pass::Exact);
    if (first == contestant.proven_outputs.end()) return;
    std::size_t number = 0;  // among the outputs
    for (const BufferSpec& buffer : instance.buffers) {
        if (buffer.name == slot.name)
            return UnknownOutput(contestant, buffer, first->second.at(number), payload,
                                 reruns_of(contestant, slot, request), checkpoint)
                .judge(reference.tolerance);
        if (buffer.access != Access::Read) ++number;
    }
}

}  // namespace kwb
