// Your own problem: what a [problem] table declares, as a Problem like those of the workbench.
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

/// For one thread at a time: arrays are read from their files when first needed, and kept.
class DeclaredProblem final : public Problem {
public:
    /// @param spec         with its name
    /// @param file         reference and arrays lie in its folder
    /// @param declared_in  the file that the spec's places refer to: `file` or its side-car
    /// @param edited       stands in for the reference's files, and reads the arrays
    DeclaredProblem(std::shared_ptr<const ProblemSpec> spec, std::filesystem::path file,
                    std::string declared_in, EditedTexts edited = {});

    std::string name() const override { return spec_->name; }
    std::string title() const override { return spec_->title.empty() ? spec_->name : spec_->title; }
    std::vector<std::string> size_names() const override { return names_of(spec_->sizes); }
    Sizes default_sizes() const override;
    /// Sizes that list awkward values keep their usual one.
    Sizes square(std::int64_t edge) const override;
    /// Where arrays come from files, their size is the only one. Sizes at which a shape has no value are left
    /// out.
    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override;
    /// @throws BadInput  with the place: a shape or scalar without value, or that no memory can hold
    ProblemInstance at(const Sizes& sizes) const override;

    /// Everything that a judge needs, including the content of files.
    /// @throws BadInput  as at(); and with the place: a fill that its type cannot hold, a .npy file that is
    ///         missing, broken, or of another shape or type, a reference that is missing, broken, or does not
    ///         say how it is launched
    std::shared_ptr<const DeclaredInstance> evaluate(const Sizes& sizes,
                                                     const DeviceInfo& device) const override;

    const ProblemSpec& spec() const { return *spec_; }
    std::filesystem::path file() const override { return file_; }
    /// Other files that belong to it: reference and arrays.
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
    mutable std::map<std::string, ArrayFile> arrays_;  ///< read so far, by path
};

/// Sizes that broken kernels trip over. One size: awkward_lengths(). Several: all equal to each of
/// awkward_edges(), different primes, each of them long while the others are short, and off the tile by one.
/// A size that lists its own awkward values takes those in turn.
/// @param tile  the edge that matters to the kernel, at least 1
/// @return  each once; some may give a shape no value
std::vector<Sizes> list_awkward_sizes(const ProblemSpec& spec, std::int64_t tile);

}  // namespace kwb
