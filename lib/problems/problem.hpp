// The problems that the workbench knows: what a kernel gets, what it owes, what it costs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/argument_names.hpp"
#include "model/problem.hpp"

namespace kwb {

class Problem {
public:
    virtual ~Problem() = default;

    virtual std::string name() const = 0;
    virtual std::string title() const = 0;
    /// Names of the extents, in the order in which `--size 512x256x1024` gives them.
    virtual std::vector<std::string> size_names() const = 0;
    virtual Sizes default_sizes() const = 0;
    /// What one number alone means: all extents alike, unless some have a meaning of their own.
    virtual Sizes square(std::int64_t edge) const;
    /// Sizes that broken kernels trip over: 1, primes, a multiple of the tile plus and minus one, long and
    /// thin.
    /// @param tile  the edge that matters to the kernel, at least 1
    virtual std::vector<Sizes> awkward_sizes(std::int64_t tile) const = 0;
    /// Arguments and cost at one size.
    /// @param sizes  one per size_names(), each at least 1
    /// @throws BadInput  sizes whose buffers no memory can hold
    virtual ProblemInstance at(const Sizes& sizes) const = 0;
    /// @param sizes  as for at()
    /// @return  why right cannot be told from wrong at these sizes, e.g. because no exact pass exists: a
    /// sentence
    ///          with the limit; nothing where it can
    virtual std::optional<std::string> find_checking_limit(const Sizes& sizes) const;
    /// Whether the processor's own library has a routine for it, so that cpu:blas may take part.
    virtual bool has_host_library() const { return false; }
    /// What people usually call its arguments besides, where that is no spelling of every problem's.
    virtual Spellings spellings() const { return {}; }
};

/// @return  the problem, or nullptr
const Problem* find_problem(std::string_view name);
/// @throws BadInput  naming those there are
const Problem& get_problem(std::string_view name);
std::vector<const Problem*> all_problems();
/// Other names of the instance's arguments, for match_arguments(): its problem's, or for one of a person's
/// own those of a height H and a width W.
Spellings spellings_of(const ProblemInstance& instance);

/// Read "512" (Problem::square) or "512x256x1024" (in the problem's order).
/// @throws BadInput  not a number, zero, negative, too many or too few extents
Sizes parse_sizes(const Problem& problem, std::string_view text);

}  // namespace kwb
