// SPDX-License-Identifier: Apache-2.0
// A child process with a pipe in each direction, captured stderr, and its own environment; and, at the end of
// the file, how such a child sets up its descriptors.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.hpp"
#include "base/named.hpp"
#include "ipc/arena.hpp"
#include "ipc/channel.hpp"

namespace kwb {

/// How a process ended.
struct ExitStatus {
    std::optional<int> code;  ///< set if it exited on its own
    int signal = 0;           ///< the signal that killed it otherwise

    /// "exit code 3", "SIGSEGV"
    std::string describe() const;
};

/// "SIGSEGV", or "signal 63" if it has no name.
std::string signal_name(int signal);

struct ChildOptions {
    std::vector<std::string> command;    ///< program and arguments; a name without '/' is looked up in PATH
    NamedList<std::string> environment;  ///< added to the inherited variables, or replacing them
    bool inherit_environment = true;     ///< false: the child gets only `environment`
    /// Use two socket pairs instead of two pipes. They work the same way, but a socket cannot be reopened
    /// through /proc/self/fd, where no sandbox could check it.
    bool over_sockets = false;
    bool capture_stderr = false;  ///< readable at output_fd(); otherwise it goes to this process's stderr
    int keep_fd = -1;             ///< passed to the child as descriptor kKeptFd
    /// Sent to the group if this process ends without ending it. A program that represents processes on
    /// another machine (ssh, srun) ends those on SIGTERM.
    int death_signal = SIGKILL;
    FrameLimits limits = {};
};

/// The number of ChildOptions::keep_fd in the child.
inline constexpr int kKeptFd = 3;
/// The leash: a descriptor of every child whose process group gets ChildOptions::death_signal when this
/// process ends.
inline constexpr int kLeashFd = 4;

/// Owns one child in its own process group. The destructor kills the group and reaps the child. The child
/// communicates over its stdin and stdout, and should move them to other descriptors at once. It gets only
/// these, stderr, kKeptFd and kLeashFd, regardless of the descriptors that this process has inherited. It is
/// killed (by ChildOptions::death_signal) when the *thread* that started it ends (PR_SET_PDEATHSIG), and its
/// whole group, regardless of how this process ends.
class Child {
public:
    /// @throws std::system_error  no such program, no permission, or out of memory
    static Child spawn(const ChildOptions& options);

    Child(Child&&) noexcept;
    Child& operator=(Child&&) noexcept;
    ~Child();

    Channel& channel() { return channel_; }
    pid_t pid() const { return pid_; }
    /// Becomes readable when the process has ended.
    int pidfd() const { return pidfd_.get(); }
    /// Read end of the captured stderr, non-blocking; -1 if not captured.
    int output_fd() const { return output_.get(); }
    /// Closes the captured stderr after its end, because poll() would report it forever.
    void close_output() { output_.reset(); }

    /// Sends SIGKILL to the whole group.
    void kill();
    /// Sends this signal to the whole group.
    void signal(int number);

    /// @return  how it ended, or nullopt if it is still running at the deadline
    std::optional<ExitStatus> wait(Deadline deadline);

private:
    Child() = default;

    pid_t pid_ = -1;
    Fd pidfd_;
    Fd output_;
    Fd leash_;  ///< our end: closing it kills the group
    Channel channel_;
    std::optional<ExitStatus> status_;
};

/// True for variables that locate programs and libraries, set the language, or configure OpenCL drivers and
/// sanitizers. False for everything else, because environments often contain tokens and passwords.
bool is_for_drivers(std::string_view name);

/// This process's environment reduced to what drivers need; for ChildOptions::environment with
/// inherit_environment = false. HOME and TMPDIR are left out: they point to the user's folders, and the
/// caller sets others for the child.
NamedList<std::string> driver_environment();

// Moves the descriptors that a judge or runner starts with to numbers where printed text cannot disturb the
// protocol.

struct ProtocolPipes {
    Channel channel;
    std::optional<Arena> arena;
    int leash_fd = -1;  ///< -1: this process was started without one
};

/// Moves the protocol from stdin and stdout to private descriptors that no child process inherits. Afterwards
/// stdin is empty, and stdout is line-buffered and goes to stderr, where the judge captures what kernels
/// print.
/// @param has_arena  the descriptor kKeptFd is the shared memory
/// @throws std::system_error  a descriptor is missing
ProtocolPipes take_protocol_pipes(bool has_arena);

/// Writes a complete frame to the protocol pipe of this process, from a signal handler. Async-signal-safe;
/// gives up after kEmergencySendMs if the peer does not read; does nothing before take_protocol_pipes();
/// preserves errno. It would interrupt a frame that another thread is sending, but the runner sends none
/// while kernels run.
void emergency_send(const char* bytes, std::size_t n) noexcept;

inline constexpr int kEmergencySendMs = 100;

}  // namespace kwb
