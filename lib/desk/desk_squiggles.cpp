// SPDX-License-Identifier: Apache-2.0
// Marks X-ray's findings: of a run, and of an edited text once typing has paused and nothing else runs.
#include <algorithm>
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

void Desk::leave_squiggles() {
    if (squiggles_) leave_observing();
    squiggles_.reset();
    edited_.reset();
}

std::optional<Desk::Squiggles> Desk::squiggles_of(DocumentId edited) {
    const auto document = this->document(edited);
    if (!document) return std::nullopt;
    const OpenedKernels kernels = kernels_on_screen();
    const Preview preview = preview_of(state_.choices, kernels, PreviewFor::Run);
    Squiggles asked;
    asked.marks[edited];  // without findings, too
    for (const auto& shown : state_.documents) asked.revisions[shown->id()] = shown->buffer().revision();
    for (std::size_t i = 0; preview.request && i < preview.contestants.size(); ++i) {
        const Contestant& contestant = preview.request->contestants[i];
        const std::string& name = state_.choices.contestants[i].kernel;
        const OpenedKernel* const opened = find_named(kernels, name);
        if (opened == nullptr || !contestant.kernel || contestant.kernel->refusal || !contestant.xray_size ||
            !is_contestants(*document, {{name, *opened}}))
            continue;
        asked.requests.push_back({preview.contestants[i].label, request_of(*preview.request, contestant)});
    }
    return asked;
}

/// At the end, the findings in the edited text and its neighbours replace the earlier ones.
void Desk::observe_edited() {
    if (edited_) squiggles_ = squiggles_of(*std::exchange(edited_, std::nullopt));
    if (!squiggles_) return;
    if (!squiggles_->requests.empty()) {
        observe(squiggles_->requests.front().value, std::nullopt, [this](const Snapshot& snapshot) {
            const Named<XrayRequest> asked = std::move(squiggles_->requests.front());
            squiggles_->requests.erase(squiggles_->requests.begin());
            if (snapshot.xray)
                add_marks(squiggles_->marks, asked.value.kernel.file, snapshot.xray->undefined, asked.name);
        });
        return;
    }
    Squiggles done = *std::exchange(squiggles_, std::nullopt);
    for (auto& [id, marks] : done.marks)
        if (const auto shown = document(id)) shown->set_xray_marks(std::move(marks), done.revisions[id]);
    ++state_.revision;
}

}  // namespace kwb
