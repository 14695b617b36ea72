#include "desk/desk.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "desk/parts.hpp"
#include "session/kernel_folders.hpp"
#include "source/compiler.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostNotices = 20;

History open_history(const std::filesystem::path& file) {
    return file.empty() ? History::in_memory() : History::open(file);
}

}  // namespace

const Document* DeskState::find_document(DocumentId id) const {
    for (const auto& document : documents)
        if (document->id() == id) return document.get();
    return nullptr;
}

Desk::Parts::Parts(DeskOptions options, std::function<void()> wake)
    : options_(std::move(options)),
      wake_(std::move(wake)),
      shipped_(shipped_kernels()),
      history_(open_history(options_.history_file)),
      session_(options_.judge, wake_),
      watch_(wake_),
      reader_(wake_) {
    if (!source::find_compiler()) notify(Notice::Kind::Warning, source::explain_missing_compiler());
    state.session = session_.snapshot();
    list_problems();
    open_kernels();
    restore_choices();
    list_history();
    take_history_notices();
    listing_ = session_.list_devices();
    if (!options_.files.empty()) {
        state.choices.contestants.clear();
        state.choices.baseline = 0;
        perform(command::OpenFiles{options_.files, true});
    }
    open_restored_documents();
    read_kernels(false);
    watch_files();
    refresh_preview();
    last_key_ = live_key();
    look_busy();
}

Desk::Parts::~Parts() {
    save_settings_now();
}

bool Desk::Parts::update() {
    const std::uint64_t before = state.revision;
    take_file_changes();
    take_readings();
    take_session();
    begin_wish();
    take_history_notices();
    look_busy();
    return state.revision != before;
}

void Desk::Parts::look_busy() {
    const bool is_busy = active_ || wish_ || (listing_ && state.device == nullptr);
    state.measuring_ceilings =
        (active_ && active_->task == Task::Ceilings) || (wish_ && wish_->task == Task::Ceilings);
    if (is_busy != state.is_busy) ++state.revision;
    state.is_busy = is_busy;
}

void Desk::Parts::notify(Notice::Kind kind, std::string sentence) {
    for (const Notice& notice : state.notices)
        if (notice.sentence == sentence) return;
    state.notices.push_back({kind, ++last_notice_, std::move(sentence)});
    if (state.notices.size() > kMostNotices) state.notices.erase(state.notices.begin());
    ++state.revision;
}

void Desk::Parts::perform(const command::DismissNotice& command) {
    std::erase_if(state.notices, [&](const Notice& notice) { return notice.number == command.number; });
}

Desk::Desk(DeskOptions options, std::function<void()> wake)
    : parts_(std::make_unique<Parts>(std::move(options), std::move(wake))) {}

Desk::~Desk() = default;

const DeskState& Desk::state() const {
    return parts_->state;
}

bool Desk::update() {
    return parts_->update();
}

void Desk::perform(const Command& command) {
    ++parts_->state.revision;
    std::visit([&](const auto& one) { parts_->perform(one); }, command);
    parts_->look_busy();
}

void Desk::perform(const Commands& commands) {
    for (const Command& command : commands) perform(command);
}

std::vector<std::string> Desk::unsaved() const {
    std::vector<std::string> names;
    for (const auto& document : parts_->state.documents)
        if (document->is_modified()) names.push_back(document->name());
    return names;
}

}  // namespace kwb
