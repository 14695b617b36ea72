// SPDX-License-Identifier: Apache-2.0
#include "debug/dap_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb::debug {
namespace {

constexpr std::string_view kLengthField = "Content-Length:";
constexpr std::string_view kHeaderEnd = "\r\n\r\n";
constexpr std::size_t kMostHeaderBytes = 4096;

}  // namespace

std::string dap_frame(const Json& message) {
    const std::string text = dump_json(message);
    return fmt::format("{} {}{}{}", kLengthField, text.size(), kHeaderEnd, text);
}

std::optional<std::size_t> DapFrames::length_in(std::string_view header) {
    const std::size_t at = header.find(kLengthField);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = header.substr(at + kLengthField.size());
    const std::string_view digits = trim(rest.substr(0, rest.find("\r\n")));
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (error != std::errc() || end != digits.data() + digits.size() || length > kMostBytes)
        return std::nullopt;
    return length;
}

void DapFrames::skip(std::size_t bytes, const std::string& why) {
    input_.erase(0, bytes);
    is_skipping_ = true;
    throw ProtocolError(why);
}

std::optional<Json> DapFrames::next() {
    if (is_skipping_) {
        const std::size_t header = input_.find(kLengthField);
        // The beginning of the next header may have come.
        const std::size_t kept = std::min(input_.size(), kLengthField.size() - 1);
        input_.erase(0, header == std::string::npos ? input_.size() - kept : header);
        if (header == std::string::npos) return std::nullopt;
        is_skipping_ = false;
    }
    const std::size_t end = input_.find(kHeaderEnd);
    if (end > kMostHeaderBytes && input_.size() > kMostHeaderBytes)
        skip(1, "a message must begin with a header that ends in an empty line");
    if (end == std::string::npos) return std::nullopt;
    const auto length = length_in(std::string_view(input_).substr(0, end));
    if (!length)
        skip(end + kHeaderEnd.size(),
             fmt::format("the header of a message must give its Content-Length, at most {}", kMostBytes));
    const std::size_t begin = end + kHeaderEnd.size();
    if (input_.size() < begin + *length) return std::nullopt;
    const std::string text = input_.substr(begin, *length);
    input_.erase(0, begin + *length);
    return parse_json(text);
}

}  // namespace kwb::debug
