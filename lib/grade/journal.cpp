// SPDX-License-Identifier: Apache-2.0
#include "grade/grading.hpp"

#include "base/error.hpp"
#include "base/version.hpp"
#include "model/result_fields.hpp"
#include "store/keyed_file.hpp"

namespace kwb {

/// To be raised with each change of what is kept that the version of the workbench does not show.
constexpr const char* kFormat = "4";

template <class Fields>
void describe(Fields& f, TimedWork& timed) {
    f("criterion", timed.criterion);
    f("results", timed.results, items(1));
    f.defaulted("on", timed.on);
}

template <class Fields>
void describe(Fields& f, Work& work) {
    f("obstacle", work.obstacle);
    f("checks", work.checks);
    f("facts", work.facts);
    f("figures", work.figures);
    f("mistake", work.mistake);
    f("timed", work.timed);
}

Journal::Journal(std::filesystem::path file, bool resumes)
    : file_(std::make_unique<KeyedFile<Work>>(
          std::move(file), KeyedFormat{"observations of kwb grade", kwb_version() + "/" + kFormat, false})) {
    if (resumes) try {
            file_->read();
            return;
        } catch (const OtherContent&) {  // of another version: all is observed again
        }
    file_->clear();
}

Journal::~Journal() = default;

const Work* Journal::find(const std::string& key) const {
    const auto found = file_->entries().find(key);
    return found != file_->entries().end() ? &found->second : nullptr;
}

void Journal::keep(const std::string& key, const Work& work) try {
    file_->put(key, work);
} catch (const BadInput& error) {
    throw BadInput(std::string("the observations are not kept for --resume: ") + error.what());
}

}  // namespace kwb
