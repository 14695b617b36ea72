// SPDX-License-Identifier: Apache-2.0
#include "cli/kwb.hpp"

#include <stdexcept>

#include "base/file.hpp"

namespace kwb::test {
namespace fs = std::filesystem;

ProcessOptions kwb_command(const Args& args) {
    ProcessOptions options;
    options.command = {KWB_PROGRAM};
    options.command.insert(options.command.end(), args.begin(), args.end());
    options.environment = {{"KWB_CACHE_DIR", KWB_TEST_CACHE}, {"LC_ALL", "C.UTF-8"}, {"NO_COLOR", "1"}};
    options.unset = {"KWB_JUDGE", "POCL_DEVICES", "POCL_CACHE_DIR", "OPENBLAS_CORETYPE"};
    return options;
}

Finished run_kwb(const Args& args, const NamedList<std::string>& environment) {
    ProcessOptions options = kwb_command(args);
    for (const auto& [name, value] : environment) {
        std::erase_if(options.environment,
                      [&changed = name](const auto& known) { return known.name == changed; });
        options.environment.push_back({name, value});
    }
    return run_process(options);
}

nlohmann::json kwb_json(const Args& args, int exit_code) {
    const Finished finished = run_kwb(args);
    INFO(finished.err);
    REQUIRE(finished.exit_code == exit_code);
    CHECK(finished.err == "");
    return nlohmann::json::parse(finished.out);
}

std::string kernel_source(const std::string& file) {
    return read_file(fs::path(KWB_SHIPPED_KERNELS) / file);
}

fs::path pocl_icd() {
    return KWB_TEST_VENDORS "/pocl.icd";
}

}  // namespace kwb::test
