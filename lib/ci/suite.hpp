// SPDX-License-Identifier: Apache-2.0
// kwb.toml: which kernels of a project are tested, and how.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/named.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

inline constexpr const char* kSuiteFile = "kwb.toml";

/// Kernels that are tested alike.
struct CiCase {
    std::string name;
    std::vector<std::string> kernels = {};  ///< names, or paths from the folder of the file, with wildcards
    std::optional<std::string> problem = {};
    /// For files without declarations: as the options of `kwb run`.
    std::optional<std::string> entry = {}, args = {}, global = {}, local = {};
    std::string build_options = {};
    std::vector<std::string> sizes = {};      ///< empty: those of `kwb check`
    std::optional<std::string> time_at = {};  ///< the size at which times are compared; none: the usual one
    bool has_all_params = false;              ///< every value that a kernel's file lists
    NamedList<std::vector<std::string>> params = {};
    std::vector<std::string> devices = {};  ///< empty: the best one
    std::optional<Verdict> expect = {};     ///< at one size at least, and no other fault
    double timeout_ms = 30'000;             ///< of a build, of a launch
    std::vector<std::string> tags = {};
};

struct CiSuite {
    std::filesystem::path file;
    std::vector<CiCase> cases;  ///< at least one, each with a name of its own

    std::filesystem::path folder() const { return file.parent_path(); }
};

/// @throws BadInput  "file:line:column: …": a key is missing, unknown or invalid
CiSuite read_suite(const std::filesystem::path& file);

/// kwb.toml in this folder, or else in the nearest one above.
/// @throws BadInput  there is none
std::filesystem::path find_suite(const std::filesystem::path& folder);

/// The kernels of a case, each once: files as absolute paths, in alphabetical order for each entry. `**`
/// stands for any number of folders; hidden ones are left out.
/// @throws BadInput  an entry with wildcards matches nothing
std::vector<std::string> kernels_of(const CiCase& about, const CiSuite& suite);

/// A kwb.toml that tests these kernels, a case for each problem; their names have no wildcards there.
/// @param kernels    path from the folder of the file, and the problem; empty: the file declares none
std::string suite_text(const std::vector<std::pair<std::string, std::string>>& kernels);

}  // namespace kwb
