// SPDX-License-Identifier: Apache-2.0
// Return addresses → lines of source, by debug information.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture/profile.hpp"

namespace kwb::capture {

struct CodeAddress {
    std::string module;        ///< path of a program or library
    std::uint64_t offset = 0;  ///< as its symbols count, behind the call
};

class CallPlaces {
public:
    CallPlaces();
    ~CallPlaces();
    CallPlaces(const CallPlaces&) = delete;
    CallPlaces& operator=(const CallPlaces&) = delete;

    /// The innermost frame that has debug information, or else the innermost one.
    CallPlace find(const std::vector<CodeAddress>& frames);

private:
    struct Modules;
    std::unique_ptr<Modules> modules_;
};

}  // namespace kwb::capture
