// SPDX-License-Identifier: Apache-2.0
// A problem that the user declares in a [problem] table, with the same interface as the built-in problems.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/npy.hpp"
#include "catalog/edited_texts.hpp"
#include "model/declared_instance.hpp"
#include "model/device_info.hpp"
#include "model/problem.hpp"
#include "model/problem_spec.hpp"
#include "problems/problem.hpp"

namespace kwb {

/// Not thread-safe: arrays are read from their files on first use and cached.
class DeclaredProblem final : public Problem {
public:
    /// @param spec         with its name filled in
    /// @param file         reference and arrays are relative to its folder
    /// @param declared_in  the file that the line numbers in the spec refer to: `file` or its side-car
    /// @param edited       supplies unsaved texts instead of the reference's files, and reads the arrays
    DeclaredProblem(std::shared_ptr<const ProblemSpec> spec, std::filesystem::path file,
                    std::string declared_in, EditedTexts edited = {});

    std::string name() const override { return spec_->name; }
    std::string title() const override { return spec_->title.empty() ? spec_->name : spec_->title; }
    std::vector<std::string> size_names() const override { return names_of(spec_->sizes); }
    Sizes default_sizes() const override;
    /// A size that lists its own awkward values keeps its usual value.
    Sizes square(std::int64_t edge) const override;
    /// If any array comes from a file, the default sizes are the only ones. Sizes for which a shape cannot be
    /// evaluated are left out.
    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override;
    /// @throws BadInput with the place: a shape or scalar that cannot be evaluated, or a buffer too large for
    ///          any memory
    ProblemInstance at(const Sizes& sizes) const override;

    /// Everything that the judge needs, including the content of files.
    /// @throws BadInput as at(); also, with the place: a fill that the type cannot hold; an array or picture
    ///          that is missing, broken, or of another shape or type; a reference that is missing, broken, or
    ///          lacks a launch
    std::shared_ptr<const DeclaredInstance> evaluate(const Sizes& sizes,
                                                     const DeviceInfo& device) const override;

    /// Defined in frozen_problem.cpp.
    std::optional<FrozenProblem> freeze(const Sizes& sizes, std::uint64_t seed) const override;

    const ProblemSpec& spec() const { return *spec_; }
    std::filesystem::path file() const override { return file_; }
    /// The other files that belong to the problem: reference and arrays.
    std::vector<std::filesystem::path> neighbours() const;

private:
    std::filesystem::path neighbour(const Written& name) const;
    BufferContent content(const Written& file, const BufferSpec& buffer, const Sizes& sizes) const;
    Fill evaluate_fill(const FillSpec& spec, const BufferSpec& buffer, const Written& place,
                       const Sizes& sizes) const;
    KernelPlan plan_reference(const ProblemInstance& instance, const DeviceInfo& device) const;

    std::shared_ptr<const ProblemSpec> spec_;
    std::filesystem::path file_;
    std::string declared_in_;
    EditedTexts edited_;
    mutable std::map<std::string, ArrayFile> arrays_;  ///< those read so far, by path, type and channels
};

/// Sizes that expose bugs in kernels. With one size: awkward_lengths(). With several: all equal to each of
/// awkward_edges(); different primes; each one long while the others are short; and one element more than the
/// tile. A size that lists its own awkward values takes each of those in turn.
/// @param tile  the tile edge that the kernel uses, at least 1
/// @return  without duplicates; a shape may have no value at some of them
std::vector<Sizes> list_awkward_sizes(const ProblemSpec& spec, std::int64_t tile);

}  // namespace kwb
