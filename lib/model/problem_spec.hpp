// A problem of a person's own, as a file declares it: front matter read, nothing evaluated yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "model/declared_instance.hpp"
#include "model/element.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

struct SizeSpec {
    std::int64_t usual = 1;             ///< without --size; at least 1
    std::vector<std::int64_t> awkward;  ///< those that `kwb check` takes; empty: primes, tile edges …
};

/// How a buffer is filled before a kernel runs.
struct FillSpec {
    FillKind kind = FillKind::Uniform;
    std::optional<Written> first;   ///< as in Fill; expressions over the sizes; none: the kind's own
    std::optional<Written> second;  ///< as in Fill
    Written file;                   ///< Array: a .npy file beside the declaring one
};

struct DeclaredBufferSpec {
    ElementType type;
    std::vector<Written> shape;  ///< expressions over the sizes, row-major, at least one
    bool is_output = false;
    std::optional<FillSpec> fill;  ///< none for an output: it is only written
    std::optional<Tolerance> tolerance;
    std::optional<Written> expected;  ///< a .npy file beside the declaring one
    Written place;                    ///< where it is declared; no text
};

struct DeclaredScalarSpec {
    ElementType type;  ///< of one component
    Written value;     ///< expression over the sizes
};

/// The kernel that is taken as the truth.
struct ReferenceSpec {
    Written file;                      ///< beside the declaring one; no text: the declaring file itself
    std::vector<LaunchSpec> launches;  ///< none: those of its own front matter
};

struct ProblemSpec {
    std::string name;  ///< of its own, or of the declaring file; never that of a problem of the workbench
    std::string title;
    NamedList<SizeSpec> sizes;  ///< at least one, in the order of --size
    NamedList<DeclaredBufferSpec> buffers;
    NamedList<DeclaredScalarSpec> scalars;
    std::optional<ReferenceSpec> reference;
    std::optional<Written> flops;
    std::optional<Written> moves;  ///< bytes; none: each input read once and each output written once
};

}  // namespace kwb
