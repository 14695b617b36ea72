// Writes results and pictures to files that the user chose.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "desk/parts.hpp"
#include "problems/problem.hpp"
#include "report/documents.hpp"
#include "report/html.hpp"
#include "session/side_car.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

std::string clock_text(std::chrono::system_clock::time_point when) {
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::chrono::system_clock::to_time_t(when)));
}

std::string heading_of(const std::string& problem, const Sizes& sizes) {
    const Problem* known = find_problem(problem);
    return (known != nullptr ? known->title() : problem) + ", " + to_string(sizes);
}

RooflineCeilings values_of(const std::optional<Ceilings>& ceilings) {
    RooflineCeilings values;
    if (ceilings && ceilings->gflops) values.gflops = ceilings->gflops->value;
    if (ceilings && ceilings->gbytes_s) values.gbytes_s = ceilings->gbytes_s->value;
    return values;
}

HtmlSection section_of(const ShownRun& shown, const RooflineCeilings& ceilings) {
    HtmlSection section;
    section.heading = heading_of(shown.run.problem, shown.run.sizes);
    section.when = clock_text(shown.run.when);
    section.lead = shown.error;
    section.environment = shown.run.environment;
    section.results = {shown.run.results};
    section.baseline = shown.baseline;
    section.sources = shown.run.sources;
    section.ceilings = ceilings;
    return section;
}

HtmlSection section_of(const ShownSweep& sweep, const RooflineCeilings& ceilings) {
    HtmlSection section;
    section.when = clock_text(sweep.when);
    const Problem* known = find_problem(sweep.problem);
    section.heading = (known != nullptr ? known->title() : sweep.problem) + ", over sizes";
    section.lead = sweep.error;
    section.environment = sweep.environment;
    section.sizes = sweep.sizes;
    for (const auto& results : sweep.results) section.results.emplace_back(results);
    section.ceilings = ceilings;
    return section;
}

// Uniform access to a run and a sweep.

std::int64_t id_of(const ShownRun& shown) {
    return shown.run.id;
}
std::int64_t id_of(const ShownSweep& sweep) {
    return sweep.id;
}
template <class Kept>
std::int64_t id_of(const Kept& kept) {
    return std::visit([](const auto& one) { return id_of(*one); }, kept);
}
template <class Kept>
bool is_null(const Kept& kept) {
    return std::visit([](const auto& one) { return one == nullptr; }, kept);
}

const Environment& environment_of(const ShownRun& shown) {
    return shown.run.environment;
}
const Environment& environment_of(const ShownSweep& sweep) {
    return sweep.environment;
}

const std::vector<KernelResult>& results_of(const ShownRun& shown) {
    return shown.run.results;
}
/// The results of all sizes in a row.
std::vector<KernelResult> results_of(const ShownSweep& sweep) {
    std::vector<KernelResult> all;
    for (const auto& results : sweep.results) all.insert(all.end(), results.begin(), results.end());
    return all;
}

}  // namespace

/// The requested run or sweep first, then the ones on display, then the others of this session.
std::string Desk::Parts::session_page(const Kept& first) {
    constexpr std::size_t kMostSections = 20;
    std::vector<Kept> all;
    const auto add = [&](Kept kept) {
        if (is_null(kept) || std::find(all.begin(), all.end(), kept) != all.end()) return;
        all.push_back(std::move(kept));
    };
    const auto is_there = [&](std::int64_t id) {
        return std::any_of(all.begin(), all.end(), [&](const Kept& kept) { return id_of(kept) == id; });
    };
    add(first);
    if (state.shown && !(state.shown->run.id > 0 && is_there(state.shown->run.id))) add(state.shown);
    if (state.sweep && !state.sweep->results.empty() && !(state.sweep->id > 0 && is_there(state.sweep->id)))
        add(state.sweep);
    for (auto id = session_runs_.rbegin(); id != session_runs_.rend() && all.size() < kMostSections; ++id)
        if (!is_there(*id)) add(load_kept(*id));
    const RooflineCeilings ceilings = values_of(state.ceilings);
    HtmlReport report;
    report.title = "Kernel Workbench";
    report.made = clock_text(std::chrono::system_clock::now());
    for (const Kept& kept : all)
        std::visit([&](const auto& one) { report.sections.push_back(section_of(*one, ceilings)); }, kept);
    return html_report(report);
}

void Desk::Parts::write_export(const fs::path& path, const std::function<std::string()>& make) {
    try {
        // An export must not replace a source file.
        if (path.extension() == ".cl" || document_of(path))
            throw BadInput(path.string() + " is a kernel's source; give the export another name");
        for (const auto& [name, opened] : opened_)
            if (opened.kernel) refuse_replacing("The export " + path.string(), path, *opened.kernel);
        write_file(path, make());
        state.settings.last_folder = absolute(path).parent_path().string();
        notify(Notice::Kind::Information, path.string() + " was written");
    } catch (const std::runtime_error& error) {
        notify(Notice::Kind::Error, error.what());
    }
}

void Desk::Parts::perform(const command::ExportRun& command) {
    Kept kept = state.shown;
    if (command.run) {
        kept = load_kept(*command.run);
        if (is_null(kept)) return;  // load_kept() has reported it
    }
    if (is_null(kept)) kept = state.sweep;
    if (is_null(kept))
        return notify(Notice::Kind::Warning, "There is nothing to export yet: run something first.");
    write_export(command.path, [&]() -> std::string {
        if (command.form == command::ExportForm::Html) return session_page(kept);
        return std::visit(
            [&](const auto& one) {
                return command.form == command::ExportForm::Json
                           ? results_to_json(environment_of(*one), results_of(*one))
                           : results_to_csv(results_of(*one));
            },
            kept);
    });
}

void Desk::Parts::perform(const command::ExportBytes& command) {
    write_export(command.path, [&] { return command.bytes; });
}

}  // namespace kwb
