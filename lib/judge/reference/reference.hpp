// The truth that kernels are compared with.
#pragma once

#include <cstddef>
#include <functional>
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

/// Asked now and then during long computations; throws to stop them.
using Checkpoint = std::function<void()>;

inline const Checkpoint kNoCheckpoint = [] {};

class OutputProbe;

/// What one output must be.
struct OutputReference {
    std::vector<double> expected;  ///< row-major, one per element, or component of a vector
    /// Largest error allowed at each element, 0: it must be equal; empty: `tolerance` says it.
    std::vector<float> bound;
    /// The very bytes, where a double does not hold every value (64-bit whole numbers); else empty.
    std::vector<std::byte> content = {};
    /// Of a person's own problem: no bounds are stored, a float would not hold those of a double.
    Tolerance tolerance = {};
    /// Judges the output instead of all the above, where a full reference takes too long.
    std::shared_ptr<const OutputProbe> probe = {};
};

/// One pass of one problem at one size: inputs and what must come of them. Held by the judge alone.
struct PassData {
    NamedList<std::vector<std::byte>> inputs;  ///< every buffer that a kernel reads
    NamedList<OutputReference> outputs;        ///< every buffer that a kernel writes
};

struct OutputCheck;

/// Judges an output without a full reference of it.
class OutputProbe {
public:
    virtual ~OutputProbe() = default;
    /// @param inputs  of the pass that `got` was computed from
    /// @param poison  the scalar pattern that the output was filled with before the run
    /// @param secret  chooses what is looked at: drawn after the run, so that nobody can know it during it
    /// @return  with its error map complete, and `random`
    virtual OutputCheck check(const BufferSpec& spec, std::span<const std::byte> got, const PassData& inputs,
                              std::span<const std::uint8_t> poison, std::uint64_t secret,
                              const Checkpoint& checkpoint) const = 0;
};

/// What the judge knows of one problem.
class ReferenceSolver {
public:
    virtual ~ReferenceSolver() = default;
    /// @param instance  one that Problem::find_checking_limit() has nothing against
    virtual PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                          const Checkpoint& checkpoint) const = 0;
    /// False: the host's library has no routine for this problem, and cpu:blas cannot take part.
    virtual bool has_host_library() const { return false; }
    /// One run by the host's own library; only where there is one.
    /// @param inputs   as made by make()
    /// @param outputs  in the order of the instance's output buffers, sized
    virtual void run_host_library(const ProblemInstance& instance, const PassData& inputs,
                                  std::vector<std::vector<std::byte>>& outputs) const;
    /// True if a change of any one element of the real pass's inputs shows in every output.
    virtual bool every_input_matters() const { return false; }
    /// False: there is but the real pass.
    virtual bool has_exact_pass() const { return true; }
    /// True if any value of this input may stand at any other place of it: then runs are timed with changes.
    virtual bool may_vary(std::string_view /*input*/) const { return true; }
    /// "random": what the inputs of a pass are, as people would say it.
    virtual std::string_view describe_inputs(Pass pass) const;
    /// Sentences that belong to every result.
    virtual std::vector<std::string> remarks() const { return {}; }
    /// Tells problems of one name apart; empty where the name says all.
    virtual std::string fingerprint() const { return {}; }
};

/// @return  the solver of a problem, or nullptr
const ReferenceSolver* find_solver(std::string_view problem);

}  // namespace kwb
