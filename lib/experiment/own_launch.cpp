// SPDX-License-Identifier: Apache-2.0
#include "experiment/own_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/expression.hpp"

namespace kwb {
namespace {

/// Translate the bound of a guard in the source to an expression: arguments are replaced by their values, the
/// names of sizes and macros are kept.
/// @return  empty if the bound contains anything else
std::string translate_bound(const std::string& bound, const std::vector<BoundArgument>& arguments,
                            const std::vector<std::string>& known) {
    std::string text;
    for (std::size_t at = 0; at < bound.size();) {
        const auto is_word = [&](std::size_t i) {
            return i < bound.size() &&
                   (std::isalnum(static_cast<unsigned char>(bound[i])) != 0 || bound[i] == '_');
        };
        if (!is_word(at)) {
            text += bound[at++];
            continue;
        }
        std::size_t end = at;
        while (is_word(end)) ++end;
        const std::string word = bound.substr(at, end - at);
        at = end;
        const auto argument = std::find_if(arguments.begin(), arguments.end(), [&](const BoundArgument& a) {
            return a.parameter.name == word && a.parameter.is_value();
        });
        if (argument != arguments.end()) {
            const std::string& value = argument->value.text;
            const bool plain = std::all_of(value.begin(), value.end(), [](char c) {
                return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
            });
            text += plain || bound == word ? value : "(" + value + ")";
        } else if (std::isdigit(static_cast<unsigned char>(word[0])) != 0 ||
                   std::find(known.begin(), known.end(), word) != known.end()) {
            text += word;
        } else {
            return "";
        }
    }
    try {
        Expression::parse(text);
        return text;
    } catch (const ExpressionError&) {
        return "";
    }
}

class LaunchExtents {
public:
    LaunchExtents(const std::string& file, const SourceKernel& kernel,
                  const std::vector<BoundArgument>& arguments, const Problem& problem,
                  const OwnOptions& options)
        : file_(file), kernel_(kernel), problem_(problem), options_(options) {
        natural_ = natural_extents(problem, buffer_);
        elements_ = join(natural_, " * ");
        for (const BoundArgument& argument : arguments)
            if (!natural_.empty() && argument.value.text == buffer_)
                per_item_ = std::max(per_item_, vectors_of(argument.parameter));
        if (per_item_ > 1) natural_.front() = in_vectors(natural_.front());
        std::vector<std::string> known = problem.size_names();
        for (const auto& define : options.defines) known.push_back(define.name);
        for (std::size_t d = 0; d < bounds_.size(); ++d)
            bounds_[d] = translate_bound(kernel.bounds[d], arguments, known);
    }

    ChosenExtents choose() {
        choose_local();
        choose_global();
        if (options_.global.empty()) admit_guess();
        if (chosen_.local && chosen_.local->size() != chosen_.global.size())
            throw BadInput(
                fmt::format("local and global: {} has {} in its work-groups and {} in its NDRange; give "
                            "both the same number of sizes",
                            kernel_.name, counted(chosen_.local->size(), "size"),
                            counted(chosen_.global.size(), "size")));
        return std::move(chosen_);
    }

private:
    /// A kernel that sees a buffer of float as float4 has a work-item for each vector.
    /// @return  elements of the buffer in what the parameter points to
    unsigned vectors_of(const KernelParameter& parameter) const {
        const auto seen = parse_element_type(parameter.element_type());
        const ProblemInstance instance = problem_.at(problem_.default_sizes());
        const unsigned width = instance.find_buffer(buffer_)->type.width;
        return seen && seen->width > width ? seen->width / width : 1;
    }

    std::string in_vectors(const std::string& extent) const {
        return per_item_ == 1 ? extent : fmt::format("ceil_div({}, {})", extent, per_item_);
    }

    std::string one_item_each() const {
        return fmt::format("one work-item per {} of {}", per_item_ == 1 ? "element" : "vector", buffer_);
    }

    std::vector<Written> expressions(const char* option, const std::vector<std::string>& texts) const {
        if (texts.size() > 3)
            throw BadInput(fmt::format("{} {}: {} sizes; an NDRange has 1, 2 or 3", option, join(texts, ","),
                                       texts.size()));
        std::vector<Written> written;
        for (const std::string& text : texts) written.push_back(option_expression(option, text));
        return written;
    }

    void choose_local() {
        if (options_.local == std::vector<std::string>{"auto"}) {
            chosen_.local_how = "--local";
        } else if (!options_.local.empty()) {
            chosen_.local = expressions("--local", options_.local);
            chosen_.local_how = "--local";
        } else if (kernel_.work_group) {
            chosen_.local.emplace();
            for (std::size_t d = 0; d < dimensions(); ++d)
                chosen_.local->push_back({std::to_string((*kernel_.work_group)[d]), 0, 0, ""});
            chosen_.local_how = "its reqd_work_group_size";
        }
    }

    std::size_t dimensions() const {
        if (!options_.global.empty()) return options_.global.size();
        if (kernel_.dimensions > 0) return kernel_.dimensions;
        return std::max<std::size_t>(1, chosen_.local ? chosen_.local->size() : 1);
    }

    void add_global(std::size_t dimension, const std::string& extent) {
        chosen_.global.push_back({fmt::format("round_up({}, {})", extent, kLocalNames[dimension]), 0, 0, ""});
    }

    void choose_global() {
        if (!options_.global.empty()) {
            chosen_.global = expressions("--global", options_.global);
            chosen_.global_how = "--global";
            return;
        }
        const std::size_t count = dimensions();
        if (kernel_.dimensions == 0) {
            for (std::size_t d = 0; d < count; ++d)
                chosen_.global.push_back({chosen_.local ? kLocalNames[d] : "1", 0, 0, ""});
            chosen_.global_how = "it queries no position in the NDRange: one work-group";
            return;
        }
        std::vector<std::string> open = natural_;
        bool guarded = false;
        for (std::size_t d = 0; d < count; ++d) {
            std::erase(open, bounds_[d]);
            guarded = guarded || !bounds_[d].empty();
        }
        const bool all_guarded =
            std::none_of(bounds_.begin(), bounds_.begin() + static_cast<std::ptrdiff_t>(count),
                         [](const std::string& bound) { return bound.empty(); });
        if (all_guarded) {
            for (std::size_t d = 0; d < count; ++d) add_global(d, bounds_[d]);
            chosen_.global_how = "as far as its guards allow";
        } else if (count == 1 && !natural_.empty()) {
            add_global(0, in_vectors(elements_));
            chosen_.global_how = one_item_each();
        } else if (count == natural_.size()) {
            for (std::size_t d = 0; d < count; ++d) {
                if (!bounds_[d].empty()) {
                    add_global(d, bounds_[d]);
                } else if (!guarded) {
                    add_global(d, natural_[d]);
                } else {
                    add_global(d, open.empty() ? natural_[d] : open.front());
                    if (!open.empty()) open.erase(open.begin());
                }
            }
            chosen_.global_how = one_item_each();
        } else {
            refuse_to_guess(count);
        }
    }

    [[noreturn]] void refuse_to_guess(std::size_t count) const {
        throw BadInput(
            fmt::format("{}:{}: {} uses {}, but the number of work-items in each is unknown; set it with "
                        "--global, e.g. --global \"{}\" (over {})",
                        file_, kernel_.line, kernel_.name, counted(count, "dimension"), example(count),
                        enumerate(problem_.size_names())));
    }

    /// An example for --global: "M,N".
    std::string example(std::size_t count) const {
        const std::vector<std::string> sizes = problem_.size_names();
        std::vector<std::string> extents;
        for (std::size_t d = 0; d < count; ++d) extents.push_back(sizes[std::min(d, sizes.size() - 1)]);
        return join(extents, ",");
    }

    /// Mark the global size as a guess. The note is shown if it cannot be evaluated, at some size or with the
    /// values of --args.
    void admit_guess() {
        for (Written& extent : chosen_.global)
            extent.guess =
                fmt::format("`{}` is only a guess for {} ({}), so set it with --global, e.g. --global \"{}\"",
                            extent.text, kernel_.name, chosen_.global_how, example(chosen_.global.size()));
    }

    const std::string& file_;
    const SourceKernel& kernel_;
    const Problem& problem_;
    const OwnOptions& options_;
    std::string buffer_;
    std::vector<std::string> natural_;  ///< innermost first, in what the kernel's pointer points to
    std::string elements_;              ///< their number, in elements of the buffer
    unsigned per_item_ = 1;             ///< elements of the buffer in a vector of the kernel
    std::array<std::string, 3> bounds_;
    ChosenExtents chosen_;
};

}  // namespace

std::string advise_on_guess(const KernelResult& result, const KernelSpec& kernel) {
    constexpr std::array kMayBeLaunch = {Verdict::Wrong, Verdict::OutOfBounds, Verdict::Undefined,
                                         Verdict::KernelCrashed};
    if (std::ranges::find(kMayBeLaunch, result.verdict) == kMayBeLaunch.end()) return "";
    if (kernel.launches.size() != 1 || kernel.launches.front().global.front().guess.empty()) return "";
    return fmt::format(
        "launched over {}, which was a guess; if the kernel needs another NDRange, set it with --global",
        join_written(kernel.launches.front().global, " × "));
}

bool swap_guess(KernelSpec& kernel) {
    if (kernel.launches.size() != 1) return false;
    std::vector<Written>& global = kernel.launches.front().global;
    if (global.size() != 2 || global.front().guess.empty()) return false;
    const auto swapped = [&](std::size_t to) {
        Written extent = global[1 - to];
        const std::string old = extent.text, name = kLocalNames[1 - to];
        if (const std::size_t at = extent.text.find(name); at != std::string::npos)
            extent.text.replace(at, name.size(), kLocalNames[to]);
        if (const std::size_t at = extent.guess.find(old); at != std::string::npos)
            extent.guess.replace(at, old.size(), extent.text);
        return extent;
    };
    global = {swapped(0), swapped(1)};
    return true;
}

// The problem is evaluated twice, with a different prime for each size. An extent that equals the first prime
// of a size and then its second one is that size. Constants and sums in a declared problem may match one of
// the primes by chance, but not both, because the primes rise the first time and fall the second time.
std::vector<NamedShape> named_shapes(const Problem& problem) {
    using Primes = std::array<std::int64_t, 8>;
    constexpr Primes kRising = {101, 103, 107, 109, 113, 127, 131, 137};
    constexpr Primes kFalling = {199, 197, 193, 191, 181, 179, 173, 167};
    const std::vector<std::string> names = problem.size_names();
    if (names.size() > kRising.size()) return {};
    const auto instance_at = [&](const Primes& primes) {
        Sizes sizes;
        for (const std::string& name : names) sizes.push_back({name, primes[sizes.size()]});
        return problem.at(sizes);
    };
    ProblemInstance one, other;
    try {
        one = instance_at(kRising);
        other = instance_at(kFalling);
    } catch (const BadInput&) {  // a declared problem that rejects these sizes, e.g. because of "N / 2"
        return {};
    }
    std::vector<NamedShape> shapes;
    for (std::size_t i = 0; i < one.buffers.size(); ++i) {
        NamedShape& named = shapes.emplace_back(NamedShape{one.buffers[i].name, one.buffers[i].access, {}});
        for (std::size_t d = 0; d < one.buffers[i].shape.size(); ++d) {
            std::string& extent = named.extents.emplace_back();
            for (std::size_t size = 0; size < names.size(); ++size)
                if (one.buffers[i].shape[d] == static_cast<std::uint64_t>(kRising[size]) &&
                    other.buffers[i].shape[d] == static_cast<std::uint64_t>(kFalling[size]))
                    extent = names[size];
        }
    }
    return shapes;
}

std::vector<std::string> natural_extents(const Problem& problem, std::string& buffer) {
    const std::vector<NamedShape> shapes = named_shapes(problem);
    for (const bool written : {true, false})
        for (const NamedShape& shape : shapes) {
            const bool is_named = std::ranges::find(shape.extents, "") == shape.extents.end();
            if ((shape.access != Access::Read) != written || !is_named) continue;
            if (shape.extents.empty() || shape.extents.size() > 3) continue;
            buffer = shape.buffer;
            return {shape.extents.rbegin(), shape.extents.rend()};
        }
    return {};
}

ChosenExtents choose_extents(const std::string& file, const SourceKernel& kernel,
                             const std::vector<BoundArgument>& arguments, const Problem& problem,
                             const OwnOptions& options) {
    return LaunchExtents(file, kernel, arguments, problem, options).choose();
}

}  // namespace kwb
