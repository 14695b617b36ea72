#include "progress_line.hpp"

#include "report/numbers.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"

namespace kwb::cli {

ProgressLine::ProgressLine(std::string headline)
    : headline_(std::move(headline)), enabled_(stderr_is_terminal()) {}

std::string describe_progress(const Snapshot& snapshot) {
    if (snapshot.phase == Snapshot::Phase::Stopping) return "stopping …";
    if (snapshot.phase == Snapshot::Phase::Listing) {
        if (!snapshot.devices || snapshot.devices->starting.empty()) return "asking the OpenCL drivers …";
        std::string text = starting_words(*snapshot.devices);
        if (!snapshot.devices->devices.empty())
            text += "; --device " + snapshot.devices->devices.front().id + " would not wait";
        return text;
    }
    if (!snapshot.progress) return "starting …";
    const Progress& progress = *snapshot.progress;
    std::string text = progress.stage + ": " + progress.kernel;
    if (progress.runs > 0)
        text +=
            ", round " + std::to_string(progress.rounds + 1) + ", " + std::to_string(progress.runs) + " runs";
    if (const std::string waiting = waiting_words(progress); !waiting.empty()) text += ", " + waiting;
    if (progress.median_ms) text += ", " + format_time_ms(*progress.median_ms, progress.ci95_ms);
    return text;
}

void ProgressLine::show(const Snapshot& snapshot) {
    if (!enabled_) return;
    const TableOptions options = table_options();
    const std::string text = (headline_.empty() ? "" : headline_ + ", ") + describe_progress(snapshot);
    write_stderr("\r\x1b[K" + shorten(plain_signs(text, options), options.width - 1, options.unicode));
    drawn_ = true;
}

void ProgressLine::clear() {
    if (drawn_) write_stderr("\r\x1b[K");
    drawn_ = false;
}

}  // namespace kwb::cli
