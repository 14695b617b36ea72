// SPDX-License-Identifier: Apache-2.0
// Recordings of all shipped kernels: at each read, memory held what the work-item has read.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "debug/evaluate.hpp"
#include "debug/moves.hpp"
#include "debug/player.hpp"
#include "experiment/xray_request.hpp"

namespace kwb::test {
namespace {

std::shared_ptr<const Recording> record(const RunRequest& run, std::uint32_t launch,
                                        XrayOptions options = {}) {
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

/// What the debugger shows at a moment; addresses differ between two runs.
std::vector<std::string> shown_at(const debug::Player& player, debug::Moment moment) {
    std::vector<std::string> shown{
        fmt::format("line {}, {} barriers", player.site(moment)->place.line, player.interval(moment))};
    const debug::Scope scope = debug::scope_at(player, moment);
    for (const debug::VisibleVariable& variable : debug::visible_variables(scope)) {
        const debug::Evaluated value = debug::evaluate(variable.name, scope);
        const std::string text = debug::evaluated_text(value, player.recording());
        if (text.find("0x") != std::string::npos) continue;
        const auto store = player.last_store(player.event_of(moment), *value.address, value.bytes);
        shown.push_back(fmt::format("{} = {}, by event {}", variable.name, text,
                                    store ? fmt::format("{}", player.number(*store)) : "none"));
    }
    return shown;
}

/// Where other work-items are at the same point, in as far as that is recorded.
void expect_same_moments(const debug::Player& part, const debug::Player& whole, debug::Moment moment) {
    const auto here = part.same_moments(moment), there = whole.same_moments(moment);
    for (std::uint32_t item = 0; item < part.items(); ++item) {
        if (here[item] || part.has_interval(moment, item)) CHECK(here[item] == there[item]);
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

TEST_CASE("a record in parts shows what the whole one does, at each step, forwards and backwards") {
    for (const char* const name :
         {"matmul/naive", "matmul/tiled", "transpose/tiled", "reduce/contiguous_tree", "histogram/local_bins",
          "scan/blelloch", "stencil/tiled", "convolution/naive"}) {
        CAPTURE(name);
        OpenedExperiment experiment;
        experiment.contestants = {bench().catalogue.open(name)};
        const Problem& problem = get_problem(experiment.contestants.front()->spec.problem);
        const bool is_line = problem.size_names().size() == 1;
        const RunRequest run =
            make_request(experiment, problem, problem.square(is_line ? 1003 : 37), bench().device);
        const debug::Player whole(record(run, 0));
        XrayOptions options;
        options.part_events = std::max<std::uint64_t>(whole.recording().events.size() / 5, 8);
        debug::Player parted(record(run, 0, options));
        debug::Moves moves(parted);
        moves.turn_with([&](const debug::WantedPart& wanted) {
            options.record_from = wanted.event;
            options.record_item = wanted.item;
            parted.show(record(run, 0, options));
            return "";
        });
        std::size_t parts = 1;
        for (;; ++parts) {
            for (std::uint32_t item = 0; item < parted.items(); ++item)
                for (std::size_t step = parted.first_step(item); step < parted.steps(item); ++step)
                    if (shown_at(parted, {item, step}) != shown_at(whole, {item, step}))
                        FAIL_CHECK("work-item ", item, ", step ", step, ", part ", parts);
            const std::uint32_t item = parted.items() / 2;
            if (parted.steps(item) > parted.first_step(item))
                expect_same_moments(parted, whole, {item, parted.first_step(item)});
            if (!parted.recording().goes_on) break;
            options.record_from = parted.recording().end();
            options.record_item.reset();
            parted.show(record(run, 0, options));
        }
        CHECK(parts >= 4);
        // By single steps of one work-item.
        moves.select({parted.items() - 1, parted.steps(parted.items() - 1)});
        moves.go_to_start();
        const auto expect_here = [&] {
            CHECK(shown_at(parted, moves.moment()) == shown_at(whole, moves.moment()));
        };
        std::size_t steps = 1;
        for (expect_here(); moves.step(debug::Direction::Forwards); ++steps) expect_here();
        CHECK(steps == whole.steps(parted.items() - 1));
        for (; moves.step(debug::Direction::Backwards); --steps) expect_here();
        CHECK(steps == 0);
    }
}

}  // namespace kwb::test
