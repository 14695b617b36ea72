#include "judge/copy_reference.hpp"

#include <cblas.h>

#include <utility>

#include "judge/floats.hpp"
#include "judge/host_blas.hpp"
#include "judge/in_steps.hpp"

namespace kwb {
namespace {

/// Every integer up to here is a float: so many different values that one from a wrong place shows.
constexpr unsigned kLargestInteger = 1u << 24;

}  // namespace

std::optional<std::string> CopySolver::find_constraint(const ProblemInstance&) const {
    return std::nullopt;
}

PassData CopySolver::make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                          const Checkpoint& checkpoint) const {
    auto bytes = make_zeros<std::byte>(instance.find_buffer("X")->bytes(), checkpoint);
    const std::span<float> x = floats(bytes);
    const std::uint64_t stream = derive_seed(seed, std::string(to_string(pass)) + "X");
    in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        if (pass == Pass::Exact)
            fill_integers(x.subspan(first, count), stream, kLargestInteger, first);
        else
            fill_uniform(x.subspan(first, count), stream, first);
    });
    OutputReference y{convert_in_steps<double>(std::span<const float>(x), checkpoint,
                                               [](float value) { return static_cast<double>(value); }),
                      {}};
    PassData data;
    data.inputs.push_back({"X", std::move(bytes)});
    data.outputs.push_back({"Y", std::move(y)});
    return data;
}

void CopySolver::run_host_library(const ProblemInstance&, const PassData& inputs,
                                  std::vector<std::vector<std::byte>>& outputs) const {
    const std::span<const float> x = floats(*find_named(inputs.inputs, "X"));
    // A length is at most INT32_MAX (problems/problem.cpp).
    cblas_scopy(static_cast<int>(x.size()), x.data(), 1, floats(outputs[0]).data(), 1);
}

std::string CopySolver::host_library() const {
    return host_blas_name();
}

}  // namespace kwb
