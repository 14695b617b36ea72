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
#include "debug/wrong_start.hpp"
#include "experiment/xray_request.hpp"
#include "model/finding_words.hpp"
#include "outputs.hpp"
#include "report/labels.hpp"
#include "task/counterpart.hpp"
#include "task/wrong_search.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

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
        run_ = make_request(experiment_, problem_, sizes, device_);
        if (plan().refusal) throw Refused(*plan().refusal);
        if (options_.launch > plan().launches.size())
            throw BadInput(fmt::format("--launch {}: the last launch of {} is {}", options_.launch,
                                       plan().name, plan().launches.size()));
        XrayOptions what = options_.observed;
        what.aim = XrayAim::Record;
        what.trace_launch = static_cast<std::uint32_t>(options_.launch - 1);
        what.trace_group = options_.group;
        ask(make_xray_request(run_, plan(), what));
    }

    /// The group that stores the first wrong element, or that does something undefined.
    /// @return  false: there is none
    bool record_wrong(const Sizes& sizes) {
        search_.emplace(experiment_, problem_, sizes, device_, options_.observed,
                        options_.chosen.size.has_value());
        while (auto request = search_->next()) {
            ask(std::move(*request));
            search_->take(*answer_);
        }
        run_ = search_->run();
        return search_->has_found();
    }

    /// The group of another kernel that does the same.
    /// With the group of another kernel that does the same. @return  compared
    std::shared_ptr<Counterpart> compare(std::shared_ptr<const debug::Player> player,
                                         std::vector<std::string> buffers, const OpenedExperiment& other) {
        auto counterpart = std::make_shared<Counterpart>(
            Counterpart::Recorded{std::move(player), std::move(buffers), run_},
            make_request(other, problem_, run_.sizes, device_), options_.observed);
        do {
            while (auto request = counterpart->next()) {
                ask(std::move(*request));
                counterpart->take(*answer_);
            }
        } while (counterpart->compare());
        return counterpart;
    }

    const KernelPlan& plan() const { return *run_.contestants.front().kernel; }
    std::string size() const { return to_string(run_.sizes); }
    const RunRequest& run() const { return run_; }
    const Snapshot& answer() const { return *answer_; }
    /// Of record_wrong().
    const WrongSearch& search() const { return *search_; }

    ProblemInstance instance() const {
        return run_.declared ? run_.declared->instance : problem_.at(run_.sizes);
    }

private:
    void ask(XrayRequest request) {
        answer_ = conversation_.ask(std::move(request));
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
    std::optional<WrongSearch> search_;
};

/// The kernel of --against, with the parameters that it has.
OpenedExperiment open_other(const RecordOptions& options, const Folders& folders,
                            const OutputOptions& outputs) {
    ExperimentOptions other = options.chosen;
    other.kernels = {*options.against};
    auto kernels = open_kernels(other.kernels, folders);
    if (!kernels.front()) throw BadInput("--against: cpu:blas has no source to compare with");
    std::erase_if(other.experiment.choices.params, [&](const auto& param) {
        return find_named(kernels.front()->spec.params, param.name) == nullptr;
    });
    Notes notes;
    OpenedExperiment experiment = complete_experiment(other, std::move(kernels), outputs, notes);
    experiment.xray = false;
    return experiment;
}

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
    verb.add_option("--against", against,
                    "another kernel of the same problem, such as the one that KERNEL is an edited copy of: "
                    "begin at the first store that differs between them")
        ->type_name("KERNEL");
    add_parsed(verb, "--lane", lane, "X[,Y[,Z]]", "the work-item to begin with, by its local id (0)",
               [](const std::string& text) { return parse_ids("--lane", text); });
    add_text(verb, "--at", at, "LINE [if CONDITION]",
             "the line to begin before, as in '25 if k == 14': the work-item's first execution of it");
    add_parsed(verb, "--launch", launch, "N", "the launch to record, from 1 (1)", whole("--launch", 1, 1000));
    add_parsed(verb, "--timeout", observed.most_ms, "5s",
               "longest time to record, not counting compilation; increase it on a slow machine (5s)",
               duration_ms("--timeout"));
    return kernel;
}

void RecordedGroup::begin_at_difference(const std::optional<std::vector<std::uint64_t>>& lane) {
    const auto& all = comparison->differences;
    const std::uint32_t item = lane ? debug::item_at(player->recording(), *lane) : 0;
    const auto first = std::ranges::find_if(
        all, [&](const debug::Difference& one) { return !lane || one.moment.item == item; });
    debug::Moves moves(*player);
    moves.turn_with([this](const debug::WantedPart& wanted) { return turn_to(wanted); });
    if (first != all.end())
        moves.go_to(first->moment, first->event);
    else if (lane)
        moves.select_item(item);
    if (first != all.end() || lane) begin = moves.moment();
    text += (first != all.end() ? debug::differences_text(*comparison, first->moment, player->recording())
             : all.empty()      ? debug::no_difference_text(*comparison)
                                : "No difference in this work-item, but in others: `difference all`.") +
            "\n";
}

std::shared_ptr<const Snapshot> RecordedGroup::ask_again(XrayRequest request) const {
    const SignalsAsBefore signals;
    if (conversation_ == nullptr || conversation_->interrupted())
        conversation_ = std::make_shared<Conversation>(judge);
    else
        Conversation::block_signals();
    return conversation_->ask(std::move(request));
}

std::string RecordedGroup::turn_to(const debug::WantedPart& wanted) const {
    XrayOptions what = debug::options_for_part(observed, wanted);
    what.trace_launch = player->recording().launch;
    what.trace_group = player->recording().group;
    const std::shared_ptr<const Snapshot> answer = ask_again(make_xray_request(run, plan, what));
    if (!answer->error.empty()) return answer->error;
    const std::shared_ptr<const Recording>& part = answer->recording;
    if (!debug::is_wanted_part(part.get(), wanted))
        return fmt::format("X-ray does not come further in {:g} s: increase --timeout.", what.most_ms / 1000);
    player->show(part);
    return "";
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
    const std::shared_ptr<const Snapshot> snapshot = ask_again(std::move(request));
    if (!snapshot->error.empty() || !snapshot->xray) return "";
    return debug::earlier_store_text(*snapshot->xray, *what.stored, plan, run.sizes);
}

RecordedGroup record_group(const RecordOptions& options, const Folders& folders,
                           const OutputOptions& outputs) {
    Notes notes;
    OpenedExperiment experiment = open_experiment(options.chosen, folders, outputs, notes);
    experiment.xray = false;  // the requests ask for it
    if (!experiment.contestants.front()) throw BadInput("cpu:blas has no source to debug; name a kernel");
    const Problem& problem = common_problem(experiment.contestants, options.chosen.own.problem);
    print_notes(notes, experiment, &options.chosen.own, outputs);
    std::optional<OpenedExperiment> other;
    if (options.against) {
        other = open_other(options, folders, outputs);
        common_problem({experiment.contestants.front(), other->contestants.front()});
    }
    const Sizes sizes = options.chosen.sizes(problem);

    GroupRecorder recorder(options, experiment, problem);
    RecordedGroup group;
    if (!options.wrong) {
        recorder.record(sizes);
    } else if (!recorder.record_wrong(sizes)) {
        group.text = recorder.search().explain() + ".\n";
        group.is_good = !recorder.search().is_stopped();
        return group;
    }
    const Snapshot& answer = recorder.answer();
    if (!answer.recording) {
        group.text = "nothing was recorded: " + explain_no_recording(options, *answer.xray) + "\n";
        return group;
    }
    group.plan = recorder.plan();
    group.player = std::make_shared<debug::Player>(answer.recording);
    group.observed = options.observed;
    group.run = recorder.run();
    group.judge = options.judge;
    for (const XrayBuffer& buffer : answer.xray->buffers) group.buffers.push_back(buffer.name);
    const debug::TurnTo turn = [&](const debug::WantedPart& wanted) { return group.turn_to(wanted); };
    std::optional<debug::UndefinedPlace> undefined;
    if (answer.wrong) {
        const ProblemInstance instance = recorder.instance();
        const NamedList<std::string> sources = debug::sources_of(group.plan);
        const debug::WrongStart start =
            debug::find_wrong_start({*group.player, *answer.xray, *answer.wrong, instance,
                                     !group.run.declared, recorder.size(), sources, turn});
        group.text = start.text;
        group.begin = start.moment;
    } else if (options.wrong) {
        undefined = recorder.search().undefined();
        group.text = recorder.search().explain() + "\n";
        group.begin = debug::moment_of_undefined(*group.player, *undefined);
    }
    group.text += debug::undefined_text(*answer.xray, undefined);
    if (other) {
        const auto counterpart = recorder.compare(group.player, group.buffers, *other);
        group.comparison = std::make_shared<const debug::Comparison>(counterpart->take_comparison());
        if (counterpart->part() != nullptr) group.player = counterpart->part();
        group.begin_at_difference(options.lane);
    } else if (options.lane) {
        debug::Moves moves(*group.player);
        moves.turn_with(turn);
        moves.select(group.begin);
        moves.select_item(debug::item_at(*answer.recording, *options.lane));
        group.begin = moves.moment();
    }
    if (options.at) {
        debug::Moves moves(*group.player);
        moves.turn_with(turn);
        moves.select(group.begin);
        if (!moves.go_to_place(debug::Moves::read_place(*options.at)))
            throw BadInput(fmt::format("--at {}: work-item {} does not come there{}", *options.at,
                                       debug::item_text(group.player->recording(), group.begin.item),
                                       moves.cut().empty() ? "" : ". " + moves.cut()));
        group.begin = moves.moment();
    }
    return group;
}

}  // namespace kwb::cli
