// Kernels run by the real judge on a driver with bad habits.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/judge_client.hpp"
#include "support/odd_driver/vendors_folder.hpp"

namespace kwb::test {

class OddBench {
public:
    /// @param habits  e.g. "sticky+gpu": see odd_driver.cpp
    explicit OddBench(const std::string& habits, const NamedList<std::string>& environment = {});

    /// Kernel files with a title of their own, or shipped ones ("matmul/01_naive"), as contestants of one
    /// request.
    RunRequest request(const std::vector<std::string>& kernels, bool check_only,
                       const Sizes& sizes = {{"M", 33}, {"N", 31}, {"K", 17}}) const;
    std::vector<KernelResult> run(const std::vector<std::string>& kernels);
    std::vector<KernelResult> check(const std::vector<std::string>& kernels);

    /// Write a kernel file and return its path.
    std::string write(const std::string& name, const std::string& text) const;

private:
    TempFolder folder_;
    VendorsFolder vendors_;

public:
    JudgeClient judge;
    DeviceInfo device;
};

}  // namespace kwb::test
