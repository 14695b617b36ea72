// SPDX-License-Identifier: Apache-2.0
// Running programs in tests: their output, exit status and leftover processes.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.hpp"
#include "base/named.hpp"

namespace kwb::test {

struct Finished {
    int exit_code = -1;  ///< 128 + signal number if killed by a signal, as in shells
    std::string out;
    std::string err;
};

struct ProcessOptions {
    std::vector<std::string> command;               ///< a name without '/' is looked up in PATH
    NamedList<std::string> environment;             ///< added to the inherited environment, overriding it
    std::vector<std::string> unset;                 ///< inherited variables to remove
    std::string in;                                 ///< standard input; at most the capacity of a pipe
    bool stderr_is_terminal = false;                ///< use a pseudo-terminal, so that progress is displayed
    std::optional<std::filesystem::path> out_file;  ///< opened for writing as standard output
    bool out_is_closed = false;                     ///< standard output is a pipe without a reader
    bool is_interactive = false;                    ///< standard input stays open for Process::write()
    bool is_terminal = false;                       ///< all three streams are one pseudo-terminal
};

/// A running program. Every wait throws after `kPatienceSeconds`, and the destructor kills the process if it
/// is still running.
class Process {
public:
    static constexpr int kPatienceSeconds = 300;

    /// @throws std::system_error  it cannot be started
    explicit Process(const ProcessOptions& options);
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process();

    /// Read until standard error contains `text`.
    /// @throws std::runtime_error  the program ended or the wait timed out before
    void wait_for_stderr(std::string_view text);

    /// Read until this holds for all of standard output so far.
    /// @throws std::runtime_error  the program ended or the wait timed out before
    void wait_for_stdout(const std::function<bool(std::string_view)>& is_enough);
    const std::string& out() const { return finished_.out; }

    /// Write to standard input, which is_interactive or is_terminal keeps open.
    void write(std::string_view text);
    void close_stdin() { in_.reset(); }

    void send_signal(int signal);
    pid_t pid() const { return pid_; }

    /// Read until end-of-file on both streams (no process has them open any more), and reap the process.
    Finished finish();

private:
    bool read_some();

    pid_t pid_ = -1;
    Fd in_;
    Fd out_;
    Fd err_;
    Finished finished_;
};

/// Run a program to its end.
Finished run_process(const ProcessOptions& options);

/// Wait until no process has `marker` in its environment.
/// @return  false on timeout
bool all_gone(std::string_view marker);

/// The other processes that have `marker` in their environment.
std::vector<pid_t> marked(std::string_view marker);

/// How many processes have `marker` in their environment.
std::size_t count_marked(std::string_view marker);

/// An entry of /proc.
struct ListedProcess {
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t group = 0;
    char state = '?';  ///< 'R', 'S', 'Z' (zombie) …
    std::string name;
};

/// All processes. Those that end during the scan may be missing. Source: proc_pid_stat(5).
std::vector<ListedProcess> list_processes();

}  // namespace kwb::test
