// SPDX-License-Identifier: Apache-2.0
// OpenCL errors as text: the call, the name of the code, a likely cause, a next step.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "model/launch.hpp"

namespace kwb {

/// An OpenCL call failed, or an impossible request was refused before any call.
class ClError : public std::runtime_error {
public:
    ClError(std::string call, int code, std::string cause, std::string next_step);

    /// For a request that is impossible on this device or with this program.
    static ClError refusal(std::string cause, std::string next_step);

    /// For a request that only a faulty judge sends.
    static ClError mistake(std::string cause);

    FailedReply failure;

private:
    explicit ClError(FailedReply why) : std::runtime_error(why.describe()), failure(std::move(why)) {}
};

/// The error for a `call` that returned `code`, with the likely cause and next step.
/// @param context  precedes the cause; may be empty
/// Source: OpenCL 3.0 API specification, the "Errors" list of each call; PoCL 3.1 and common GPU drivers
/// where they differ.
ClError explain_status(std::string call, int code, const std::string& context = "");

}  // namespace kwb
