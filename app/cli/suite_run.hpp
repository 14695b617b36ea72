// SPDX-License-Identifier: Apache-2.0
// Runs the tests of kwb ci: checks each kernel, and times it with its earlier text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ci/outcome.hpp"
#include "ci/suite.hpp"
#include "conversation.hpp"
#include "experiments.hpp"
#include "options.hpp"
#include "task/jobs.hpp"

namespace kwb::cli {

/// How the tests of a suite run.
struct SuiteRunOptions {
    std::optional<std::string> against;  ///< a folder with the earlier texts of the kernels
    std::optional<double> slower_than;   ///< a share: 0.1 is 10 %
    std::optional<std::string> record;   ///< the file that keeps times
    std::optional<std::uint64_t> seed;
    JudgeOptions judge;
    OutputOptions outputs;
};

/// A kernel of a case with one choice of parameters on one device.
struct SuiteTest {
    const CiCase* about;
    CiOutcome outcome;
    std::string kernel;           ///< a name, or an absolute path
    OpenedExperiment experiment;  ///< one kernel; none if the file cannot be used: see outcome.reason
};

/// The kernel of a case as its options describe it, a contestant for each choice of parameters.
/// @throws BadInput  the file cannot be used, or not like this
OpenedExperiment open_kernel(const CiCase& about, const CiSuite& suite, const std::string& kernel,
                             const SuiteRunOptions& options, const Folders& folders);

/// Runs one test after another.
class SuiteRun {
public:
    SuiteRun(const CiSuite& suite, const SuiteRunOptions& options, const Folders& folders)
        : suite_(suite), options_(options), folders_(folders), conversation_(options.judge, judges_here()) {}

    /// @param headline  for progress
    void run(SuiteTest& test, const std::string& headline);

private:
    const std::vector<DeviceInfo>* find_devices(CiOutcome& outcome);
    std::vector<Job> checks_of(const SuiteTest& test, const Problem& problem, const DeviceInfo& device) const;
    void judge_checks(SuiteTest& test);
    RunRequest timed_request(const SuiteTest& test, const OpenedExperiment& experiment,
                             const Problem& problem) const;
    std::optional<RunRequest> request_with_earlier(SuiteTest& test, const Problem& problem) const;
    void time_alone(SuiteTest& test, const Problem& problem, const std::string& headline);
    void compare(SuiteTest& test, RunRequest request, const std::string& headline);
    Collected perform(std::vector<Job> jobs, const std::string& headline);
    std::vector<KernelResult> measure(SuiteTest& test, const RunRequest& request,
                                      const std::string& headline);

    const CiSuite& suite_;
    const SuiteRunOptions& options_;
    const Folders& folders_;
    Conversation conversation_;
    std::map<std::string, std::vector<DeviceInfo>> devices_;  ///< by what a case calls them
    const std::vector<DeviceInfo>* places_ = nullptr;         ///< of the test in progress
};

}  // namespace kwb::cli
