// SPDX-License-Identifier: Apache-2.0
// A desk with a fake judge, in a temporary folder.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "desk/window_settings.hpp"
#include "support/watched_desk.hpp"

namespace kwb::test {
namespace fs = std::filesystem;

inline constexpr const char* kKernel =
    "/*+++ title = 'Mine'\nproblem = 'matmul'\n[params]\nTILE = [16, 8]\n[launch]\nkernel = 'k'\n"
    "local = ['TILE', 'TILE']\nglobal = ['round_up(N, TILE)', 'round_up(M, TILE)']\n+++*/\n"
    "__kernel void k(__global float* C) { }\n";

/// A desk with a few kernel files.
struct Scene {
    TempFolder folder;
    fs::path mine = folder.write("kernels/matmul/01_mine.cl", kKernel);
    fs::path other = folder.write("kernels/matmul/02_other.cl", kKernel);
    fs::path outside = folder.write("outside.cl", kKernel);
    std::unique_ptr<WatchedDesk> desk;
    std::string opener = "xdg-open";  ///< of the next open()

    /// @param judges  behaviours, see tests/support/fake_judge.cpp
    explicit Scene(const std::string& judges, std::vector<std::string> kernels = {"matmul/mine"}) {
        Settings settings;
        for (std::string& kernel : kernels)
            settings.experiment.contestants.push_back({std::move(kernel), {}, ""});
        settings.experiment.sizes = {{"M", 64}, {"N", 64}, {"K", 64}};
        save_settings(settings, folder / "window.toml");
        open(judges);
    }
    void open(const std::string& judges, std::vector<fs::path> files = {}) {
        desk.reset();
        DeskOptions options;
        options.judge.command = {KWB_FAKE_JUDGE_PROGRAM, (folder / "log").string(), judges};
        options.kernel_folders = {folder / "kernels"};
        options.settings_file = folder / "settings.toml";
        options.window_file = folder / "window.toml";
        options.history_folder = folder / "history";
        options.ceilings_file = folder / "ceilings";
        options.files = std::move(files);
        options.documentation_folder = folder / "documentation";
        options.opener = opener;
        desk = std::make_unique<WatchedDesk>(std::move(options));
    }
    const DeskState& state() const { return desk->state(); }
    void perform(const Command& command) { (**desk).perform(command); }
    void rest() { desk->wait_for_rest(); }
    void run() {
        perform(command::Run{});
        rest();
    }
    void wait_for_progress() {
        desk->wait_until([](const DeskState& state) { return state.session->progress.has_value(); });
    }
    std::shared_ptr<Document> document(const fs::path& file) const {
        for (const auto& shown : state().documents)
            if (shown->path() == file) return shown;
        return nullptr;
    }
    /// Append text to an open document.
    void type(const fs::path& file, const std::string& text) {
        const auto shown = document(file);
        shown->buffer().set_caret(shown->buffer().end());
        shown->buffer().type(text);
        perform(command::Edited{shown->id()});
    }
    bool notices(const std::string& part) const {
        return std::any_of(state().notices.begin(), state().notices.end(), [&](const Notice& notice) {
            return notice.sentence.find(part) != std::string::npos;
        });
    }
    void choose_edge(std::int64_t edge) {
        Experiment choices = state().choices;
        for (auto& size : choices.sizes) size.value = edge;
        perform(to_choices(choices));
    }
    void add_kernel(const std::string& kernel) {
        perform(command::Edit{[&](Experiment& choices) { choices.contestants.push_back({kernel, {}, ""}); }});
    }
    void remove_contestant(std::size_t index) {
        perform(command::Edit{[&](Experiment& choices) {
            keep_contestants(choices, [&](std::size_t i) { return i != index; });
        }});
    }
    void set_live(bool live) {
        Experiment choices = state().choices;
        choices.live = live;
        perform(to_choices(choices));
    }
};

inline bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace kwb::test
