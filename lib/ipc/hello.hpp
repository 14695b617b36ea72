// The greeting: identifies the sender, and checks that both sides have the same version.
#pragma once

#include <string>

#include "ipc/channel.hpp"

namespace kwb {

/// Incremented with every change to a message. Programs of different versions refuse each other.
inline constexpr int kProtocolVersion = 2;

/// The first message of every judge and runner.
/// @param program  "kwb-judge" or "kwb-runner"
Json make_hello(const std::string& program);

/// @throws  EnvironmentError  a different program or version; the message says how to fix it
void require_hello(const Message& message, const std::string& program);

}  // namespace kwb
