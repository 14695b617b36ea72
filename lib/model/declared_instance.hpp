// SPDX-License-Identifier: Apache-2.0
// A user-defined problem at one size: what a judge needs to generate its inputs and to verify its outputs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/named.hpp"
#include "base/record.hpp"
#include "model/plan.hpp"
#include "model/problem.hpp"

namespace kwb {

enum class FillKind {
    Uniform,   ///< random numbers in [first, second), uniformly distributed
    Normal,    ///< random numbers with mean `first` and standard deviation `second`
    Integers,  ///< random integers from `first` to `second` inclusive, uniformly distributed
    Ramp,      ///< first, first + second, first + 2 second, …
    Constant,  ///< `first` everywhere
    Array      ///< the content of a file
};

template <>
inline constexpr auto kEnumNames<FillKind> = std::to_array<std::string_view>({"uniform", "normal", "integers",
                                                                              "ramp", "constant", "array"});

struct Fill {
    FillKind kind = FillKind::Uniform;
    double first = 0;
    double second = 0;
    std::optional<std::uint64_t> seed = {};  ///< of the random numbers; nullopt: the run's

    /// True if the content depends on the run's seed.
    bool is_random() const { return kind <= FillKind::Integers && !seed; }
};

/// Largest allowed error. An element is correct if |got - expected| <= absolute + relative · |expected|, or
/// if it differs from the expected value by at most `ulp` units in the last place of its type. All zero: the
/// values must be equal.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
    double ulp = 0;

    bool is_exact() const { return absolute == 0 && relative == 0 && ulp == 0; }
    friend bool operator==(const Tolerance&, const Tolerance&) = default;
};

/// "exact", "1e-05 of its size", "4 ulp"
std::string to_string(const Tolerance& tolerance);

/// Default tolerance: exact for integers; for floating-point numbers relative 1e-5 and absolute 1e-6 in
/// single precision, 1e-12 and 1e-13 in double, 1e-2 and 1e-3 in half.
Tolerance usual_tolerance(const ElementType& type);

/// The bytes of a buffer: little-endian, row-major, BufferSpec::bytes() long.
using BufferContent = std::shared_ptr<const std::string>;

struct DeclaredInput {
    Fill fill;
    BufferContent content;  ///< for FillKind::Array; otherwise null
};

struct DeclaredOutput {
    Tolerance tolerance;
    bool is_usual_tolerance = false;  ///< `tolerance` is the default, not declared
    BufferContent expected;           ///< null: computed by the reference kernel, if there is one
};

struct DeclaredInstance {
    ProblemInstance instance;
    NamedList<DeclaredInput> inputs;    ///< one for each buffer that a kernel reads, in the instance's order
    NamedList<DeclaredOutput> outputs;  ///< one for each buffer that a kernel writes, in the same order
    std::optional<KernelPlan> reference;  ///< without it, outputs that lack `expected` are not compared
};

inline constexpr std::size_t kMostBuffers = 64;  ///< per problem

/// Upper limit for one buffer; larger than any machine's memory.
inline constexpr std::uint64_t kMostBufferBytes = std::uint64_t{1} << 56;

/// Upper limit for all contents together, because they are sent in one message.
inline constexpr std::uint64_t kMostContentBytes = std::uint64_t{192} << 20;

/// Concatenate all contents: first the inputs, then the outputs, each in their order.
std::string join_contents(const DeclaredInstance& declared);

/// Inverse of join_contents(): split `contents` among the buffers. In a `declared` that was read from JSON, a
/// non-null BufferContent marks a buffer whose bytes follow as an attachment.
/// @throws ProtocolError  too few or too many bytes
void put_contents(DeclaredInstance& declared, std::string_view contents);

}  // namespace kwb
