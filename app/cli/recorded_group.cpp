// SPDX-License-Identifier: Apache-2.0
#include "recorded_group.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "conversation.hpp"
#include "debug/moves.hpp"
#include "debug/values.hpp"
#include "experiment/xray_request.hpp"
#include "ipc/channel.hpp"
#include "model/finding_words.hpp"
#include "needed_elements.hpp"
#include "outputs.hpp"
#include "report/labels.hpp"
#include "verb.hpp"
#include "wrong_words.hpp"

namespace kwb::cli {
namespace {

/// Of a size at which undefined behaviour is looked for: a few groups.
constexpr std::uint64_t kEventsOfSize = 2'000'000;
/// Without --size, larger sizes are tried until one takes so long.
constexpr double kMostSizeMs = 1000;
/// For the search for undefined behaviour.
constexpr double kMostUndefinedMs = 5000;

/// "3", "3,0", "(3, 0)"
std::vector<std::uint64_t> parse_ids(const std::string& option, const std::string& text) {
    std::vector<std::uint64_t> ids;
    for (const std::string& word : split(text, ',')) {
        const std::string digits(trim(word));
        if (digits.empty() || digits.size() > 9 ||
            digits.find_first_not_of("0123456789") != std::string::npos)
            throw BadInput(option + " " + text + ": give one to three whole numbers, as in 3,0");
        ids.push_back(std::stoull(digits));
    }
    if (ids.size() > 3) throw BadInput(option + " " + text + ": give at most three numbers");
    return ids;
}

/// All extents halved again and again, the smallest first; none below kLeastExtent.
std::vector<Sizes> halved_sizes(const Sizes& sizes) {
    constexpr std::int64_t kLeastExtent = 8;
    std::vector<Sizes> all{sizes};
    while (true) {
        Sizes half = all.front();
        std::int64_t most = 0;
        for (Named<std::int64_t>& extent : half) {
            extent.value = std::max<std::int64_t>(extent.value / 2, 1);
            most = std::max(most, extent.value);
        }
        if (most < kLeastExtent || half == all.front()) return all;
        all.insert(all.begin(), std::move(half));
    }
}

/// Restores the signals that a Conversation blocks, so that Ctrl-C ends what comes after it.
class SignalsAsBefore {
public:
    SignalsAsBefore() { ::pthread_sigmask(SIG_BLOCK, nullptr, &before_); }
    SignalsAsBefore(const SignalsAsBefore&) = delete;
    SignalsAsBefore& operator=(const SignalsAsBefore&) = delete;
    ~SignalsAsBefore() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_{};
};

/// Asks the judge for recordings of the kernel.
class GroupRecorder {
public:
    GroupRecorder(const RecordOptions& options, const OpenedExperiment& experiment, const Problem& problem)
        : options_(options),
          experiment_(experiment),
          problem_(problem),
          conversation_(options.judge),
          device_(conversation_.choose_devices(options.chosen.device, false).front()) {}

    /// The group of --group.
    void record(const Sizes& sizes) {
        const RunRequest run = make_request(experiment_, problem_, sizes, device_);
        const KernelPlan& plan = *run.contestants.front().kernel;
        if (plan.refusal) throw Refused(*plan.refusal);
        if (options_.launch > plan.launches.size())
            throw BadInput(fmt::format("--launch {}: the last launch of {} is {}", options_.launch, plan.name,
                                       plan.launches.size()));
        ask(run, recording_of(static_cast<std::uint32_t>(options_.launch - 1), options_.group));
    }

    /// The group that stores the first wrong element, at the smallest of these sizes at which there is one,
    /// or else at one of those that `kwb check` tries. If all elements are right at all of them, the group
    /// in which X-ray sees undefined behaviour.
    /// @return  false: there is none
    bool record_wrong(const std::vector<Sizes>& sizes) {
        std::vector<RunRequest> asked;
        std::vector<RunRequest> awkward = make_awkward_requests(experiment_, problem_, device_).requests;
        for (const Sizes& size : sizes) {
            try {
                asked.push_back(make_request(experiment_, problem_, size, device_));
            } catch (const BadInput&) {  // no size of the problem or of the kernel
            }
        }
        for (std::vector<RunRequest>* const runs : {&asked, &awkward})
            for (RunRequest& run : *runs) {
                if (run.contestants.front().kernel->refusal) continue;
                const Stopwatch watch;
                ask(run, recording_of(0, {0}), true);
                if (answer_->wrong) return true;
                if (!answer_->xray->remarks.empty()) {  // it was not run to its end
                    if (!right_runs_.empty()) break;    // nor will it be at a larger size
                    is_stopped_ = true;
                    return record_undefined(run);
                }
                right_runs_.push_back(std::move(run));
                if (!options_.chosen.size && watch.ms() > kMostSizeMs) break;
            }
        const Stopwatch watch;
        for (const RunRequest& run : right_runs_) {
            if (record_undefined(run)) return true;
            if (watch.ms() > kMostUndefinedMs) break;
        }
        return false;
    }

    const KernelPlan& plan() const { return *run_.contestants.front().kernel; }
    std::string size() const { return to_string(run_.sizes); }
    const RunRequest& run() const { return run_; }
    const Snapshot& answer() const { return *answer_; }
    /// Where record_wrong() has found undefined behaviour instead of a wrong element.
    const std::optional<UndefinedPlace>& undefined() const { return undefined_; }

    ProblemInstance instance() const {
        return run_.declared ? run_.declared->instance : problem_.at(run_.sizes);
    }

    ElementPlace wrong_place() const {
        const ProblemInstance instance = this->instance();
        const BufferSpec* const buffer = instance.find_buffer(answer_->wrong->buffer);
        if (buffer == nullptr) throw EnvironmentError("the judge names a buffer that the problem lacks");
        return place_of(*answer_->wrong, *buffer);
    }

    /// Why there is no wrong element.
    std::string explain_none() const {
        if (is_stopped_ && !answer_->xray->remarks.empty())
            return fmt::format("At size {}: {}", size(), sentence_of(answer_->xray->remarks.front()));
        if (right_runs_.empty()) return "No size could be tried";
        return fmt::format("As X-ray runs the kernel, all elements are right at {}",
                           counted(right_runs_.size(), "size"));
    }

    /// With undefined().
    std::string explain_undefined() const {
        const std::string sentence = sentence_of(undefined_->finding);
        if (is_stopped_) return fmt::format("At size {}: {}", size(), sentence);
        return fmt::format("{}, but OpenCL C does not promise that. At size {}:\n{}", explain_none(), size(),
                           sentence);
    }

private:
    /// The first group in which X-ray sees undefined behaviour.
    bool record_undefined(const RunRequest& run) {
        XrayOptions what = options_.observed;
        what.most_events = kEventsOfSize;
        what.keep_sites = true;
        ask(run, what);
        undefined_ = first_undefined(*answer_->xray, is_stopped_);
        if (!undefined_) return false;
        ask(run, recording_of(undefined_->launch, undefined_->group));
        return answer_->recording != nullptr;
    }

    XrayOptions recording_of(std::uint32_t launch, std::vector<std::uint64_t> group) const {
        XrayOptions what = options_.observed;
        what.aim = XrayAim::Record;
        what.trace_launch = launch;
        what.trace_group = std::move(group);
        return what;
    }

    void ask(const RunRequest& run, const XrayOptions& what, bool find_wrong = false) {
        XrayRequest request = make_xray_request(run, *run.contestants.front().kernel, what);
        request.find_wrong = find_wrong;
        answer_ = conversation_.ask(std::move(request));
        run_ = run;
        if (conversation_.interrupted()) throw Interrupted{};
        if (!answer_->error.empty()) throw EnvironmentError(answer_->error);
    }

    const RecordOptions& options_;
    const OpenedExperiment& experiment_;
    const Problem& problem_;
    SignalsAsBefore signals_;  // before the conversation begins, and after it has ended
    Conversation conversation_;
    DeviceInfo device_;
    RunRequest run_;
    std::shared_ptr<const Snapshot> answer_;
    std::vector<RunRequest> right_runs_;  ///< those of record_wrong() whose elements are all right
    bool is_stopped_ = false;  ///< record_wrong() found no size at which the kernel runs to its end
    std::optional<UndefinedPlace> undefined_;
};

/// Why nothing was recorded.
std::string explain_no_recording(const RecordOptions& options, const XrayReport& report) {
    if (options.launch <= report.launches.size() && !report.launches.empty()) {
        const XrayLaunch& launch = report.launches[options.launch - 1];
        std::vector<std::string> extents, ids;
        bool is_inside = options.group.size() <= launch.global.size();
        for (std::size_t d = 0; d < launch.global.size(); ++d) {
            const std::uint64_t groups = launch.global[d] / launch.local[d];
            extents.push_back(std::to_string(groups));
            if (d < options.group.size()) is_inside = is_inside && options.group[d] < groups;
        }
        for (const std::uint64_t id : options.group) ids.push_back(std::to_string(id));
        if (!is_inside)
            throw BadInput(fmt::format("--group {}: the launch has {} work-groups, counted from 0",
                                       join(ids, ","), join(extents, " × ")));
    }
    return report.remarks.empty() ? "the work-group did not run" : sentence_of(report.remarks.front());
}

/// The event that has stored the wrong element last.
std::optional<std::uint32_t> store_of(const debug::Player& player, const Snapshot& answer,
                                      const ElementPlace& wrong) {
    const auto& buffers = answer.xray->buffers;
    const auto buffer = std::ranges::find(buffers, answer.wrong->buffer, &XrayBuffer::name);
    const auto number = static_cast<std::size_t>(buffer - buffers.begin());
    const Recording& recording = player.recording();
    if (number >= recording.regions.size()) return std::nullopt;
    const RecordedRegion& region = recording.regions[number];
    const std::uint64_t bytes = std::max<std::uint64_t>(recording.types[region.type].bytes, 1);
    return player.last_store(static_cast<std::uint32_t>(recording.events.size()),
                             region.address + wrong.element * bytes + wrong.offset, 1);
}

debug::Moment moment_of_store(const debug::Player& player, std::uint32_t store) {
    debug::Moves moves(player);
    moves.go_to_store(store);
    return moves.moment();
}

/// The moment at which a work-item does what is undefined.
debug::Moment moment_of_undefined(const debug::Player& player, const UndefinedPlace& place) {
    const Recording& recording = player.recording();
    const std::uint32_t item = debug::item_at(recording, place.item);
    const auto is_there = [&](const RecordedEvent& event) {
        const XrayPlace& there = recording.sites[event.site].place;
        return event.item == item && event.kind != RecordedKind::Barrier && there.line == place.place.line &&
               there.file == place.place.file;
    };
    auto found = std::ranges::find_if(recording.events, [&](const RecordedEvent& event) {
        return is_there(event) && event.bytes > 0 &&
               debug::place_text(recording, event.address) == place.finding.subject;
    });
    if (found == recording.events.end()) found = std::ranges::find_if(recording.events, is_there);
    if (found == recording.events.end()) return {item, 0};
    return player.moment_of(static_cast<std::uint32_t>(found - recording.events.begin()));
}

/// The first step of the work-item whose global id is the element's index, if it is in the group.
debug::Moment moment_beside(const Recording& recording, const std::vector<std::uint64_t>& index) {
    if (index.size() != recording.local.size()) return {};
    std::vector<std::uint64_t> lane;
    for (std::size_t d = 0; d < index.size(); ++d) {
        const std::uint64_t id = index[index.size() - 1 - d];
        if (id / recording.local[d] != recording.group[d]) return {};
        lane.push_back(id % recording.local[d]);
    }
    return {debug::item_at(recording, lane), 0};
}

}  // namespace

CLI::Option* RecordOptions::add(CLI::App& verb) {
    CLI::Option* const kernel =
        verb.add_option("KERNEL", chosen.kernels, "a name from 'kwb kernels', or the path of a .cl file")
            ->expected(1);
    chosen.add_planning(verb);
    judge.add(verb);
    chosen.add_size(verb);
    add_parsed(verb, "--group", group, "X[,Y[,Z]]", "the work-group to record, by its id (0)",
               [](const std::string& text) { return parse_ids("--group", text); });
    verb.add_flag(
        "--wrong", wrong,
        "record the work-group that stores the first wrong element, at the smallest size at which there "
        "is one (that of --size, halved; then those of kwb check), and begin where it is stored");
    add_parsed(verb, "--lane", lane, "X[,Y[,Z]]", "the work-item to begin with, by its local id (0)",
               [](const std::string& text) { return parse_ids("--lane", text); });
    add_parsed(verb, "--launch", launch, "N", "the launch to record, from 1 (1)", whole("--launch", 1, 1000));
    add_parsed(verb, "--timeout", observed.most_ms, "5s",
               "longest time to record, not counting compilation; increase it on a slow machine (5s)",
               duration_ms("--timeout"));
    return kernel;
}

NamedList<std::string> RecordedGroup::sources() const {
    NamedList<std::string> sources{{"", plan.source_text}};
    sources.insert(sources.end(), plan.includes.begin(), plan.includes.end());
    return sources;
}

std::string RecordedGroup::explain_earlier(std::uint64_t address) const {
    const Recording& recording = player->recording();
    const RecordedRegion* const region = player->region_at(address);
    if (region == nullptr || region->is_variable || recording.launch == 0) return "";
    const std::uint64_t bytes = std::max<std::uint64_t>(recording.types[region->type].bytes, 1);
    XrayOptions what;
    what.aim = XrayAim::Run;
    const auto number = static_cast<std::size_t>(region - recording.regions.data());
    if (number >= buffers.size()) return "";
    what.stored = XrayElement{buffers[number], (address - region->address) / bytes};
    XrayRequest request = make_xray_request(run, plan, what);
    request.kernel.launches.resize(recording.launch);
    const SignalsAsBefore signals;
    Conversation conversation(judge);
    const std::shared_ptr<const Snapshot> snapshot = conversation.ask(std::move(request));
    if (!snapshot->error.empty() || !snapshot->xray) return "";
    return earlier_store_text(*snapshot->xray, *what.stored, plan, run.sizes);
}

RecordedGroup record_group(const RecordOptions& options, const Folders& folders,
                           const OutputOptions& outputs) {
    Notes notes;
    OpenedExperiment experiment = open_experiment(options.chosen, folders, outputs, notes);
    experiment.xray = false;  // the requests ask for it
    if (!experiment.contestants.front()) throw BadInput("cpu:blas has no source to debug; name a kernel");
    const Problem& problem = common_problem(experiment.contestants, options.chosen.own.problem);
    print_notes(notes, experiment, &options.chosen.own, outputs);
    const Sizes sizes = options.chosen.sizes(problem);

    GroupRecorder recorder(options, experiment, problem);
    RecordedGroup group;
    if (!options.wrong) {
        recorder.record(sizes);
    } else if (!recorder.record_wrong(halved_sizes(sizes))) {
        group.text = recorder.explain_none() + ".\n";
        group.is_good = true;
        return group;
    }
    const Snapshot& answer = recorder.answer();
    if (!answer.recording) {
        group.text = "nothing was recorded: " + explain_no_recording(options, *answer.xray) + "\n";
        return group;
    }
    group.plan = recorder.plan();
    group.player = std::make_shared<const debug::Player>(answer.recording);
    group.run = recorder.run();
    group.judge = options.judge;
    for (const XrayBuffer& buffer : answer.xray->buffers) group.buffers.push_back(buffer.name);
    if (answer.wrong) {
        const ElementPlace wrong = recorder.wrong_place();
        group.text =
            wrong_text(*answer.wrong, wrong, *answer.xray, answer.recording->launch, recorder.size()) + "\n";
        const auto store = store_of(*group.player, answer, wrong);
        group.begin =
            store ? moment_of_store(*group.player, *store) : moment_beside(*answer.recording, wrong.index);
        if (store && wrong.offset == 0 && !group.run.declared) {
            const ProblemInstance instance = recorder.instance();
            const std::string missing = missing_reads_text(
                *group.player, *store, wrong.name, instance,
                needed_elements(instance, answer.wrong->buffer, wrong.index), group.buffers, group.sources());
            if (!missing.empty()) group.text += missing + "\n";
        }
    } else if (recorder.undefined()) {
        group.text = recorder.explain_undefined() + "\n";
        group.begin = moment_of_undefined(*group.player, *recorder.undefined());
    }
    group.text += undefined_text(*answer.xray, recorder.undefined());
    if (options.lane) {
        debug::Moves moves(*group.player);
        moves.select(group.begin);
        moves.select_item(debug::item_at(*answer.recording, *options.lane));
        group.begin = moves.moment();
    }
    return group;
}

}  // namespace kwb::cli
