#include "session/exercise.hpp"

#include <fmt/format.h>

#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/kernel_file.hpp"
#include "model/finding_words.hpp"
#include "session/experiment.hpp"
#include "session/xray_request.hpp"

namespace kwb {

ExerciseRequests exercise_requests(const Lesson& lesson, const std::filesystem::path& file,
                                   const DeviceInfo& device, const EditedTexts& edited) {
    const std::string source = edited.read(file, kMostSourceBytes);
    if (const auto blank = find_blank(source))
        throw BadInput(fmt::format("{}:{}:{}: here is a blank to fill in: replace ____\n{}", file.string(),
                                   blank->line, blank->column,
                                   caret_line(source, blank->line, blank->column)));
    Experiment experiment;
    experiment.check_only = true;
    experiment.contestants = {open_kernel_file(file, file.string(), edited)};
    if (experiment.contestants.front()->spec.problem != lesson.problem)
        throw BadInput(fmt::format("{}: this lesson needs problem = \"{}\" in the front matter",
                                   file.string(), lesson.problem));
    const Problem& problem = get_problem(lesson.problem);
    const auto request_at = [&](const std::string& size) {
        RunRequest request = make_request(experiment, problem, parse_sizes(problem, size), device);
        if (const auto& plan = request.contestants.front().kernel; plan->refusal)
            throw Refused(*plan->refusal);
        return request;
    };
    ExerciseRequests requests;
    for (const std::string& size : lesson.sizes) requests.checks.push_back(request_at(size));
    if (!lesson.goals.empty()) {
        const RunRequest at = request_at(lesson.size);
        XrayOptions what;
        what.keep_counts = true;
        requests.xray = make_xray_request(at, *at.contestants.front().kernel, what);
    }
    return requests;
}

}  // namespace kwb
