// SPDX-License-Identifier: Apache-2.0
// Marks X-ray's findings: of a run, and of an edited text once typing has paused and nothing else runs.
#include <utility>

#include "desk/desk.hpp"
#include "experiment/xray_request.hpp"
#include "model/finding_words.hpp"
#include "model/xray_words.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// At most a second, of one core.
constexpr std::uint64_t kMostEventsOfText = 5'000'000;
constexpr double kMostMsOfText = 1'000;

/// About a contestant at its small size.
XrayRequest request_of(const RunRequest& run, const Contestant& contestant) {
    const XraySize& small = *contestant.xray_size;
    XrayOptions options;
    options.most_events = kMostEventsOfText;
    options.most_ms = kMostMsOfText;
    XrayRequest request = make_xray_request(run, small.plan, options);
    request.sizes = small.sizes;
    request.declared = small.declared;
    request.kernel.source_text = contestant.kernel->source_text;
    request.kernel.includes = contestant.kernel->includes;
    return request;
}

}  // namespace

void Desk::add_marks(MarksByDocument& marks, const fs::path& kernel, const std::vector<Finding>& findings,
                     const std::string& label) const {
    for (const Finding& finding : findings) {
        const XrayPlace place = place_from(finding.place);
        if (place.line == 0) continue;
        if (const auto shown = document_of(file_of(place, kernel)))
            marks[shown->id()].push_back({LineMark::Kind::Warning, place.line - 1,
                                          std::max(place.column, 1u) - 1, sentence_of(finding, Face::Window),
                                          label, LineMark::Origin::Xray});
    }
}

/// X-ray of the contestants that an edited text is part of, one after the other. At the end, the findings in
/// that text and its neighbours replace the earlier ones.
class Desk::MarksTask : public Task {
public:
    MarksTask(Desk& desk, DocumentId edited) : desk_(desk) {
        const auto document = desk.document(edited);
        if (!document) return;
        const OpenedKernels kernels = desk.kernels_on_screen();
        const Preview preview = desk.preview_of(desk.state_.choices, kernels, PreviewFor::Run);
        marks_[edited];  // without findings, too
        for (const auto& shown : desk.state_.documents) revisions_[shown->id()] = shown->buffer().revision();
        for (std::size_t i = 0; preview.request && i < preview.contestants.size(); ++i) {
            const Contestant& contestant = preview.request->contestants[i];
            const std::string& name = desk.state_.choices.contestants[i].kernel;
            const OpenedKernel* const opened = find_named(kernels, name);
            if (opened == nullptr || !contestant.kernel || contestant.kernel->refusal ||
                !contestant.xray_size || !desk.is_contestants(*document, {{name, *opened}}))
                continue;
            requests_.push_back({preview.contestants[i].label, request_of(*preview.request, contestant)});
        }
    }

    std::optional<Request> next(std::size_t /*place*/) override {
        if (!requests_.empty()) return requests_.front().value;
        for (auto& [id, marks] : marks_)
            if (const auto shown = desk_.document(id))
                shown->set_xray_marks(std::move(marks), revisions_[id]);
        ++desk_.state_.revision;
        return std::nullopt;
    }

    void take(std::size_t /*place*/, const Snapshot& answer) override {
        const Named<XrayRequest> asked = std::move(requests_.front());
        requests_.erase(requests_.begin());
        if (answer.xray) desk_.add_marks(marks_, asked.value.kernel.file, answer.xray->undefined, asked.name);
    }

private:
    Desk& desk_;
    NamedList<XrayRequest> requests_;                ///< by the contestants' labels; not answered yet
    std::map<DocumentId, std::uint64_t> revisions_;  ///< of the texts that are observed
    MarksByDocument marks_;
};

void Desk::begin_marks(DocumentId edited) {
    scheduler_.begin(Scheduler::Rank::Marks, std::make_unique<MarksTask>(*this, edited), *session_);
}

void Desk::leave_marks() {
    scheduler_.drop(Scheduler::Rank::Marks, *session_);
    edited_.reset();
}

}  // namespace kwb
