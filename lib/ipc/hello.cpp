#include "ipc/hello.hpp"

#include "base/error.hpp"
#include "base/version.hpp"

namespace kwb {

Json make_hello(const std::string& program) {
    return {
        {"type", "hello"}, {"program", program}, {"protocol", kProtocolVersion}, {"version", kwb_version()}};
}

void require_hello(const Message& message, const std::string& program) {
    constexpr const char* kRemedy = "; build and install kwb, kwb-judge and kwb-runner together";
    if (message.type != "hello")
        throw EnvironmentError(program + " did not greet but sent '" + message.type + "'" + kRemedy);
    const JsonReader hello(message.json, "hello");
    const std::string sender = hello.text("program");
    if (sender != program) throw EnvironmentError("expected " + program + ", found " + sender + kRemedy);
    const auto protocol = hello.integer("protocol", INT64_MIN, INT64_MAX);
    const std::string version = hello.text("version");
    if (protocol != kProtocolVersion || version != kwb_version())
        throw EnvironmentError(program + " is of version " + version + " (protocol " +
                               std::to_string(protocol) + "), this program of " + kwb_version() +
                               " (protocol " + std::to_string(kProtocolVersion) + ")" + kRemedy);
}

}  // namespace kwb
