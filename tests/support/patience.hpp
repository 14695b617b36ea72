// SPDX-License-Identifier: Apache-2.0
// How long tests wait. No test may fail because its machine is slow or busy, so a wait either ends with a
// state or is so long that only a hang reaches its end.
#pragma once

namespace kwb::test {

/// For whatever must come. Shorter than CTest's limit, so that a hang is reported where it happens.
inline constexpr int kPatienceMs = 300'000;

/// Ask with a time limit that only the planted fault should reach. A busy machine may use up a short limit in
/// a healthy step before it, such as the compiler, which then gets the blame: the limit grows until the
/// answer is the expected one.
/// @param ask          from a limit in milliseconds to an answer
/// @param is_expected  of an answer
/// @return  the first answer that is expected; else that with the longest limit, of at least a minute
template <class Ask, class IsExpected>
auto ask_with_growing_limit(double ms, const Ask& ask, const IsExpected& is_expected) {
    constexpr double kMostMs = 60'000;
    for (;; ms *= 4) {
        auto answer = ask(ms);
        if (ms >= kMostMs || is_expected(answer)) return answer;
    }
}

}  // namespace kwb::test
