// What every part of the measurements needs to know.
#pragma once

#include <filesystem>

namespace kwb::bench {

struct Setting {
    std::filesystem::path root;     ///< of the repository
    std::filesystem::path build;    ///< has bin/kwb and tests/bench/bare_loop
    std::filesystem::path scratch;  ///< for compiler caches
    bool quick = false;

    std::filesystem::path kwb() const { return build / "bin" / "kwb"; }
    std::filesystem::path judge() const { return build / "bin" / "kwb-judge"; }
    std::filesystem::path runner() const { return build / "bin" / "kwb-runner"; }
    std::filesystem::path warm_cache() const { return scratch / "warm"; }
    std::filesystem::path kernel(const char* file) const { return root / "kernels" / "matmul" / file; }
    int repetitions(int full, int quick_ones) const { return quick ? quick_ones : full; }
};

}  // namespace kwb::bench
