// SPDX-License-Identifier: Apache-2.0
#include "ci/slowdown.hpp"

namespace kwb {

Slowdown::Answer Slowdown::add(std::span<const double> now_ms, std::span<const double> before_ms) {
    const auto measured = stats::compare_paired(now_ms, before_ms);
    if (!measured) return Answer::NotYet;
    slower_measurements_ += measured->ratio > limit_ ? 1 : 0;
    const auto rounds = static_cast<std::ptrdiff_t>(measured->rounds);
    now_ms_.insert(now_ms_.end(), now_ms.begin(), now_ms.begin() + rounds);
    before_ms_.insert(before_ms_.end(), before_ms.begin(), before_ms.begin() + rounds);
    ratio_ = stats::compare_paired(now_ms_, before_ms_);
    if (!ratio_->interval) return Answer::NotYet;
    if (ratio_->interval->high <= limit_) return Answer::NotSlower;
    return ratio_->interval->low > limit_ && slower_measurements_ >= 2 ? Answer::Slower : Answer::NotYet;
}

}  // namespace kwb
