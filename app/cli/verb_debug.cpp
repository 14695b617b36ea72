// SPDX-License-Identifier: Apache-2.0
// kwb debug: follow the work-items of a work-group with the values of their variables, forwards and
// backwards.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
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
#include "debug/wrong_start.hpp"
#include "experiment/xray_request.hpp"
#include "experiments.hpp"
#include "model/finding_words.hpp"
#include "model/xray_words.hpp"
#include "outputs.hpp"
#include "report/labels.hpp"
#include "task/wrong_search.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

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

/// A line for each thing that X-ray found undefined, and for where a work-item was stopped.
std::string undefined_text(const XrayReport& report) {
    constexpr std::size_t kMostLines = 5;
    std::vector<std::string> lines;
    for (const Finding& finding : report.undefined) lines.push_back(sentence_of(finding));
    for (const Finding& remark : report.remarks)
        if (remark.code == FindingCode::XrayEndless || remark.code == FindingCode::XrayCrashed)
            lines.push_back(sentence_of(remark));
    if (lines.size() > kMostLines) lines.resize(kMostLines);
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

class DebugSession {
public:
    DebugSession(const debug::Player& player, const KernelPlan& plan)
        : player_(player), console_(player, sources_of(plan), plan.file), launches_(plan.launches.size()) {}

    /// @return  false: it could not be carried out
    bool perform(const std::string& command) {
        const debug::ConsoleAnswer answer = console_.run(command);
        is_end_ = answer.is_end;
        note(command, answer.text, answer.is_error);
        if (!is_quiet_ && !answer.text.empty())
            answer.is_error ? print_error(answer.text + "\n") : print(answer.text + "\n");
        return !answer.is_error;
    }

    void begin_at(const debug::WrongStart& start) {
        if (start.store)
            console_.moves().go_to_store(*start.store);
        else
            console_.moves().select(start.moment);
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
        run_ = make_request(experiment_, problem_, sizes, device_);
        if (plan().refusal) throw Refused(*plan().refusal);
        if (options_.launch > plan().launches.size())
            throw BadInput(fmt::format("--launch {}: the last launch of {} is {}", options_.launch,
                                       plan().name, plan().launches.size()));
        answer_ = ask(make_xray_request(run_, plan(), xray_options()));
    }

    /// The group that stores the first wrong element.
    /// @return  false: there is none, and none_ states why
    bool record_wrong(const Sizes& sizes) {
        WrongSearch search(requests_to_find_wrong(experiment_, problem_, sizes, device_), xray_options());
        while (const auto request = search.next()) {
            answer_ = ask(*request);
            search.take(*answer_);
        }
        if (search.has_found())
            run_ = search.run();
        else
            none_ = search.explain_none();
        return search.has_found();
    }

    const KernelPlan& plan() const { return *run_.contestants.front().kernel; }
    std::string size() const { return to_string(run_.sizes); }
    const Snapshot& answer() const { return *answer_; }

    /// Why record_wrong() has found none.
    const std::string& none() const { return none_; }

private:
    XrayOptions xray_options() const {
        XrayOptions what = options_.observed;
        what.aim = XrayAim::Record;
        what.trace_group = options_.group;
        what.trace_launch = static_cast<std::uint32_t>(options_.launch - 1);
        return what;
    }

    std::shared_ptr<const Snapshot> ask(XrayRequest request) {
        std::shared_ptr<const Snapshot> answer = conversation_.ask(std::move(request));
        if (conversation_.interrupted()) throw Interrupted{};
        if (!answer->error.empty()) throw EnvironmentError(answer->error);
        return answer;
    }

    const DebugOptions& options_;
    const OpenedExperiment& experiment_;
    const Problem& problem_;
    Conversation conversation_;
    DeviceInfo device_;
    RunRequest run_;
    std::shared_ptr<const Snapshot> answer_;
    std::string none_;
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
    } else if (!recorder.record_wrong(sizes)) {
        options.outputs.tell(recorder.none() + ".\n");
        return kExitGood;
    }
    const Snapshot& answer = recorder.answer();
    if (!answer.recording) {
        print_error("kwb: nothing was recorded: " + explain_no_recording(options, *answer.xray) + "\n");
        return kExitVerdict;
    }
    const debug::Player player(answer.recording);
    DebugSession session(player, recorder.plan());
    if (options.outputs.data_on_stdout()) session.be_quiet();
    if (options.wrong) {
        session.tell(
            debug::wrong_sentence(*answer.wrong, *answer.xray, answer.recording.get(), recorder.size()) +
            "\n");
        session.begin_at(debug::find_wrong_start(player, *answer.xray, *answer.wrong));
    }
    session.tell(undefined_text(*answer.xray));
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
