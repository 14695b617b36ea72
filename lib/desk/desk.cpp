// SPDX-License-Identifier: Apache-2.0
#include "desk/desk.hpp"

#include "catalog/kernel_folders.hpp"
#include "experiment/gpus.hpp"
#include "experiment/preset.hpp"
#include "source/compiler.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostNotices = 20;

}  // namespace

const Document* DeskState::find_document(DocumentId id) const {
    const auto found = std::ranges::find(documents, id, &Document::id);
    return found != documents.end() ? found->get() : nullptr;
}

Desk::Desk(DeskOptions options, std::function<void()> wake)
    : options_(std::move(options)),
      shipped_(shipped_kernels()),
      history_(options_.history_folder.empty() ? History::in_memory()
                                               : History::open(options_.history_folder)),
      wake_(wake),
      session_((sessions_[""] = std::make_unique<Session>(options_.judge, wake)).get()),
      watch_(wake),
      reader_(wake),
      spaces_(wake) {
    if (!source::find_compiler()) notify(Notice::Kind::Warning, source::explain_missing_compiler());
    try {
        state_.gpus = known_gpus();
    } catch (const BadInput& refusal) {
        notify(Notice::Kind::Warning, std::string(refusal.what()) + ". Only the shipped GPUs are used");
        state_.gpus = shipped_gpus();
    }
    state_.session = session_->snapshot();
    read_terms();
    list_problems_and_kernels();
    restore_choices();
    if (!options_.ceilings_file.empty()) {
        LoadedCeilings loaded = load_ceilings(options_.ceilings_file);
        ceilings_ = std::move(loaded.devices);
        if (loaded.notice) notify(Notice::Kind::Warning, *loaded.notice);
    }
    list_history();
    take_history_notices();
    list_devices();
    if (!options_.files.empty()) {
        const auto is_kernel = [](const fs::path& file) { return file.extension() != kPresetExtension; };
        if (std::ranges::any_of(options_.files, is_kernel)) {
            state_.choices.contestants.clear();
            state_.choices.baseline = 0;
        }
        handle(command::OpenFiles{options_.files, true});
    }
    for (const Experiment::Contestant& contestant : state_.choices.contestants)
        open_document_of(contestant.kernel);
    read_kernels(false);
    refresh_preview();
    last_live_key_ = live_key();
    update_busy();
    relate_results();
}

Desk::~Desk() {
    save_settings_now();
}

std::optional<std::chrono::steady_clock::time_point> Desk::due() const {
    std::optional<std::chrono::steady_clock::time_point> first;
    const auto add = [&](std::chrono::steady_clock::time_point time) {
        first = std::min(first.value_or(time), time);
    };
    if (live_due_) add(*live_due_);
    if (xray_due_) add(*xray_due_);
    if (look_due_) add(*look_due_);
    return first;
}

bool Desk::update() {
    const std::uint64_t before = state_.revision;
    take_file_changes();
    take_parsed_sources();
    take_session_news();
    take_news_from_elsewhere();
    const auto is_over = [](std::optional<std::chrono::steady_clock::time_point>& pause) {
        const bool ends = pause && std::chrono::steady_clock::now() >= *pause;
        if (ends) pause.reset();
        return ends;
    };
    if (is_over(live_due_)) {
        run_if_live();
        ++state_.revision;
    }
    is_over(xray_due_);
    advance_tasks();
    take_history_notices();
    update_busy();
    relate_results();
    return state_.revision != before;
}

void Desk::perform(const Commands& commands) {
    for (const Command& command : commands) {
        ++state_.revision;
        std::visit([&](const auto& one) { handle(one); }, command);
    }
    const auto changes_settings = [](const Command& command) {
        return std::holds_alternative<command::ChangeSettings>(command);
    };
    if (std::ranges::any_of(commands, changes_settings)) save_settings_now();
    advance_tasks();
    update_busy();
    relate_results();
}

void Desk::update_busy() {
    const AskedTask* const task = asked_task();
    const bool is_busy = task != nullptr || requested_ || (listing_ && state_.device == nullptr);
    state_.measuring_ceilings = (task != nullptr && task->kind == TaskKind::Ceilings) ||
                                (requested_ && requested_->kind == TaskKind::Ceilings);
    if (is_busy != state_.is_busy) ++state_.revision;
    state_.is_busy = is_busy;
    state_.live_waits = live_due_.has_value();
}

void Desk::notify(Notice::Kind kind, std::string sentence, fs::path written) {
    if (std::ranges::find(state_.notices, sentence, &Notice::sentence) != state_.notices.end()) return;
    state_.notices.push_back({kind, ++last_notice_, std::move(sentence), std::move(written)});
    if (state_.notices.size() > kMostNotices) state_.notices.erase(state_.notices.begin());
    ++state_.revision;
}

void Desk::handle(const command::DismissNotice& command) {
    std::erase_if(state_.notices, [&](const Notice& notice) { return notice.number == command.number; });
}

void Desk::save_settings_now() {
    remember_choices();
    if (options_.window_file.empty() || saved_settings_ == state_.settings) return;
    saved_settings_ = state_.settings;
    if (const auto fault = save_settings(state_.settings, options_.window_file))
        notify(Notice::Kind::Warning, *fault);
}

void Desk::list_dialog(const fs::path& folder, bool shows_hidden) {
    const FolderListing before = std::move(*state_.dialog);
    FolderListing listing = list_folder(folder, before.purpose, shows_hidden, before.extensions);
    listing.name = before.name;
    const auto add = [&](const fs::path& place) {
        if (!place.empty() && std::ranges::find(listing.places, place) == listing.places.end())
            listing.places.push_back(place);
    };
    if (before.purpose == FolderListing::Purpose::OpenKernels) {
        for (const fs::path& place : options_.kernel_folders) add(absolute(place));
        add(shipped_);
    }
    for (const std::string& file : state_.settings.recent_files) add(fs::path(file).parent_path());
    if (listing.error.empty()) state_.settings.last_folder = listing.folder.string();
    state_.dialog = std::move(listing);
}

void Desk::handle(const command::OpenDialog& command) {
    state_.dialog.emplace();
    state_.dialog->purpose = command.purpose;
    state_.dialog->name = command.name;
    state_.dialog->extensions = command.extensions;
    handle(command::ListRecent{});
    list_dialog(state_.settings.last_folder, false);
    if (!state_.dialog->error.empty()) list_dialog("", false);
}

}  // namespace kwb
