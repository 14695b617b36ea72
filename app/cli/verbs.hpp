// The verbs of `kwb`; each function returns the exit code.
#pragma once

#include "options.hpp"

namespace kwb::cli {

inline constexpr int kExitGood = 0;
inline constexpr int kExitVerdict = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitEnvironment = 3;
inline constexpr int kExitInterrupted = 130;

// All throw BadInput and EnvironmentError.
int list_devices(const Options& options);
int list_kernels(const Options& options);
int show_kernel(const Options& options);
int run_kernels(const Options& options);  ///< run and sweep, which both measure times
int check_kernels(const Options& options);
int adopt_kernel(const Options& options);  ///< writes FILE.cl.toml
int write_new_kernel(const Options& options);
int examine_machine(const Options& options);
int open_window(const Options& options);  ///< replaces this process; only returns by exception

}  // namespace kwb::cli
