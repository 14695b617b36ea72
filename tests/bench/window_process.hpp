// The window's program under way, driven and looked at from outside.
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
    /// Start kwb-gui and wait until its picture is on the screen.
    /// @throws std::runtime_error  there is no display, or no picture within a minute
    WindowProcess(const Setting& setting, const WindowHome& home);

    /// From the start of the program until its picture could be read back from the X server.
    double first_frame_ms() const { return first_frame_ms_; }

    /// Append a line to `kernel`, which a window with "live" switched on answers with a run.
    /// @return  the run, from the history
    /// @throws std::runtime_error  there is no new run within a minute
    PastRun run_by_edit(const std::filesystem::path& kernel);

    /// Time on processors since its start, seconds.
    double cpu_s() const;
    /// The same of its judge and of what that has started.
    double children_cpu_s() const;

    struct Memory {
        std::uint64_t resident_bytes = 0;
        std::uint64_t own_bytes = 0;  ///< of that: not of files, such as programs and libraries
    };
    Memory memory() const;

    /// Close it as a person does. @throws std::runtime_error  its exit code is not 0
    void close();

private:
    const WindowHome& home_;
    test::XServer server_;
    std::chrono::steady_clock::time_point start_;
    test::Process process_;
    test::XWindow window_ = 0;
    double first_frame_ms_ = 0;
};

/// Let time pass, for what can only be seen from outside.
void pass_s(double seconds);

}  // namespace kwb::bench
