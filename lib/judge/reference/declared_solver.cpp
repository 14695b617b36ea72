#include "judge/reference/declared_solver.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.hpp"
#include "judge/in_steps.hpp"
#include "judge/reference/fill.hpp"
#include "judge/reference/reference_run.hpp"
#include "judge/verify/output_reference.hpp"
#include "model/json.hpp"

namespace kwb {
namespace {

std::span<const std::byte> bytes_of(const std::string& content) {
    return std::as_bytes(std::span(content));
}

}  // namespace

DeclaredSolver::DeclaredSolver(const DeclaredInstance& declared, ReferenceBench make_bench)
    : declared_(declared), make_bench_(std::move(make_bench)) {}

PassData DeclaredSolver::make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                              const Checkpoint& checkpoint) const {
    PassData data;
    for (const auto& [name, input] : declared_.inputs) {
        const std::uint64_t stream = derive_seed(seed, std::string(to_string(pass)) + name);
        data.inputs.push_back({name, input.content ? copy_in_steps(bytes_of(*input.content), checkpoint)
                                                   : make_content(*instance.find_buffer(name), input.fill,
                                                                  stream, checkpoint)});
    }
    NamedList<std::vector<std::byte>> answers;
    if (declared_.reference) {
        // Ends with its runner: its buffers shall not stand beside those that are timed.
        const std::unique_ptr<DeviceBench> bench = make_bench_();
        answers = run_reference(*bench, declared_, *this, data, checkpoint);
    }
    for (const auto& [name, output] : declared_.outputs) {
        const std::span<const std::byte> right = output.expected
                                                     ? bytes_of(*output.expected)
                                                     : std::span<const std::byte>(*find_named(answers, name));
        data.outputs.push_back(
            {name, make_output_reference(*instance.find_buffer(name), right, output.tolerance, checkpoint)});
    }
    return data;
}

bool DeclaredSolver::has_exact_pass() const {
    return std::all_of(declared_.outputs.begin(), declared_.outputs.end(),
                       [](const auto& output) { return output.value.tolerance.is_exact(); });
}

bool DeclaredSolver::may_vary(std::string_view input) const {
    const DeclaredInput* const found = find_named(declared_.inputs, input);
    return found != nullptr && found->fill.is_random();
}

std::vector<std::string> DeclaredSolver::remarks() const {
    std::vector<std::string> remarks;
    for (const auto& [name, output] : declared_.outputs)
        if (output.is_usual_tolerance && !output.tolerance.is_exact())
            remarks.push_back(
                fmt::format("no tolerance is given for {}, so {} is allowed; say tolerance = {{relative "
                            "= …}} to choose",
                            name, to_string(output.tolerance)));
    return remarks;
}

std::string DeclaredSolver::fingerprint() const {
    return sha256_hex(dump_json(to_json(declared_))) + sha256_hex(join_contents(declared_));
}

}  // namespace kwb
