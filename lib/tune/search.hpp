// SPDX-License-Identifier: Apache-2.0
// Shared by the strategies that learn from outcomes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tune/space.hpp"
#include "tune/strategy.hpp"

namespace kwb {

/// Random numbers that are the same with every standard library, unlike those of its distributions.
class Chance {
public:
    explicit Chance(std::uint64_t seed) : engine_(seed) {}

    /// The remainder's bias is less than 1e-12 for any space that fits into memory.
    std::size_t below(std::size_t end) { return engine_() % end; }
    /// A random number in [0, 1).
    double share() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

    template <class T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t left = values.size(); left > 1; --left)
            std::swap(values[below(left)], values[left - 1]);
    }

private:
    std::mt19937_64 engine_;
};

/// Configurations that were neither proposed nor have an outcome. All operations take constant time.
class Untried {
public:
    explicit Untried(std::size_t configurations);

    std::size_t size() const { return listed_.size(); }
    bool contains(std::size_t configuration) const { return place_[configuration] < listed_.size(); }
    /// @param i  below size()
    std::size_t operator[](std::size_t i) const { return listed_[i]; }
    /// @return false: it was missing
    bool remove(std::size_t configuration);

private:
    std::vector<std::uint32_t> listed_;
    std::vector<std::uint32_t> place_;  ///< in listed_; its size or more: missing
};

/// Ensures that each configuration is proposed once and learned from once. The first proposal is the first
/// configuration of the space: the file's defaults, which its author chose.
class Search : public Strategy {
public:
    /// @param space  must outlive it
    Search(const Space& space, std::uint64_t seed) : size_(space.size()), chance_(seed), untried_(size_) {}

    std::optional<std::size_t> next() final;
    void tell(std::size_t configuration, std::optional<double> cost_ms) final;
    bool learns() const final { return true; }

protected:
    /// @return  one of untried(), of which there is one
    virtual std::size_t choose() = 0;
    /// @param log_cost  logarithm of the time; nullopt: it is not good
    virtual void learn(std::size_t configuration, std::optional<double> log_cost) = 0;

    std::size_t any_untried() { return untried_[chance_.below(untried_.size())]; }
    const Untried& untried() const { return untried_; }
    Chance& chance() { return chance_; }

private:
    std::size_t size_;
    Chance chance_;
    Untried untried_;
    std::unordered_set<std::size_t> pending_;  ///< proposed, without an outcome so far
};

std::unique_ptr<Strategy> make_climb(const Space& space, std::uint64_t seed);
std::unique_ptr<Strategy> make_anneal(const Space& space, std::uint64_t seed);
std::unique_ptr<Strategy> make_model(const Space& space, std::uint64_t seed);

}  // namespace kwb
