#include "report/sayings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "report/text_layout.hpp"

namespace kwb {
namespace {

struct Range {
    std::string low;
    std::string high;
};

std::optional<double> number_in(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "12" or, after an earlier merge, "8–12"
std::optional<Range> range_in(const std::string& word) {
    constexpr std::string_view kDash = "–";
    const std::size_t dash = word.find(kDash);
    Range range = {word.substr(0, dash), dash == std::string::npos ? word : word.substr(dash + kDash.size())};
    if (!number_in(range.low) || !number_in(range.high)) return std::nullopt;
    return range;
}

/// Both sentences as one, their measures as ranges.
/// @return  nothing where they differ in more
std::optional<std::string> merged(const std::string& a, const std::string& b) {
    std::vector<std::string> words = split(a, ' ');
    const std::vector<std::string> others = split(b, ' ');
    if (words.size() != others.size()) return std::nullopt;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == others[i]) continue;
        const std::string unit = i + 1 < words.size() ? words[i + 1] : "";
        if (!unit.starts_with("%") && unit != "times") return std::nullopt;
        const auto mine = range_in(words[i]);
        const auto theirs = range_in(others[i]);
        if (!mine || !theirs) return std::nullopt;
        const auto less = [](const std::string& x, const std::string& y) {
            return *number_in(x) < *number_in(y);
        };
        words[i] = std::min(mine->low, theirs->low, less) + "–" + std::max(mine->high, theirs->high, less);
    }
    return join(words, " ");
}

void add_once(std::vector<std::string>& list, const std::string& item) {
    if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

}  // namespace

void Sayings::add(const std::string& sentence, const std::string& kernel) {
    const std::size_t stop = sentence.find(". ");
    const std::string finding = sentence.substr(0, stop == std::string::npos ? stop : stop + 1);
    const std::string advice = stop == std::string::npos ? "" : sentence.substr(stop + 2);
    const auto known = std::find_if(sayings_.begin(), sayings_.end(), [&](const Saying& saying) {
        return saying.finding == finding && saying.advice == advice;
    });
    if (known == sayings_.end())
        sayings_.push_back({finding, advice, {kernel}});
    else
        add_once(known->kernels, kernel);
}

void Sayings::merge_numbers() {
    std::vector<Saying> kept;
    for (const Saying& saying : sayings_) {
        bool joined = false;
        for (Saying& known : kept) {
            if (known.advice != saying.advice) continue;
            const auto both = merged(known.finding, saying.finding);
            if (!both) continue;
            known.finding = *both;
            for (const std::string& kernel : saying.kernels) add_once(known.kernels, kernel);
            joined = true;
            break;
        }
        if (!joined) kept.push_back(saying);
    }
    sayings_ = std::move(kept);
}

std::string Sayings::render(std::string_view kind, const TableOptions& options) const {
    const auto write = [&](const std::string& text, std::size_t indent) {
        return paragraph(plain_signs(text, options), options.width, indent);
    };
    std::string text;
    std::vector<std::string> given;  // advice whose sayings have been rendered
    for (const Saying& first : sayings_) {
        if (std::find(given.begin(), given.end(), first.advice) != given.end()) continue;
        std::size_t sharing = 0;
        for (const Saying& saying : sayings_) {
            if (&saying != &first && (first.advice.empty() || saying.advice != first.advice)) continue;
            ++sharing;
            text += write(fmt::format("{}: {}: {}", kind, enumerate(saying.kernels), saying.finding), 0);
        }
        if (first.advice.empty()) continue;
        given.push_back(first.advice);
        if (sharing > 1) {
            text += write(first.advice, 2);
            continue;
        }
        // A lone saying is one paragraph.
        const std::string alone = fmt::format("{}: {}: {}", kind, enumerate(first.kernels), first.finding);
        text.resize(text.size() - write(alone, 0).size());
        text += write(alone + " " + first.advice, 0);
    }
    return text;
}

}  // namespace kwb
