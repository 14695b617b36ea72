#include "ipc/child_environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace kwb {

bool is_for_drivers(std::string_view name) {
    using namespace std::string_view_literals;
    static constexpr std::array kNames = {"PATH"sv, "LANG"sv, "LANGUAGE"sv, "TZ"sv, "LD_LIBRARY_PATH"sv};
    static constexpr std::array kPrefixes = {"LC_"sv,      "OCL_ICD_"sv, "OPENCL_"sv,
                                             "POCL_"sv,    "CUDA_"sv,    "NVIDIA_"sv,  // loader, PoCL, NVIDIA
                                             "AMD_"sv,     "ROC"sv,      "HSA_"sv,
                                             "HIP_"sv,     "GPU_"sv,  // AMD
                                             "ZE_"sv,      "ONEAPI"sv,   "SYCL_"sv,
                                             "NEO"sv,      "RUSTICL_"sv, "MESA_"sv,  // Intel, Mesa
                                             "KWB_FAKE_"sv};                         // tests
    if (std::ranges::find(kNames, name) != kNames.end() || name.ends_with("SAN_OPTIONS")) return true;
    return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

NamedList<std::string> driver_environment() {
    NamedList<std::string> kept;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view line(*entry);
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos && is_for_drivers(line.substr(0, equals)))
            kept.push_back({std::string(line.substr(0, equals)), std::string(line.substr(equals + 1))});
    }
    return kept;
}

}  // namespace kwb
