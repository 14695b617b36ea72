// SPDX-License-Identifier: Apache-2.0
#include "model/finding_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "model/xray_words.hpp"

namespace kwb {

double Finding::number(std::string_view name) const {
    const double* const found = find_named(numbers, name);
    return found != nullptr ? *found : 0;
}

const std::string& Finding::text(std::string_view name) const {
    static const std::string kNone;
    const std::string* const found = find_named(texts, name);
    return found != nullptr ? *found : kNone;
}

Finding remark(std::string sentence, FindingCode code) {
    return {.code = code, .texts = {{"sentence", std::move(sentence)}}};
}

namespace {

/// A front end's names for what the user can change, and advice specific to it.
struct Controls {
    const char* work_group;        ///< followed by the typed value
    const char* size;              ///< follows "choose a smaller "
    const char* unlisted_values;   ///< follows the list of allowed values
    const char* no_driver_choice;  ///< what to do if `auto` conflicts with a fixed work-group size
    const char* adopting;          ///< followed by the command that saves a declaration
};

constexpr Controls kTerminal = {"--local", "--size", " (--force accepts others)",
                                "Leave out `auto`, or add --force to see what happens",
                                "Name it with --problem, save it next to the file with"};
constexpr Controls kWindow = {"work-group", "size", "", "Choose another work-group",
                              "Save it next to the file, from a terminal, with"};
constexpr Controls kPage = {"work-group", "size", "", "Choose another work-group",
                            "Save it next to the file with"};

const Controls& controls_of(Face face) {
    switch (face) {
        case Face::Terminal:
            return kTerminal;
        case Face::Window:
            return kWindow;
        case Face::Lesson:
        case Face::Page:
            break;
    }
    return kPage;
}

/// The words of a finding, with placeholders in braces: see Renderer::look_up().
struct Pattern {
    FindingCode code;
    const char* what;
    const char* advice = "";
};

constexpr const char* kCalmDown =
    "Close other programs, choose a larger size, or give each kernel more time.";

constexpr Pattern kPatterns[] = {
    {FindingCode::Undeclared,
     "{subject}: {missing}. {adopting} '{command}', or write front matter with {declaration} in its first "
     "comment ('kwb show matmul/naive' shows an example)"},
    {FindingCode::OtherProblem,
     "{subject} solves {own}, but the chosen problem is {chosen}. Choose {own}, or remove this kernel"},
    {FindingCode::SameProblemName,
     "{subject} and another of these kernels both declare a problem '{problem}'. Remove one of them, or "
     "rename its problem"},
    {FindingCode::UnlistedParamValue,
     "{subject}: parameter {param} cannot be {value}. Choose one of {values}{unlisted_values}"},
    {FindingCode::WorkGroupIsFixed,
     "{subject} requires work-groups of [{extent}], so the driver cannot choose them. {no_driver_choice}"},
    {FindingCode::MalformedWorkGroup,
     "{work_group} {subject}: give 1 to 3 sizes above 0, e.g. 16x16 or 256, or auto"},
    {FindingCode::TooManyDimensions, "{work_group} {subject}: a work-group has at most 3 dimensions"},
    {FindingCode::BufferBeyondMemory,
     "{place}{subject} is larger than any memory at {sizes}. Choose a smaller {size}"},
    {FindingCode::RequirementFails, "the requirement \"{subject}\" does not hold: {condition}{with_values}"},
    {FindingCode::NoLaunchApplies, "no launch of the kernel applies at this size"},
    {FindingCode::TooManyLaunches,
     "the counters of its [launch] exceed {most:count}, or bind too many arguments. Use fewer values, or "
     "choose a smaller size"},
    {FindingCode::ScratchTooLarge,
     "the scratch buffer {subject} of {all_elements} exceeds the device's limit of "
     "{most_bytes:bytes} per buffer. Choose a smaller size"},
    {FindingCode::WorkGroupTooLong,
     "{place}a work-group of {subject} is too long in {axis}, where the device allows at most {most:count}. "
     "{remedy} would fit"},
    {FindingCode::WorkGroupTooLarge,
     "{place}a work-group of {subject} has {items:work-items}, but the device allows at most "
     "{most:count}. {remedy} would fit"},
    {FindingCode::WorkGroupRemainder,
     "{place}work-groups of {subject} do not divide the {global} work-items of {kernel}: {global:count} / "
     "{local:count} leaves {rest:count} in {axis}. {advice}"},
    {FindingCode::BufferTooLarge,
     "buffer {subject} needs {needed_bytes:bytes}{guards}, but {device} allows at most {most_bytes:bytes} in "
     "one buffer. Choose a smaller size"},
    {FindingCode::BuffersTooLarge,
     "all buffers together need {needed_bytes:bytes}, but {device} has {most_bytes:bytes} of memory. Choose "
     "a smaller size"},
    {FindingCode::CheckingTooLarge,
     "checking the result needs {needed_bytes:bytes} of this machine's memory, but only {free_bytes:bytes} "
     "are free. Choose a smaller size"},
    {FindingCode::NoHostLibrary,
     "The CPU's BLAS library has no routine for {subject}. Remove cpu:blas, or choose the problem {others}"},
    {FindingCode::BoundByElimination,
     "{subject}: {bindings}, by elimination. If that is wrong, set the args of its launch"},
    {FindingCode::LargeForGpus,
     "{subject}: a work-group of {local} has {items:work-items}, but most GPUs allow at "
     "most {most:count}. {remedy} would fit there"},
    {FindingCode::LocalLargeForGpus,
     "{subject}: a work-group uses {bytes:bytes} of local memory, but many GPUs have only "
     "{most_bytes:bytes}"},
    {FindingCode::PrivateLargeForCpu,
     "{subject}: {bytes:bytes} of private memory for each of {items:work-items} of a group may "
     "overflow the {most_bytes:bytes} stack of a CPU driver. Use smaller private arrays or a smaller "
     "work-group"},
    {FindingCode::NotRepeatable,
     "two runs with the same inputs gave different values for {differing:elements} of {all_elements} "
     "of {subject}; the first is {place}{first}, then {then}. A barrier may be missing"},
    {FindingCode::SlowFirstRound,
     "The first round took {ratio:.1f} times as long as the others, because something was still warming up "
     "(clocks, caches, memory).",
     "With 10 rounds or more, it has little effect on the median and its interval."},
    {FindingCode::DriftsSlower,
     "Times drift: the last third of the rounds is {share} slower than the first. Another program may be "
     "using the machine, or its clocks may be falling as it heats up.",
     "To compare kernels, trust only the speed-up column, which compares them round by round."},
    {FindingCode::DriftsFaster,
     "Times drift: the last third of the rounds is {share} faster than the first. The clocks may still have "
     "been rising, or another program may have ended.",
     "To compare kernels, trust only the speed-up column, which compares them round by round, or measure "
     "again."},
    {FindingCode::Wanders,
     "Speed drifted by {share} during the run, so the interval of the median is too narrow. Another program "
     "may be using the machine.",
     "To compare kernels, trust only the speed-up column, which compares them round by round."},
    {FindingCode::TwoGroups,
     "Times fall into two groups: {share} of the rounds took {ratio:.2f} times as long as the others, so the "
     "median may jump between the two.",
     "Possible causes are two clock speeds, two kinds of cores, or a program that runs now and then. Measure "
     "more rounds and look at the individual samples."},
    {FindingCode::Scatters, "Times scatter: half of the rounds are {share} or more away from the median.",
     kCalmDown},
    {FindingCode::FewFarRounds,
     "Some rounds are far from the others, so the median is known only to ± {share}.", kCalmDown},
    {FindingCode::Stopped, "stopped by you after {rounds}"},
    {FindingCode::CutShort, "cut short after {rounds}: {sentence}"},
    {FindingCode::ClocksDisagree,
     "the clocks of the device and this machine disagree: the device measured {device_ms:.4g} ms within "
     "{host_ms:.4g} ms of this machine's. Do not compare times across devices. GFLOP/s and GB/s may be off "
     "by the same factor"},
    {FindingCode::SlowTurns,
     "a run reported {told_ms:.3g} ms but took {took_ms:.3g} ms by the wall clock, including the launch: "
     "this machine is busy, launches are slow here, or the device's clock is wrong"},
    {FindingCode::NoDeviceClock,
     "the device's clock gave no usable time for some runs; this machine's clock timed them, including the "
     "launch"},
    {FindingCode::Outrun,
     "timing stopped after {rounds}, in which it was slower than the fastest; the median is "
     "rough"},
    {FindingCode::SlowLibrary,
     "not a fair measure of this CPU: the matrix product of {subject} reaches {share} of the multiply-adds "
     "that a plain loop does here.",
     "The library may not recognise the CPU, or may use kernels made for an older one (OPENBLAS_CORETYPE "
     "selects them)."},
    {FindingCode::SuspectBarrier,
     "this barrier {suspicion} of line {line:.0f}, which depends on the work-item's id, and X-ray did not "
     "see it run. If only some work-items of a group reach it, they may wait forever. Move it to where all "
     "of them reach it"},
    {FindingCode::StraySemicolon,
     "a ; ends the loop here, so that what follows runs only once, after the loop. Remove it; in a loop that "
     "needs no body, put it on a separate line"},
    {FindingCode::ClaimsIgnored, "an untrusted kernel: its file's claims about {claims} are ignored"},
};

class Renderer {
public:
    Renderer(const Finding& low, const Finding& high, Face face)
        : low_(low), high_(high), face_(face), controls_(controls_of(face)) {}

    FindingWords render() const {
        if (low_.code == FindingCode::LocalMemoryTooLarge) return {local_memory(), ""};
        if (low_.code == FindingCode::TooFewRounds) return too_few_rounds();
        if (low_.code == FindingCode::WrongElements || low_.code == FindingCode::NeverWritten ||
            low_.code == FindingCode::DependsOnUnset)
            return {wrong_elements(), ""};
        const auto* const pattern = std::ranges::find(kPatterns, low_.code, &Pattern::code);
        if (pattern == std::end(kPatterns))
            return {xray_sentence_of(low_, face_ != Face::Lesson).value_or(low_.text("sentence")), ""};
        return {fill(pattern->what), pattern->advice};
    }

private:
    /// The pattern with its placeholders replaced.
    std::string fill(std::string_view pattern) const {
        std::string words;
        for (std::size_t open = pattern.find('{'); open != std::string_view::npos; open = pattern.find('{')) {
            const std::size_t close = pattern.find('}', open);
            words.append(pattern.substr(0, open)) += look_up(pattern.substr(open + 1, close - open - 1));
            pattern.remove_prefix(close + 1);
        }
        return words.append(pattern);
    }

    /// @param key  "elements:count", "most_bytes:bytes" or "ratio:.1f": a number of the finding and its form;
    ///             a name of Controls; one of those below; else the name of a text of the finding
    std::string look_up(std::string_view key) const {
        if (const std::size_t colon = key.find(':'); colon != std::string_view::npos)
            return number(key.substr(0, colon), key.substr(colon + 1));
        if (key == "work_group") return controls_.work_group;
        if (key == "size") return controls_.size;
        if (key == "unlisted_values") return controls_.unlisted_values;
        if (key == "no_driver_choice") return controls_.no_driver_choice;
        if (key == "adopting") return controls_.adopting;
        if (key == "subject") return low_.subject;
        if (key == "place") return low_.place.empty() ? "" : low_.place + ": ";
        if (key == "axis") return low_.number("axis") == 0 ? "x" : low_.number("axis") == 1 ? "y" : "z";
        if (key == "all_elements") return all_elements();
        if (key == "rounds") return counted(whole("rounds"), "round");
        if (key == "suspicion")
            return low_.number("leaves") > 0 ? "comes after a return under the condition"
                                             : "is under the condition";
        if (key == "guards") return low_.number("guarded") > 0 ? " with its guard zones" : "";
        if (key == "with_values") return text("values").empty() ? "" : ", with " + text("values");
        if (key == "remedy")  // "16x16 (256 work-items)"
            return low_.remedy ? low_.remedy->value + " (" + counted(whole("fit_items"), "work-item") + ")"
                               : "";
        if (key == "share")
            return range(fmt::format("{:.0f}", 100 * low_.number(key)),
                         fmt::format("{:.0f}", 100 * high_.number(key))) +
                   " %";
        return text(key);
    }

    std::string number(std::string_view name, std::string_view form) const {
        if (form == "count") return count(name);
        if (form == "elements") return elements(name);
        if (form == "work-items") return count(name) + (is_one(name) ? " work-item" : " work-items");
        if (form == "bytes") return bytes(name);
        const std::string format = fmt::format("{{:{}}}", form);
        return range(fmt::format(fmt::runtime(format), low_.number(name)),
                     fmt::format(fmt::runtime(format), high_.number(name)));
    }

    std::string local_memory() const {
        const double declared = low_.number("declared_bytes");
        const double asked = low_.number("asked_bytes");
        const std::string parts = declared > 0 && asked > 0
                                      ? " (" + as_bytes(declared) + " declared in the source and " +
                                            as_bytes(asked) + " as arguments)"
                                      : "";
        // Edge of the largest square tile of floats such that two tiles fit.
        const double edge = std::floor(std::sqrt(low_.number("most_bytes") / 8));
        return fmt::format(
            "{}: a work-group needs {} of local memory{}, but {} has {}. Use smaller tiles: two of "
            "{:.0f}x{:.0f} floats would fit",
            low_.subject, as_bytes(declared + asked), parts, text("device"), bytes("most_bytes"), edge, edge);
    }

    std::string wrong_elements() const {
        if (low_.code == FindingCode::NeverWritten) return never_written() + suspect_compiler();
        const bool at_least = low_.number("at_least") > 0;
        std::string sentence =
            text("expected").empty()
                ? fmt::format(
                      "{} of {} of {} {} on its initial content, which is uninitialised memory; the first is "
                      "{}",
                      elements("wrong"), all_elements(), low_.subject, is_one("wrong") ? "depends" : "depend",
                      low_.place)
                : fmt::format(
                      "{}{} of {} of {} {} wrong with {} inputs; the first{} is {}: expected {}, got {}",
                      at_least ? "at least " : "", elements("wrong"), all_elements(), low_.subject,
                      is_one("wrong") ? "is" : "are", text("inputs"), at_least ? " known" : "", low_.place,
                      text("expected"), text("got"));
        if (low_.code == FindingCode::DependsOnUnset) return sentence + unset_output();
        if (low_.number("unwritten") > 0)
            sentence += fmt::format(" ({} of them {} never written)", elements("unwritten"),
                                    is_one("unwritten") ? "was" : "were");
        if (low_.number("not_finite") > 0)
            sentence +=
                fmt::format(" ({} of them {})", elements("not_finite"),
                            is_one("not_finite") ? "is not a finite number" : "are not finite numbers");
        const std::string pattern = wrong_pattern();
        return sentence + (pattern.empty() ? "" : "; " + pattern) + suspect_compiler();
    }

    /// "1,984 of 16,384 elements of C were never written: all in the last 8 rows and columns (the first is
    /// C[0][120], with integer inputs)"
    std::string never_written() const {
        const bool at_least = low_.number("at_least") > 0;
        const bool at_edges = text("pattern") == to_string(WrongPattern::AtEdges);
        const std::string pattern = at_edges ? "all in " + edges() : wrong_pattern();
        return fmt::format("{}{} of {} of {} {} never written{} (the first{} is {}{})",
                           at_least ? "at least " : "", elements("wrong"), all_elements(), low_.subject,
                           is_one("wrong") ? "was" : "were", pattern.empty() ? "" : ": " + pattern,
                           at_least ? " known" : "", low_.place,
                           text("inputs").empty() ? "" : ", with " + text("inputs") + " inputs");
    }

    std::string suspect_compiler() const {
        const std::string& sizes = text("right_in_xray");
        if (sizes.empty()) return "";
        return fmt::format(
            ". The source is right{}. Without optimisation, it gives the expected result on this device and "
            "under X-ray, so this driver's compiler is the suspect. Try --build-options -cl-opt-disable",
            low_.number("at_other_size") > 0 ? fmt::format(" as far as X-ray can see, at size {}", sizes)
                                             : "");
    }

    std::string unset_output() const {
        const std::string why =
            text("expected").empty() ? ""
            : low_.number("changed") == 0
                ? fmt::format(
                      ". {0} depends on uninitialised memory: if {0} is 0 before the run, all elements "
                      "are right",
                      low_.subject)
                : fmt::format(
                      ". The initial content of {0}, which is uninitialised memory, affects {1} of them",
                      low_.subject, elements("changed"));
        if (face_ == Face::Lesson)
            return fmt::format("{1}. Store to {0} with = instead of adding", low_.subject, why);
        return fmt::format(
            "{1}. Store to {0} with = instead of adding, or clear it before every run, with {0} = 0 under "
            "[init] in the front matter",
            low_.subject, why);
    }

    std::string wrong_pattern() const {
        const auto pattern = parse_enum<WrongPattern>(text("pattern"));
        if (!pattern) return "";
        switch (*pattern) {
            case WrongPattern::Transposed:
                return "the values are right, but stored column by column instead of row by row";
            case WrongPattern::ColumnMajor:
                return "C holds B · A, because the kernel expects matrices stored column by column, but they "
                       "are stored row by row. Swap A and B, and M and N";
            case WrongPattern::Shifted:
                return fmt::format("each element has the value expected one {} {} it",
                                   low_.number("rows") > 0 ? "row" : "place",
                                   low_.number("by") > 0 ? "after" : "before");
            case WrongPattern::Scaled:
                return low_.number("factor") == -1
                           ? "each element has the opposite sign"
                           : fmt::format("each element is {:.6g} times the expected value",
                                         low_.number("factor"));
            case WrongPattern::AtEdges:
                return "they are all in " + edges();
            case WrongPattern::Zeros:
                return "they are all 0";
            case WrongPattern::LateStart:
                return lacking("first");
            case WrongPattern::EarlyEnd:
                return lacking("last");
            case WrongPattern::FirstTwice:
                return "each sum includes its first term twice";
            case WrongPattern::LastTwice:
                return "each sum includes its last term twice";
        }
        return "";
    }

    std::string lacking(const char* side) const {
        const bool one = low_.number("missing") == 1;
        return fmt::format("each sum lacks exactly its {} {} of {}", side,
                           one ? "term" : count("missing") + " terms", count("terms"));
    }

    /// "the last row or the first 3 columns", "the last 3 rows and columns"
    std::string edges() const {
        const double both = low_.number("last_rows");
        if (both > 1 && both == low_.number("last_columns") &&
            low_.number("first_rows") + low_.number("first_columns") == 0)
            return fmt::format("the last {:.0f} rows and columns", both);
        std::vector<std::string> all;
        for (const char* lines : {"rows", "columns", "elements"})
            for (const char* side : {"first", "last"}) {
                const double many = low_.number(fmt::format("{}_{}", side, lines));
                std::string_view line = lines;
                if (many == 1) line.remove_suffix(1);
                if (many > 0)
                    all.push_back(many == 1 ? fmt::format("the {} {}", side, line)
                                            : fmt::format("the {} {:.0f} {}", side, many, line));
            }
        return enumerate(all, "or");
    }

    FindingWords too_few_rounds() const {
        std::string what = fmt::format(
            "{} too few for an interval, which needs {}.",
            low_.number("rounds") == 1 ? "1 round is" : count("rounds") + " rounds are", count("least"));
        if (!low_.remedy) return {what, ""};
        const std::string& value = low_.remedy->value;
        if (low_.remedy->kind == RemedyKind::Rounds)
            return {what, face_ == Face::Terminal ? "Measure more: --rounds " + value + "."
                                                  : "Measure at least " + value + " rounds."};
        if (face_ == Face::Terminal)
            return {what, "Give each kernel more time: --time-budget " + value + "s."};
        if (face_ == Face::Window)
            return {what, "Give each kernel more time: set 'Seconds per kernel' to " + value + "."};
        return {what, "That takes about " + value + " s per kernel."};
    }

    const std::string& text(std::string_view name) const { return low_.text(name); }

    static std::string as_bytes(double bytes) {
        return bytes < 0x1p63 ? format_bytes(static_cast<unsigned long long>(std::max(bytes, 0.0)))
                              : "more than 2^64 bytes";
    }
    std::string bytes(std::string_view name) const { return as_bytes(low_.number(name)); }

    std::string count(std::string_view name) const {
        const double number = low_.number(name);
        return number < 0x1p63 ? fmt::format("{:.0f}", number) : "more than 2^64";
    }

    /// With separators: "262,144"
    std::string elements(std::string_view name) const { return group_thousands(count(name)); }
    /// "1 element", "262,144 elements"
    std::string all_elements() const {
        return elements("elements") + (is_one("elements") ? " element" : " elements");
    }
    bool is_one(std::string_view name) const { return low_.number(name) == 1; }

    unsigned long long whole(std::string_view name) const {
        return static_cast<unsigned long long>(std::clamp(low_.number(name), 0.0, 0x1p53));
    }

    /// "8" or "8–12"
    static std::string range(const std::string& low, const std::string& high) {
        return low == high ? low : low + "–" + high;
    }

    const Finding& low_;
    const Finding& high_;
    Face face_;
    const Controls& controls_;
};

}  // namespace

FindingWords words_of(const Finding& finding, Face face) {
    return Renderer(finding, finding, face).render();
}

std::vector<std::string> sentences_of(const std::vector<Finding>& findings, Face face) {
    std::vector<std::string> sentences;
    for (const Finding& finding : findings) sentences.push_back(sentence_of(finding, face));
    return sentences;
}

FindingWords words_of_range(const Finding& low, const Finding& high, Face face) {
    return Renderer(low, high, face).render();
}

Finding finding_of(const BadInput& error) {
    if (const auto* refused = dynamic_cast<const Refused*>(&error)) return refused->finding();
    return remark(error.what(), FindingCode::BadInput);
}

}  // namespace kwb
