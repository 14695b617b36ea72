// SPDX-License-Identifier: Apache-2.0
// Sends the greeting in $KWB_FAKE_HELLO ("kwb-judge 9.9.9 1": program, version, protocol), then waits for
// end-of-file.
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <string>

#include "ipc/channel.hpp"

int main() {
    const char* setting = std::getenv("KWB_FAKE_HELLO");
    std::istringstream words(setting != nullptr ? setting : "");
    std::string program;
    std::string version;
    int protocol = 0;
    words >> program >> version >> protocol;
    kwb::Channel channel{kwb::Fd(STDIN_FILENO), kwb::Fd(STDOUT_FILENO)};
    channel.send({{"type", "hello"}, {"program", program}, {"protocol", protocol}, {"version", version}});
    char ignored[4096];
    while (::read(STDIN_FILENO, ignored, sizeof ignored) != 0) {
    }
}
