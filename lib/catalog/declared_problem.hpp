// A problem of a person's own: what a [problem] table declares, as a Problem like those of the workbench.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/npy.hpp"
#include "catalog/edited_texts.hpp"
#include "model/declared_instance.hpp"
#include "model/device_info.hpp"
#include "model/problem_spec.hpp"
#include "problems/problem.hpp"

namespace kwb {

/// Not for several threads at once: arrays are read from their files when they are first needed, and kept.
class DeclaredProblem final : public Problem {
public:
    /// @param spec         with its name
    /// @param file         beside which reference and arrays lie
    /// @param declared_in  what the spec's places refer to: `file` or its side-car
    /// @param edited       stands in for the reference's files
    DeclaredProblem(std::shared_ptr<const ProblemSpec> spec, std::filesystem::path file,
                    std::string declared_in, EditedTexts edited = {});

    std::string name() const override { return spec_->name; }
    std::string title() const override { return spec_->title.empty() ? spec_->name : spec_->title; }
    std::vector<std::string> size_names() const override { return names_of(spec_->sizes); }
    Sizes default_sizes() const override;
    /// Sizes whose awkward values are listed keep their usual one.
    Sizes square(std::int64_t edge) const override;
    /// Where arrays come from files, their size is the only one there is. Sizes at which a shape has no value
    /// are left out.
    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override;
    /// @throws BadInput  with the place: a shape or scalar without value, or that no memory can hold
    ProblemInstance at(const Sizes& sizes) const override;

    /// Everything that a judge needs, contents of files included.
    /// @throws BadInput  as at(); and with the place: a fill that its type cannot hold, a .npy file that is
    ///         missing, broken, or of another shape or type, a reference that is missing, broken, or does not
    ///         say how it is launched
    std::shared_ptr<const DeclaredInstance> evaluate(const Sizes& sizes, const DeviceInfo& device) const;

    /// Share what `other` has read of .npy files: a declaration that is being edited reads none of them
    /// again.
    /// @param other  of the same folder, read since any of its files changed
    void share_arrays(const DeclaredProblem& other) const { arrays_ = other.arrays_; }

    const ProblemSpec& spec() const { return *spec_; }
    const std::filesystem::path& file() const { return file_; }
    /// Files that belong to it besides: reference and arrays.
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
    struct Array {
        NpyHeader header;
        BufferContent content;
    };
    using Arrays = std::map<std::string, Array>;                           ///< by path
    mutable std::shared_ptr<Arrays> arrays_ = std::make_shared<Arrays>();  ///< read so far
};

/// Whether two kernels solve one and the same problem: one object, or declared in one file. Names do not
/// tell.
bool is_same_problem(const Problem& a, const Problem& b);

}  // namespace kwb
