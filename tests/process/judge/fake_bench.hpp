// SPDX-License-Identifier: Apache-2.0
// A judge with fake runners (tests/support/fake_runner.cpp), and requests for it.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/judge_client.hpp"

namespace kwb::test {

/// A temporary folder, removed by the destructor.
class Folder {
public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path path;
};

struct FakeBench {
    /// @param runners  behaviours of the fakes in the order of their start: "good;execute=exit3;good"
    /// @param drivers  names of driver files
    /// @param own_cache  in its folder; false: that of all tests
    /// @param xray  program
    explicit FakeBench(const std::string& runners, const std::vector<std::string>& drivers = {"fake.icd"},
                       bool own_cache = false, const std::string& xray = KWB_FAKE_XRAY_PROGRAM);

    /// Process IDs of all runners started so far.
    std::vector<pid_t> runners() const;
    /// Wait until at least `n` runners have been started.
    void wait_for_runners(std::size_t n) const;
    /// Wait until a runner hangs, prints or sends messages for ever.
    void wait_until_stuck() const;

    Folder folder;
    JudgeClient judge;

private:
    /// Wait until `holds` is true, checking again after each change in the folder.
    template <class Condition>
    void wait_for_files(Condition&& holds) const;
};

/// A matrix product of 5 x 6 x 7 with the fake's function, either check only or timed for two rounds.
RunRequest fake_request(RunRequest::Mode mode = RunRequest::Mode::Check, std::size_t contestants = 1);

bool is_running(pid_t pid);

struct Children {
    int living = 0;
    int zombies = 0;
};
Children children_of(pid_t pid);

inline bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace kwb::test
