// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text.hpp"
#include "base/toml_text.hpp"
#include "catalog/declared_problem.hpp"

namespace kwb {
namespace {

std::string quoted_list(const std::vector<Written>& expressions) {
    std::vector<std::string> quoted;
    for (const Written& expression : expressions) quoted.push_back(in_quotes(expression.text));
    return "[" + join(quoted, ", ") + "]";
}

/// The number as it was written, because a rounded one may not be accepted.
std::string number_text(const std::optional<Written>& written, double usual) {
    return written ? in_quotes(written->text) : fmt::format("{}", usual);
}

/// @param fill  evaluated from `spec`
/// @param file  for an array
/// @param seed  for random numbers
std::string fill_text(const FillSpec& spec, const Fill& fill, const std::string& file, std::uint64_t seed) {
    if (spec.kind == FillKind::Array) return in_quotes(file);
    if (spec.kind == FillKind::Constant) return spec.first ? spec.first->text : "0";
    const std::string numbers =
        fmt::format("{} = [{}, {}]", to_string(spec.kind), number_text(spec.first, fill.first),
                    number_text(spec.second, fill.second));
    if (spec.kind == FillKind::Ramp) return "{" + numbers + "}";
    return fmt::format("{{{}, seed = {}}}", numbers, spec.seed.value_or(seed));
}

std::string tolerance_text(const Tolerance& tolerance) {
    if (tolerance.is_exact()) return in_quotes("exact");
    return fmt::format("{{absolute = {}, relative = {}, ulp = {}}}", tolerance.absolute, tolerance.relative,
                       tolerance.ulp);
}

}  // namespace

std::optional<FrozenProblem> DeclaredProblem::freeze(const Sizes& sizes, std::uint64_t seed) const {
    if (spec_->reference) return std::nullopt;
    FrozenProblem frozen;
    bool has_truth = true;
    std::string buffers;
    const ProblemInstance instance = at(sizes);
    for (const auto& [name, buffer] : spec_->buffers) {
        buffers += fmt::format("{} = {{type = {}, shape = {}", name, in_quotes(to_string(buffer.type)),
                               quoted_list(buffer.shape));
        if (buffer.fill) {
            const Fill fill = evaluate_fill(*buffer.fill, *instance.find_buffer(name), buffer.place, sizes);
            std::string file;
            if (fill.kind == FillKind::Array) {
                const std::filesystem::path source = neighbour(buffer.fill->file);
                file = name + "-before" + source.extension().string();
                frozen.arrays.push_back({file, source});
            }
            buffers += ", fill = " + fill_text(*buffer.fill, fill, file, seed);
        }
        if (buffer.is_normalized) buffers += ", normalized = true";
        if (buffer.is_output) {
            has_truth = has_truth && buffer.expected;
            frozen.outputs.push_back({name, name + ".npy"});
            buffers += ", output = true, expected = " + in_quotes(name + ".npy");
            buffers +=
                ", tolerance = " + tolerance_text(buffer.tolerance.value_or(usual_tolerance(buffer.type)));
        }
        buffers += "}\n";
    }
    if (has_truth) return std::nullopt;

    std::vector<std::string> extents;
    for (const auto& [name, extent] : sizes) extents.push_back(fmt::format("{} = {}", name, extent));
    std::string& text = frozen.declaration;
    text =
        "# The unchecked outputs of one run, kept by kwb run --freeze. Later runs must compute the same.\n"
        "[problem]\n";
    if (!spec_->title.empty()) text += "title = " + in_quotes(spec_->title) + '\n';
    text += fmt::format("sizes = {{{}}}\n", join(extents, ", "));
    if (spec_->flops) text += "flops = " + in_quotes(spec_->flops->text) + '\n';
    if (spec_->moves) text += "moves = " + in_quotes(spec_->moves->text) + '\n';
    text += "\n[problem.buffers]\n" + buffers;
    if (!spec_->scalars.empty()) text += "\n[problem.scalars]\n";
    for (const auto& [name, scalar] : spec_->scalars)
        text += fmt::format("{} = {{type = {}, value = {}}}\n", name, in_quotes(to_string(scalar.type)),
                            in_quotes(scalar.value.text));
    return frozen;
}

}  // namespace kwb
