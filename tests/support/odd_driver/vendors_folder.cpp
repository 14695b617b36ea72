// SPDX-License-Identifier: Apache-2.0
#include "support/odd_driver/vendors_folder.hpp"

#include "base/file.hpp"

namespace kwb::test {

void VendorsFolder::add_pocl() {
    add("pocl", read_file("/etc/OpenCL/vendors/pocl.icd"));
}

void VendorsFolder::add_odd(const std::string& habits) {
    // Copied, because the sandbox lets a runner read the driver's folder, but not the target of a symbolic
    // link in it.
    const std::filesystem::path library = path() / (habits + ".so");
    std::filesystem::copy_file(KWB_ODD_DRIVER, library);
    add(habits, library.string() + "\n");
}

void VendorsFolder::add(const std::string& name, const std::string& text) {
    folder_.write(name + ".icd", text);
}

}  // namespace kwb::test
