#include "ipc/hello.hpp"

#include <doctest/doctest.h>

#include <string>

#include "base/error.hpp"

using namespace kwb;

namespace {

Message message_of(const Json& json) {
    const Json sent = parse_json(dump_json(json));
    return {sent.value("type", ""), sent, ""};
}

/// @return  the complaint, or nothing
std::string complaint(const Json& json) {
    try {
        require_hello(message_of(json), "kwb-runner");
        return "";
    } catch (const EnvironmentError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("a greeting of the same build is accepted") {
    CHECK(complaint(make_hello("kwb-runner")) == "");
}

TEST_CASE("another program, version or protocol is refused with a remedy") {
    Json hello = make_hello("kwb-judge");
    CHECK(complaint(hello).find("expected kwb-runner, found kwb-judge") == 0);
    hello = make_hello("kwb-runner");
    hello["version"] = "99.0";
    CHECK(complaint(hello).find("of version 99.0") != std::string::npos);
    CHECK(complaint(hello).find("build and install kwb, kwb-judge and kwb-runner together") !=
          std::string::npos);
    hello = make_hello("kwb-runner");
    hello["protocol"] = kProtocolVersion + 1;
    CHECK(complaint(hello).find("protocol") != std::string::npos);
    CHECK(complaint({{"type", "devices"}}).find("did not greet but sent 'devices'") != std::string::npos);
}

TEST_CASE("a greeting with wrong fields is a protocol error") {
    Json hello = make_hello("kwb-runner");
    hello["protocol"] = "one";
    CHECK_THROWS_AS(require_hello(message_of(hello), "kwb-runner"), ProtocolError);
    hello = make_hello("kwb-runner");
    hello.erase("version");
    CHECK_THROWS_AS(require_hello(message_of(hello), "kwb-runner"), ProtocolError);
}
