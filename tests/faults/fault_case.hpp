// One fault as it lies in cases/<name>/: a kernel, how it is launched, and what must come of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/plan.hpp"
#include "model/request.hpp"

namespace kwb::test {

/// The file `launch`: its first line is what follows `kwb`, without the kernel:
///   run --check --size 17x19x23 --rounds 3 --timeout 2s
/// and a second line may say on which processor alone the case makes sense: `needs x86_64`.
struct Recipe {
    bool check_only = true;  ///< verb `check`; false: `run`
    std::string size;        ///< "17x19x23"; always given
    PlanChoices choices;     ///< --param, --local
    std::uint64_t seed = 1;
    std::optional<std::uint32_t> rounds;
    double timeout_ms = 20'000;     ///< shorter than kwb's own, so that a forgotten one costs little
    bool unreadable_pages = false;  ///< --check
    bool foreign = false;           ///< --foreign
    std::string processor;          ///< as uname -m says it; empty: any
};

/// @throws BadInput  naming the word that is not understood, or what is missing
Recipe parse_recipe(std::string_view text);

struct FaultCase {
    std::string name;  ///< of its folder: "bounds_write_one_past"
    std::filesystem::path kernel;
    Recipe recipe;
    std::vector<std::string> expected;  ///< lines as in the file, see findings.hpp
};

/// @throws BadInput  a file of the three is missing, or one is wrong; begins with the case's name
FaultCase read_fault_case(const std::filesystem::path& folder);

/// The folders of `cases` whose name begins with "<group>_", sorted.
std::vector<std::filesystem::path> cases_of(const std::filesystem::path& cases, std::string_view group);

/// Read the kernel as a face does. One that includes a file of tests/faults/neighbours, which cases share, is
/// read as a copy with those files beside it: a kernel may include only what lies in its own folder.
/// @throws BadInput  as a face refuses the kernel file
KernelFile open_kernel(const FaultCase& fault);

/// What a face would ask of a judge.
/// @throws BadInput  as a face refuses the kernel file or the choices
RunRequest make_request(const FaultCase& fault, const DeviceInfo& device);

}  // namespace kwb::test
