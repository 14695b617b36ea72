// SPDX-License-Identifier: Apache-2.0
#include "capture/read_launch.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "capture/recording.hpp"

namespace kwb::capture {
namespace {

constexpr std::size_t kMostArguments = 64;

void read_argument_line(RawArgument& into, const std::string& key, const std::string& text) {
    const std::vector<std::uint64_t> numbers = read_numbers(text);
    if (key == "name") into.name = text;
    if (key == "type") into.type = text;
    if (key == "null") into.is_null = true;
    if (key == "value") into.value = text;
    if (key == "sampler") into.sampler = text;
    if (key == "image" && numbers.size() == 4) into.image = {numbers[0], numbers[1], numbers[2], numbers[3]};
    if (key == "local_bytes" && numbers.size() == 1) into.local_bytes = numbers[0];
    if (key == "buffer" && numbers.size() == 3) {
        into.buffer = numbers[0];
        into.bytes = numbers[1];
        into.is_writable = numbers[2] != 0;
    }
}

}  // namespace

std::vector<std::uint64_t> read_numbers(std::string_view text) {
    std::vector<std::uint64_t> numbers;
    for (const std::string& word : split(text, ' ')) {
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error == std::errc() && end == word.data() + word.size() && !word.empty())
            numbers.push_back(number);
    }
    return numbers;
}

RawLaunch read_launch(const std::filesystem::path& folder) {
    RawLaunch launch;
    launch.folder = folder;
    for (const std::string& line : split_lines(read_file(folder / kLaunchList, 1u << 20))) {
        const std::size_t blank = std::min(line.find(' '), line.size());
        const std::string key = line.substr(0, blank);
        const std::string text = blank < line.size() ? line.substr(blank + 1) : "";
        if (key == "kernel") launch.kernel = text;
        if (key == "device") launch.device = printable_line(text);
        if (key == "options") launch.options = text;
        if (key == "folder") launch.working_folder = text;
        if (key == "flaw" && launch.flaw.empty()) launch.flaw = text;
        if (key == "end") launch.is_complete = true;
        if (key == "launch")
            if (const auto numbers = read_numbers(text); numbers.size() == 1) launch.launch = numbers[0];
        if (key == "global") launch.global = read_numbers(text);
        if (key == "local") launch.local = read_numbers(text);
        if (key == "offset") launch.offset = read_numbers(text);
        if (key == "argument") {
            if (launch.arguments.size() < kMostArguments) launch.arguments.emplace_back();
        } else if (!launch.arguments.empty()) {
            read_argument_line(launch.arguments.back(), key, text);
        }
    }
    return launch;
}

}  // namespace kwb::capture
