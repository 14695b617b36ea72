// SPDX-License-Identifier: Apache-2.0
#include "task/attempt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "catalog/kernel_folders.hpp"
#include "experiment/gpus.hpp"
#include "experiment/opened_experiment.hpp"
#include "experiment/xray_request.hpp"
#include "model/finding_words.hpp"
#include "model/xray_words.hpp"
#include "problems/problem.hpp"
#include "reason/reasons.hpp"
#include "report/labels.hpp"
#include "report/reason_words.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {

constexpr std::uint32_t kSubGroup = 32;      ///< of the lesson's facts
constexpr double kComparisonBudgetMs = 600;  ///< for each of the two kernels

/// First limit for a build and a launch: by then X-ray has found any endless loop, so that the learner need
/// not wait. Without such a finding, a slow machine gets all of OpenedExperiment::timeout_ms.
constexpr double kFirstTimeoutMs = 3'000;

constexpr std::size_t kMostPrintedLines = 20;

std::string endless_sentence(const Finding& loop) {
    const XrayPlace place = place_from(loop.place);
    return fmt::format("a loop does not end{}{}; check its condition and what changes it",
                       place.line == 0 ? "" : fmt::format(" at line {}", place.line),
                       loop.text("item").empty() ? "" : " in work-item " + loop.text("item"));
}

/// The first GPU of each target that a lesson names. Only shipped ones, so that a lesson means the same
/// everywhere.
std::vector<GpuProfile> gpus_of(const Lesson& lesson) {
    std::vector<GpuProfile> gpus;
    for (const std::string& name : lesson.gpus) {
        const Targets targets = choose_targets({name}, shipped_gpus());
        if (targets.gpus.empty())
            throw BadInput(fmt::format("{}: gpus: the workbench has no data for {}",
                                       (lesson.folder / "lesson.toml").string(), name));
        gpus.push_back(targets.gpus.front());
    }
    return gpus;
}

/// If the exercise and its solution are launched in the same way, an attempt must be, too: the lesson's goals
/// and predictions depend on it.
void require_kept_launches(const Lesson& lesson, const KernelSpec& made, const std::string& file) {
    const KernelSpec given = open_kernel_file(lesson.exercise(), "").spec;
    const KernelSpec solved = open_kernel_file(lesson.solution(), "").spec;
    if (!made.init.empty() && solved.init.empty())
        throw BadInput(fmt::format(
            "{}: in this lesson the kernel stores every element itself; remove [init] from the front matter",
            file));
    const std::size_t count = given.launches.size();
    if (solved.launches.size() != count) return;
    if (made.launches.size() != count)
        throw BadInput(fmt::format("{}: this lesson needs {} in the front matter, as in the exercise", file,
                                   counted(count, "[launch]")));
    const auto require_kept = [&](const char* key, const auto& sizes_of) {
        const auto text_of = [&](const KernelSpec& spec, std::size_t i) {
            std::vector<std::string> texts;
            for (const Written& size : sizes_of(spec.launches[i])) texts.push_back(size.text);
            return join(texts, ", ");
        };
        for (std::size_t i = 0; i < count; ++i)
            if (text_of(given, i) == text_of(solved, i) && text_of(made, i) != text_of(given, i))
                throw BadInput(
                    fmt::format("{}: `{}` in the front matter must stay unchanged; in the exercise it is {}",
                                file, key, text_of(given, i)));
    };
    require_kept("global", [](const LaunchSpec& launch) { return launch.global; });
    require_kept("local",
                 [](const LaunchSpec& launch) { return launch.local.value_or(std::vector<Written>()); });
}

/// The finding of X-ray that explains a verdict of the device, if it is not the verdict's own finding; else
/// nullptr.
const Finding* cause_of(const KernelResult& result) {
    if (!result.xray) return nullptr;
    const std::vector<Finding>& seen = result.xray->undefined;
    const auto first = [&](auto... codes) -> const Finding* {
        for (const FindingCode code : {codes...})
            if (const auto found = std::ranges::find(seen, code, &Finding::code); found != seen.end())
                return &*found;
        return nullptr;
    };
    using enum FindingCode;
    const Finding* cause = first(DivergentBarrier, OutsideBuffer, OutsideArray);
    // Out-of-bounds accesses may also race, but the race is not the fault.
    if (cause == nullptr && result.verdict != Verdict::OutOfBounds && !seen.empty()) cause = &seen.front();
    return cause == nullptr || *cause == result.finding ? nullptr : cause;
}

}  // namespace

const Finding* endless_loop(const KernelResult& result) {
    if (result.verdict != Verdict::Timeout || !result.xray) return nullptr;
    const auto found = std::ranges::find(result.xray->remarks, FindingCode::XrayEndless, &Finding::code);
    return found == result.xray->remarks.end() ? nullptr : &*found;
}

Attempt::Attempt(const Lesson& lesson, const std::filesystem::path& file, DeviceInfo device,
                 const EditedTexts& edited)
    : lesson_(lesson), device_(std::move(device)) {
    try {
        const std::string source = edited.read(file, kMostSourceBytes);
        if (trim(source).empty())
            throw BadInput(fmt::format("{} is empty; delete it, and 'kwb learn {}' makes a new copy",
                                       file.string(), lesson.number));
        if (const std::vector<Place> blanks = find_blanks(source); !blanks.empty())
            throw BadInput({file.string(), blanks.front().line, blanks.front().column},
                           "blank not filled in; replace ____\n" +
                               caret_line(source, blanks.front().line, blanks.front().column));
        source_ = source;
        if (lesson.is_host) {
            std::vector<Sizes> sizes;
            for (const std::string& size : lesson.sizes)
                sizes.push_back(parse_sizes(get_problem(lesson.problem), size));
            std::packaged_task<HostCheck(const std::stop_token&)> check(
                [file, source, sizes](const std::stop_token& stop) {
                    return check_host_program(file, source, sizes, stop);
                });
            host_ = check.get_future();
            host_thread_ = std::jthread(
                [check = std::move(check)](const std::stop_token& stop) mutable { check(stop); });
            return;
        }
        kernel_ = open_kernel_file(file, file.string(), edited);
        if (kernel_.spec.problem != lesson.problem)
            throw BadInput(
                fmt::format("{}: this lesson needs problem = \"{}\" in the front matter; delete the file, "
                            "and 'kwb learn {}' makes a new copy",
                            file.string(), lesson.problem, lesson.number));
        require_kept_launches(lesson, kernel_.spec, file.string());
        plan();
    } catch (const BadInput& error) {
        obstacle_ = error.what();
        obstacle_words_ = obstacle_;
        if (const FilePlace* const place = error.place()) {
            obstacle_place_ = *place;
            obstacle_words_.erase(0, std::string_view(BadInput(*place, "").what()).size());
        }
    }
}

void Attempt::plan() {
    for (const std::string& size : lesson_.sizes) {
        checks_.push_back(request_at(size));
        checks_.back().timeout_ms = std::min(checks_.back().timeout_ms, kFirstTimeoutMs);
    }
    // The first value of a parameter is the default; with each other one the kernel must be right, too.
    for (const auto& [name, values] : kernel_.spec.params)
        for (std::size_t i = 1; i < values.size(); ++i) try {
                checks_.push_back(request_at(lesson_.sizes.back(), {{name, to_string(values[i])}}));
            } catch (const Refused&) {
                // This device cannot launch it.
            }
    if (lesson_.goals.empty() && lesson_.predictions.empty()) return;
    at_size_ = request_at(lesson_.size);
    if (lesson_.asks_why()) try {
            other_ = request_at(lesson_.size, {},
                                lesson_.than.empty() ? open_kernel_file(lesson_.exercise(), "")
                                                     : open_catalogue({}).open(lesson_.than));
        } catch (const Refused&) {
            // This device cannot launch it: nothing to compare with.
        }
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

RunRequest Attempt::request_at(const std::string& size, const NamedList<std::string>& params,
                               const std::optional<KernelFile>& other) const {
    const Problem& problem = get_problem(lesson_.problem);
    OpenedExperiment experiment;
    experiment.choices.params = params;
    experiment.check_only = true;
    experiment.contestants = {other.value_or(kernel_)};
    RunRequest request = make_request(experiment, problem, parse_sizes(problem, size), device_);
    if (const auto& plan = request.contestants.front().kernel; plan->refusal) throw Refused(*plan->refusal);
    return request;
}

RunRequest Attempt::comparison() const {
    const Problem& problem = get_problem(lesson_.problem);
    OpenedExperiment experiment;
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

Attempt::Step Attempt::step() const {
    if (lesson_.is_host) return Step::Finish;
    const bool goes_on = results_.empty() || results_.back().verdict == Verdict::Correct;
    if (goes_on && results_.size() < checks_.size()) return Step::Check;
    if (!is_correct()) return Step::Finish;
    if (at_size_ && reports_.size() < sub_groups_.size()) return Step::Observe;
    if (other_) return Step::ObserveOther;
    return lesson_.speed && !compared_ ? Step::Compare : Step::Finish;
}

bool Attempt::waits() const {
    const auto is_under_way = [](const auto& future) {
        return future.valid() && future.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
    };
    return obstacle_.empty() && error_.empty() && step() == Step::Finish &&
           (is_under_way(compiling_) || is_under_way(host_));
}

std::optional<Task::Request> Attempt::next(std::size_t /*place*/) {
    if (!obstacle_.empty() || !error_.empty()) return std::nullopt;
    try {
        switch (step()) {
            case Step::Check: {
                const RunRequest& check = checks_[results_.size()];
                headline_ = "size " + to_string(check.sizes);
                return check;
            }
            case Step::Observe: {
                headline_ = "X-ray";
                XrayOptions what;
                what.keep_counts = true;
                what.sub_group = sub_groups_[reports_.size()];
                return make_xray_request(*at_size_, *at_size_->contestants.front().kernel, what);
            }
            case Step::ObserveOther: {
                headline_ = "X-ray of " + name_of_other();
                XrayOptions what;
                what.keep_sites = true;
                return make_xray_request(*other_, *other_->contestants.front().kernel, what);
            }
            case Step::Compare:
                headline_ = "timing against " + lesson_.speed->than;
                return comparison();
            case Step::Finish:
                if (!std::exchange(is_finished_, true)) finish();
        }
    } catch (const BadInput& error) {
        obstacle_ = error.what();
    }
    return std::nullopt;
}

void Attempt::take(std::size_t /*place*/, const Snapshot& answered) {
    error_ = answered.error;
    if (!error_.empty()) return;
    switch (step()) {
        case Step::Check: {
            const KernelResult& result = answered.results.front();
            RunRequest& check = checks_[results_.size()];
            if (result.verdict == Verdict::Timeout && endless_loop(result) == nullptr &&
                std::exchange(check.timeout_ms, OpenedExperiment().timeout_ms) <
                    OpenedExperiment().timeout_ms)
                break;
            results_.push_back(result);
            break;
        }
        case Step::Observe:
            reports_.emplace(sub_groups_[reports_.size()], answered.xray);
            break;
        case Step::ObserveOther:
            other_report_ = answered.xray;
            other_.reset();
            break;
        case Step::Compare:
            compared_ = answered.results.front();
            break;
        case Step::Finish:
            break;
    }
}

void Attempt::finish_host() {
    HostCheck check = host_.get();
    obstacle_ = std::move(check.obstacle);
    if (!obstacle_.empty()) return;
    results_ = std::move(check.results);
    facts_ = facts_of(results_, nullptr);
    add_words(source_, facts_);
    facts_.set("failed_call", check.failed_call);
    facts_.set("failed_code", Number(check.failed_code));
    if (results_.back().verdict == Verdict::Correct) {
        const auto set = [&](const char* name, std::uint64_t number) {
            facts_.set(name, Number(static_cast<std::int64_t>(number)));
        };
        set("told_ns", check.told_ns.value_or(0));
        set("run_ns", check.run_ns);
        facts_.set("broken_exit", Number(check.broken_exit));
        facts_.set("broken_log", check.broken_log);
    }
    assessment_ = assess(lesson_, facts_);
}

std::string Attempt::name_of_other() const {
    return lesson_.than.empty() ? "the exercise" : lesson_.than;
}

void Attempt::find_reasons() {
    if (report_ == nullptr || other_report_ == nullptr || other_report_->launches.empty()) return;
    const auto counted = [](const XrayReport& report) {
        KernelResult result;
        result.xray.emplace().counts = report;
        return result;
    };
    for (const Reason& reason : counted_reasons(counted(*report_), counted(*other_report_)))
        if (reason.is_for)
            why_.push_back({reason_name(reason.kind),
                            fmt::format("{} [{}]", reason_words(reason, "your kernel", name_of_other()),
                                        evidence_words(reason, "your kernel", name_of_other()))});
    add_reasons(why_, facts_);
}

void Attempt::finish() {
    if (lesson_.is_host) return finish_host();
    if (const auto report = reports_.find(kSubGroup); report != reports_.end()) report_ = report->second;
    facts_ = facts_of(results_, report_.get());
    find_reasons();
    if (report_ != nullptr && compiling_.valid()) {
        ObservedKernel observed = observed_kernel("", *at_size_, at_size_->contestants.front(), *report_);
        observed.targets = compiling_.get();
        add_gpus(observed, gpus_, [&](std::uint32_t sub_group) { return *reports_.at(sub_group); });
        for (const GpuView& view : observed.gpus)
            for (std::size_t i = 0; i < gpus_.size(); ++i)
                if (gpus_[i].name == view.gpu) add_gpu_facts(lesson_.gpus[i], view, facts_);
    }
    if (compared_) add_speed_facts(*compared_, facts_);
    add_words(source_, facts_);
    assessment_ = assess(lesson_, facts_);
}

/// " with GROUP=64", unless the last check was with the first values.
static std::string with_params(const Lesson& lesson, const Attempt& made) {
    return made.results().size() > lesson.sizes.size() ? " with " + params_text(made.results().back().params)
                                                       : "";
}

namespace {

/// In the exercise; 0: elsewhere, or unknown.
std::uint32_t line_of(const Finding& finding) {
    const XrayPlace place = place_from(finding.place);
    return place.file.empty() ? place.line : 0;
}

/// Of the first error of the compiler, or where X-ray saw the fault; 0: elsewhere, or unknown.
std::uint32_t line_of(const KernelResult& result) {
    for (const Diagnostic& diagnostic : result.diagnostics)
        if (diagnostic.severity == Severity::Error)
            return diagnostic.file.empty() || diagnostic.file == result.file ? diagnostic.line : 0;
    return result.finding ? line_of(*result.finding) : 0;
}

Face face_of(const Lesson& lesson) {
    constexpr std::uint64_t kMostBytes = 1u << 20;
    const bool is_used = read_file(lesson.exercise(), kMostBytes).find("[init]") != std::string::npos;
    return is_used ? Face::Page : Face::Lesson;
}

/// That of the judge, except where it advises something that the lesson does not teach.
std::string reason_for(const Lesson& lesson, const KernelResult& result) {
    const bool is_unset = result.finding && (result.finding->code == FindingCode::UnsetRead ||
                                             result.finding->code == FindingCode::DependsOnUnset);
    return is_unset ? sentence_of(*result.finding, face_of(lesson)) : result.reason;
}

}  // namespace

std::vector<AttemptLine> lines_of(const Lesson& lesson, const Attempt& made) {
    using Kind = AttemptLine::Kind;
    std::vector<AttemptLine> lines;
    // The lines after the first show the source.
    const auto add_reason = [&](const std::string& before, const std::string& reason, std::uint32_t line) {
        const std::vector<std::string> all = split_lines(reason);
        lines.push_back({Kind::Unmet, before + (all.empty() ? "" : all.front()), line});
        for (std::size_t i = 1; i < all.size(); ++i) lines.push_back({Kind::Source, all[i]});
    };
    if (!made.obstacle().empty()) {
        add_reason("", made.obstacle(), made.obstacle_place() ? made.obstacle_place()->line : 0);
        return lines;
    }
    const KernelResult& last = made.results().back();
    if (last.verdict == Verdict::Correct) {
        lines.push_back({Kind::Met, "correct at " + join(lesson.sizes, ", ")});
        for (std::size_t i = 0; i < lesson.goals.size(); ++i) {
            const std::optional<bool> goal = made.assessment().goals[i];
            const bool is_met = goal.value_or(false);
            lines.push_back(
                {is_met ? Kind::Met : Kind::Unmet, (is_met ? "" : "not yet: ") + lesson.goals[i].says +
                                                       (goal ? "" : " (X-ray could not measure this)")});
        }
    } else {
        const bool is_built = last.verdict != Verdict::CompileError;
        const Finding* const loop = endless_loop(last);
        add_reason(
            fmt::format("{}{}: ", to_string(last.verdict),
                        is_built ? " at size " + to_string(last.size) + with_params(lesson, made) : ""),
            loop != nullptr ? endless_sentence(*loop) : reason_for(lesson, last), line_of(last));
        if (const Finding* const cause = cause_of(last))
            add_reason("X-ray: ", sentence_of(*cause, face_of(lesson)), line_of(*cause));
    }
    if (const std::vector<std::string> printed = split_lines(trim(last.output)); !printed.empty()) {
        lines.push_back({Kind::Source, fmt::format("printed at size {}:", to_string(last.size))});
        const std::size_t shown = std::min(printed.size(), kMostPrintedLines);
        for (std::size_t i = 0; i < shown; ++i) lines.push_back({Kind::Source, "    " + printed[i]});
        if (shown < printed.size())
            lines.push_back(
                {Kind::Source, fmt::format("    … and {} more", counted(printed.size() - shown, "line"))});
    }
    if (const LessonMistake* const mistake = made.assessment().mistake)
        lines.push_back({Kind::Advice, mistake->says});
    return lines;
}

}  // namespace kwb
