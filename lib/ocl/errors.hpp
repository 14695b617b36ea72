// OpenCL errors as text: the call, the name of the code, a likely cause, a next step.
#pragma once

#include <stdexcept>
#include <string>

namespace kwb {

/// An OpenCL call failed, or (code 0, no call) an impossible request was refused before any call.
class ClError : public std::runtime_error {
public:
    ClError(std::string call, int code, std::string cause, std::string next_step);

    /// For a request that is impossible on this device or with this program.
    static ClError refusal(std::string cause, std::string next_step);

    const std::string& call() const { return call_; }  ///< "clBuildProgram"; empty: no call was made
    const std::string& code_name() const { return code_name_; }  ///< "CL_OUT_OF_RESOURCES"
    int code() const { return code_; }
    const std::string& cause() const { return cause_; }          ///< a clause without a full stop
    const std::string& next_step() const { return next_step_; }  ///< likewise

    /// True if an accepted launch failed on the device and the call only reports that. GPUs report
    /// out-of-bounds accesses this way.
    bool is_of_launch() const { return is_of_launch_; }
    ClError& set_of_launch() {
        is_of_launch_ = true;
        return *this;
    }

private:
    std::string call_;
    std::string code_name_;
    int code_;
    std::string cause_;
    std::string next_step_;
    bool is_of_launch_ = false;
};

/// "CL_INVALID_VALUE"; "status -9998" for an unknown code.
std::string status_name(int code);

/// The error for a `call` that returned `code`, with the likely cause and next step.
/// Source: OpenCL 3.0 API specification, the "Errors" list of each call; PoCL 3.1 and common GPU drivers
/// where they differ.
ClError explain_status(std::string call, int code);

}  // namespace kwb
