// SPDX-License-Identifier: Apache-2.0
// The judge's requests for an attempt at a lesson's exercise, and their outcome.
#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/named.hpp"
#include "catalog/kernel_file.hpp"
#include "lessons/assessment.hpp"
#include "lessons/lesson.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"
#include "task/host_program.hpp"
#include "task/task.hpp"

namespace kwb {

/// An attempt: at one size after the other until a result is wrong, at the last one also with each other
/// value of the kernel's parameters; then X-ray, at the lesson's size, and of the kernel that the lesson
/// compares with if it asks why; then, if the lesson compares times, a comparison. A program for the host is
/// checked in a thread: there is nothing to ask, only to wait for.
class Attempt : public Task {
public:
    /// Reads the file.
    /// @param file    the person's copy
    /// @param edited  texts instead of files
    Attempt(const Lesson& lesson, const std::filesystem::path& file, DeviceInfo device,
            const EditedTexts& edited = {});

    /// nullopt: everything is known. Waits for compilers if waits().
    std::optional<Request> next(std::size_t place) override;
    /// All requests are answered, but compilers still run for the GPUs of the lesson, or the host program is
    /// being checked.
    bool waits() const override;
    /// The last request of next(): "size N=64".
    std::string progress() const override { return headline_; }
    void take(std::size_t place, const Snapshot& answered) override;

    /// Why the judge did not answer, so that nothing more is asked; empty: it did.
    const std::string& error() const { return error_; }

    /// Why the attempt cannot be assessed: a sentence with its place, and perhaps lines of the source; empty:
    /// it can be assessed.
    const std::string& obstacle() const { return obstacle_; }
    /// Where it is; nullopt: it has no place.
    const std::optional<FilePlace>& obstacle_place() const { return obstacle_place_; }
    /// Without its place.
    const std::string& obstacle_words() const { return obstacle_words_; }
    const std::vector<KernelResult>& results() const { return results_; }
    /// nullptr: X-ray was not asked
    const std::shared_ptr<const XrayReport>& report() const { return report_; }

    /// Once next() has nothing left to ask.
    const Scope& facts() const { return facts_; }
    const Assessment& assessment() const { return assessment_; }
    /// The reasons that X-ray counts for this kernel, compared with Lesson::than, the most important first:
    /// name → sentence with its figures and lines.
    const NamedList<std::string>& why() const { return why_; }

private:
    /// @param other  instead of the person's kernel
    RunRequest request_at(const std::string& size, const NamedList<std::string>& params = {},
                          const std::optional<KernelFile>& other = {}) const;
    std::string name_of_other() const;
    RunRequest comparison() const;
    void plan();
    void find_reasons();
    void finish();
    void finish_host();
    bool is_correct() const;
    enum class Step { Check, Observe, ObserveOther, Compare, Finish };
    Step step() const;

    const Lesson& lesson_;
    DeviceInfo device_;
    std::string source_;
    KernelFile kernel_;
    std::string obstacle_;
    std::optional<FilePlace> obstacle_place_;
    std::string obstacle_words_;
    std::string headline_;
    std::string error_;
    std::vector<RunRequest> checks_;
    std::optional<RunRequest> at_size_;  ///< that X-ray observes; nullopt: the lesson needs no X-ray
    std::optional<RunRequest> other_;  ///< of Lesson::than at this size; nullopt: the lesson does not ask why
    std::vector<GpuProfile> gpus_;     ///< of Lesson::gpus
    std::vector<std::uint32_t>
        sub_groups_;  ///< that X-ray observes with, the first one for the lesson's facts
    std::future<std::vector<TargetReport>> compiling_;
    std::future<HostCheck> host_;
    std::jthread host_thread_;
    std::vector<KernelResult> results_;
    std::map<std::uint32_t, std::shared_ptr<const XrayReport>> reports_;  ///< by sub-group
    std::shared_ptr<const XrayReport> report_;
    std::shared_ptr<const XrayReport> other_report_;  ///< of `other_`
    NamedList<std::string> why_;
    std::optional<KernelResult> compared_;
    Scope facts_;
    Assessment assessment_;
    bool is_finished_ = false;
};

/// The loop in which X-ray stopped a kernel that did not end on the device; nullptr: X-ray saw none.
const Finding* endless_loop(const KernelResult& result);

/// A line of the description of an attempt.
struct AttemptLine {
    enum class Kind {
        Met,     ///< correct, or a goal that is met
        Unmet,   ///< what is wrong, or a goal that is not met
        Source,  ///< of a listing with a caret
        Advice,  ///< what to think about
    };
    Kind kind = Kind::Met;
    std::string words;
    std::uint32_t line = 0;  ///< of the exercise, from 1; 0: none

    friend bool operator==(const AttemptLine&, const AttemptLine&) = default;
};

/// @param made  with nothing left to ask
std::vector<AttemptLine> lines_of(const Lesson& lesson, const Attempt& made);

}  // namespace kwb
