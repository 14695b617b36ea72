// Kernel files run as a person runs them, by the real judge on PoCL.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "session/experiment.hpp"
#include "support/judge_client.hpp"

namespace kwb::test {

class DeviceBench {
public:
    DeviceBench();

    /// A request for one kernel of tests/device/kernels ("slices"), or of the shipped ones
    /// ("matmul/01_naive").
    /// @param param  "TILE=8", "WIDTH=4 CHAINS=2"; may be empty
    RunRequest request(const std::string& kernel, const Sizes& sizes, const std::string& param = "",
                       bool check_only = true) const;

    /// Check one kernel at one size.
    KernelResult check(const std::string& kernel, const Sizes& sizes, const std::string& param = "");
    /// Check and time it for some rounds.
    KernelResult run(const std::string& kernel, const Sizes& sizes, const std::string& param = "");

    /// Insist that the shipped naive kernel is right with this very judge.
    void require_health();

    JudgeClient judge;
    DeviceInfo device;
};

inline Sizes sizes_of(std::int64_t m, std::int64_t n, std::int64_t k) {
    return {{"M", m}, {"N", n}, {"K", k}};
}

inline bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// The judge of all tests of one program.
DeviceBench& bench();

}  // namespace kwb::test
