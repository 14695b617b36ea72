// References: the correct outputs that kernels are compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "judge/reference/inputs.hpp"
#include "model/declared_instance.hpp"
#include "model/problem.hpp"

namespace kwb {

class OutputProbe;

/// The correct content of one output.
struct OutputReference {
    std::vector<double> expected;  ///< row-major, one per element or vector component
    /// Largest error allowed for each element; 0: must be equal. Empty: `tolerance` applies.
    std::vector<float> bound;
    /// The exact bytes, for types with values that a double cannot represent (64-bit integers); otherwise
    /// empty.
    std::vector<std::byte> content = {};
    /// For declared problems, used instead of bounds, because a float cannot hold the bounds of doubles.
    Tolerance tolerance = {};
    /// If set, checks the output instead of all the above, because a full reference would take too long.
    std::shared_ptr<const OutputProbe> probe = {};
};

/// One pass of one problem at one size: inputs and correct outputs. Only the judge has it.
struct PassData {
    NamedList<std::vector<std::byte>> inputs;  ///< every buffer that a kernel reads
    NamedList<OutputReference> outputs;        ///< every buffer that a kernel writes
};

struct OutputCheck;

/// Checks an output without a full reference.
class OutputProbe {
public:
    virtual ~OutputProbe() = default;
    /// @param inputs  the inputs of the run that produced `got`
    /// @param poison  the scalar pattern that the output was filled with before the run
    /// @param secret  selects what is compared; drawn after the run, so that no kernel can know it
    /// @return  an OutputCheck with a complete error map and `random`
    virtual OutputCheck check(const BufferSpec& spec, std::span<const std::byte> got, const PassData& inputs,
                              std::span<const std::uint8_t> poison, std::uint64_t secret,
                              const Checkpoint& checkpoint) const = 0;
};

/// What the judge knows about one problem.
class ReferenceSolver {
public:
    virtual ~ReferenceSolver() = default;
    /// @param instance  within Problem::find_checking_limit()
    virtual PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                          const Checkpoint& checkpoint) const = 0;
    /// False: the host's BLAS has no routine for this problem, so cpu:blas cannot compete.
    virtual bool has_host_library() const { return false; }
    /// Performs one run with the host's BLAS, if it has a routine.
    /// @param inputs   the result of make()
    /// @param outputs  in the order of the instance's output buffers, already of the right size
    virtual void run_host_library(const ProblemInstance& instance, const PassData& inputs,
                                  std::vector<std::vector<std::byte>>& outputs) const;
    /// True if changing any single element of the real pass's inputs changes every output.
    virtual bool every_input_matters() const { return false; }
    /// False: there is only the real pass.
    virtual bool has_exact_pass() const { return true; }
    /// True if the values of this input may be swapped within it; inputs then vary between timed runs.
    virtual bool may_vary(std::string_view /*input*/) const { return true; }
    /// Describes the inputs of a pass in words: "random".
    virtual std::string_view describe_inputs(Pass pass) const;
    /// Warnings for every result.
    virtual std::vector<std::string> remarks() const { return {}; }
    /// Distinguishes problems of the same name; empty if the name is enough.
    virtual std::string fingerprint() const { return {}; }
};

/// @return  the solver of a problem, or nullptr
const ReferenceSolver* find_solver(std::string_view problem);

class ReferenceCache {
public:
    /// Keeps both passes of one problem, size and seed, or only one if they are very large. The returned
    /// reference is valid until another problem, size or seed is requested.
    const PassData& get(const ReferenceSolver& solver, const ProblemInstance& instance, Pass pass,
                        std::uint64_t seed, const Checkpoint& checkpoint);

private:
    std::string key_;
    std::map<Pass, PassData> passes_;
};

}  // namespace kwb
