// SPDX-License-Identifier: Apache-2.0
// Messages between front end and judge, including attachments, and the greetings of both programs.
#include "ipc/judge_messages.hpp"

#include "ipc/channel.hpp"
#include "message_text.hpp"

namespace kwb::fuzz {
namespace {

std::string write_event(const JudgeEvent& event) {
    const Outgoing outgoing = to_outgoing(event);
    return write_message(outgoing.json, outgoing.attachment);
}

void try_hello(const Message& message) {
    try {
        require_hello(message, "kwb-judge");
        must(message.type == "hello", "only a greeting is a greeting");
    } catch (const EnvironmentError&) {  // a different program or version
    } catch (const ProtocolError&) {     // a field is missing
    }
}

void try_text(std::string_view text) {
    const std::optional<Message> message = read_message(text);
    if (!message) return;
    try_hello(*message);
    check_round_trip(*message, judge_request_from, [](const JudgeRequest& request) {
        return write_message(to_json(request), contents_of(request));
    });
    check_round_trip(*message, judge_event_from, write_event);
}

}  // namespace
}  // namespace kwb::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    kwb::fuzz::try_text(kwb::fuzz::as_text(data, size));
    return 0;
}
