// The greeting: who speaks, and whether both understand each other.
#pragma once

#include <string>

#include "ipc/channel.hpp"

namespace kwb {

/// Raised with every change to a message. Programs of different versions refuse each other.
inline constexpr int kProtocolVersion = 2;

/// The first message of every judge and runner.
/// @param program  "kwb-judge" or "kwb-runner"
Json make_hello(const std::string& program);

/// @throws  EnvironmentError  the greeting is of another program or version; says how to mend it
void require_hello(const Message& message, const std::string& program);

}  // namespace kwb
