// SPDX-License-Identifier: Apache-2.0
// Lines typed at a terminal, with editing, completion and a history that is kept.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kwb::cli {

class LineEditor {
public:
    /// @param begin  what stands before the cursor
    /// @return  all that it may become
    using Complete = std::function<std::vector<std::string>(const std::string& begin)>;

    /// @param history  a file, which need not exist; empty: none is kept
    LineEditor(std::string prompt, std::filesystem::path history, Complete complete);
    /// Keeps the history, if its file can be written.
    ~LineEditor();
    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;

    /// The next line; Ctrl-C discards what has been typed and begins another one.
    /// @return  nullopt: the end of the input, or Ctrl-D in an empty line
    std::optional<std::string> read();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace kwb::cli
