// The problems that the workbench knows: what a kernel gets, what it owes, what it costs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/argument_names.hpp"
#include "model/declared_instance.hpp"
#include "model/device_info.hpp"
#include "model/problem.hpp"

namespace kwb {

/// Steps of each chain of the problem fma_chain: so many that the time for reading X and writing Y does not
/// count (1024 flops per byte), and few enough for a useful error bound.
inline constexpr std::int64_t kFmaChainSteps = 4096;

/// More steps of the problem stencil could not be checked exactly: each may take two bits more.
inline constexpr std::int64_t kMostStencilSteps = 10;

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
    ///          sentence with the limit; nothing where it can
    virtual std::optional<std::string> find_checking_limit(const Sizes& sizes) const;
    /// Whether the processor's own library has a routine for it, so that cpu:blas may take part.
    virtual bool has_host_library() const { return false; }
    /// Other names that people usually give to its arguments, where they do not fit every problem.
    virtual Spellings spellings() const { return {}; }
    /// The file that declares it; empty for a problem that the workbench ships.
    virtual std::filesystem::path file() const;
    /// Its declaration at these sizes, for a judge that does not know the problem; nullptr for a shipped one.
    /// @throws BadInput  with the place: as at(), and where a file that belongs to it cannot be used
    virtual std::shared_ptr<const DeclaredInstance> evaluate(const Sizes& sizes,
                                                             const DeviceInfo& device) const;
};

/// @return  the problem, or nullptr
const Problem* find_problem(std::string_view name);
/// @throws BadInput  naming those there are
const Problem& get_problem(std::string_view name);
std::vector<const Problem*> all_problems();

/// Whether both are one object or declared in one file. Two problems of users may have the same name.
bool is_same_problem(const Problem& a, const Problem& b);

/// Other names of the instance's arguments, for match_arguments(): those of its problem; for a problem of the
/// user's, names that mean the same in every problem, such as a height's and a width's.
Spellings spellings_of(const ProblemInstance& instance);

/// Read "512" (Problem::square) or "512x256x1024" (in the problem's order).
/// @throws BadInput  not a number, zero, negative, too many or too few extents
Sizes parse_sizes(const Problem& problem, std::string_view text);

}  // namespace kwb
