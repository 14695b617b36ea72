// SPDX-License-Identifier: Apache-2.0
// The problems that kernels solve: their sizes, kernel arguments and cost.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/argument_names.hpp"
#include "model/declared_instance.hpp"
#include "model/device_info.hpp"
#include "model/problem.hpp"

namespace kwb {

/// Steps of each chain in the problem fma_chain: enough to make the time for reading X and writing Y
/// negligible (1024 flops per byte), and few enough for a useful error bound.
inline constexpr std::int64_t kFmaChainSteps = 4096;

/// Maximum number of steps of the problem stencil that can be checked exactly: each step may need two more
/// bits.
inline constexpr std::int64_t kMostStencilSteps = 10;

/// Ends every refusal of a kernel that solves no known problem.
inline constexpr std::string_view kOwnProblemAdvice =
    "'kwb new --from FILE.cl' drafts the declaration of another (docs/own-problems.md)";

/// A problem that keeps the outputs of one run as the correct ones.
struct FrozenProblem {
    std::string declaration;                  ///< TOML with [problem]
    NamedList<std::string> outputs;           ///< buffer → the .npy file that it expects the output in
    NamedList<std::filesystem::path> arrays;  ///< .npy file that it expects → the one to copy there
};

class Problem {
public:
    virtual ~Problem() = default;

    virtual std::string name() const = 0;
    virtual std::string title() const = 0;
    /// Names of the extents, in the order in which `--size 512x256x1024` gives them.
    virtual std::vector<std::string> size_names() const = 0;
    virtual Sizes default_sizes() const = 0;
    /// The sizes for a single number: all extents equal to `edge`, except those with a special meaning (such
    /// as a filter size), which get their default.
    virtual Sizes square(std::int64_t edge) const;
    /// Sizes that expose common kernel bugs: 1, primes, multiples of the tile plus and minus one, long and
    /// thin shapes.
    /// @param tile  edge length of the kernel's tiles, at least 1
    virtual std::vector<Sizes> awkward_sizes(std::int64_t tile) const = 0;
    /// Arguments and cost at one size.
    /// @param sizes  one per size_names(), each at least 1
    /// @throws BadInput  the buffers would be larger than any memory
    virtual ProblemInstance at(const Sizes& sizes) const = 0;
    /// @param sizes  as for at()
    /// @return  why results cannot be verified at these sizes, e.g. because an exact pass is impossible: a
    ///          sentence with the limit; nullopt if they can
    virtual std::optional<std::string> find_checking_limit(const Sizes& sizes) const;
    /// Whether the host's BLAS has a routine for it, so that cpu:blas can be a contestant.
    virtual bool has_host_library() const { return false; }
    /// Common alternative names of its arguments that are specific to this problem.
    virtual Spellings spellings() const { return {}; }
    /// The file that declares it; empty for a shipped problem.
    virtual std::filesystem::path file() const;
    /// A user-defined problem evaluated at these sizes, to be sent to the judge; nullptr for a shipped
    /// problem.
    /// @throws BadInput  with the location: as at(), or a file that it refers to is invalid
    virtual std::shared_ptr<const DeclaredInstance> evaluate(const Sizes& sizes,
                                                             const DeviceInfo& device) const;
    /// For a problem without a reference: a problem with one, at these sizes and with these inputs.
    /// @param seed  of the run whose outputs are kept
    /// @return  nullopt: this one does
    /// @throws BadInput  as evaluate()
    virtual std::optional<FrozenProblem> freeze(const Sizes& sizes, std::uint64_t seed) const;
};

/// @param name  "matmul", or with other numbers than its own "matmul:double", "copy:uint4": with vectors,
/// each component is a separate problem
/// @return  the shipped problem, or nullptr
const Problem* find_problem(std::string_view name);
/// @throws BadInput the shipped problem does not exist, or not with these numbers; lists the alternatives
const Problem& get_problem(std::string_view name);
/// All shipped problems, each with its own type of numbers.
std::vector<const Problem*> all_problems();

/// "matmul:double" → "matmul" and "double"; the second is empty for "matmul".
std::pair<std::string_view, std::string_view> split_typed_name(std::string_view problem);
/// "matmul:double"; "matmul" for its own type.
/// @throws BadInput  as get_problem()
std::string typed_name(std::string_view problem, std::string_view type);

/// Whether both are the same object or declared in the same file. Names do not identify user-defined
/// problems.
bool is_same_problem(const Problem& a, const Problem& b);

/// Alternative names of the instance's arguments, for match_arguments(). For a user-defined problem these are
/// names with the same meaning in every problem, such as those of a height or a width.
Spellings spellings_of(const ProblemInstance& instance);

/// Read "512" (Problem::square) or "512x256x1024" (in the problem's order); 1k is 1000, 1M 1000000.
/// @throws BadInput  not a number, below 1, too large for an `int`, or too many or too few extents
Sizes parse_sizes(const Problem& problem, std::string_view text);

/// Awkward array lengths: 1, primes, a power of two, and the sizes of a vector, of a work-group and of a
/// work-group with several vectors per work-item, each also minus and plus one. Ascending, without
/// duplicates, at most 100003.
/// @param tile  number of work-items in a work-group, at least 1
std::vector<std::int64_t> awkward_lengths(std::int64_t tile);

/// Awkward edges of squares and cubes: 1, primes, a power of two, and one and four tiles, also minus and plus
/// one. At least 1; may contain duplicates.
/// @param tile  edge length of the kernel's tiles, at least 1
std::vector<std::int64_t> awkward_edges(std::int64_t tile);

}  // namespace kwb
