// Programs run by a test: what they print, how they end, and what they leave behind.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.hpp"
#include "base/named.hpp"

namespace kwb::test {

struct Finished {
    int exit_code = -1;  ///< 128 + the signal's number if one ended it, as shells say it
    std::string out;
    std::string err;
};

struct ProcessOptions {
    std::vector<std::string> command;               ///< a name without '/' is looked up in PATH
    NamedList<std::string> environment;             ///< added to ours, or replacing
    std::vector<std::string> unset;                 ///< variables of ours that it does not get
    std::string in;                                 ///< for its standard input, at most a pipe's capacity
    bool stderr_is_terminal = false;                ///< a pseudo-terminal, so that progress is drawn
    std::optional<std::filesystem::path> out_file;  ///< opened for writing as its standard output
    bool out_is_closed = false;                     ///< its standard output is a pipe that nobody reads
};

/// A program under way. Every wait ends after `kPatienceSeconds` with an exception, and the destructor kills
/// what still runs.
class Process {
public:
    static constexpr int kPatienceSeconds = 100;

    /// @throws std::system_error  it cannot be started
    explicit Process(const ProcessOptions& options);
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process();

    /// Read on until standard error holds `text`.
    /// @throws std::runtime_error  it ended or the patience did, before
    void wait_for_stderr(std::string_view text);

    void send_signal(int signal);
    pid_t pid() const { return pid_; }

    /// Read until both streams end, which is when nobody holds them any more, and reap it.
    Finished finish();

private:
    bool read_some();

    pid_t pid_ = -1;
    Fd out_;
    Fd err_;
    Finished finished_;
};

/// Start it and wait for its end.
Finished run_process(const ProcessOptions& options);

/// Wait until no process has `marker` in its environment.
/// @return  false if one is still there when the patience ends
bool all_gone(std::string_view marker);

/// How many processes have `marker` in their environment.
std::size_t count_marked(std::string_view marker);

/// A process of this machine, as /proc lists it.
struct ListedProcess {
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t group = 0;
    char state = '?';  ///< 'R', 'S', 'Z' (zombie) …
    std::string name;
};

/// One that ends meanwhile may be missing. Source: proc_pid_stat(5).
std::vector<ListedProcess> list_processes();

}  // namespace kwb::test
