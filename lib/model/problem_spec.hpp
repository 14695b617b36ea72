// SPDX-License-Identifier: Apache-2.0
// A user-defined problem as declared in a file: the parsed front matter, with expressions not evaluated yet.
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
    std::int64_t usual = 1;             ///< default without --size; at least 1
    std::vector<std::int64_t> awkward;  ///< sizes for `kwb check`; empty: primes, tile edges …
};

/// How a buffer is filled before a kernel runs.
struct FillSpec {
    FillKind kind = FillKind::Uniform;
    std::optional<Written> first;   ///< as in Fill; expression over the sizes; nullopt: default of the kind
    std::optional<Written> second;  ///< likewise
    Written file;                   ///< Array: a .npy file, relative to the declaring file
    std::optional<std::uint64_t> seed = {};  ///< as in Fill
};

struct DeclaredBufferSpec {
    ElementType type;
    std::vector<Written> shape;  ///< expressions over the sizes, row-major, at least one
    bool is_output = false;
    bool is_normalized = false;    ///< see ImageShape
    std::optional<FillSpec> fill;  ///< nullopt for an output that is only written
    std::optional<Tolerance> tolerance;
    std::optional<Written> expected;  ///< a .npy file, relative to the declaring file
    Written place;                    ///< location of the declaration; its text is empty
};

struct DeclaredScalarSpec {
    ElementType type;  ///< of one component
    Written value;     ///< expression over the sizes
};

/// The kernel whose results are taken as correct.
struct ReferenceSpec {
    Written file;                      ///< relative to the declaring file; empty text: the declaring file
    std::vector<LaunchSpec> launches;  ///< empty: those in the file's own front matter
};

struct ProblemSpec {
    std::string name;  ///< as declared, else the declaring file's; never the name of a shipped problem
    std::string title;
    NamedList<SizeSpec> sizes;  ///< at least one, in the order of --size
    NamedList<DeclaredBufferSpec> buffers;
    NamedList<DeclaredScalarSpec> scalars;
    std::optional<ReferenceSpec> reference;
    std::optional<Written> flops;
    std::optional<Written> moves;  ///< bytes; nullopt: each input read once and each output written once
};

}  // namespace kwb
