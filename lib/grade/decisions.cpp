// SPDX-License-Identifier: Apache-2.0
#include "grade/decisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/file.hpp"
#include "base/printable.hpp"
#include "catalog/place.hpp"
#include "catalog/toml_reader.hpp"
#include "lessons/assessment.hpp"

namespace kwb {

template <class Fields>
void describe(Fields& f, Decision& decision) {
    f.defaulted("file", decision.file);
    f.defaulted("student", decision.student);
    f.defaulted("kernel", decision.kernel);
    f("points", decision.points);
    f.defaulted("remark", decision.remark);
    f.defaulted("by", decision.by);
}

namespace {

/// Enough for a question about each of a thousand submissions.
constexpr std::size_t kMostDecisionBytes = 1u << 20;

struct DecisionsTable {
    std::vector<const toml::node*> decisions = {};
};

template <class Fields>
void describe(Fields& f, DecisionsTable& table) {
    f.defaulted("decision", table.decisions);
}

/// The fault of a decision, as a clause; empty: none.
std::string fault_of_decision(const Decision& decision, double most_points) {
    if (decision.file.empty() && decision.student.empty())
        return "a decision must name a file (of a submission) or a student";
    if (decision.points && !(*decision.points >= 0 && *decision.points <= most_points))
        return fmt::format("points must be from 0 to {:g}, the most that the rubric gives", most_points);
    if (!decision.kernel.empty() && decision.file.empty())
        return "`kernel` chooses a file of a submission, so name the submission with `file`, too";
    if (!decision.is_made() && !decision.by.empty())
        return "nothing is decided. Add points, or kernel, or both file and student";
    if (decision.is_made() && trim(decision.by).empty()) return "`by` must name who decided";
    return "";
}

bool are_same(const Decision& a, const Decision& b) {
    return a.file.empty() || b.file.empty()
               ? to_lower(trim(a.student)) == to_lower(trim(b.student)) && a.file.empty() && b.file.empty()
               : a.file == b.file;
}

}  // namespace

void Decisions::refuse(const Decision& decision, const std::string& why) const {
    refuse_at(file, decision.place, why);
}

Decisions read_decisions(const std::filesystem::path& file, double most_points) {
    return parse_decisions(file, read_file(file, kMostDecisionBytes), most_points);
}

Decisions parse_decisions(const std::filesystem::path& file, std::string text, double most_points) {
    const TomlReader reader(file.string(), std::move(text), kMostDecisionBytes);
    DecisionsTable table;
    TomlRecordRules{reader, fault_of_names}.take(reader.root(), "a file of decisions", table);
    Decisions decisions{reader.file()};
    for (const toml::node* node : table.decisions) {
        const toml::table* const entry = node->as_table();
        if (entry == nullptr) reader.refuse(*node, "decision must be a table: [[decision]]");
        Decision decision;
        TomlRecordRules{reader, fault_of_names}.take(*entry, "a decision", decision);
        decision.place = {node->source().begin.line, node->source().begin.column};
        if (const std::string fault = fault_of_decision(decision, most_points); !fault.empty())
            decisions.refuse(decision, fault);
        const auto same = std::ranges::find_if(
            decisions.list, [&](const Decision& before) { return are_same(before, decision); });
        if (same != decisions.list.end())
            decisions.refuse(decision, fmt::format("{} is already decided in line {}. Keep one of the two",
                                                   decision.file.empty() ? decision.student : decision.file,
                                                   same->place.line));
        decisions.list.push_back(std::move(decision));
    }
    return decisions;
}

std::string decision_template(const std::vector<OpenQuestion>& questions, const Decisions& known) {
    std::string text;
    for (const OpenQuestion& question : questions) {
        const bool is_about_file = !question.file.empty();
        const Decision named{question.file, is_about_file ? "" : question.student, "", {}, "", "", {}};
        if (std::ranges::any_of(known.list, [&](const Decision& each) { return are_same(each, named); }))
            continue;
        text += fmt::format("\n# {}\n# Remove the # of one line, and write who decides.\n[[decision]]\n{}\n",
                            printable_line(question.why),
                            is_about_file ? "file = " + in_quotes(question.file)
                                          : "student = " + in_quotes(question.student));
        for (const std::string& answer : question.answers) text += "# " + printable_line(answer) + '\n';
        text += "remark = \"\"\nby = \"\"\n";
    }
    return text;
}

}  // namespace kwb
