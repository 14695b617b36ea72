// SPDX-License-Identifier: Apache-2.0
#include "layered_program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/text.hpp"

extern char** environ;

namespace kwb::cli {
namespace {

/// The program that signals are passed on to; 0: none.
volatile pid_t running = 0;

void pass_on(int number) {
    const int before = errno;
    if (running > 0) ::kill(running, number);
    errno = before;
}

/// Handles signals as long as the program runs.
class SignalHandling {
public:
    SignalHandling() {
        handle(SIGINT, SIG_IGN, interrupt_);  // the terminal sends them to the program, too
        handle(SIGQUIT, SIG_IGN, quit_);
        handle(SIGTERM, pass_on, terminate_);
        handle(SIGHUP, pass_on, hang_up_);
    }
    ~SignalHandling() {
        ::sigaction(SIGINT, &interrupt_, nullptr);
        ::sigaction(SIGQUIT, &quit_, nullptr);
        ::sigaction(SIGTERM, &terminate_, nullptr);
        ::sigaction(SIGHUP, &hang_up_, nullptr);
    }
    SignalHandling(const SignalHandling&) = delete;
    SignalHandling& operator=(const SignalHandling&) = delete;

private:
    static void handle(int number, void (*handler)(int), struct sigaction& before) {
        struct sigaction action {};
        action.sa_handler = handler;
        ::sigaction(number, &action, &before);
    }

    struct sigaction interrupt_ {
    }, quit_{}, terminate_{}, hang_up_{};
};

/// The environment with these variables instead of those of the same names.
std::vector<std::string> environment_with(const NamedList<std::string>& added) {
    std::vector<std::string> all;
    for (char** one = environ; *one != nullptr; ++one) {
        const std::string_view text = *one;
        if (find_named(added, std::string(text.substr(0, text.find('=')))) == nullptr) all.emplace_back(text);
    }
    for (const auto& [name, value] : added) all.push_back(name + "=" + value);
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

std::filesystem::path find_program(const std::string& name) {
    return name.find('/') != std::string::npos ? name : find_in_path(name);
}

}  // namespace

RecordingFolder::RecordingFolder() {
    const char* const base = std::getenv("TMPDIR");
    std::string name = std::string(base != nullptr && *base != '\0' ? base : "/tmp") + "/kwb-capture-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr)
        throw EnvironmentError("cannot make a folder for recordings, " + name + ": " + std::strerror(errno) +
                               "; set TMPDIR to a folder that can be written");
    path_ = std::filesystem::absolute(name);
}

RecordingFolder::~RecordingFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path layer_path() {
    constexpr const char* kName = "libkwb_capture.so";
    const std::filesystem::path programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const std::filesystem::path installed = programs.parent_path() / "lib/kwb" / kName;
    return std::filesystem::exists(installed) ? installed : programs / kName;
}

int run_with_layer(const std::vector<std::string>& command, const NamedList<std::string>& environment,
                   Loading loading) {
    const std::filesystem::path layer = layer_path();
    if (!std::filesystem::exists(layer))
        throw EnvironmentError("there is no " + layer.string() + "; build and install it together with kwb");
    NamedList<std::string> added = environment;
    const char* const variable = loading == Loading::Layer ? "OPENCL_LAYERS" : "LD_PRELOAD";
    const char* const others = std::getenv(variable);
    added.push_back(
        {variable, others != nullptr && *others != '\0' ? others + (":" + layer.string()) : layer.string()});
    std::vector<std::string> words = command, variables = environment_with(added);
    const std::vector<char*> argv = pointers(words), envp = pointers(variables);

    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t defaults, none;
    ::sigemptyset(&none);
    ::sigemptyset(&defaults);
    for (const int number : {SIGPIPE, SIGINT, SIGQUIT, SIGTERM, SIGHUP}) ::sigaddset(&defaults, number);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    const SignalHandling handling;
    pid_t child = 0;
    const int error = ::posix_spawnp(&child, argv.front(), nullptr, &attributes, argv.data(), envp.data());
    ::posix_spawnattr_destroy(&attributes);
    if (error != 0)
        throw BadInput("cannot start " + command.front() + ": " + std::strerror(error) +
                       (error == ENOENT ? "; check the name, or give the program's path" : ""));
    running = child;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    running = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string why_unrecorded(const std::string& program) {
    const std::filesystem::path path = find_program(program);
    struct stat info {};
    if (::stat(path.c_str(), &info) == 0 && (info.st_mode & (S_ISUID | S_ISGID)) != 0)
        return path.string() +
               " runs with another user's rights (setuid), for which the loader loads no layers.";
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    unsigned char header[5] = {};
    if (::read(file.get(), header, sizeof header) != sizeof header || std::memcmp(header,
                                                                                  "\x7f"
                                                                                  "ELF",
                                                                                  4) != 0)
        return "";
    constexpr unsigned char kOwnClass = sizeof(void*) == 8 ? 2 : 1;  // of ELF: 64 or 32 bits
    if (header[4] != kOwnClass)
        return path.string() + " is a program of " + (header[4] == 1 ? "32" : "64") +
               " bits, which cannot load this layer.";
    return "";
}

}  // namespace kwb::cli
