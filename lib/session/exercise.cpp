#include "session/exercise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/finding_words.hpp"
#include "problems/problem.hpp"
#include "session/experiment.hpp"
#include "session/gpus.hpp"
#include "session/kernel_folders.hpp"
#include "session/xray_request.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {

constexpr std::uint32_t kSubGroup = 32;      ///< of the lesson's facts
constexpr double kComparisonBudgetMs = 600;  ///< for each of the two kernels

/// The first GPU of each target that a lesson names. Only shipped ones, so that a lesson means the same
/// everywhere.
std::vector<GpuProfile> gpus_of(const Lesson& lesson) {
    std::vector<GpuProfile> gpus;
    for (const std::string& name : lesson.gpus) {
        const Targets targets = choose_targets({name}, shipped_gpus());
        if (targets.gpus.empty())
            throw BadInput(fmt::format("{}: gpus: the workbench has no figures of {}",
                                       (lesson.folder / "lesson.toml").string(), name));
        gpus.push_back(targets.gpus.front());
    }
    return gpus;
}

}  // namespace

Attempt::Attempt(const Lesson& lesson, const std::filesystem::path& file, DeviceInfo device,
                 const EditedTexts& edited)
    : lesson_(lesson), device_(std::move(device)) {
    try {
        const std::string source = edited.read(file, kMostSourceBytes);
        if (const auto blank = find_blank(source))
            throw BadInput(fmt::format("{}:{}:{}: here is a blank to fill in: replace ____\n{}",
                                       file.string(), blank->line, blank->column,
                                       caret_line(source, blank->line, blank->column)));
        kernel_ = open_kernel_file(file, file.string(), edited);
        if (kernel_.spec.problem != lesson.problem)
            throw BadInput(fmt::format("{}: this lesson needs problem = \"{}\" in the front matter",
                                       file.string(), lesson.problem));
        plan();
    } catch (const BadInput& error) {
        obstacle_ = error.what();
    }
}

void Attempt::plan() {
    for (const std::string& size : lesson_.sizes) checks_.push_back(request_at(size));
    if (lesson_.goals.empty() && lesson_.predictions.empty()) return;
    at_size_ = request_at(lesson_.size);
    gpus_ = gpus_of(lesson_);
    sub_groups_ = {kSubGroup};
    std::vector<std::string> codes;
    for (const GpuProfile& gpu : gpus_) {
        codes.push_back(gpu.target);
        if (std::ranges::find(sub_groups_, gpu.sub_group) == sub_groups_.end())
            sub_groups_.push_back(gpu.sub_group);
    }
    // Meanwhile the judge checks.
    if (!codes.empty())
        compiling_ = std::async(std::launch::async, compile_for_targets, codes,
                                source_text_of(*at_size_->contestants.front().kernel));
}

RunRequest Attempt::request_at(const std::string& size) const {
    const Problem& problem = get_problem(lesson_.problem);
    Experiment experiment;
    experiment.check_only = true;
    experiment.contestants = {kernel_};
    RunRequest request = make_request(experiment, problem, parse_sizes(problem, size), device_);
    if (const auto& plan = request.contestants.front().kernel; plan->refusal) throw Refused(*plan->refusal);
    return request;
}

RunRequest Attempt::comparison() const {
    const Problem& problem = get_problem(lesson_.problem);
    Experiment experiment;
    experiment.contestants = {kernel_, open_catalogue({}).open(lesson_.speed->than)};
    experiment.time_budget_ms = kComparisonBudgetMs;
    experiment.xray = false;  // the checks have observed it
    RunRequest request =
        make_request(experiment, problem, parse_sizes(problem, lesson_.speed->size), device_);
    request.baseline = 1;
    return request;
}

bool Attempt::is_correct() const {
    return results_.size() == checks_.size() && results_.back().verdict == Verdict::Correct;
}

std::optional<Attempt::Command> Attempt::next() {
    if (!obstacle_.empty()) return std::nullopt;
    try {
        if (results_.size() < checks_.size() &&
            (results_.empty() || results_.back().verdict == Verdict::Correct)) {
            const RunRequest& check = checks_[results_.size()];
            headline_ = "size " + to_string(check.sizes);
            return check;
        }
        if (is_correct() && at_size_ && reports_.size() < sub_groups_.size()) {
            headline_ = "X-ray";
            XrayOptions what;
            what.keep_counts = true;
            what.sub_group = sub_groups_[reports_.size()];
            return make_xray_request(*at_size_, *at_size_->contestants.front().kernel, what);
        }
        if (is_correct() && lesson_.speed && !compared_) {
            headline_ = "times, against " + lesson_.speed->than;
            return comparison();
        }
        if (!std::exchange(is_finished_, true)) finish();
    } catch (const BadInput& error) {
        obstacle_ = error.what();
    }
    return std::nullopt;
}

void Attempt::take(const Snapshot& answered) {
    if (!is_correct())
        results_.push_back(answered.results.front());
    else if (at_size_ && reports_.size() < sub_groups_.size())
        reports_.emplace(sub_groups_[reports_.size()], answered.xray);
    else
        compared_ = answered.results.front();
}

void Attempt::finish() {
    if (const auto report = reports_.find(kSubGroup); report != reports_.end()) report_ = report->second;
    facts_ = facts_of(results_, report_.get());
    if (report_ != nullptr && compiling_.valid()) {
        ObservedKernel observed = observed_kernel("", *at_size_, at_size_->contestants.front(), *report_);
        observed.targets = compiling_.get();
        add_gpus(observed, gpus_, [&](std::uint32_t sub_group) { return *reports_.at(sub_group); });
        for (const GpuView& view : observed.gpus)
            for (std::size_t i = 0; i < gpus_.size(); ++i)
                if (gpus_[i].name == view.gpu) add_gpu_facts(lesson_.gpus[i], view, facts_);
    }
    if (compared_) add_speed_facts(*compared_, facts_);
    assessment_ = assess(lesson_, facts_);
}

}  // namespace kwb
