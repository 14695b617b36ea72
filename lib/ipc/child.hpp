// A child process with a pipe in each direction, captured stderr, and its own environment.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.hpp"
#include "base/named.hpp"
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
    bool die_with_parent = true;  ///< SIGKILL when the forking *thread* ends (PR_SET_PDEATHSIG)
    FrameLimits limits = {};
};

/// The number of ChildOptions::keep_fd in the child.
inline constexpr int kKeptFd = 3;

/// Owns one child in its own process group. The destructor kills the group and reaps the child. The child
/// communicates over its stdin and stdout, and should move them to other descriptors at once. It gets only
/// these, stderr and kKeptFd, whatever descriptors this process has inherited.
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

    /// @return  how it ended, or nullopt if it is still running at the deadline
    std::optional<ExitStatus> wait(Deadline deadline);

private:
    Child() = default;

    pid_t pid_ = -1;
    Fd pidfd_;
    Fd output_;
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

}  // namespace kwb
