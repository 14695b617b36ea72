// A problem of a person's own at one size: what a judge needs to make its inputs and to know the truth.
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
    Uniform,   ///< in [first, second)
    Normal,    ///< mean first, standard deviation second
    Integers,  ///< whole numbers first … second, all alike
    Ramp,      ///< first, first + second, first + 2 second, …
    Constant,  ///< first
    Array      ///< the content of a file
};

template <>
inline constexpr auto kEnumNames<FillKind> = std::to_array<std::string_view>({"uniform", "normal", "integers",
                                                                              "ramp", "constant", "array"});

struct Fill {
    FillKind kind = FillKind::Uniform;
    double first = 0;
    double second = 0;

    /// True if its content follows from the seed.
    bool is_random() const { return kind <= FillKind::Integers; }
};

/// How far a result may be from the truth. An element is right if |got - expected| is at most
/// absolute + relative · |expected|, or if it is at most `ulp` units in the last place of its type from it.
/// All zero: the very same numbers.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
    double ulp = 0;

    bool is_exact() const { return absolute == 0 && relative == 0 && ulp == 0; }
    friend bool operator==(const Tolerance&, const Tolerance&) = default;
};

/// "exact", "1e-05 of its size", "4 ulp"
std::string to_string(const Tolerance& tolerance);

/// What is allowed where nobody says so: nothing for whole numbers; for floating-point numbers relative 1e-5
/// and absolute 1e-6 in single precision, 1e-12 and 1e-13 in double, 1e-2 and 1e-3 in half.
Tolerance usual_tolerance(const ElementType& type);

/// The content of a buffer as it lies in memory: little-endian, row-major, of BufferSpec::bytes().
using BufferContent = std::shared_ptr<const std::string>;

struct DeclaredInput {
    Fill fill;
    BufferContent content;  ///< FillKind::Array; else null
};

struct DeclaredOutput {
    Tolerance tolerance;
    bool is_usual_tolerance = false;  ///< nobody said so
    BufferContent expected;           ///< null: the reference kernel tells
};

struct DeclaredInstance {
    ProblemInstance instance;
    NamedList<DeclaredInput> inputs;    ///< one for each buffer that a kernel reads, in the instance's order
    NamedList<DeclaredOutput> outputs;  ///< one for each buffer that a kernel writes, in the same order
    std::optional<KernelPlan> reference;  ///< there if any output has no content
};

inline constexpr std::size_t kMostBuffers = 64;  ///< of one problem

/// Of one buffer: beyond every machine's memory.
inline constexpr std::uint64_t kMostBufferBytes = std::uint64_t{1} << 56;

/// What contents may take together: they travel in one message.
inline constexpr std::uint64_t kMostContentBytes = std::uint64_t{192} << 20;

/// All contents, one after the other: inputs first, in their order.
std::string join_contents(const DeclaredInstance& declared);

/// Cut `contents` into those that `declared` needs: read from JSON, where they are but announced.
/// @throws ProtocolError  too few or too many bytes
void put_contents(DeclaredInstance& declared, std::string_view contents);

}  // namespace kwb
