// SPDX-License-Identifier: Apache-2.0
// kwb debug: follow the work-items of a work-group with the values of their variables, forwards and
// backwards.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "conversation.hpp"
#include "debug/console.hpp"
#include "experiment/xray_request.hpp"
#include "experiments.hpp"
#include "ipc/channel.hpp"
#include "model/finding_words.hpp"
#include "outputs.hpp"
#include "problems/problem.hpp"
#include "report/labels.hpp"
#include "terminal.hpp"
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

constexpr const char* kDebugFooter =
    "The kernel's own source runs on the CPU, compiled without optimisation, and one work-group is "
    "recorded.\n"
    "`help` lists the commands; most have the names that gdb has for them. A moment of a work-item is before "
    "the\n"
    "line that is marked; other work-items are shown at the same execution of the same line since the last "
    "barrier.\n"
    "Exit code 1: a command could not be carried out (with --command), or nothing could be recorded.\n";

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

struct DebugOptions {
    ExperimentOptions chosen;
    JudgeOptions judge;
    OutputOptions outputs;
    std::vector<std::uint64_t> group{0};
    std::optional<std::string> lane;
    std::uint64_t launch = 1;
    std::vector<std::string> commands;
    bool wrong = false;
    XrayOptions observed;

    void add(CLI::App& verb) {
        verb.add_option("KERNEL", chosen.kernels, "a name from 'kwb kernels', or the path of a .cl file")
            ->required()
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
        add_text(verb, "--lane", lane, "X[,Y[,Z]]", "the work-item to begin with, by its local id (0)");
        add_parsed(verb, "--launch", launch, "N", "the launch to record, from 1 (1)",
                   whole("--launch", 1, 1000));
        add_repeated(verb, "--command", commands, "COMMAND",
                     "carry out this command instead of reading commands from standard input");
        add_parsed(verb, "--timeout", observed.most_ms, "5s",
                   "longest time to record, not counting compilation; increase it on a slow machine (5s)",
                   duration_ms("--timeout"));
        outputs.add_json(verb);
    }
};

/// The texts of the kernel's files, the own one without a name.
NamedList<std::string> sources_of(const KernelPlan& plan) {
    NamedList<std::string> sources{{"", plan.source_text}};
    sources.insert(sources.end(), plan.includes.begin(), plan.includes.end());
    return sources;
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

class DebugSession {
public:
    /// @param explain_earlier  who has stored an element of a buffer before the recorded launch
    DebugSession(const debug::Player& player, const KernelPlan& plan,
                 std::function<std::string(const XrayElement&)> explain_earlier)
        : player_(player),
          console_(player, sources_of(plan), plan.file),
          launches_(plan.launches.size()),
          explain_earlier_(std::move(explain_earlier)) {}

    /// @return  false: it could not be carried out
    bool perform(const std::string& command) {
        debug::ConsoleAnswer answer = console_.run(command);
        if (answer.stored_before && player_.recording().launch > 0)
            answer.text += explain_earlier(*answer.stored_before);
        is_end_ = answer.is_end;
        note(command, answer.text, answer.is_error);
        if (!is_quiet_ && !answer.text.empty())
            answer.is_error ? print_error(answer.text + "\n") : print(answer.text + "\n");
        return !answer.is_error;
    }

    /// Begins where the wrong element was stored last.
    void begin_at_wrong(const ElementPlace& wrong, std::size_t buffer) {
        if (buffer >= player_.recording().regions.size()) return;
        const RecordedRegion& region = player_.recording().regions[buffer];
        const std::uint64_t size = player_.recording().types[region.type].bytes;
        const std::uint64_t bytes = std::max<std::uint64_t>(size, 1);
        const std::uint64_t address = region.address + wrong.element * bytes;
        const auto end = static_cast<std::uint32_t>(player_.recording().events.size());
        if (const auto store = player_.last_store(end, address + wrong.offset, 1))
            console_.moves().go_to_store(*store);
        else
            begin_beside(wrong.index);
    }

    /// Begins where a work-item does what is undefined.
    void begin_at_undefined(const UndefinedPlace& place) {
        const Recording& recording = player_.recording();
        std::uint64_t item = 0;
        for (std::size_t d = place.item.size(); d-- > 0;) item = item * recording.local[d] + place.item[d];
        const auto is_there = [&](const RecordedEvent& event) {
            const XrayPlace& there = recording.sites[event.site].place;
            return event.item == item && event.kind != RecordedKind::Barrier &&
                   there.line == place.place.line && there.file == place.place.file;
        };
        auto found = std::ranges::find_if(recording.events, [&](const RecordedEvent& event) {
            return is_there(event) && event.bytes > 0 &&
                   debug::place_text(recording, event.address) == place.finding.subject;
        });
        if (found == recording.events.end()) found = std::ranges::find_if(recording.events, is_there);
        if (found == recording.events.end())
            console_.moves().select({static_cast<std::uint32_t>(item), 0});
        else
            console_.moves().select(
                player_.moment_of(static_cast<std::uint32_t>(found - recording.events.begin())));
    }

    /// The work-item whose global id is the element's index, if it is in the group.
    void begin_beside(const std::vector<std::uint64_t>& index) {
        const Recording& recording = player_.recording();
        if (index.size() != recording.local.size()) return;
        std::string lane;
        for (std::size_t d = 0; d < index.size(); ++d) {
            const std::uint64_t id = index[index.size() - 1 - d];
            if (id / recording.local[d] != recording.group[d]) return;
            lane += (d > 0 ? "," : "") + std::to_string(id % recording.local[d]);
        }
        console_.run("lane " + lane);
    }

    void tell(const std::string& text) {
        if (!is_quiet_ && !text.empty()) print(text);
    }

    void greet() {
        if (is_quiet_) return;
        const std::uint32_t launch = player_.recording().launch + 1;
        print((launches_ > 1 ? fmt::format("launch {} of {}, ", launch, launches_) : "") +
              console_.greeting() + "\n");
    }

    /// Reads commands until the end of the input.
    void read_commands() {
        const bool is_terminal = ::isatty(STDIN_FILENO) != 0;
        for (std::string line; !is_end_;) {
            if (is_terminal) {
                print(console_.prompt());
                std::cout << std::flush;
            }
            if (!std::getline(std::cin, line)) break;
            perform(line);
        }
    }

    void be_quiet() { is_quiet_ = true; }
    bool is_end() const { return is_end_; }
    const Json& answers() const { return answers_; }

private:
    std::string explain_earlier(std::uint64_t address) const {
        const RecordedRegion* const region = player_.region_at(address);
        if (region == nullptr || region->is_variable) return "";
        const std::uint64_t size = player_.recording().types[region->type].bytes;
        const std::uint64_t bytes = std::max<std::uint64_t>(size, 1);
        const std::string told = explain_earlier_({region->name, (address - region->address) / bytes});
        return told.empty() ? "" : "\n" + told;
    }

    void note(const std::string& command, const std::string& text, bool is_error) {
        Json answer = {{"command", command}, {"text", text}, {"is_error", is_error}};
        const debug::Moment moment = console_.moment();
        answer["work_item"] = moment.item;
        answer["step"] = moment.step;
        const RecordedSite* const site = player_.site(moment);
        if (site != nullptr && !player_.is_end(moment)) {
            answer["file"] = site->place.file;
            answer["line"] = site->place.line;
        }
        answers_.push_back(std::move(answer));
    }

    const debug::Player& player_;
    debug::Console console_;
    std::size_t launches_;
    std::function<std::string(const XrayElement&)> explain_earlier_;
    bool is_quiet_ = false;
    bool is_end_ = false;
    Json answers_ = Json::array();
};

/// Asks the judge for recordings of the kernel.
class GroupRecorder {
public:
    GroupRecorder(const DebugOptions& options, const OpenedExperiment& experiment, const Problem& problem)
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
    const Snapshot& answer() const { return *answer_; }
    /// Where record_wrong() has found undefined behaviour instead of a wrong element.
    const std::optional<UndefinedPlace>& undefined() const { return undefined_; }

    ElementPlace wrong_place() const {
        const ProblemInstance instance =
            run_.declared ? run_.declared->instance : get_problem(run_.problem).at(run_.sizes);
        const BufferSpec* const buffer = instance.find_buffer(answer_->wrong->buffer);
        if (buffer == nullptr) throw EnvironmentError("the judge names a buffer that the problem lacks");
        return place_of(*answer_->wrong, *buffer);
    }

    /// Who has stored an element before the recorded launch.
    std::string explain_earlier(const XrayElement& element) {
        const std::uint32_t launch = answer_->recording->launch;
        XrayOptions what = options_.observed;
        what.aim = XrayAim::Run;
        what.stored = element;
        XrayRequest request = make_xray_request(run_, plan(), what);
        request.kernel.launches.resize(launch);
        const std::shared_ptr<const Snapshot> snapshot = conversation_.ask(std::move(request));
        if (!snapshot->error.empty() || !snapshot->xray) return "";
        const XrayReport& report = *snapshot->xray;
        const std::string told = earlier_store_text(report, element, plan().launches.size());
        if (told.empty()) return "No earlier launch has stored it, either.";
        const XrayStore& store = *report.stores->last;
        std::vector<std::string> group;
        for (std::size_t d = 0; d < report.launches[store.launch].local.size(); ++d)
            group.push_back(std::to_string(d < store.group.size() ? store.group[d] : 0));
        const std::vector<std::string> lines = split_lines(plan().source_text);
        const bool is_own =
            store.place.file.empty() && store.place.line > 0 && store.place.line <= lines.size();
        return told +
               (is_own ? fmt::format("\n{:>5}   {}", store.place.line, lines[store.place.line - 1]) : "") +
               fmt::format("\n--size {} --launch {} --group {} records it.", dimensions(run_.sizes),
                           store.launch + 1, join(group, ","));
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
    /// "61x127", as --size takes it
    static std::string dimensions(const Sizes& sizes) {
        std::vector<std::string> extents;
        for (const Named<std::int64_t>& size : sizes) extents.push_back(std::to_string(size.value));
        return join(extents, "x");
    }

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

    const DebugOptions& options_;
    const OpenedExperiment& experiment_;
    const Problem& problem_;
    Conversation conversation_;
    DeviceInfo device_;
    RunRequest run_;
    std::shared_ptr<const Snapshot> answer_;
    std::vector<RunRequest> right_runs_;  ///< those of record_wrong() whose elements are all right
    bool is_stopped_ = false;  ///< record_wrong() found no size at which the kernel runs to its end
    std::optional<UndefinedPlace> undefined_;
};

/// Why nothing was recorded.
std::string explain_no_recording(const DebugOptions& options, const XrayReport& report) {
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

int debug_kernel(const DebugOptions& options, const Folders& folders) {
    Notes notes;
    OpenedExperiment experiment = open_experiment(options.chosen, folders, options.outputs, notes);
    experiment.xray = false;  // the requests ask for it
    if (!experiment.contestants.front()) throw BadInput("cpu:blas has no source to debug; name a kernel");
    const Problem& problem = common_problem(experiment.contestants, options.chosen.own.problem);
    print_notes(notes, experiment, &options.chosen.own, options.outputs);
    const Sizes sizes = options.chosen.sizes(problem);

    GroupRecorder recorder(options, experiment, problem);
    if (!options.wrong) {
        recorder.record(sizes);
    } else if (!recorder.record_wrong(halved_sizes(sizes))) {
        options.outputs.tell(recorder.explain_none() + ".\n");
        return kExitGood;
    }
    const Snapshot& answer = recorder.answer();
    if (!answer.recording) {
        print_error("kwb: nothing was recorded: " + explain_no_recording(options, *answer.xray) + "\n");
        return kExitVerdict;
    }
    const debug::Player player(answer.recording);
    DebugSession session(player, recorder.plan(),
                         [&](const XrayElement& element) { return recorder.explain_earlier(element); });
    if (options.outputs.data_on_stdout()) session.be_quiet();
    if (answer.wrong) {
        const ElementPlace wrong = recorder.wrong_place();
        session.tell(
            wrong_text(*answer.wrong, wrong, *answer.xray, answer.recording->launch, recorder.size()) + "\n");
        const auto& buffers = answer.xray->buffers;
        const auto buffer = std::ranges::find(buffers, answer.wrong->buffer, &XrayBuffer::name);
        session.begin_at_wrong(wrong, static_cast<std::size_t>(buffer - buffers.begin()));
    } else if (recorder.undefined()) {
        session.tell(recorder.explain_undefined() + "\n");
        session.begin_at_undefined(*recorder.undefined());
    }
    session.tell(undefined_text(*answer.xray, recorder.undefined()));
    session.greet();
    if (options.lane && !session.perform("lane " + *options.lane)) return kExitBadInput;
    bool is_good = true;
    for (const std::string& command : options.commands)
        if (!session.is_end()) is_good = session.perform(command) && is_good;
    if (options.commands.empty()) session.read_commands();
    OutputWriter writer(options.outputs);
    writer.write("--json", [&] { return dump_json(session.answers()); });
    writer.finish();
    return is_good ? kExitGood : kExitVerdict;
}

}  // namespace

Verb add_debug(CLI::App& kwb) {
    return add_verb<DebugOptions>(
        kwb, {"debug", "step through a work-group with its values, forwards and backwards", kDebugFooter},
        debug_kernel);
}

}  // namespace kwb::cli
