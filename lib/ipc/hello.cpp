#include "ipc/hello.hpp"

#include "base/error.hpp"
#include "base/record_json.hpp"
#include "base/version.hpp"

namespace kwb {

namespace {

struct Hello {
    static constexpr const char* kType = "hello";
    std::string program;
    std::int64_t protocol = 0;
    std::string version;
};

template <class Fields>
void describe(Fields& f, Hello& hello) {
    f("program", hello.program);
    f("protocol", hello.protocol);
    f("version", hello.version);
}

}  // namespace

Json make_hello(const std::string& program) {
    return write_json(Hello{program, kProtocolVersion, kwb_version()});
}

void require_hello(const Message& message, const std::string& program) {
    constexpr const char* kRemedy = "; build and install kwb, kwb-judge and kwb-runner together";
    if (message.type != "hello")
        throw EnvironmentError(program + " did not greet but sent '" + message.type + "'" + kRemedy);
    const auto [sender, protocol, version] = from_json<Hello>(message.json, "hello");
    if (sender != program) throw EnvironmentError("expected " + program + ", found " + sender + kRemedy);
    if (protocol != kProtocolVersion || version != kwb_version())
        throw EnvironmentError(program + " is of version " + version + " (protocol " +
                               std::to_string(protocol) + "), this program of " + kwb_version() +
                               " (protocol " + std::to_string(kProtocolVersion) + ")" + kRemedy);
}

}  // namespace kwb
