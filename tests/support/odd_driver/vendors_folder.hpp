// A folder of OpenCL drivers as a test wants them, for OCL_ICD_VENDORS.
#pragma once

#include <filesystem>
#include <string>

#include "support/temp_folder.hpp"

namespace kwb::test {

class VendorsFolder {
public:
    const std::filesystem::path& path() const { return folder_.path(); }

    /// The system's PoCL.
    void add_pocl();
    /// A driver with these habits, e.g. "sticky+gpu": see odd_driver.cpp.
    void add_odd(const std::string& habits);
    /// A file `name`.icd that says this.
    void add(const std::string& name, const std::string& text);

private:
    TempFolder folder_;
};

}  // namespace kwb::test
