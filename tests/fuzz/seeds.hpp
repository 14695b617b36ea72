// Inputs to start from that are no messages. Whole kernels are not among them: tests/fuzz/run hands out the
// shipped ones.
#pragma once

#include <string>
#include <vector>

namespace kwb::fuzz {

struct Seed {
    const char* name;
    std::string bytes;
};

std::vector<Seed> build_logs();

/// Over the names that the target `expression` knows.
std::vector<Seed> expressions();

std::vector<Seed> front_matters();

/// Sources whose syntax trees the target `hints` starts from: a loop, a guard, local memory, a cut text, …
std::vector<Seed> odd_sources();

/// Each begins with the byte that says in which pieces the target feeds the rest.
std::vector<Seed> frames();

/// .npy files.
std::vector<Seed> arrays();

}  // namespace kwb::fuzz
