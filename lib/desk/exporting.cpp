// Results and pictures written to files that a person names.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "desk/parts.hpp"
#include "problems/problem.hpp"
#include "report/html.hpp"
#include "report/results_csv.hpp"
#include "report/results_json.hpp"

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

/// Of a problem at one size: how large the buffer of each result's error map is.
std::vector<std::optional<MapExtents>> map_extents(const PastRun& run) {
    std::vector<std::optional<MapExtents>> extents(run.results.size());
    const Problem* problem = find_problem(run.problem);
    if (problem == nullptr || names_of(run.sizes) != problem->size_names()) return extents;
    try {
        const ProblemInstance instance = problem->at(run.sizes);
        for (std::size_t i = 0; i < extents.size(); ++i) {
            if (!run.results[i].error_map) continue;
            const BufferSpec* buffer = instance.find_buffer(run.results[i].error_map->buffer);
            if (buffer != nullptr && buffer->shape.size() == 2)
                extents[i] = MapExtents{buffer->shape[0], buffer->shape[1]};
        }
    } catch (const BadInput&) {  // a size that no memory holds today: then cells are counted
    }
    return extents;
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
    section.map_extents = map_extents(shown.run);
    section.ceilings = ceilings;
    return section;
}

HtmlSection section_of(const ShownSweep& sweep, const RooflineCeilings& ceilings) {
    HtmlSection section;
    const Problem* known = find_problem(sweep.problem);
    section.heading = (known != nullptr ? known->title() : sweep.problem) + ", over sizes";
    section.lead = sweep.error;
    section.environment = sweep.environment;
    section.sizes = sweep.sizes;
    for (const auto& results : sweep.results) section.results.emplace_back(results);
    section.ceilings = ceilings;
    return section;
}

}  // namespace

/// The shown run first, then the others that this session kept, and the sweep.
std::string Desk::Parts::session_page() {
    constexpr std::size_t kMostRuns = 20;
    std::vector<std::shared_ptr<const ShownRun>> runs;
    if (state.shown) runs.push_back(state.shown);
    for (auto id = session_runs_.rbegin(); id != session_runs_.rend() && runs.size() < kMostRuns; ++id) {
        const auto is_there = [&](const auto& run) { return run->run.id == *id; };
        if (std::any_of(runs.begin(), runs.end(), is_there)) continue;
        if (auto run = load_run(*id)) runs.push_back(std::move(run));
    }
    const RooflineCeilings ceilings = values_of(state.ceilings);
    HtmlReport report;
    report.title = "Kernel Workbench";
    report.made = clock_text(std::chrono::system_clock::now());
    for (const auto& run : runs) report.sections.push_back(section_of(*run, ceilings));
    if (state.sweep && !state.sweep->results.empty())
        report.sections.push_back(section_of(*state.sweep, ceilings));
    return html_report(report);
}

void Desk::Parts::write_export(const fs::path& path, const std::function<std::string()>& make) {
    try {
        // No export may replace what a person wrote.
        if (path.extension() == ".cl" || document_of(path))
            throw BadInput(path.string() + " is a kernel's source; give the export another name");
        write_file(path, make());
        state.settings.last_folder = absolute(path).parent_path().string();
        notify(Notice::Kind::Information, path.string() + " was written");
    } catch (const std::runtime_error& error) {
        notify(Notice::Kind::Error, error.what());
    }
}

void Desk::Parts::perform(const command::ExportRun& command) {
    if (!state.shown && (command.form != command::ExportForm::Html || !state.sweep))
        return notify(Notice::Kind::Warning, "There is nothing to export yet: run something first.");
    write_export(command.path, [&]() -> std::string {
        switch (command.form) {
            case command::ExportForm::Json:
                return results_to_json(state.shown->run.environment, state.shown->run.results);
            case command::ExportForm::Csv:
                return results_to_csv(state.shown->run.results);
            case command::ExportForm::Html:
                return session_page();
        }
        return "";
    });
}

void Desk::Parts::perform(const command::ExportBytes& command) {
    write_export(command.path, [&] { return command.bytes; });
}

}  // namespace kwb
