// The user's choices, and the preview of what they would run.
#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "base/text.hpp"
#include "desk/parts.hpp"
#include "problems/problem.hpp"
#include "session/experiment.hpp"
#include "session/kernel_folders.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr double kLeastBudgetMs = 10, kLeastTimeoutMs = 100;
constexpr double kMostBudgetMs = 3'600'000;

constexpr const char* kSweepSize = "size";  ///< followed by a number: keys in the settings

/// Chosen if the settings contain no kernels: those of the first lesson.
constexpr const char* kFirstKernels[] = {"matmul/naive", "matmul/tiled"};

NamedList<std::string> parse_params(const std::string& text) {
    NamedList<std::string> params;
    for (const std::string& word : split(text, ' '))
        if (const std::size_t at = word.find('='); at != std::string::npos)
            params.push_back({word.substr(0, at), word.substr(at + 1)});
    return params;
}

std::string params_text(const NamedList<std::string>& params) {
    std::vector<std::string> words;
    for (const auto& [name, value] : params) words.push_back(name + "=" + value);
    return join(words, " ");
}

}  // namespace

bool KernelEntry::may_solve(std::string_view wanted) const {
    if (name != kHostBlasName) return problem.empty() || problem == wanted;
    const Problem* const known = find_problem(wanted);
    return known != nullptr && known->has_host_library();
}

void Desk::Parts::list_problems() {
    for (const Problem* problem : all_problems())
        state.problems.push_back(
            {problem->name(), problem->title(), problem->size_names(), problem->default_sizes()});
}

const Problem* Desk::Parts::problem_named(const std::string& name) const {
    for (const auto& own : own_problems_)
        if (own->name() == name) return own.get();
    return find_problem(name);
}

/// Replaces an older problem of the same name, because its file may have changed.
void Desk::Parts::add_own_problem(const KernelFile& kernel) {
    if (!kernel.own_problem) return;
    const DeclaredProblem& own = *kernel.own_problem;
    const ProblemEntry entry{own.name(), own.title(), own.size_names(), own.default_sizes()};
    std::erase_if(own_problems_, [&](const auto& known) { return known->name() == own.name(); });
    own_problems_.push_back(kernel.own_problem);
    for (ProblemEntry& listed : state.problems)
        if (listed.name == entry.name) {
            listed = entry;
            return;
        }
    state.problems.push_back(entry);
}

/// Updates listed problems from unsaved texts. Does not add problems: their names may still be incomplete.
void Desk::Parts::take_edited_problems(const OpenedKernels& kernels) {
    bool any = false;
    for (const auto& [name, opened] : kernels) {
        if (!opened.unsaved || !opened.kernel || !opened.kernel->own_problem) continue;
        const std::string problem = opened.kernel->own_problem->name();
        if (std::ranges::none_of(own_problems_, [&](const auto& own) { return own->name() == problem; }))
            continue;
        add_own_problem(*opened.kernel);
        any = true;
    }
    if (any) repair(state.choices);
}

void Desk::Parts::open_kernels() {
    std::vector<fs::path> folders;
    for (const fs::path& folder : options_.kernel_folders) {
        try {
            Catalogue check({folder});
            folders.push_back(folder);
        } catch (const BadInput& error) {
            notify(Notice::Kind::Error, error.what());
        }
    }
    try {
        catalogue_.emplace(open_catalogue(folders));
    } catch (const BadInput& error) {
        notify(Notice::Kind::Error, error.what());
        catalogue_.emplace(folders);
    }
    for (const CatalogueEntry& entry : catalogue_->entries()) {
        KernelEntry line{entry.name, "", "", entry.error, entry.path, is_shipped(entry.path)};
        if (entry.kernel) {
            line.title = entry.kernel->spec.title, line.problem = entry.kernel->spec.problem;
            add_own_problem(*entry.kernel);
        }
        state.kernels.push_back(std::move(line));
    }
    state.kernels.push_back(
        {kHostBlasName, "The host's own BLAS library, on the processor", "", "", "", true});
}

void Desk::Parts::restore_choices() {
    if (!options_.settings_file.empty()) {
        LoadedSettings loaded = load_settings(options_.settings_file);
        state.settings = std::move(loaded.settings);
        if (loaded.notice) notify(Notice::Kind::Warning, *loaded.notice);
    }
    const Settings& kept = state.settings;
    Choices choices;
    choices.device = kept.device;
    choices.problem = kept.problem;
    choices.sizes = kept.sizes;
    choices.seed = kept.seed;
    choices.time_budget_ms = kept.time_budget_ms;
    choices.timeout_ms = kept.timeout_ms;
    choices.live = kept.live;
    if (const std::int64_t* from = find_named(kept.sweep, "from")) choices.sweep_from = *from;
    if (const std::int64_t* to = find_named(kept.sweep, "to")) choices.sweep_to = *to;
    for (const auto& [name, edge] : kept.sweep)
        if (name.starts_with(kSweepSize)) choices.sweep_edges.push_back(edge);
    for (std::size_t i = 0; i < kept.kernels.size() && choices.contestants.size() < kMostContestants; ++i) {
        const std::string& kernel = kept.kernels[i];
        std::error_code missing;
        if (find_entry(kernel) == nullptr && (!kernel.starts_with('/') || !fs::exists(kernel, missing))) {
            notify(Notice::Kind::Warning, kernel + ", chosen last time, no longer exists; it was left out");
            continue;
        }
        add_contestant(kernel);
        Choices::Contestant& added =
            choices.contestants.emplace_back(Choices::Contestant{kernel, {}, kept.local});
        if (i < kept.locals.size()) added.local = kept.locals[i];
        if (i < kept.params.size()) added.params = parse_params(kept.params[i]);
        if (kernel == kept.baseline) choices.baseline = choices.contestants.size() - 1;
    }
    if (kept.kernels.empty() && choices.problem == "matmul")
        for (const char* kernel : kFirstKernels)
            if (find_entry(kernel) != nullptr) choices.contestants.push_back({kernel, {}, ""});
    if (problem_named(choices.problem) == nullptr)
        notify(Notice::Kind::Warning, "there is no problem '" + choices.problem +
                                          "', which was chosen last time; matmul is used instead");
    repair(choices);
    state.choices = std::move(choices);
}

void Desk::Parts::open_restored_documents() {
    for (const Choices::Contestant& contestant : state.choices.contestants)
        open_document_of(contestant.kernel);
    if (!state.documents.empty() && !state.front) state.front = state.documents.front()->id();
}

void Desk::Parts::remember_choices() {
    Settings& kept = state.settings;
    const Choices& choices = state.choices;
    kept.device = choices.device;
    kept.problem = choices.problem;
    kept.sizes = choices.sizes;
    kept.seed = choices.seed;
    kept.time_budget_ms = choices.time_budget_ms;
    kept.timeout_ms = choices.timeout_ms;
    kept.live = choices.live;
    kept.sweep.clear();
    if (choices.sweep_from) kept.sweep.push_back({"from", *choices.sweep_from});
    if (choices.sweep_to) kept.sweep.push_back({"to", *choices.sweep_to});
    for (const std::int64_t edge : choices.sweep_edges)
        kept.sweep.push_back({kSweepSize + std::to_string(kept.sweep.size()), edge});
    kept.local.clear();
    kept.kernels.clear();
    kept.locals.clear();
    kept.params.clear();
    for (const Choices::Contestant& contestant : choices.contestants) {
        kept.kernels.push_back(contestant.kernel);
        kept.locals.push_back(contestant.local);
        kept.params.push_back(params_text(contestant.params));
    }
    kept.baseline =
        choices.baseline < choices.contestants.size() ? choices.contestants[choices.baseline].kernel : "";
}

/// Corrects choices silently: sizes that do not belong to the problem, numbers out of range.
void Desk::Parts::repair(Choices& choices) {
    const Problem* problem = problem_named(choices.problem);
    if (problem == nullptr) problem = &get_problem("matmul");
    choices.problem = problem->name();
    if (names_of(choices.sizes) != problem->size_names()) choices.sizes = problem->default_sizes();
    for (auto& size : choices.sizes) size.value = std::max<std::int64_t>(1, size.value);
    for (auto* edge : {&choices.sweep_from, &choices.sweep_to})
        if (*edge) *edge = std::clamp<std::int64_t>(**edge, 1, kMostSweepEdge);
    std::erase_if(choices.sweep_edges, [](std::int64_t edge) { return edge < 1 || edge > kMostSweepEdge; });
    std::ranges::sort(choices.sweep_edges);
    choices.sweep_edges.erase(std::unique(choices.sweep_edges.begin(), choices.sweep_edges.end()),
                              choices.sweep_edges.end());
    if (choices.sweep_edges.size() > kMostSweepSizes) choices.sweep_edges.resize(kMostSweepSizes);
    choices.time_budget_ms = std::clamp(choices.time_budget_ms, kLeastBudgetMs, kMostBudgetMs);
    choices.timeout_ms = std::clamp(choices.timeout_ms, kLeastTimeoutMs, kMostBudgetMs);
    if (choices.baseline >= choices.contestants.size()) choices.baseline = 0;
}

/// Adds one of the user's own kernel files to the list.
void Desk::Parts::add_contestant(const std::string& kernel) {
    if (find_entry(kernel) != nullptr) return;
    KernelEntry entry{kernel, "", "", "", kernel, is_shipped(kernel)};
    try {
        const KernelFile file = read_kernel_file(entry.path, kernel);
        entry.title = file.spec.title;
        entry.problem = file.spec.problem;
        add_own_problem(file);
    } catch (const BadInput& error) {
        entry.error = error.what();
    }
    state.kernels.push_back(std::move(entry));
}

void Desk::Parts::set_choices(Choices choices) {
    if (choices.problem != state.choices.problem) {
        // Drop the contestants that solve another problem.
        std::vector<Choices::Contestant> stay;
        for (std::size_t i = 0; i < choices.contestants.size(); ++i) {
            const KernelEntry* entry = find_entry(choices.contestants[i].kernel);
            const bool stays = entry == nullptr || entry->may_solve(choices.problem);
            if (stays) stay.push_back(choices.contestants[i]);
            if (i == choices.baseline)
                choices.baseline = stays ? stay.size() - 1 : choices.contestants.size();
        }
        choices.contestants = std::move(stay);
        // The edges of a matrix are not sensible lengths of a vector.
        choices.sweep_from.reset();
        choices.sweep_to.reset();
        choices.sweep_edges.clear();
    }
    if (choices.sweep_from != state.choices.sweep_from || choices.sweep_to != state.choices.sweep_to)
        choices.sweep_edges.clear();
    repair(choices);
    std::vector<std::string> new_ones;
    for (Choices::Contestant& contestant : choices.contestants) {
        if (contestant.kernel != kHostBlasName && find_entry(contestant.kernel) == nullptr)
            contestant.kernel = absolute(contestant.kernel).string();
        add_contestant(contestant.kernel);
        new_ones.push_back(contestant.kernel);
    }
    state.choices = std::move(choices);
    for (const std::string& kernel : new_ones) open_document_of(kernel);
    read_kernels(false);
    // Close documents that were only opened for a contestant that is no longer chosen.
    for (const DocumentId id : std::set<DocumentId>(opened_by_choice_)) {
        const auto shown = document(id);
        if (shown && !shown->is_modified() && !is_contestants(*shown, opened_)) remove_document(id);
    }
    find_device();
    refresh_preview();
    run_if_live();
}

void Desk::Parts::perform(const command::Choose& command) {
    if (command.choices == state.choices) return;
    if (command.choices.live && !state.choices.live && !has_run_) last_key_.clear();
    set_choices(command.choices);
}

void Desk::Parts::perform(const command::AddKernel& command) {
    if (state.choices.contestants.size() >= kMostContestants)
        return notify(Notice::Kind::Warning,
                      std::to_string(kMostContestants) +
                          " kernels are chosen, and more cannot be compared; remove one "
                          "first.");
    Choices choices = state.choices;
    std::string added = command.kernel;
    if (added != kHostBlasName && find_entry(added) == nullptr) added = absolute(added).string();
    add_contestant(added);
    const KernelEntry* entry = find_entry(added);
    if (choices.contestants.empty() && entry != nullptr && problem_named(entry->problem) != nullptr)
        choices.problem = entry->problem;
    choices.contestants.push_back({added, {}, ""});
    set_choices(std::move(choices));
    const std::string& kernel = state.choices.contestants.back().kernel;
    if (kernel == kHostBlasName) return;
    if (const auto shown = document_of(path_of(kernel))) state.front = shown->id();
}

void Desk::Parts::perform(const command::RemoveContestant& command) {
    Choices choices = state.choices;
    if (command.index >= choices.contestants.size()) return;
    choices.contestants.erase(choices.contestants.begin() + static_cast<std::ptrdiff_t>(command.index));
    if (choices.baseline == command.index) choices.baseline = 0;
    if (choices.baseline > command.index) --choices.baseline;
    set_choices(std::move(choices));
}

void Desk::Parts::perform(const command::SelectContestant& command) {
    state.selected = command.index;
}

/// Look up the chosen device in the session's list.
void Desk::Parts::find_device() {
    state.device = nullptr;
    if (state.session->devices && !state.session->devices->devices.empty()) {
        const std::vector<DeviceInfo>& devices = state.session->devices->devices;
        std::string& wanted = state.choices.device;
        const auto found = std::find_if(devices.begin(), devices.end(),
                                        [&](const auto& device) { return device.id == wanted; });
        if (found != devices.end()) {
            state.device = &*found;
        } else {
            state.device = &choose_device(*state.session->devices, std::nullopt);
            // The chosen device may belong to a driver that is still starting.
            if (!wanted.empty() && state.session->devices->starting.empty()) {
                notify(Notice::Kind::Warning, "the device " + wanted + " is not there any more; " +
                                                  state.device->name + " stands in for it");
                wanted.clear();
            }
        }
    }
    state.ceilings.reset();
    if (state.device == nullptr) return;
    if (const auto known = ceilings_.find(state.device->id); known != ceilings_.end())
        state.ceilings = known->second;
}

std::uint64_t Desk::Parts::free_memory_bytes() const {
    return state.session->devices ? state.session->devices->free_memory_bytes : 0;
}

void Desk::Parts::refresh_preview() {
    const OpenedKernels kernels = kernels_as_they_stand();
    take_edited_problems(kernels);
    state.preview = make_preview(state.choices, kernels, state.device, free_memory_bytes());
    // Here the reason why there is no device is known more precisely.
    if (state.device == nullptr && state.preview.obstacle && !state.choices.contestants.empty()) {
        if (listing_)
            state.preview.obstacle = "Still looking for devices.";
        else if (!devices_error_.empty())
            state.preview.obstacle = devices_error_;
    }
    state.unsaved.clear();
    for (const auto& shown : state.documents)
        if (shown->is_modified() && is_contestants(*shown, kernels)) state.unsaved.push_back(shown->id());
    ++state.revision;
}

std::string Desk::Parts::live_key() const {
    const Choices& c = state.choices;
    std::string key = (state.device != nullptr ? state.device->id : "") + "\n" + c.problem + "\n" +
                      to_string(c.sizes) + "\n" + std::to_string(c.seed) + " " + std::to_string(c.baseline) +
                      " " + std::to_string(c.time_budget_ms) + " " + std::to_string(c.timeout_ms) + " " +
                      std::to_string(c.unreadable_pages) + "\n";
    for (const Choices::Contestant& contestant : c.contestants)
        key += contestant.kernel + " " + params_text(contestant.params) + " " + contestant.local + "\n";
    for (const auto& [kernel, opened] : kernels_as_they_stand())
        key += kernel + " " + opened.fingerprint + "\n";
    return key;
}

void Desk::Parts::run_if_live() {
    if (!state.choices.live || state.preview.obstacle) return;
    if ((active_ && active_->task != Task::Run) || (wish_ && wish_->task != Task::Run)) return;
    if (live_key() == last_key_) return;
    wish({Task::Run, {}});
}

}  // namespace kwb
