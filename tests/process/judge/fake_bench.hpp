// A judge whose runners are fakes (tests/support/fake_runner.cpp), and requests for it.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/judge_client.hpp"

namespace kwb::test {

/// A folder that lives as long as a test.
class Folder {
public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path path;
};

struct FakeBench {
    /// @param runners  what each fake does, in the order in which they are started: "good;execute=exit3;good"
    /// @param drivers  names of driver files
    explicit FakeBench(const std::string& runners, const std::vector<std::string>& drivers = {"fake.icd"});

    /// The process numbers of all runners started so far.
    std::vector<pid_t> runners() const;
    /// Wait until as many have been started.
    void wait_for_runners(std::size_t n) const;
    /// Wait until a runner is silent, prints or babbles for ever.
    void wait_until_stuck() const;

    Folder folder;
    JudgeClient judge;

private:
    /// Wait for changes in the folder until `holds` is true.
    template <class Condition>
    void wait_for_files(Condition&& holds) const;
};

/// A matrix product of 5 x 6 x 7 by the fake's function, checked only or timed for two rounds.
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
