// SPDX-License-Identifier: Apache-2.0
// A folder with the OpenCL drivers of a test, for OCL_ICD_VENDORS.
#pragma once

#include <filesystem>
#include <string>

#include "support/temp_folder.hpp"

namespace kwb::test {

class VendorsFolder {
public:
    const std::filesystem::path& path() const { return folder_.path(); }

    /// Add the system's PoCL.
    void add_pocl();
    /// Add a test driver with these faults, e.g. "sticky+gpu": see odd_driver.cpp.
    void add_odd(const std::string& habits);
    /// Add the file `name`.icd with this content.
    void add(const std::string& name, const std::string& text);

private:
    TempFolder folder_;
};

}  // namespace kwb::test
