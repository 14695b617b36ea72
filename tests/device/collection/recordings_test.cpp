// SPDX-License-Identifier: Apache-2.0
// Recordings of all shipped kernels: at each read, memory held what the work-item has read.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "bench.hpp"
#include "debug/evaluate.hpp"
#include "debug/player.hpp"
#include "experiment/xray_request.hpp"

namespace kwb::test {
namespace {

std::shared_ptr<const Recording> record(const RunRequest& run, std::uint32_t launch) {
    XrayOptions options;
    options.aim = XrayAim::Record;
    options.trace_group = {0};
    options.trace_launch = launch;
    options.most_ms = 1'000'000;  // however slow the machine is
    bench().judge.send(make_xray_request(run, *run.contestants.front().kernel, options));
    while (true) {
        JudgeEvent event = bench().judge.next_event();
        if (auto* const answer = std::get_if<XrayEvent>(&event)) {
            if (!answer->recording) return nullptr;
            return std::make_shared<const Recording>(std::move(*answer->recording));
        }
        if (const auto* const error = std::get_if<ErrorEvent>(&event)) FAIL(error->message);
    }
}

/// What was read is what the stores before it have left.
void expect_true_reads(const debug::Player& player) {
    const Recording& recording = player.recording();
    std::size_t reads = 0, wrong = 0;
    std::string first;
    for (std::uint32_t i = 0; i < recording.events.size(); ++i) {
        const RecordedEvent& event = recording.events[i];
        if (event.kind != RecordedKind::Read) continue;
        const debug::MemoryBytes memory = player.read(i, event.address, event.bytes);
        if (!memory.unset.empty()) continue;  // of what nobody has set
        ++reads;
        if (memory.bytes == player.old_bytes(event) || wrong++ > 0) continue;
        const RecordedSite& site = recording.sites[event.site];
        first = fmt::format("line {}, event {}, {} bytes", site.place.line, i, event.bytes);
    }
    CHECK(reads > 0);
    CHECK_MESSAGE(wrong == 0, wrong, " of ", reads, " reads, first: ", first);
}

}  // namespace

TEST_CASE("in recordings of all shipped kernels, work-items read what was stored before") {
    std::size_t recorded = 0;
    for (const CatalogueEntry& entry : bench().catalogue.entries()) {
        OpenedExperiment experiment;
        experiment.contestants = {bench().catalogue.open(entry.name)};
        CAPTURE(entry.name);
        const Problem& problem = get_problem(experiment.contestants.front()->spec.problem);
        const bool is_line = problem.size_names().size() == 1;
        const RunRequest run =
            make_request(experiment, problem, problem.square(is_line ? 1003 : 37), bench().device);
        if (run.contestants.front().kernel->refusal) continue;
        // The last one: the first may only set a result to zero.
        const auto recording =
            record(run, static_cast<std::uint32_t>(run.contestants.front().kernel->launches.size() - 1));
        if (!recording) continue;  // it uses images
        ++recorded;
        const debug::Player player(recording);
        expect_true_reads(player);
        // Every variable of each step has a value, or says that it has none.
        for (std::size_t step = 0; step <= player.steps(0); ++step) {
            const debug::Scope scope = debug::scope_at(player, {0, step});
            for (const debug::VisibleVariable& variable : debug::visible_variables(scope))
                CHECK(debug::evaluated_text(debug::evaluate(variable.name, scope), *recording) != "?");
        }
    }
    CHECK(recorded >= 40);
}

}  // namespace kwb::test
