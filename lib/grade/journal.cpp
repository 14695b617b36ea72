// SPDX-License-Identifier: Apache-2.0
#include "grade/journal.hpp"

#include <fmt/format.h>

#include <fstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/record_json.hpp"
#include "base/text.hpp"
#include "base/user_folders.hpp"
#include "base/version.hpp"
#include "model/result_fields.hpp"

namespace kwb {
namespace {

constexpr std::uintmax_t kMostJournalBytes = 1u << 30;

struct Line {
    std::string version;
    std::string key;
    Work work;
};

template <class Fields>
void describe(Fields& f, Line& line) {
    f("version", line.version);
    f("key", line.key);
    f("work", line.work);
}

}  // namespace

template <class Fields>
void describe(Fields& f, TimedWork& timed) {
    f("criterion", timed.criterion);
    f("result", timed.result);
}

template <class Fields>
void describe(Fields& f, Work& work) {
    f("obstacle", work.obstacle);
    f("checks", work.checks);
    f("facts", work.facts);
    f("mistake", work.mistake);
    f("timed", work.timed);
}

Journal::Journal(std::filesystem::path file, bool resumes) : file_(std::move(file)) {
    make_private_folders(file_.parent_path());
    std::error_code missing;
    if (!resumes || !std::filesystem::exists(file_, missing)) {
        write_file(file_, "");
        return;
    }
    for (const std::string& text : split_lines(read_file(file_, kMostJournalBytes))) try {
            const Json json = parse_json(text);
            Line line;
            read_json(JsonPlace(json, "line"), line);
            if (line.version == kwb_version()) known_[line.key] = std::move(line.work);
        } catch (const ProtocolError&) {  // it is observed again
        }
}

const Work* Journal::find(const std::string& key) const {
    const auto found = known_.find(key);
    return found != known_.end() ? &found->second : nullptr;
}

void Journal::keep(const std::string& key, const Work& work) {
    const Line line{kwb_version(), key, work};
    std::ofstream out(file_, std::ios::app | std::ios::binary);
    out << dump_json(write_json(line), -1) + "\n" << std::flush;
    if (!out)
        throw BadInput(file_.string() +
                       " cannot be written, so --resume could not use it. Check whether the disk is full");
}

}  // namespace kwb
