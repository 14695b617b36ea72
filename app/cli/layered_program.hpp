// SPDX-License-Identifier: Apache-2.0
// Runs a program with the capture layer.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/named.hpp"

namespace kwb::cli {

/// A folder for recordings, removed with all that is in it at the end.
class RecordingFolder {
public:
    /// In $TMPDIR or /tmp. @throws EnvironmentError
    RecordingFolder();
    ~RecordingFolder();
    RecordingFolder(const RecordingFolder&) = delete;
    RecordingFolder& operator=(const RecordingFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// libkwb_capture.so in lib/kwb of the installation, or next to the running program in a build folder.
std::filesystem::path layer_path();

enum class Loading {
    Layer,   ///< by OpenCL's loader
    Preload  ///< by the dynamic linker
};

/// Run a program to its end, with this process's standard streams. Ctrl-C reaches it from the terminal, and
/// SIGTERM and SIGHUP are passed on to it; this process goes on after them.
/// @param command      a program without '/' is looked up in PATH
/// @param environment  added variables, besides those that load the layer
/// @return  the exit code, or 128 + the signal that ended the program
/// @throws BadInput          there is no such program, or it cannot be started
/// @throws EnvironmentError  the layer is missing
int run_with_layer(const std::vector<std::string>& command, const NamedList<std::string>& environment,
                   Loading loading = Loading::Layer);

/// Why a program that used OpenCL would leave no recording: a sentence; empty: no reason is known.
std::string why_unrecorded(const std::string& program);

}  // namespace kwb::cli
