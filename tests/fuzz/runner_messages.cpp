// SPDX-License-Identifier: Apache-2.0
// Messages between judge and runner; the judge does not trust the runner.
#include "ipc/runner_messages.hpp"

#include "message_text.hpp"

namespace kwb::fuzz {
namespace {

std::string write_request(const RunnerRequest& request) {
    return std::visit([](const auto& plain) { return write_message(to_json(plain)); }, request);
}

struct ReplyWriter {
    std::string operator()(const DeviceList& list) const { return write_message(to_json(list)); }
    template <class Reply>
    std::string operator()(const Reply& reply) const {
        return write_message(to_json(reply));
    }
};

void try_text(std::string_view text) {
    const std::optional<Message> message = read_message(text);
    if (!message) return;
    check_round_trip(
        *message, [](const Message& m) { return runner_request_from_json(m.json); }, write_request);
    check_round_trip(
        *message, [](const Message& m) { return runner_reply_from_json(m.json); },
        [](const RunnerReply& reply) { return std::visit(ReplyWriter{}, reply); });
}

}  // namespace
}  // namespace kwb::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    kwb::fuzz::try_text(kwb::fuzz::as_text(data, size));
    return 0;
}
