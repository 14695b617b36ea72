#include "judge/reference_cache.hpp"

namespace kwb {
namespace {

/// Above this only the pass at hand is kept.
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{1} << 30;

}  // namespace

const PassData& ReferenceCache::get(const ReferenceSolver& solver, const ProblemInstance& instance, Pass pass,
                                    std::uint64_t seed, const Checkpoint& checkpoint) {
    std::string key = instance.problem + " " + std::to_string(seed) + " " + solver.fingerprint();
    for (const auto& [name, value] : instance.sizes) key += " " + name + "=" + std::to_string(value);
    if (key != key_) {
        passes_.clear();
        key_ = std::move(key);
    }
    const auto found = passes_.find(pass);
    if (found != passes_.end()) return found->second;
    if (reference_bytes(instance) > kMostKeptBytes) passes_.clear();
    return passes_.emplace(pass, solver.make(instance, pass, seed, checkpoint)).first->second;
}

std::uint64_t reference_bytes(const ProblemInstance& instance) {
    std::uint64_t bytes = 0;
    for (const BufferSpec& buffer : instance.buffers) {
        // An output: expected value, bound, and a copy of what was read back. An input: itself, and once more
        // in double precision while the reference is computed.
        const std::uint64_t each = buffer.access == Access::Read ? buffer.type.bytes() + sizeof(double)
                                                                 : sizeof(double) + sizeof(float);
        bytes += buffer.elements() * each + buffer.bytes();
    }
    return bytes;
}

}  // namespace kwb
