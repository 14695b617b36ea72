// SPDX-License-Identifier: Apache-2.0
// The running window program, controlled and observed from outside.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/named.hpp"
#include "parts.hpp"
#include "support/process.hpp"
#include "support/x_server.hpp"
#include "window_home.hpp"

namespace kwb::bench {

class WindowProcess {
public:
    /// Start kwb-gui and wait until its window is drawn.
    /// @throws std::runtime_error  there is no display, or nothing was drawn within a minute
    WindowProcess(const Setting& setting, const WindowHome& home);

    /// Time from the program's start until its picture could be read back from the X server.
    double first_frame_ms() const { return first_frame_ms_; }

    /// Append a line to `kernel`. A window with "live" switched on reacts with a run.
    /// @return  that run, read from the history
    /// @throws std::runtime_error  there is no new run within a minute
    PastRun run_by_edit(const std::filesystem::path& kernel);

    /// CPU time since the start, seconds.
    double cpu_s() const;
    /// CPU time of its judge and the judge's descendants, seconds.
    double children_cpu_s() const;

    struct Memory {
        std::uint64_t resident_bytes = 0;
        std::uint64_t own_bytes = 0;  ///< the part that is not backed by files such as programs and libraries
    };
    Memory memory() const;

    /// Close the window as a user does. @throws std::runtime_error  its exit code is not 0
    void close();

private:
    const WindowHome& home_;
    test::XServer server_;
    std::chrono::steady_clock::time_point start_;
    test::Process process_;
    test::XWindow window_ = 0;
    double first_frame_ms_ = 0;
};

/// Sleep; for effects that can only be observed from outside.
void pass_s(double seconds);

}  // namespace kwb::bench
