// SPDX-License-Identifier: Apache-2.0
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "report/text_layout.hpp"

namespace kwb::cli {
namespace {

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// Whether the locale's variables, in their order of precedence, select UTF-8.
bool locale_is_utf8() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const std::string value = to_lower(environment(name));
        if (value.empty()) continue;
        return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
    }
    return false;
}

unsigned terminal_width() {
    constexpr unsigned kDefault = 100;
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefault;
    return std::clamp<unsigned>(size.ws_col, 40, 160);
}

/// @return  0 or errno
int write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return 0;
}

}  // namespace

TableOptions table_options() {
    const bool terminal = ::isatty(STDOUT_FILENO) != 0;
    TableOptions options;
    options.unicode = locale_is_utf8();
    options.colour = terminal && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
    options.width = terminal ? terminal_width() : 120;
    return options;
}

bool stderr_is_terminal() {
    return ::isatty(STDERR_FILENO) != 0;
}

namespace {

void write_stdout(std::string_view text) {
    const int error = write_all(STDOUT_FILENO, text);
    if (error != 0 && error != EPIPE)
        throw BadInput(std::string("cannot write to standard output: ") + std::strerror(error));
}

}  // namespace

void print(std::string_view text) {
    const TableOptions options = table_options();
    write_stdout(plain_signs(options.colour ? printable_painted(text) : printable(text), options));
}

void print_error(std::string_view text) {
    write_all(STDERR_FILENO, plain_signs(printable(text), table_options()));
}

void show_progress(std::string_view text) {
    const TableOptions options = table_options();
    write_all(STDERR_FILENO, "\r\x1b[K" + shorten(plain_signs(printable_line(text), options),
                                                  options.width - 1, options.unicode));
}

void write_output(const std::string& file, std::string_view content) {
    if (file == "-")
        write_stdout(content);
    else
        write_file(file, content);
}

void require_output(const std::string& file) {
    if (file == "-") return;
    // Most likely the file name is missing, as in `--json mine.cl other.cl`.
    std::error_code missing;
    if (std::filesystem::path(file).extension() == ".cl" && std::filesystem::exists(file, missing))
        throw BadInput(file + ": would replace a kernel's source; give the output another name");
    require_writable(file);
}

}  // namespace kwb::cli
