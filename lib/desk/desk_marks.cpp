// SPDX-License-Identifier: Apache-2.0
// Marks X-ray's findings: of a run, and of an edited text once typing has paused and nothing else runs. Also
// the compiler's errors in that text.
#include <utility>

#include "base/error.hpp"
#include "catalog/kernel_file.hpp"
#include "desk/background.hpp"
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

/// Reads the contestants that an edited text is part of, then observes those without errors, one after the
/// other. What it finds in that text and its neighbours replaces the earlier marks: errors at once.
class Desk::MarksTask : public Task {
public:
    MarksTask(Desk& desk, DocumentId edited) : desk_(desk) {
        const auto document = desk.document(edited);
        if (!document) return;
        const OpenedKernels kernels = desk.kernels_on_screen();
        const Preview preview = desk.preview_of(desk.state_.choices, kernels, PreviewFor::Run);
        marks_[edited];  // without findings, too
        for (const auto& shown : desk.state_.documents) revisions_[shown->id()] = shown->buffer().revision();
        std::vector<SourceText> texts;
        for (std::size_t i = 0; i < preview.contestants.size(); ++i) {
            const std::string& name = desk.state_.choices.contestants[i].kernel;
            const OpenedKernel* const opened = find_named(kernels, name);
            if (opened == nullptr || !desk.is_contestants(*document, {{name, *opened}})) continue;
            std::optional<KernelFile> file = opened->kernel;
            if (!file) try {
                    file = open_kernel_file(desk.path_of(name), name, desk.texts_on_screen());
                } catch (const BadInput&) {
                    continue;  // its declarations have marks
                }
            Subject subject{preview.contestants[i].label, desk.path_of(name), !opened->kernel, {}};
            const Contestant* const contestant = preview.request && preview.request->contestants[i].kernel
                                                     ? &preview.request->contestants[i]
                                                     : nullptr;
            texts.push_back(contestant != nullptr ? source_text_of(*contestant->kernel)
                                                  : source_text_of(*file));
            if (desk.state_.choices.xray && contestant != nullptr && !contestant->kernel->refusal &&
                contestant->xray_size)
                subject.request = request_of(*preview.request, *contestant);
            subjects_.push_back(std::move(subject));
        }
        reading_ = std::make_unique<Background<std::vector<Reading>>>(
            [texts = std::move(texts)](const std::stop_token& stop) {
                std::vector<Reading> readings;
                for (const SourceText& text : texts) try {
                        readings.push_back(read_source(text, stop));
                    } catch (const std::runtime_error& error) {  // no room for temporary files
                        readings.push_back({nullptr, error.what()});
                    }
                return readings;
            });
    }

    std::optional<Request> next(std::size_t /*place*/) override {
        if (const auto read = std::exchange(reading_, nullptr)) take_errors(read->result());
        if (!subjects_.empty()) return *subjects_.front().request;
        put();
        return std::nullopt;
    }

    void take(std::size_t /*place*/, const Snapshot& answer) override {
        const Subject asked = std::move(subjects_.front());
        subjects_.erase(subjects_.begin());
        if (answer.xray)
            desk_.add_marks(marks_, asked.request->kernel.file, answer.xray->undefined, asked.label);
    }

    bool waits() const override { return reading_ != nullptr && !reading_->is_done(); }

private:
    struct Subject {
        std::string label;
        fs::path file;
        bool lacks_macros;                   ///< perhaps: its launch is incomplete
        std::optional<XrayRequest> request;  ///< nullopt: it is not observed
    };

    void take_errors(const std::vector<Reading>& readings) {
        bool any = false;
        for (std::size_t i = 0; i < readings.size(); ++i) {
            if (readings[i].program == nullptr) continue;
            for (const source::Fault& fault : readings[i].program->faults) {
                // Errors of syntax: an unknown name may be a macro that the launch will define.
                if (subjects_[i].lacks_macros && !fault.message.starts_with("expected")) continue;
                if (const auto shown = desk_.document_of(file_of({fault.name}, subjects_[i].file))) {
                    const LineMark mark{LineMark::Kind::Error, std::max(fault.file_line, 1u) - 1,
                                        std::max(fault.column, 1u) - 1, fault.message, subjects_[i].label};
                    const auto is_same = [&](const LineMark& known) {  // of the kernel at other parameters
                        return known.line == mark.line && known.column == mark.column &&
                               known.text == mark.text;
                    };
                    std::vector<LineMark>& marks = marks_[shown->id()];
                    if (std::ranges::none_of(marks, is_same)) marks.push_back(mark);
                    subjects_[i].request.reset();
                    any = true;
                }
            }
        }
        std::erase_if(subjects_, [](const Subject& subject) { return !subject.request; });
        if (any) put();
    }

    void put() {
        for (const auto& [id, marks] : marks_)
            if (const auto shown = desk_.document(id)) shown->set_edited_marks(marks, revisions_[id]);
        ++desk_.state_.revision;
    }

    Desk& desk_;
    std::unique_ptr<Background<std::vector<Reading>>> reading_;  ///< nullptr: done
    std::vector<Subject> subjects_;                  ///< in order; once read, those not answered yet
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
