// SPDX-License-Identifier: Apache-2.0
#include "lessons/assessment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/syntax.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace {

constexpr std::uint64_t kSectorBytes = 32;

/// A mean of counts; 0 of nothing.
Number mean(std::uint64_t sum, std::uint64_t count) {
    return count == 0 ? Number(0)
                      : Number(static_cast<std::int64_t>(sum)) / Number(static_cast<std::int64_t>(count));
}

constexpr const char* kOtherFence = "other_fence";

constexpr std::array<std::string_view, 3> kGpuFacts = {"registers", "occupancy", "bound_ns"};

/// The findings at all sizes, with their arrays.
struct Found {
    std::set<std::string> codes, raced, collided, unset, outside;

    void add(const KernelResult& result) {
        if (result.finding) add(*result.finding);
        // X-ray's exact finding takes precedence over the device's, which names the nearest buffer.
        const bool is_exact = result.xray && !result.xray->undefined.empty();
        if (!is_exact && result.evidence && result.evidence->buffer) outside.insert(*result.evidence->buffer);
        for (const Finding& warning : result.warnings) add(warning);
        if (result.xray)
            for (const Finding& finding : result.xray->undefined) add(finding);
    }

private:
    void add(const Finding& finding) {
        codes.insert(std::string(to_string(finding.code)));
        if (const std::string& pattern = finding.text("pattern"); !pattern.empty()) codes.insert(pattern);
        if (!finding.text("fence").empty()) codes.insert(kOtherFence);
        // "tile" of "tile[3][4]"
        const std::string array = finding.subject.substr(0, finding.subject.find('['));
        using enum FindingCode;
        if (finding.code == DataRace)
            (finding.text("access") == "write" && finding.text("first_access") == "write" ? collided : raced)
                .insert(array);
        else if (finding.code == UnsetRead || finding.code == UnsetVariable)
            unset.insert(array);
        else if (finding.code == OutsideArray || finding.code == OutsideBuffer)
            outside.insert(array);
    }
};

Value list_of(const std::set<std::string>& texts) {
    Value::List list;
    for (const std::string& text : texts) list.emplace_back(text);
    return list;
}

void set_buffers(const XrayReport& report, Scope& facts) {
    struct Accesses {
        std::uint64_t load_accesses = 0, load_sectors = 0, load_bytes = 0;
        std::uint64_t store_accesses = 0, store_sectors = 0, store_bytes = 0;
        std::uint64_t cycles = 0, ideal_cycles = 0, active_lanes = 0;
    };
    std::map<std::uint32_t, Accesses> accesses;
    for (const XraySite& site : report.sites) {
        Accesses& all = accesses[site.buffer];
        const bool is_load = site.kind == AccessKind::Load;
        (is_load ? all.load_accesses : all.store_accesses) += site.sub_group_accesses;
        (is_load ? all.load_sectors : all.store_sectors) += site.sectors;
        (is_load ? all.load_bytes : all.store_bytes) += site.requested_bytes;
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
        if (buffer.basis == CountBasis::Partial) continue;
        if (buffer.basis != CountBasis::Estimated) {
            set(".loads", buffer.loads, buffer.elements_loaded);
            set(".stores", buffer.stores, buffer.elements_stored);
        }
        set(".load_sectors", all.load_sectors, all.load_accesses);
        set(".store_sectors", all.store_sectors, all.store_accesses);
        set(".load_use", all.load_bytes, all.load_sectors * kSectorBytes);
        set(".store_use", all.store_bytes, all.store_sectors * kSectorBytes);
        set(".banks", all.cycles, all.ideal_cycles);
        set(".lanes", all.active_lanes, (all.load_accesses + all.store_accesses) * report.sub_group);
    }
}

bool knows(const Scope& facts, const Expression& expression) {
    return std::ranges::all_of(expression.names(),
                               [&](const std::string& name) { return facts.find(name) != nullptr; });
}

/// @return  nullopt: a fact is missing
/// @throws BadInput  with the file
template <class Evaluate>
auto evaluated(const Expression& expression, const Scope& facts, const std::string& file,
               const Evaluate& evaluate) -> std::optional<decltype(evaluate())> {
    if (!knows(facts, expression)) return std::nullopt;
    try {
        return evaluate();
    } catch (const ExpressionError& error) {
        throw BadInput(fmt::format("{}: in `{}`, {}", file, expression.text(), error.what()));
    }
}

std::string file_of(const Lesson& lesson) {
    return (lesson.folder / "lesson.toml").string();
}

/// nullopt: it is not a number
std::optional<Number> number_in(const std::string& answer) {
    try {
        return Expression::parse(answer).evaluate_number({});
    } catch (const ExpressionError&) {
        return std::nullopt;
    }
}

const std::vector<std::string>& plain_facts() {
    static const std::vector<std::string> plain = {
        "verdict",      "findings",   "failed_size",   "failed_inputs", "failed_buffer",
        "failed_index", "raced",      "collided",      "unset",         "outside",
        "words",        "sub_group",  "launches",      "work_groups",   "work_items",
        "barriers",     "speedup",    "speedup_least", "told_ns",       "run_ns",
        "broken_exit",  "broken_log", "failed_call",   "failed_code",   kWhyFact};
    return plain;
}

/// The values of a fact with a closed list; empty: any value.
const std::vector<std::string>& values_of(const std::string& fact) {
    const auto names_in = [](const auto&... enums) {
        std::vector<std::string> names;
        (names.insert(names.end(), enums.begin(), enums.end()), ...);
        return names;
    };
    static const std::vector<std::string> verdicts = names_in(kEnumNames<Verdict>);
    static const std::vector<std::string> findings =
        names_in(kEnumNames<FindingCode>, kEnumNames<WrongPattern>, std::array{kOtherFence});
    static const std::vector<std::string> inputs = {"", "integer", "random"};
    static const std::vector<std::string> reasons = reason_names();
    static const std::vector<std::string> none;
    return fact == "verdict"         ? verdicts
           : fact == "findings"      ? findings
           : fact == "failed_inputs" ? inputs
           : fact == kWhyFact        ? reasons
                                     : none;
}

std::string fault_of_name(const std::string& name) {
    static const std::vector<std::string> of_arrays = [] {
        std::vector<std::string> words = {"loads",    "stores",    "load_sectors", "store_sectors",
                                          "load_use", "store_use", "banks",        "lanes"};
        words.insert(words.end(), kGpuFacts.begin(), kGpuFacts.end());
        return words;
    }();
    const std::size_t dot = name.rfind('.');
    const bool is_plain = dot == std::string::npos;
    const auto& all = is_plain ? plain_facts() : of_arrays;
    if (std::ranges::find(all, is_plain ? name : name.substr(dot + 1)) != all.end()) return "";
    return fmt::format("unknown fact `{}`{}", name,
                       is_plain ? "; the facts are " + enumerate(all) + ", and those of arrays: A.loads"
                                : "; an array has " + enumerate(all));
}

/// Calls `visit` for each text that is compared with a fact, also in a list: verdict in ['wrong', …].
template <class Visit>
void each_compared_text(const SyntaxNode& node, const Visit& visit) {
    using Kind = SyntaxNode::Kind;
    const auto each_text = [&](const std::string& fact, const SyntaxNode& other) {
        const auto look = [&](const SyntaxNode& literal) {
            if (literal.kind == Kind::Literal && literal.value.text() != nullptr)
                visit(fact, *literal.value.text());
        };
        look(other);
        if (other.kind == Kind::List) std::ranges::for_each(other.children, look);
    };
    if (node.kind == Kind::Comparison)
        for (std::size_t i = 0; i + 1 < node.children.size(); ++i) {
            const SyntaxNode &left = node.children[i], &right = node.children[i + 1];
            if (left.kind == Kind::Name) each_text(left.text, right);
            if (right.kind == Kind::Name) each_text(right.text, left);
        }
    for (const SyntaxNode& child : node.children) each_compared_text(child, visit);
}

}  // namespace

std::string fault_of_names(const Expression& condition) {
    for (const std::string& name : condition.names())
        if (std::string fault = fault_of_name(name); !fault.empty()) return fault;
    std::string fault;
    each_compared_text(parse_syntax(condition.text()), [&](const std::string& fact, const std::string& text) {
        const std::vector<std::string>& known = values_of(fact);
        if (fault.empty() && !known.empty() && std::ranges::find(known, text) == known.end())
            fault = fmt::format("`{}` never has '{}'.{} schema/README.md lists its values", fact, text,
                                did_you_mean(text, known));
    });
    return fault;
}

void add_words(std::string_view source, Scope& facts) {
    const std::string blanked = blank_comments(source);
    std::string code = blanked;
    for (const Directive& directive : find_directives(blanked))
        for (std::size_t at = directive.offset; at < code.size() && code[at] != '\n'; ++at) code[at] = ' ';
    const auto is_part = [&](std::size_t at) {
        return at < code.size() &&
               (std::isalnum(static_cast<unsigned char>(code[at])) != 0 || code[at] == '_');
    };
    std::set<std::string> words;
    for (std::size_t at = 0; at < code.size(); ++at) {
        const std::size_t begin = at;
        if (code[at] == '"') {
            while (++at < code.size() && code[at] != '"' && code[at] != '\n') at += code[at] == '\\' ? 1 : 0;
        } else if (is_part(at)) {
            while (is_part(at + 1)) ++at;
            if (std::isdigit(static_cast<unsigned char>(code[begin])) == 0)
                words.insert(code.substr(begin, at + 1 - begin));
        }
    }
    facts.set("words", list_of(words));
}

Scope facts_of(const std::vector<KernelResult>& results, const XrayReport* report) {
    Scope facts;
    Found found;
    for (const KernelResult& result : results) found.add(result);
    const auto failed = std::ranges::find_if(
        results, [](const KernelResult& result) { return result.verdict != Verdict::Correct; });
    const bool has_failed = failed != results.end();
    const Evidence evidence = has_failed ? failed->evidence.value_or(Evidence()) : Evidence();
    facts.set("verdict", std::string(to_string(has_failed ? failed->verdict : Verdict::Correct)));
    facts.set("failed_size", has_failed ? to_string(failed->size) : "");
    facts.set("failed_inputs", has_failed && failed->finding ? failed->finding->text("inputs") : "");
    facts.set("failed_buffer", evidence.buffer.value_or(""));
    if (evidence.element) facts.set("failed_index", Number(*evidence.element));
    facts.set("findings", list_of(found.codes));
    facts.set("raced", list_of(found.raced));
    facts.set("collided", list_of(found.collided));
    facts.set("unset", list_of(found.unset));
    facts.set("outside", list_of(found.outside));
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
    const bool is_partial = std::ranges::any_of(
        report->buffers, [](const XrayBuffer& buffer) { return buffer.basis == CountBasis::Partial; });
    if (!is_partial) count("barriers", barriers);
    set_buffers(*report, facts);
    return facts;
}

std::string reason_name(ReasonKind kind) {
    std::string name = to_string(kind);
    std::ranges::replace(name, '_', ' ');
    return name;
}

std::vector<std::string> reason_names() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kEnumNames<ReasonKind>.size(); ++i)
        names.push_back(reason_name(static_cast<ReasonKind>(i)));
    return names;
}

void add_reasons(const NamedList<std::string>& reasons, Scope& facts) {
    Value::List names;
    for (const auto& reason : reasons) names.emplace_back(reason.name);
    facts.set(kWhyFact, std::move(names));
}

void add_gpu_facts(const std::string& name, const GpuView& view, Scope& facts) {
    constexpr std::int64_t kWhole = 10'000;
    std::optional<std::uint32_t> registers;
    double percent = 100;
    for (const GpuView::Launch& launch : view.launches) {
        if (launch.registers) registers = std::max(registers.value_or(0), *launch.registers);
        percent = std::min(percent, launch.occupancy.percent);
    }
    if (registers) facts.set(name + ".registers", Number(*registers));
    if (!view.launches.empty())
        facts.set(name + ".occupancy", Number(std::llround(percent * kWhole / 100)) / Number(kWhole));
    if (view.at_least) facts.set(name + ".bound_ns", Number(std::llround(view.at_least->ms * 1e6)));
}

bool is_gpu_fact(std::string_view word) {
    return std::ranges::find(kGpuFacts, word) != kGpuFacts.end();
}

void add_speed_facts(const KernelResult& compared, Scope& facts) {
    if (!compared.speedup || !compared.speedup->interval) return;
    const auto set = [&](const char* name, double ratio) {
        facts.set(name, Number(static_cast<std::int64_t>(std::floor(ratio * 100))) / Number(100));
    };
    set("speedup", compared.speedup->value);
    set("speedup_least", compared.speedup->interval->low);
}

bool Assessment::is_solved() const {
    return is_correct &&
           std::ranges::all_of(goals, [](std::optional<bool> is_met) { return is_met.value_or(false); });
}

std::optional<bool> holds(const Expression& condition, const Scope& facts, const std::string& file) {
    return evaluated(condition, facts, file, [&] { return condition.evaluate_truth(facts); });
}

const LessonMistake* find_mistake(const std::vector<LessonMistake>& mistakes, const Scope& facts,
                                  const std::string& file) {
    const auto found = std::ranges::find_if(mistakes, [&](const LessonMistake& mistake) {
        return holds(mistake.when, facts, file).value_or(false);
    });
    return found != mistakes.end() ? &*found : nullptr;
}

Assessment assess(const Lesson& lesson, const Scope& facts) {
    Assessment assessment;
    const Value* const verdict = facts.find("verdict");
    assessment.is_correct =
        verdict != nullptr && verdict->text() != nullptr && *verdict->text() == to_string(Verdict::Correct);
    for (const LessonGoal& goal : lesson.goals)
        assessment.goals.push_back(holds(goal.when, facts, file_of(lesson)));
    if (!assessment.is_solved()) assessment.mistake = find_mistake(lesson.mistakes, facts, file_of(lesson));
    return assessment;
}

std::optional<std::string> right_answer(const Lesson& lesson, const LessonPrediction& prediction,
                                        const Scope& facts) {
    const std::optional<Value> value =
        evaluated(prediction.value, facts, file_of(lesson), [&] { return prediction.value.evaluate(facts); });
    if (!value) return std::nullopt;
    if (const auto* const list = value->list())
        return list->empty() || list->front().text() == nullptr ? "none" : *list->front().text();
    if (const bool* const truth = value->truth()) return *truth ? "yes" : "no";
    return value->text() != nullptr ? *value->text() : to_string(*value);
}

void require_answer(const LessonPrediction& prediction, const std::string& answer) {
    if (const auto number = number_in(answer); prediction.choices.empty() && (!number || *number < Number(0)))
        throw BadInput(
            fmt::format("the answer to \"{}\" must be a number of at least 0, such as 4 or 1/16, not '{}'",
                        prediction.name, answer));
    if (!prediction.choices.empty() &&
        std::ranges::find(prediction.choices, answer) == prediction.choices.end())
        throw BadInput(fmt::format("the answer to \"{}\" must be one of {}, not '{}'", prediction.name,
                                   enumerate(prediction.choices), answer));
}

bool agrees(const LessonPrediction& prediction, const std::string& answer, const std::string& right) {
    const auto given = number_in(answer), wanted = number_in(right);
    if (!given || !wanted) return answer == right;
    try {
        const Number off = *given > *wanted ? *given - *wanted : *wanted - *given;
        const Number size = *wanted < Number(0) ? -*wanted : *wanted;
        return off <= size * prediction.within;
    } catch (const ValueError&) {  // numbers that are too large for an exact comparison
        return false;
    }
}

std::string answer_text(const std::string& answer) {
    const auto number = number_in(answer);
    return number && !number->is_whole() ? fmt::format("{:.3g}", number->to_double()) : answer;
}

}  // namespace kwb
