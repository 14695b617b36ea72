// SPDX-License-Identifier: Apache-2.0
#include "line_editor.hpp"

#include <histedit.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/user_folders.hpp"

namespace kwb::cli {

/// Of libedit. Its functions are variadic C.
struct LineEditor::State {
    std::string prompt;
    std::filesystem::path file;
    Complete complete;
    EditLine* editor = nullptr;
    History* history = nullptr;
    HistEvent event{};
    bool is_cancelled = false;

    static State& of(EditLine* editor) {
        void* state = nullptr;
        el_get(editor, EL_CLIENTDATA, &state);
        return *static_cast<State*>(state);
    }

    /// Tab: inserts what all possibilities have in common, or else lists them.
    static unsigned char on_complete(EditLine* editor, int) {
        const LineInfo* const line = el_line(editor);
        const std::string begin(line->buffer, line->cursor);
        const std::vector<std::string> found = of(editor).complete(begin);
        if (found.empty()) return CC_REFRESH_BEEP;
        std::string common = found.front();
        for (const std::string& one : found)
            common.resize(static_cast<std::size_t>(std::ranges::mismatch(common, one).in1 - common.begin()));
        if (found.size() == 1) common += ' ';
        if (common.size() > begin.size()) {
            el_insertstr(editor, common.substr(begin.size()).c_str());
            return CC_REFRESH;
        }
        std::fprintf(stdout, "\n%s\n", join(found, "  ").c_str());
        std::fflush(stdout);
        return CC_REDISPLAY;
    }

    static unsigned char on_cancel(EditLine* editor, int) {
        of(editor).is_cancelled = true;
        std::fputs("^C\n", stdout);
        std::fflush(stdout);
        return CC_NEWLINE;
    }

    static char* show_prompt(EditLine* editor) { return of(editor).prompt.data(); }
};

LineEditor::LineEditor(std::string prompt, std::filesystem::path history, Complete complete)
    : state_(std::make_unique<State>()) {
    constexpr int kMostLines = 1000;
    state_->prompt = std::move(prompt);
    state_->file = std::move(history);
    state_->complete = std::move(complete);
    EditLine* const editor = state_->editor = el_init("kwb", stdin, stdout, stderr);
    state_->history = history_init();
    if (editor == nullptr || state_->history == nullptr)
        throw EnvironmentError("the terminal cannot be used for typing: pass commands with --command");
    ::history(state_->history, &state_->event, H_SETSIZE, kMostLines);
    ::history(state_->history, &state_->event, H_SETUNIQUE, 1);
    if (!state_->file.empty()) ::history(state_->history, &state_->event, H_LOAD, state_->file.c_str());
    el_set(editor, EL_CLIENTDATA, state_.get());
    el_set(editor, EL_PROMPT, &State::show_prompt);
    el_set(editor, EL_HIST, ::history, state_->history);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_SIGNAL, 1);
    el_set(editor, EL_ADDFN, "kwb-complete", "complete a name", &State::on_complete);
    el_set(editor, EL_BIND, "^I", "kwb-complete", nullptr);
    // Only while a line is typed: what takes long can still be interrupted.
    el_set(editor, EL_SETTY, "-d", "-isig", nullptr);
    el_set(editor, EL_ADDFN, "kwb-cancel", "discard the line", &State::on_cancel);
    el_set(editor, EL_BIND, "^C", "kwb-cancel", nullptr);
}

LineEditor::~LineEditor() {
    if (!state_->file.empty()) ::history(state_->history, &state_->event, H_SAVE, state_->file.c_str());
    el_end(state_->editor);
    history_end(state_->history);
}

std::optional<std::string> LineEditor::read() {
    while (true) {
        state_->is_cancelled = false;
        int count = 0;
        // Before the prompt: a Ctrl-D behind it would be lost in the kernel's line mode.
        el_set(state_->editor, EL_PREP_TERM, 1);
        const char* const typed = el_gets(state_->editor, &count);
        if (state_->is_cancelled) continue;
        if (typed == nullptr || count <= 0) return std::nullopt;
        std::string line(trim(std::string_view(typed, static_cast<std::size_t>(count))));
        if (!line.empty()) ::history(state_->history, &state_->event, H_ENTER, line.c_str());
        return line;
    }
}

}  // namespace kwb::cli
