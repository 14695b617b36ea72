// SPDX-License-Identifier: Apache-2.0
// A tuning on display: the space of a contestant, and the results so far.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiment/experiment.hpp"
#include "task/tuner.hpp"
#include "tune/space.hpp"
#include "tune/tuning.hpp"

namespace kwb {

/// What a tuning depends on.
struct TuneKey {
    Setting setting;
    ChosenKernel kernel;  ///< without the chosen parameters: all their values are tried
    bool xray = true;
    bool unreadable_pages = false;

    friend bool operator==(const TuneKey&, const TuneKey&) = default;
};

/// What can be tuned, before anything runs. Immutable once shared.
struct ShownSpace {
    TuneKey key;
    std::string error;                   ///< a sentence: why nothing can be tuned; empty: `space` is set
    std::shared_ptr<const Space> space;  ///< with at least one configuration; or nullptr
    /// Those that remove something; also if nothing is left.
    std::vector<Restriction> removing;
    std::uint64_t combinations = 0;
};

/// Immutable once shared: each run of the tuning makes a new one.
struct ShownTuning {
    TuneKey key;          ///< of its space
    std::string label;    ///< short, for the user
    std::string subject;  ///< "size 128 on <device>"
    std::shared_ptr<const Space> space;
    std::vector<std::shared_ptr<const Trial>> trials;  ///< in the order in which they were first tried
    std::optional<std::size_t> best;                   ///< index into `trials`; nullopt: none is good
    TunerProgress progress;
    std::size_t left_out = 0;  ///< as Tuning::left_out()
    bool finished = false;     ///< false: more follow
    bool stopped = false;      ///< by the user
    std::string error;         ///< a sentence: why it ended early; empty if it did not
};

}  // namespace kwb
