// Options for kernels without declarations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/own_options.hpp"

namespace CLI {
class App;
}

namespace kwb::cli {

/// The options as typed.
struct RawOwnOptions {
    std::optional<std::string> problem;
    std::optional<std::string> entry;
    std::optional<std::string> args;
    std::optional<std::string> global;
    std::optional<std::string> local;
    std::vector<std::string> defines;
    std::vector<std::string> local_mem;
    std::vector<std::string> init;
};

void add_own_kernel_options(CLI::App& verb, RawOwnOptions& raw);

/// @throws BadInput
OwnOptions finish_own_kernel_options(const RawOwnOptions& raw);

}  // namespace kwb::cli
