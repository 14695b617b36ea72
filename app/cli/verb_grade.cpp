// SPDX-License-Identifier: Apache-2.0
// kwb grade: a class, by a rubric.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/user_folders.hpp"
#include "experiment/opened_experiment.hpp"
#include "experiment/side_car.hpp"
#include "grade/autograder.hpp"
#include "grade/class_grades.hpp"
#include "grade/grading.hpp"
#include "grade/submission_requests.hpp"
#include "outputs.hpp"
#include "report/text_layout.hpp"
#include "task/judge_place.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kGradeFooter =
    "Each submission is untrusted: what its file declares about problem, costs or expectations is ignored.\n"
    "Checks run in parallel. Then each submission is timed, one at a time, in turns with the reference.\n"
    "What cannot be graded is open, not 0, until you decide: --decide writes the questions to "
    "decisions.toml.\n"
    "Exit code 0: everything was graded or is open, whatever the points are.\n";

/// For the sources of all submissions. A hostile one may take five seconds.
constexpr std::chrono::seconds kMostReading{60};

const std::string kDecisionsHead =
    "# Decisions for 'kwb grade': each later grading respects them. An entry may also name a student\n"
    "# (student = \"…\"), e.g. after an appeal; the student's page shows the original points, too.\n";

struct GradeOptions {
    std::string submissions;  ///< the folder, or the archive
    std::string rubric;
    std::optional<std::string> roster, device, decisions;
    bool decide = false;
    OutputOptions outputs;
    bool is_self = false;                   ///< one student's own test
    std::optional<std::string> pages;       ///< folder for a page for each student
    std::optional<std::string> autograder;  ///< folder
    bool resume = false;
    JudgeOptions judge;

    void add(CLI::App& verb) {
        verb.add_option("DIR", submissions,
                        "a folder with one folder, kernel file or archive per student, or the archive from a "
                        "learning platform; with --self, your own folder, kernel file or archive");
        add_text(verb, "--rubric", rubric, "R.toml", "the criteria and their points")->required();
        CLI::Option* const self =
            verb.add_flag("--self", is_self,
                          "for students: grade only your own work, and list the reason for each lost point");
        add_text(
            verb, "--roster", roster, "F.csv",
            "the class, so that missing submissions are listed, too; a Moodle grading worksheet or a Canvas "
            "gradebook is filled in by --csv")
            ->excludes(self);
        add_text(
            verb, "--decisions", decisions, "F.toml",
            "what you decided about open submissions and appeals; default: decisions.toml in the rubric's "
            "folder, if there is one")
            ->excludes(self);
        verb.add_flag(
                "--decide", decide,
                "add an entry to the decisions, for you to fill in, for every submission that needs one")
            ->excludes(self);
        add_device(verb, device, "the device, as in 'kwb run'");
        outputs.add(verb, "--csv", "write points and faults, one row per student");
        outputs.add(verb, "--junit", "write JUnit XML");
        outputs.add(verb, "--classroom", "write the JSON of the GitHub Classroom autograder");
        outputs.add(verb, "--gradescope", "write Gradescope's results.json");
        outputs.add(verb, "--comment", "write Markdown for a comment on a pull request");
        add_text(
            verb, "--autograder", autograder, "DIR",
            "only write an autograder for Gradescope with this rubric: setup.sh, run_autograder and more");
        add_text(verb, "--report", pages, "DIR",
                 "write one page per student, and index.html for the teacher");
        verb.add_flag("--resume", resume,
                      "continue where the same command ended: results for unchanged files are reused");
        judge.add(verb, kSharedWork);
    }
};

/// Everything that an observation depends on: all texts of the submission, of the rubric and its references,
/// and the devices, but not the student: equal submissions share one observation, and so get the same points.
std::string key_of(const Submission& submission, const std::string& assignment,
                   const std::vector<DeviceInfo>& devices) {
    std::string all = assignment + '\0' + submission.obstacle;
    for (const DeviceInfo& device : devices) all += '\0' + device.name + '\0' + device.driver_version;
    // The path of the kernel itself may be the student's name; those of others are as it includes them.
    const fs::path folder = submission.kernel.parent_path();
    for (const auto& [path, text] : submission.files)
        all += '\0' + (path == submission.kernel ? "" : fs::path(path).lexically_relative(folder).string()) +
               '\0' + text;
    return sha256_hex(all);
}

fs::path journal_of(const GradeOptions& options) {
    std::error_code missing;
    const std::string what = fs::weakly_canonical(options.submissions, missing).string() + '\0' +
                             fs::weakly_canonical(options.rubric, missing).string();
    return data_folder() / "grades" / (sha256_hex(what).substr(0, 16) + ".jsonl");
}

std::string grades_table(const ClassGrades& grades, const TableOptions& options) {
    Grid grid;
    std::vector<Cell> names, points, faults;
    for (const Graded& graded : grades.graded) {
        const double total = graded.points.value_or(0);
        names.push_back({graded.name});
        points.push_back({points_text(graded.points) + doubt_mark(graded.grade.doubt()),
                          !graded.points                    ? Tone::Warning
                          : total >= grades.rubric.points() ? Tone::Good
                          : total > 0                       ? Tone::Plain
                                                            : Tone::Bad});
        faults.push_back({shorten(printable_line(main_fault(graded, grades.rubric)), 90, options.unicode)});
    }
    grid.add_column("student", Align::Left, names);
    grid.add_column(fmt::format("of {:g}", grades.rubric.points()), Align::Right, points);
    grid.add_column("first fault", Align::Left, faults);
    return grid.render(options);
}

/// What one student reads about the own work: the same words as on the page of the teacher's grading.
std::string criteria_table(const ClassGrades& grades, const TableOptions& options) {
    const Rubric& rubric = grades.rubric;
    const Graded& graded = grades.graded.front();
    if (!graded.points) return paragraph("Cannot be graded: " + graded.work.obstacle + '.', options.width);
    std::string text;
    const std::vector<std::string> reasons = reasons_once(graded.grade);
    for (std::size_t i = 0; i < rubric.criteria.size(); ++i) {
        const CriterionGrade& part = graded.grade.parts[i];
        const double most = rubric.criteria[i].points;
        text += paint(fmt::format("{:g} of {:g}", part.points, most),
                      part.points >= most ? Tone::Good : Tone::Bad, options) +
                "  " + printable_line(rubric.criteria[i].name) + '\n';
        if (!reasons[i].empty()) text += paragraph(reasons[i], options.width, 2 * kIndent);
    }
    if (graded.work.mistake) text += paragraph(rubric.mistakes[*graded.work.mistake].says, options.width);
    return text + fmt::format("{} of {:g} points\n", points_text(graded.points), rubric.points());
}

/// The file to read and to extend.
fs::path decisions_file(const GradeOptions& options) {
    return options.decisions ? fs::path(*options.decisions)
                             : fs::path(options.rubric).parent_path() / "decisions.toml";
}

Decisions decisions_of(const GradeOptions& options, const Rubric& rubric) {
    const fs::path file = decisions_file(options);
    std::error_code error;
    if (options.decide) require_writable(file);
    const bool may_lack = options.decide || !options.decisions;
    return may_lack && !fs::exists(file, error) ? Decisions{} : read_decisions(file, rubric.points());
}

/// Adds an entry for each open question to the file of decisions, whose text is kept.
void add_questions(const GradeOptions& options, const ClassGrades& grades, const Decisions& known) {
    const fs::path file = decisions_file(options);
    const std::string text = decision_template(grades.open, known);
    if (text.empty()) return;
    const std::string all = (known.file.empty() ? kDecisionsHead : read_file(file)) + text;
    try {
        parse_decisions(file, all, grades.rubric.points());
    } catch (const BadInput&) {
        throw BadInput(
            fmt::format("{}: no entry can be added after `decision = […]`. Write each decision "
                        "below a line [[decision]]",
                        file.string()));
    }
    write_file(file, all);
    options.outputs.tell(fmt::format("{} has an entry for each of them.\n", file.string()));
}

std::string questions_table(const ClassGrades& grades, const TableOptions& options) {
    if (grades.open.empty()) return "";
    Grid grid;
    std::vector<Cell> what, why;
    for (const OpenQuestion& question : grades.open) {
        what.push_back({question.file.empty() ? question.student : question.file, Tone::Warning});
        why.push_back({question.why});
    }
    grid.add_column("needs your decision", Align::Left, what);
    grid.add_column("because", Align::Left, why);
    return '\n' + grid.render(options);
}

std::string similar_table(const ClassGrades& grades, const TableOptions& options) {
    if (grades.similar.empty()) return "";
    Grid grid;
    std::vector<Cell> who, how, own;
    for (const SimilarSources& group : grades.similar) {
        who.push_back({shorten(names_of(group, grades), 60, options.unicode)});
        how.push_back({to_words(group.likeness)});
        own.push_back({group.statements ? std::to_string(*group.statements) : ""});
    }
    grid.add_column("similar sources", Align::Left, who);
    grid.add_column("they are", Align::Left, how);
    grid.add_column("statements", Align::Right, own);
    return '\n' + grid.render(options) + paragraph(kAboutSimilar, options.width);
}

/// Reads the sources that compile.
void read_sources(const Rubric& rubric, const DeviceInfo& device, Conversation& conversation,
                  std::vector<Candidate>& candidates, std::vector<ComparedSource>& given) {
    std::vector<std::optional<SourceText>> texts;
    for (const Candidate& candidate : candidates)
        texts.push_back(!candidate.work.checks.empty() && is_compiled(candidate.work.checks.front())
                            ? source_of(rubric, candidate.submission, device)
                            : std::nullopt);
    for (SourceText& text : given_sources(rubric, device)) {
        given.push_back({sha256_hex(text.text)});
        texts.emplace_back(std::move(text));
    }
    SourceReading reading(std::move(texts), kMostReading);
    conversation.perform(reading);
    if (conversation.interrupted()) throw Interrupted{};
    auto prints = reading.take_prints();
    for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].print = std::move(prints[i]);
    for (std::size_t i = 0; i < given.size(); ++i) given[i].print = std::move(prints[candidates.size() + i]);
}

constexpr const char* kClassPage = "index.html";

/// Unique names that every file system accepts, also one without capital letters.
std::vector<std::string> page_names(const ClassGrades& grades) {
    std::vector<std::string> names, taken = {kClassPage, kSimilarPage};
    for (const Graded& graded : grades.graded) {
        std::string name =
            graded.name.substr(0, 60) + (graded.id.empty() ? "" : '_' + graded.id.substr(0, 60));
        for (char& c : name)
            if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-') c = '_';
        std::string unique = name + ".html";
        for (int n = 2; std::ranges::find(taken, to_lower(unique)) != taken.end(); ++n)
            unique = fmt::format("{}_{}.html", name, n);
        taken.push_back(to_lower(unique));
        names.push_back(std::move(unique));
    }
    return names;
}

void write_pages(const fs::path& folder, const ClassGrades& grades) {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    const std::string made =
        fmt::format("{:%Y-%m-%d %H:%M} UTC, on {}", fmt::gmtime(now), grades.environment.device);
    const std::vector<std::string> names = page_names(grades);
    for (std::size_t i = 0; i < names.size(); ++i)
        write_file(folder / names[i], student_page(grades, grades.graded[i], made));
    write_file(folder / kClassPage, class_page(grades, names, made));
    // A page of an earlier grading must not go on showing what has been mended.
    std::error_code error;
    if (grades.similar.empty())
        fs::remove(folder / kSimilarPage, error);
    else
        write_file(folder / kSimilarPage, similar_page(grades, made));
}

void make_folder(const char* option, const std::string& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (!fs::is_directory(folder, error))
        throw BadInput(fmt::format("{} {}: cannot make this folder; name another one", option, folder));
}

int write_autograder(const GradeOptions& options, const Rubric& rubric) {
    for (const std::string& place : rubric.places())
        if (place != kHere)
            throw BadInput(
                fmt::format("{}: on = \"{}\": Gradescope's container cannot reach other machines. "
                            "Write its autograder with a rubric without `on`",
                            rubric.file, place));
    const NamedList<std::string> files = autograder_files(rubric);
    make_folder("--autograder", *options.autograder);
    for (const auto& [name, text] : files) {
        const fs::path file = fs::path(*options.autograder) / name;
        fs::create_directories(file.parent_path());
        write_file(file, text);
        if (text.starts_with("#!")) fs::permissions(file, fs::perms(0755));
    }
    options.outputs.tell(
        fmt::format("{0} is complete when you add the package of kwb (kwb*.deb). Then: cd {0} && zip -r "
                    "../autograder.zip .\n",
                    quote_for_shell(*options.autograder)));
    return kExitGood;
}

/// Of platforms that grade one student at a time.
constexpr const char* kOneSubmission[] = {"--classroom", "--gradescope", "--comment"};

void require_one_submission(const GradeOptions& options, std::size_t count) {
    for (const char* option : kOneSubmission)
        if (options.outputs.file(option) && count > 1)
            throw BadInput(fmt::format("{} takes one submission, but {} has {}; --csv covers all of them",
                                       option, options.submissions, count));
}

/// A place that a criterion names.
struct NamedPlace {
    std::string name;
    std::unique_ptr<Conversation> conversation;
    DeviceInfo device;
};

/// @throws BadInput  with the rubric's file: there is no such place
std::vector<NamedPlace> open_places(const Rubric& rubric, const GradeOptions& options) {
    std::vector<NamedPlace> places;
    for (const std::string& name : rubric.places()) {
        JudgeOptions judge = options.judge;
        judge.on = {name};
        try {
            NamedPlace& place =
                places.emplace_back(NamedPlace{name, std::make_unique<Conversation>(judge), {}});
            if (options.pages) place.conversation->receive_maps();
        } catch (const BadInput& error) {
            throw BadInput(fmt::format("{}: on = \"{}\": {}", options.rubric, name, error.what()));
        }
    }
    for (NamedPlace& place : places)
        place.device =
            place.conversation->choose_devices(place.name == kHere ? options.device : std::nullopt, false)
                .front();
    return places;
}

/// @throws BadInput  an output would replace what this command reads
void refuse_outputs_over_inputs(const GradeOptions& options, const Rubric& rubric) {
    std::vector<fs::path> inputs = {options.rubric, options.submissions, decisions_file(options)};
    if (options.roster) inputs.emplace_back(*options.roster);
    std::vector<std::string> kernels = rubric.given;
    for (const Criterion& criterion : rubric.criteria)
        kernels.insert(kernels.end(), criterion.references.begin(), criterion.references.end());
    for (const std::string& kernel : kernels) inputs.push_back(fs::path(rubric.file).parent_path() / kernel);
    for (const auto& [option, file] : options.outputs.files())
        for (const fs::path& input : inputs)
            if (is_same_file(file, input.string()))
                throw BadInput(
                    fmt::format("{} {}: would replace what is read for grading; give the output "
                                "another name",
                                option, file));
}

int grade_submissions(const GradeOptions& options, const Folders& folders) {
    Rubric rubric = read_rubric(options.rubric);
    rubric.kernel_folders = folders;
    require_usable(rubric);
    if (options.autograder) return write_autograder(options, rubric);
    // These copy the files, so that their times are not those of handing in; platforms have own deadlines.
    const bool has_no_deadline =
        options.is_self || std::ranges::any_of(kOneSubmission, [&](const char* option) {
            return options.outputs.file(option).has_value();
        });
    if (has_no_deadline) rubric.deadline.reset();
    if (options.is_self) {
        std::erase_if(rubric.criteria, [](const Criterion& criterion) { return !criterion.on.empty(); });
        if (rubric.points() <= 0) throw BadInput(options.rubric + ": all points are measured elsewhere");
    }
    if (options.submissions.empty()) throw BadInput("grade: give the folder with the submissions");
    std::optional<Roster> roster;
    if (options.roster) roster = read_roster(*options.roster);
    if (roster) roster->require_times(rubric.deadline);
    const Decisions decisions = options.is_self ? Decisions{} : decisions_of(options, rubric);
    std::vector<Candidate> candidates;
    if (options.is_self)
        candidates.push_back({read_submission(options.submissions, rubric.kernel)});
    else
        for (Submission& submission : find_submissions(options.submissions, rubric.kernel,
                                                       rubric.deadline ? &rubric.deadline->zone : nullptr))
            candidates.push_back({std::move(submission)});
    if (has_no_deadline)
        for (Candidate& candidate : candidates) candidate.submission.is_late = false;
    apply_kernel_decisions(candidates, decisions);
    grade_class(rubric, roster, candidates, decisions);  // refuses what is unknown before anything runs
    require_one_submission(options, candidates.size());
    if (options.pages) {
        make_folder("--report", *options.pages);
        require_output((fs::path(*options.pages) / kClassPage).string());
    }
    options.outputs.refuse_equal();
    refuse_outputs_over_inputs(options, rubric);
    options.outputs.require_writable();

    Conversation conversation(options.judge, judges_here());
    if (options.pages) conversation.receive_maps();
    const std::vector<DeviceInfo> devices = conversation.choose_devices(options.device, true);
    require_fit(rubric, devices.front());
    std::vector<NamedPlace> elsewhere = open_places(rubric, options);
    std::vector<DeviceInfo> all_devices = {devices.front()};
    for (const NamedPlace& place : elsewhere) all_devices.push_back(place.device);
    Journal journal(journal_of(options), options.resume);
    const std::string assignment = read_file(options.rubric) + reference_texts(rubric);
    for (Candidate& candidate : candidates) {
        candidate.key = key_of(candidate.submission, assignment, all_devices);
        if (const Work* const known = journal.find(candidate.key)) {
            candidate.work = *known;
            candidate.is_checked = true;
        }
    }
    std::vector<Candidate> distinct;
    for (const Candidate& candidate : candidates)
        if (std::ranges::find(distinct, candidate.key, &Candidate::key) == distinct.end())
            distinct.push_back(candidate);
    std::vector<Grading::Place> places;
    for (std::size_t i = 0; i < devices.size(); ++i)
        places.push_back({devices[i], conversation.place(i).is_elsewhere()});
    Grading grading(rubric, journal, distinct, places);
    conversation.perform(grading);
    if (conversation.interrupted()) throw Interrupted{};
    grading.require_places();
    NamedList<Environment> environments;
    for (NamedPlace& place : elsewhere) {
        Grading times(rubric, journal, distinct, {{place.device, true}}, place.name);
        place.conversation->perform(times);
        if (place.conversation->interrupted()) throw Interrupted{};
        times.require_places();
        environments.push_back({place.name, times.environment()});
    }
    for (Candidate& candidate : candidates)
        candidate.work = std::ranges::find(distinct, candidate.key, &Candidate::key)->work;

    std::vector<ComparedSource> given;
    if (candidates.size() > 1) read_sources(rubric, devices.front(), conversation, candidates, given);

    ClassGrades grades = grade_class(rubric, roster, candidates, decisions);
    grades.environment = grading.environment();
    grades.elsewhere = std::move(environments);
    compare_sources(grades, given);
    OutputWriter writer(options.outputs);
    const TableOptions table = table_options();
    writer.show(options.is_self ? criteria_table(grades, table)
                                : grades_table(grades, table) + questions_table(grades, table) +
                                      similar_table(grades, table));
    const auto undecided = std::ranges::count(grades.graded, Doubt::Undecided,
                                              [](const Graded& graded) { return graded.grade.doubt(); });
    if (undecided > 0)
        print_error(
            fmt::format("kwb: a speed step is undecided for {}, because this machine is too noisy or too "
                        "slow. The same command with --resume measures it again\n",
                        counted(static_cast<std::size_t>(undecided), "student")));
    if (options.decide) writer.attempt([&] { add_questions(options, grades, decisions); });
    writer.write("--csv", [&] { return grades_to_csv(grades); });
    writer.write("--junit", [&] { return grades_to_junit(grades); });
    writer.write("--classroom", [&] { return grades_to_classroom(grades); });
    writer.write("--gradescope", [&] { return grades_to_gradescope(grades); });
    writer.write("--comment", [&] { return grades_to_comment(grades); });
    if (options.pages) writer.attempt([&] { write_pages(*options.pages, grades); });
    if (const std::string failed = writer.failures(); !failed.empty())
        throw BadInput(failed +
                       "\n"
                       "all results are kept; the same command with --resume writes the files again");
    return kExitGood;
}

}  // namespace

Verb add_grade(CLI::App& kwb) {
    return add_verb<GradeOptions>(
        kwb, {"grade", "grade the submissions of a class by a rubric", kGradeFooter}, grade_submissions);
}

}  // namespace kwb::cli
