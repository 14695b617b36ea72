// Child processes: spoken to over two pipes, ended for sure, with as much of the environment as drivers need.
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
    std::optional<int> code;  ///< exited by itself
    int signal = 0;           ///< else: killed by this signal

    /// "exit code 3", "SIGSEGV"
    std::string describe() const;
};

/// "SIGSEGV"; "signal 63" for one without a name.
std::string signal_name(int signal);

struct ChildOptions {
    std::vector<std::string> command;    ///< program and arguments; a name without '/' is looked up in PATH
    NamedList<std::string> environment;  ///< added to ours, or replacing
    bool inherit_environment = true;     ///< false: `environment` is all that the child gets
    /// The conversation is over two pairs of sockets instead of two pipes: to its owner the same, but
    /// nobody can open a socket anew through /proc/self/fd, where no sandbox watches.
    bool over_sockets = false;
    bool capture_stderr = false;  ///< to output(); else it is ours
    int keep_fd = -1;             ///< handed to the child under the number kKeptFd
    bool die_with_parent = true;  ///< SIGKILL when the forking *thread* ends (PR_SET_PDEATHSIG)
    FrameLimits limits = {};
};

/// Where ChildOptions::keep_fd is found in the child.
inline constexpr int kKeptFd = 3;

/// Owns one child in a process group of its own. The destructor kills the group and reaps the child.
/// The child's stdin and stdout are the conversation; it should move them away at once. Besides these, stderr
/// and kKeptFd it gets no descriptor, whatever this process inherited from its own starter.
class Child {
public:
    /// @throws std::system_error  no such program, no permission, no memory
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
    /// For a pipe at its end, which poll() would report for ever.
    void close_output() { output_.reset(); }

    /// Send SIGKILL to the whole group.
    void kill();

    /// @return  how it ended, or nothing if it runs on after the deadline
    std::optional<ExitStatus> wait(Deadline deadline);

private:
    Child() = default;

    pid_t pid_ = -1;
    Fd pidfd_;
    Fd output_;
    Channel channel_;
    std::optional<ExitStatus> status_;
};

/// True for variables by which programs and libraries are found, languages are set, and OpenCL drivers and
/// sanitizers are told what to do. False for everything else: tokens and passwords often lie there.
bool is_for_drivers(std::string_view name);

/// Our own environment without what drivers do not need; for ChildOptions::environment together with
/// inherit_environment = false. HOME and TMPDIR are not in it: they name folders of the person's, and the
/// caller has others for the child.
NamedList<std::string> driver_environment();

}  // namespace kwb
