#include "model/finding_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace kwb {
namespace {

/// A front end's names for what the user can change, and advice specific to it.
struct Controls {
    const char* work_group;        ///< followed by the typed value
    const char* size;              ///< follows "choose a smaller "
    const char* unlisted_values;   ///< follows the list of allowed values
    const char* no_driver_choice;  ///< what to do if `auto` conflicts with a fixed work-group size
    const char* adopting;          ///< followed by the command that saves a declaration
};

constexpr Controls kTerminal = {"--local", "--size", " (--force takes others)",
                                "leave out `auto`, or add --force to see what happens",
                                "say it with --problem, keep it beside the file with"};
constexpr Controls kWindow = {"work-group", "size", "", "choose another work-group",
                              "adopt it in a terminal with"};
constexpr Controls kPage = {"work-group", "size", "", "choose another work-group",
                            "keep it beside the file with"};

const Controls& controls_of(Face face) {
    switch (face) {
        case Face::Terminal:
            return kTerminal;
        case Face::Window:
            return kWindow;
        case Face::Page:
            break;
    }
    return kPage;
}

constexpr const char* kCompareRatios = "Compare kernels only by their per-round ratios";
constexpr const char* kCalmDown =
    "Close other programs, choose a larger size, or give each kernel more time.";

class Renderer {
public:
    Renderer(const Finding& low, const Finding& high, Face face)
        : low_(low), high_(high), face_(face), controls_(controls_of(face)) {}

    FindingWords render() const {
        switch (low_.code) {
            case FindingCode::Remark:
            case FindingCode::BadInput:
            case FindingCode::NotCheckable:
            case FindingCode::NoReference:
                return {text("sentence"), ""};
            case FindingCode::Undeclared:
                return {fmt::format("{}: {}; {} '{}', or write a front matter with {} into its first comment "
                                    "('kwb show matmul/naive' has an example)",
                                    low_.subject, text("missing"), controls_.adopting, text("command"),
                                    text("declaration")),
                        ""};
            case FindingCode::OtherProblem:
                return {fmt::format("{} solves {}, but {} is chosen; choose {} as the problem, or remove "
                                    "this kernel",
                                    low_.subject, text("own"), text("chosen"), text("own")),
                        ""};
            case FindingCode::SameProblemName:
                return {fmt::format("{} declares a problem '{}', and so does another of these kernels; "
                                    "remove one, or give the problem another name",
                                    low_.subject, text("problem")),
                        ""};
            case FindingCode::UnlistedParamValue:
                return {fmt::format("{}: parameter {} cannot be {}; its values are {}{}", low_.subject,
                                    text("param"), text("value"), text("values"), controls_.unlisted_values),
                        ""};
            case FindingCode::WorkGroupIsFixed:
                return {fmt::format("{} needs work-groups of [{}], so the driver cannot choose them; {}",
                                    low_.subject, text("extent"), controls_.no_driver_choice),
                        ""};
            case FindingCode::MalformedWorkGroup:
                return {fmt::format("{} {}: give 1 to 3 sizes above 0, e.g. 16x16 or 256, or auto",
                                    controls_.work_group, low_.subject),
                        ""};
            case FindingCode::TooManyDimensions:
                return {fmt::format("{} {}: a work-group has at most 3 dimensions", controls_.work_group,
                                    low_.subject),
                        ""};
            case FindingCode::BufferBeyondMemory:
                return {placed(fmt::format("{} is larger than any memory at {}; choose a smaller {}",
                                           low_.subject, text("sizes"), controls_.size)),
                        ""};
            case FindingCode::RequirementFails:
                return {
                    fmt::format("the requirement \"{}\" does not hold: {}{}{}", low_.subject,
                                text("condition"), text("values").empty() ? "" : ", with ", text("values")),
                    ""};
            case FindingCode::NoLaunchApplies:
                return {"none of the kernel's launches applies at this size", ""};
            case FindingCode::ScratchTooLarge:
                return {fmt::format("the scratch buffer {} of {} elements is larger than the {} that the "
                                    "device can hold in one buffer; choose a smaller size",
                                    low_.subject, count("elements"), bytes("most_bytes")),
                        ""};
            case FindingCode::WorkGroupTooLong:
                return {placed(fmt::format("a work-group of {} is too long in {}: the device takes at most "
                                           "{}; {} would fit",
                                           low_.subject, axis(), count("most"), remedy())),
                        ""};
            case FindingCode::WorkGroupTooLarge:
                return {placed(fmt::format("a work-group of {} has {} work-items, the device takes at most "
                                           "{}; {} would fit",
                                           low_.subject, count("items"), count("most"), remedy())),
                        ""};
            case FindingCode::WorkGroupRemainder:
                return {placed(fmt::format("work-groups of {} do not divide the {} work-items of {}: {} / {} "
                                           "leaves {} in {}; {}",
                                           low_.subject, text("global"), text("kernel"), count("global"),
                                           count("local"), count("rest"), axis(), text("advice"))),
                        ""};
            case FindingCode::BufferTooLarge:
                return {fmt::format("buffer {} needs {}{}, but {} allows at most {} in one buffer; choose a "
                                    "smaller size",
                                    low_.subject, bytes("needed_bytes"),
                                    low_.number("guarded") > 0 ? " with its guard zones" : "", text("device"),
                                    bytes("most_bytes")),
                        ""};
            case FindingCode::BuffersTooLarge:
                return {fmt::format("all buffers together need {}, but {} has {} of memory; choose a smaller "
                                    "size",
                                    bytes("needed_bytes"), text("device"), bytes("most_bytes")),
                        ""};
            case FindingCode::CheckingTooLarge:
                return {fmt::format("checking the result needs {} of this machine's memory, but {} are free; "
                                    "choose a smaller size",
                                    bytes("needed_bytes"), bytes("free_bytes")),
                        ""};
            case FindingCode::LocalMemoryTooLarge:
                return {local_memory(), ""};
            case FindingCode::NoHostLibrary:
                return {fmt::format("The processor's library has no routine for {}; remove cpu:blas, or "
                                    "choose the problem {}",
                                    low_.subject, text("others")),
                        ""};
            case FindingCode::WrongElements:
            case FindingCode::NeverWritten:
                return {wrong_elements(), ""};
            default:
                return doubt();
        }
    }

private:
    /// Portability warnings and doubts about the measured times.
    FindingWords doubt() const {
        switch (low_.code) {
            case FindingCode::LargeForGpus:
                return {fmt::format("{}: a work-group of {} has {} work-items, but most GPUs take at most "
                                    "{}; {} would fit there",
                                    low_.subject, text("local"), count("items"), count("most"), remedy()),
                        ""};
            case FindingCode::LocalLargeForGpus:
                return {fmt::format("{}: a work-group uses {} of local memory, but many GPUs have only {}",
                                    low_.subject, bytes("bytes"), bytes("most_bytes")),
                        ""};
            case FindingCode::PrivateLargeForCpu:
                return {fmt::format("{}: {} of private memory for each of {} work-items of a group may "
                                    "burst the stack of a CPU driver, {}; use smaller private arrays or a "
                                    "smaller work-group",
                                    low_.subject, bytes("bytes"), count("items"), bytes("most_bytes")),
                        ""};
            case FindingCode::TooFewRounds:
                return too_few_rounds();
            case FindingCode::TooShort:
                return {
                    "Some rounds took 0 ms by the device's clock: the kernel is too short to be timed; "
                    "choose a larger size.",
                    ""};
            case FindingCode::SlowFirstRound:
                return {fmt::format("The first round took {} times as long as the others: something was "
                                    "still warming up (clocks, caches, memory).",
                                    ratio("{:.1f}")),
                        "From 10 rounds on it hardly matters to the median and its interval."};
            case FindingCode::DriftsSlower:
                return {fmt::format("Times drift: the last third of the rounds is {} slower than the first; "
                                    "something else may be using the machine, or the clocks are falling with "
                                    "the heat.",
                                    percent()),
                        std::string(kCompareRatios) + "."};
            case FindingCode::DriftsFaster:
                return {fmt::format("Times drift: the last third of the rounds is {} faster than the first; "
                                    "the clocks may still have been rising, or another program has ended.",
                                    percent()),
                        std::string(kCompareRatios) + ", or measure again."};
            case FindingCode::Wanders:
                return {fmt::format("Times wander: neighbouring rounds resemble each other while their level "
                                    "moves by {}, so the interval of the median looks surer than it is; "
                                    "something else may be using the machine.",
                                    percent()),
                        std::string(kCompareRatios) + "."};
            case FindingCode::TwoGroups:
                return {fmt::format("Times fall into two groups: {} of the rounds took {} times as long as "
                                    "the others, and the median may jump between the two.",
                                    percent(), ratio("{:.2f}")),
                        "Causes can be two clock speeds, two kinds of cores, or a program that comes and "
                        "goes; measure more rounds and look at the single samples."};
            case FindingCode::Scatters:
                return {fmt::format("Times scatter: half of the rounds are {} or more away from the median.",
                                    percent()),
                        kCalmDown};
            case FindingCode::FewFarRounds:
                return {fmt::format("Some rounds are far from the others: the median is known only to ± {}.",
                                    percent()),
                        kCalmDown};
            case FindingCode::Stopped:
                return {"stopped by you after " + rounds(), ""};
            case FindingCode::CutShort:
                return {fmt::format("cut short after {}: {}", rounds(), text("sentence")), ""};
            case FindingCode::ClocksDisagree:
                return {fmt::format("the device's clock and this machine's disagree: by the device's, runs "
                                    "took {:.4g} ms within {:.4g} ms by the machine's; times of different "
                                    "devices cannot be compared, and GFLOP/s and GB/s may be off by as much",
                                    low_.number("device_ms"), low_.number("host_ms")),
                        ""};
            case FindingCode::SlowTurns:
                return {fmt::format("a run is said to take {:.3g} ms, but took {:.3g} ms by the wall clock, "
                                    "launch included: this machine is busy, launches are slow here, or the "
                                    "device's clock is not right",
                                    low_.number("told_ms"), low_.number("took_ms")),
                        ""};
            default:
                return {text("sentence"), ""};
        }
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
            "{}: a work-group needs {} of local memory{}, but {} has {}; use smaller tiles: two of "
            "{:.0f}x{:.0f} floats would fit",
            low_.subject, as_bytes(declared + asked), parts, text("device"), bytes("most_bytes"), edge, edge);
    }

    std::string wrong_elements() const {
        const bool never_written = low_.code == FindingCode::NeverWritten;
        const bool at_least = low_.number("at_least") > 0;
        std::string sentence = fmt::format(
            "{}{} of {} elements of {} are wrong with {} inputs; the first{} is {}: expected {}, got {}",
            at_least ? "at least " : "", count("wrong"), count("elements"), low_.subject, text("inputs"),
            at_least ? " known" : "", low_.place, text("expected"), never_written ? "nothing" : text("got"));
        const double unwritten = low_.number("unwritten");
        if (never_written)
            sentence += low_.number("wrong") == low_.number("elements")
                            ? " (the kernel wrote none of them)"
                            : " (none of the wrong ones was ever written)";
        else if (unwritten > 0)
            sentence += fmt::format(" ({} were never written)", count("unwritten"));
        if (low_.number("not_finite") > 0)
            sentence += fmt::format(" ({} are not finite numbers)", count("not_finite"));
        return sentence;
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
        return {what, "It takes about " + value + " s a kernel."};
    }

    const std::string& text(std::string_view name) const { return low_.text(name); }

    std::string placed(const std::string& sentence) const {
        return low_.place.empty() ? sentence : low_.place + ": " + sentence;
    }

    /// "16x16 (256 work-items)"
    std::string remedy() const {
        return low_.remedy ? low_.remedy->value + " (" + counted(whole("fit_items"), "work-item") + ")" : "";
    }

    std::string axis() const {
        const double number = low_.number("axis");
        return number == 0 ? "x" : number == 1 ? "y" : "z";
    }

    static std::string as_bytes(double bytes) {
        return bytes < 0x1p63 ? format_bytes(static_cast<unsigned long long>(std::max(bytes, 0.0)))
                              : "more than 2^64 bytes";
    }
    std::string bytes(std::string_view name) const { return as_bytes(low_.number(name)); }

    std::string count(std::string_view name) const {
        const double number = low_.number(name);
        return number < 0x1p63 ? fmt::format("{:.0f}", number) : "more than 2^64";
    }

    std::string rounds() const { return counted(whole("rounds"), "round"); }

    unsigned long long whole(std::string_view name) const {
        return static_cast<unsigned long long>(std::clamp(low_.number(name), 0.0, 0x1p53));
    }

    /// "8" or "8–12"
    static std::string range(const std::string& low, const std::string& high) {
        return low == high ? low : low + "–" + high;
    }
    std::string percent() const {
        return range(fmt::format("{:.0f}", 100 * low_.number("share")),
                     fmt::format("{:.0f}", 100 * high_.number("share"))) +
               " %";
    }
    std::string ratio(const char* format) const {
        return range(fmt::format(fmt::runtime(format), low_.number("ratio")),
                     fmt::format(fmt::runtime(format), high_.number("ratio")));
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

}  // namespace kwb
