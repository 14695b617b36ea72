#include "gui/panels/verdict_look.hpp"

#include <cctype>

#include "report/labels.hpp"

namespace kwb::gui {

VerdictLook look_of(const KernelResult& result) {
    if (!result.judged) return {"not judged yet", Tone::Muted, kIconClock};
    VerdictLook seen;
    seen.words = verdict_cell(result).text;
    for (char& character : seen.words)
        if (character == '_') character = ' ';
    if (result.as_expected()) {
        seen.tone = Tone::Success;
        seen.icon = kIconCheck;
        return seen;
    }
    switch (result.verdict) {
        case Verdict::Skipped:
        case Verdict::Constraint:
        case Verdict::Unsupported:
            seen.tone = Tone::Warning;
            seen.icon = kIconForbidden;
            break;
        default:
            seen.tone = Tone::Danger;
            seen.icon = kIconCross;
    }
    return seen;
}

std::string capitalised(std::string words) {
    if (!words.empty()) words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
    return words;
}

}  // namespace kwb::gui
