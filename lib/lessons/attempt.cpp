#include "lessons/attempt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace kwb {
namespace {

/// A mean of counts; 0 of nothing.
Number mean(std::uint64_t sum, std::uint64_t count) {
    return count == 0 ? Number(0)
                      : Number(static_cast<std::int64_t>(sum)) / Number(static_cast<std::int64_t>(count));
}

void add_findings(const KernelResult& result, std::set<std::string>& codes) {
    const auto add = [&](const Finding& finding) {
        codes.insert(std::string(to_string(finding.code)));
        if (const std::string& pattern = finding.text("pattern"); !pattern.empty()) codes.insert(pattern);
    };
    if (result.finding) add(*result.finding);
    for (const Finding& warning : result.warnings) add(warning);
    if (result.xray)
        for (const Finding& finding : result.xray->undefined) add(finding);
}

void set_buffers(const XrayReport& report, Scope& facts) {
    struct Accesses {
        std::uint64_t load_accesses = 0, load_sectors = 0, store_accesses = 0, store_sectors = 0;
        std::uint64_t cycles = 0, ideal_cycles = 0, active_lanes = 0;
    };
    std::map<std::uint32_t, Accesses> accesses;
    for (const XraySite& site : report.sites) {
        Accesses& all = accesses[site.buffer];
        const bool is_load = site.kind == AccessKind::Load;
        (is_load ? all.load_accesses : all.store_accesses) += site.sub_group_accesses;
        (is_load ? all.load_sectors : all.store_sectors) += site.sectors;
        all.cycles += site.bank_cycles;
        all.ideal_cycles += site.ideal_bank_cycles;
        all.active_lanes += site.active_lanes;
    }
    for (std::uint32_t i = 0; i < report.buffers.size(); ++i) {
        const XrayBuffer& buffer = report.buffers[i];
        const Accesses& all = accesses[i];
        const auto set = [&](const char* fact, std::uint64_t sum, std::uint64_t count) {
            facts.set(buffer.name + fact, mean(sum, count));
        };
        set(".loads", buffer.loads, buffer.elements_loaded);
        set(".stores", buffer.stores, buffer.elements_stored);
        set(".load_sectors", all.load_sectors, all.load_accesses);
        set(".store_sectors", all.store_sectors, all.store_accesses);
        set(".banks", all.cycles, all.ideal_cycles);
        set(".lanes", all.active_lanes, (all.load_accesses + all.store_accesses) * report.sub_group);
    }
}

}  // namespace

Scope facts_of(const std::vector<KernelResult>& results, const XrayReport* report) {
    Scope facts;
    Verdict verdict = Verdict::Correct;
    std::set<std::string> codes;
    for (const KernelResult& result : results) {
        if (verdict == Verdict::Correct) verdict = result.verdict;
        add_findings(result, codes);
    }
    facts.set("verdict", std::string(to_string(verdict)));
    Value::List findings;
    for (const std::string& code : codes) findings.emplace_back(code);
    facts.set("findings", findings);
    if (report == nullptr || report->launches.empty()) return facts;
    std::uint64_t groups = 0, items = 0, barriers = 0;
    for (const XrayLaunch& launch : report->launches) {
        std::uint64_t of_group = 1;
        for (const std::uint64_t extent : launch.local) of_group *= extent;
        groups += launch.groups;
        items += launch.groups * of_group;
        barriers += launch.barriers;
    }
    const auto count = [&](const char* name, std::uint64_t number) {
        facts.set(name, Number(static_cast<std::int64_t>(number)));
    };
    count("sub_group", report->sub_group);
    count("launches", report->launches.size());
    count("work_groups", groups);
    count("work_items", items);
    count("barriers", barriers);
    set_buffers(*report, facts);
    return facts;
}

bool Assessment::is_solved() const {
    return is_correct && std::ranges::all_of(goals, [](Goal goal) { return goal == Goal::Met; });
}

Assessment assess(const Lesson& lesson, const Scope& facts) {
    const std::vector<std::string> known = facts.names();
    const auto is_known = [&](const Expression& condition) {
        return std::ranges::all_of(condition.names(), [&](const std::string& name) {
            return std::ranges::find(known, name) != known.end();
        });
    };
    const auto holds = [&](const Expression& condition) {
        try {
            return condition.evaluate_truth(facts);
        } catch (const ExpressionError& error) {
            throw BadInput(fmt::format("{}: in `{}`, {}", (lesson.folder / "lesson.toml").string(),
                                       condition.text(), error.what()));
        }
    };
    Assessment assessment;
    const Value* const verdict = facts.find("verdict");
    assessment.is_correct =
        verdict != nullptr && verdict->text() != nullptr && *verdict->text() == to_string(Verdict::Correct);
    for (const LessonGoal& goal : lesson.goals)
        assessment.goals.push_back(!is_known(goal.when) ? Assessment::Goal::Unknown
                                   : holds(goal.when)   ? Assessment::Goal::Met
                                                        : Assessment::Goal::Unmet);
    if (assessment.is_solved()) return assessment;
    for (const LessonMistake& mistake : lesson.mistakes)
        if (is_known(mistake.when) && holds(mistake.when)) {
            assessment.mistake = &mistake;
            break;
        }
    return assessment;
}

}  // namespace kwb
