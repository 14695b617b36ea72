// SPDX-License-Identifier: Apache-2.0
// Writes results and pictures to files that the user chose.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "catalog/documentation.hpp"
#include "desk/desk.hpp"
#include "experiment/side_car.hpp"
#include "ipc/open_outside.hpp"
#include "problems/problem.hpp"
#include "report/documents.hpp"
#include "report/html.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

std::string clock_text(std::chrono::system_clock::time_point when) {
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::chrono::system_clock::to_time_t(when)));
}

RooflineCeilings values_of(const std::optional<Ceilings>& ceilings) {
    RooflineCeilings values;
    if (ceilings && ceilings->gflops) values.gflops = ceilings->gflops->value;
    if (ceilings && ceilings->gbytes_s) values.gbytes_s = ceilings->gbytes_s->value;
    return values;
}

std::shared_ptr<const ShownRun> as_run(const std::shared_ptr<const ShownRun>& run) {
    return run;
}
/// @return  a run with steps; nullptr if nothing was measured
std::shared_ptr<const ShownRun> as_run(const std::shared_ptr<const ShownSweep>& sweep) {
    if (sweep == nullptr || sweep->results.empty()) return nullptr;
    auto run = std::make_shared<ShownRun>();
    run->run = to_past_run(*sweep);
    run->error = sweep->error;
    return run;
}

HtmlSection section_of(const ShownRun& shown, const RooflineCeilings& ceilings) {
    const PastRun& run = shown.run;
    HtmlSection section;
    const Problem* known = find_problem(run.problem);
    section.heading = (known != nullptr ? known->title() : run.problem) + ", " +
                      (run.is_sweep() ? "over sizes" : to_string(run.sizes));
    section.when = clock_text(run.when);
    section.lead = shown.error;
    section.environment = run.environment;
    section.sizes = run.steps;
    const std::size_t steps = std::max<std::size_t>(1, run.steps.size());
    const std::size_t contestants = run.results.size() / steps;
    for (std::size_t i = 0; i < steps; ++i)
        section.results.push_back(std::span(run.results).subspan(i * contestants, contestants));
    section.baseline = shown.baseline;
    section.sources = run.sources;
    section.ceilings = ceilings;
    return section;
}

}  // namespace

std::string Desk::session_page(const std::shared_ptr<const ShownRun>& first) {
    constexpr std::size_t kMostSections = 20;
    std::vector<std::shared_ptr<const ShownRun>> all = {first};
    const auto add = [&](const std::shared_ptr<const ShownRun>& run) {
        const auto is_same = [&](const auto& other) {
            return other->run.id == run->run.id && other->run.when == run->run.when;
        };
        if (run != nullptr && std::ranges::none_of(all, is_same)) all.push_back(run);
    };
    add(state_.shown);
    add(as_run(state_.sweep));
    for (auto id = session_runs_.rbegin(); id != session_runs_.rend() && all.size() < kMostSections; ++id)
        if (std::ranges::none_of(all, [&](const auto& run) { return run->run.id == *id; }))
            add(load_as_run(*id));
    HtmlReport report;
    report.title = "Kernel Workbench";
    report.made = clock_text(std::chrono::system_clock::now());
    for (const auto& run : all) {
        report.sections.push_back(section_of(*run, values_of(state_.ceilings)));
        HtmlSection& section = report.sections.back();
        if (state_.device != nullptr && state_.device->name == section.environment.device)
            section.cache_bytes = state_.device->second_level_cache_bytes;
    }
    return html_report(report);
}

bool Desk::write_export(const fs::path& path, const std::function<std::string()>& make) {
    try {
        // An export must not replace a source file.
        if (path.extension() == ".cl" || document_of(path))
            throw BadInput(path.string() + " is a kernel's source; give the export another name");
        for (const auto& [name, opened] : kernels_)
            if (opened.kernel) refuse_replacing("The export " + path.string(), path, *opened.kernel);
        write_file(path, make());
        state_.settings.last_folder = absolute(path).parent_path().string();
        notify(Notice::Kind::Information, path.string() + " was written", absolute(path));
        return true;
    } catch (const std::runtime_error& error) {
        notify(Notice::Kind::Error, error.what());
        return false;
    }
}

void Desk::handle(const command::OpenOutside& command) {
    if (!open_outside(options_.opener, command.file))
        notify(Notice::Kind::Warning,
               command.file.string() + " cannot be opened from here: the program " + options_.opener +
                   " is missing. Install it (package xdg-utils), or open the file elsewhere");
}

void Desk::handle(const command::OpenDocumentation& command) {
    const fs::path folder =
        options_.documentation_folder.empty() ? shipped_documentation() : options_.documentation_folder;
    auto start = documentation_start(folder);
    const std::vector<DocumentationPage> pages =
        command.page.empty() ? std::vector<DocumentationPage>() : documentation_pages(folder);
    if (const auto found = find_page(pages, command.page)) start = *found->page;
    if (!start)
        notify(Notice::Kind::Warning,
               "The documentation is missing from this installation; install it again.");
    else if (start->site.empty())
        notify(Notice::Kind::Information,
               kHowToBuildSite + (" Their text begins in " + start->markdown.string() + "."),
               start->markdown);
    else
        handle(command::OpenOutside{start->site});
}

std::shared_ptr<const ShownRun> Desk::load_as_run(std::int64_t id) {
    return std::visit([](const auto& one) { return as_run(one); }, load_from_history(id));
}

void Desk::handle(const command::ExportRun& command) {
    auto run = state_.shown ? state_.shown : as_run(state_.sweep);
    if (command.run) {
        run = load_as_run(*command.run);
        if (run == nullptr) return;  // load_from_history() has reported it
    }
    if (run == nullptr) return notify(Notice::Kind::Warning, "Nothing to export yet; run something first.");
    write_export(command.path, [&] {
        if (command.form == command::ExportForm::Html) return session_page(run);
        return command.form == command::ExportForm::Json
                   ? results_to_json(run->run.environment, run->run.results)
                   : results_to_csv(run->run.results);
    });
}

}  // namespace kwb
