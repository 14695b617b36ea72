// SPDX-License-Identifier: Apache-2.0
// The stages of grading at two places, in every order of answers.
#include "grade/grading.hpp"

#include <doctest/doctest.h>

#include <array>

#include "base/file.hpp"
#include "catalog/kernel_folders.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

DeviceInfo any_device() {
    DeviceInfo device;
    device.id = "pocl:0";
    device.compute_units = 2;
    device.max_work_group_size = 1024;
    device.max_work_item_sizes = {1024, 1024, 64};
    device.local_mem_bytes = 64 << 10;
    device.global_mem_bytes = 4ull << 30;
    device.max_alloc_bytes = 1ull << 30;
    return device;
}

Candidate candidate_of(const std::string& name) {
    const std::string path = name + "/matmul.cl";
    const std::string text = read_file(shipped_kernels() / "matmul" / "01_naive.cl");
    Candidate candidate;
    candidate.key = name;
    candidate.submission.name = candidate.submission.entry = name;
    candidate.submission.kernel = path;
    candidate.submission.files = {{path, text}};
    candidate.submission.texts.put(path, text);
    return candidate;
}

/// Everything is right.
Snapshot answer_to(const Task::Request& request) {
    Snapshot snapshot;
    if (const auto* run = std::get_if<RunRequest>(&request))
        for (const Contestant& contestant : run->contestants) {
            snapshot.results.push_back(unmeasured_result(*run, contestant));
            snapshot.results.back().verdict = Verdict::Correct;
            snapshot.results.back().judged = true;
        }
    else
        snapshot.xray = std::make_shared<const XrayReport>();
    return snapshot;
}

}  // namespace

TEST_CASE("each candidate is checked and timed, whichever place answers first") {
    const TempFolder folder;
    const Rubric rubric = read_rubric(
        folder.write("r.toml",
                     "title = \"T\"\nproblem = \"matmul\"\n[[criterion]]\nname = \"right\"\npoints = 10\n"
                     "sizes = [\"16\", \"17\"]\n[[criterion]]\nname = \"fast\"\n"
                     "faster_than = \"matmul/naive\"\nat = \"16\"\nsteps = [[0.1, 10]]\n"));
    for (unsigned order = 0; order < 8; ++order)
        for (std::size_t count = 1; count <= 2; ++count) {
            CAPTURE(order);
            CAPTURE(count);
            std::vector<Candidate> candidates;
            for (std::size_t i = 0; i < count; ++i)
                candidates.push_back(candidate_of("s" + std::to_string(i)));
            Journal journal(folder / "journal", false);
            Grading grading(rubric, journal, candidates, {{any_device(), false}, {any_device(), false}});
            std::array<std::optional<Task::Request>, 2> asked;
            const auto ask_all = [&] {
                for (std::size_t i = 0; i < asked.size(); ++i)
                    if (!asked[i]) asked[i] = grading.next(i);
                return asked[0] || asked[1];
            };
            // The bits of `order` say which of two busy places answers.
            for (unsigned step = 0; ask_all() || ask_all(); ++step) {
                const bool second = asked[1] && (!asked[0] || (order >> (step % 3) & 1u) != 0);
                const Task::Request request = *std::exchange(asked[second ? 1 : 0], std::nullopt);
                grading.take(second ? 1 : 0, answer_to(request));
            }
            for (const Candidate& candidate : candidates) {
                CHECK(candidate.is_checked);
                CHECK(candidate.work.obstacle == "");
                CHECK(candidate.work.is_correct(rubric));
                CHECK(candidate.work.timed.size() == 1);
            }
        }
}

TEST_CASE("a check that times out is tried once more, unless X-ray saw a loop that does not end") {
    const TempFolder folder;
    const Rubric rubric =
        read_rubric(folder.write("r.toml",
                                 "title = \"T\"\nproblem = \"matmul\"\ntimeout_s = 5\n"
                                 "[[criterion]]\nname = \"c\"\npoints = 1\ncompiles = true\n"));
    for (const bool is_endless : {false, true}) {
        Journal journal(folder / "journal", false);
        std::vector<Candidate> candidates = {candidate_of("a")};
        Grading grading(rubric, journal, candidates, {{any_device(), false}});
        std::vector<double> limits_ms;
        while (const auto request = grading.next(0)) {
            limits_ms.push_back(std::get<RunRequest>(*request).timeout_ms);
            Snapshot answer = answer_to(*request);
            answer.results.front().verdict = Verdict::Timeout;
            answer.results.front().xray.emplace();
            if (is_endless)
                answer.results.front().xray->remarks.push_back({.code = FindingCode::XrayEndless});
            grading.take(0, answer);
        }
        CHECK(limits_ms == (is_endless ? std::vector<double>{5000} : std::vector<double>{5000, 15000}));
    }
}

TEST_CASE("a criterion that names a place is timed only there") {
    const TempFolder folder;
    const Rubric rubric = read_rubric(
        folder.write("r.toml",
                     "title = \"T\"\nproblem = \"matmul\"\n[[criterion]]\nname = \"c\"\n"
                     "faster_than = \"matmul/naive\"\nat = \"64\"\nsteps = [[0.1, 1]]\non = \"lab\"\n"));
    Journal journal(folder / "journal", false);
    std::vector<Candidate> candidates = {candidate_of("a")};
    const auto timings_at = [&](const std::string& on) {
        Grading grading(rubric, journal, candidates, {{any_device(), !on.empty()}}, on);
        std::size_t timings = 0;
        while (const auto request = grading.next(0)) {
            const auto* const run = std::get_if<RunRequest>(&*request);
            timings += run != nullptr && run->contestants.size() == 2 ? 1 : 0;
            grading.take(0, answer_to(*request));
            if (timings > 9) break;
        }
        return timings;
    };
    CHECK(timings_at("") == 0);
    CHECK(candidates.front().is_checked);
    CHECK(timings_at("lab") > 0);
}
